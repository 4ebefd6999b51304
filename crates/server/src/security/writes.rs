//! A request that changes something is made by the page that this server gave out, or by a program that knows its token.

use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};

use crate::app::App;
use crate::error::{ApiError, ApiResult};

/// Checks a write: the memory may be written, the body is JSON, the origin is this server, and the token is right. Comparing
/// `Origin` with `Host` would prove nothing, since a rebound page controls both: both are compared with the list.
pub(crate) fn check_write(app: &App, parts: &Parts) -> ApiResult<()> {
    check_content_type(&parts.headers)?;
    check_origin(app, &parts.headers)?;
    check_token(app, &parts.headers)
}

/// No form of a foreign page can send this content type without asking first.
fn check_content_type(headers: &HeaderMap) -> ApiResult<()> {
    let text = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let name = text.split(';').next().unwrap_or_default().trim();
    if name.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    let message = "the body must have the content type application/json";
    Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not_json", message))
}

fn check_origin(app: &App, headers: &HeaderMap) -> ApiResult<()> {
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let is_own = match text("origin") {
        Some(origin) => app.hosts.allows_origin(origin),
        None => text("sec-fetch-site") == Some("same-origin"),
    };
    if is_own {
        return Ok(());
    }
    let message = "the request does not come from a page of this server: its Origin must be the server's address";
    Err(ApiError::new(StatusCode::FORBIDDEN, "wrong_origin", message))
}

fn check_token(app: &App, headers: &HeaderMap) -> ApiResult<()> {
    let given = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let given = given.and_then(|text| text.strip_prefix("Bearer ")).map(str::trim);
    match given {
        Some(given) if app.token.is(given) => Ok(()),
        Some(_) => Err(unauthorized("the token is another run's; open the address that 'mnemon serve' printed")),
        None => Err(unauthorized("a change needs the token: open the address that 'mnemon serve' printed")),
    }
}

fn unauthorized(message: &str) -> ApiError {
    ApiError::new(StatusCode::UNAUTHORIZED, "no_token", message)
}
