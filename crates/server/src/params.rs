//! The parameters of an address, and JSON bodies: bounded, and refused with a reason.

use axum::body::Body;
use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use axum::http::{Request, StatusCode};
use futures_util::StreamExt;
use serde::de::DeserializeOwned;

use crate::app::App;
use crate::error::{ApiError, ApiResult};
use crate::security::check_write;

/// The parameters of a query, by their names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Params(Vec<(String, String)>);

impl Params {
    /// Reads a query, in which each name may stand once.
    pub(crate) fn read(query: Option<&str>) -> ApiResult<Self> {
        let mut params: Vec<(String, String)> = Vec::new();
        for (name, value) in form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
            if params.iter().any(|(known, _)| *known == *name) {
                return Err(ApiError::bad_request("repeated_parameter", format!("'{}' is given twice", clip(&name))));
            }
            params.push((name.into_owned(), value.into_owned()));
        }
        Ok(Params(params))
    }

    /// The same, with these names only.
    pub(crate) fn only(query: Option<&str>, names: &[&str]) -> ApiResult<Self> {
        let params = Self::read(query)?;
        match params.0.iter().find(|(name, _)| !names.contains(&&**name)) {
            Some((name, _)) => {
                let message = format!("there is no parameter '{}'; there are: {}", clip(name), names.join(", "));
                Err(ApiError::bad_request("unknown_parameter", message))
            }
            None => Ok(params),
        }
    }

    /// The parameter's value.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| &**value)
    }

    /// The number that the parameter is, within bounds.
    pub(crate) fn number(&self, name: &'static str, least: u64, most: u64, default: u64) -> ApiResult<u64> {
        let Some(text) = self.get(name) else { return Ok(default) };
        let number = text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten();
        number.filter(|number| (least..=most).contains(number)).ok_or_else(|| {
            let message = format!("'{name}' must be a number from {least} to {most}, not '{}'", clip(text));
            ApiError::bad_request("invalid_parameter", message)
        })
    }
}

/// The variable part of an address's path. What is no text is refused in the API's shape.
pub(crate) struct Segment(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for Segment {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> ApiResult<Self> {
        let path = Path::<String>::from_request_parts(parts, state).await;
        path.map(|Path(text)| Segment(text))
            .map_err(|_| ApiError::bad_request("invalid_address", "the address is no text in UTF-8"))
    }
}

/// The beginning of a text, for a message.
pub(crate) fn clip(text: &str) -> String {
    const LONGEST: usize = 60;
    let clean: String = text.chars().map(|letter| if letter.is_control() { '\u{fffd}' } else { letter }).collect();
    match clean.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}...", &clean[..at]),
        None => clean,
    }
}

/// The JSON body of a write, after all checks that a write must pass.
pub(crate) async fn write_body<T: DeserializeOwned>(app: &App, request: Request<Body>, most: usize) -> ApiResult<T> {
    let (parts, body) = request.into_parts();
    check_write(app, &parts)?;
    if !app.is_writable {
        return Err(ApiError::read_only());
    }
    parse(&read_body(app, &parts, body, most).await?)
}

/// Reads a body of at most `most` bytes within the time that it may take.
pub(crate) async fn read_body(app: &App, parts: &Parts, body: Body, most: usize) -> ApiResult<Vec<u8>> {
    let too_large = || {
        let message = format!("the body may have {most} bytes at the most");
        ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", message)
    };
    let declared = parts.headers.get("content-length").and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if declared.is_some_and(|length| length > most as u64) {
        return Err(too_large());
    }
    let whole = async {
        let (mut stream, mut bytes) = (body.into_data_stream(), Vec::new());
        while let Some(chunk) = stream.next().await {
            let chunk = chunk.map_err(|_| ApiError::bad_request("broken_body", "the body ended early"))?;
            if bytes.len() + chunk.len() > most {
                return Err(too_large());
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    };
    let slow = |_| ApiError::new(StatusCode::REQUEST_TIMEOUT, "too_slow", "the body took too long");
    tokio::time::timeout(app.limits.body_time, whole).await.map_err(slow)?
}

/// Reads JSON.
pub(crate) fn parse<T: DeserializeOwned>(body: &[u8]) -> ApiResult<T> {
    serde_json::from_slice(body).map_err(|error| ApiError::bad_request("invalid_json", clip_error(&error)))
}

fn clip_error(error: &serde_json::Error) -> String {
    let text = error.to_string();
    if text.chars().count() > 300 { clip(&text) } else { text }
}
