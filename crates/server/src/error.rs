//! What goes wrong with a request, in the one shape that every answer of the API has:
//! `{"error":{"code":"...","message":"..."}}`.
//!
//! A message names the input and never a path of this machine: what the memory's errors say of files stays here.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use mnemon_memory::MemoryError;
use mnemon_search::NotationError;
use serde::Serialize;

/// An answer that is an error: a status, a code for programs and a message for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ApiError {
    pub(crate) status: StatusCode,
    pub(crate) code: &'static str,
    pub(crate) message: String,
}

/// The result of answering a request.
pub(crate) type ApiResult<T> = Result<T, ApiError>;

#[derive(Serialize)]
struct Shape<'a> {
    error: Members<'a>,
}

#[derive(Serialize)]
struct Members<'a> {
    code: &'a str,
    message: &'a str,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        ApiError { status, code, message: message.into() }
    }

    /// 400: a parameter or a body that means nothing.
    pub(crate) fn bad_request(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, message)
    }

    /// 404.
    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", message)
    }

    /// 403: the memory is served for reading.
    pub(crate) fn read_only() -> Self {
        Self::new(StatusCode::FORBIDDEN, "read_only", "the memory is served for reading only")
    }

    /// 503: as much is being done as is allowed.
    pub(crate) fn busy(message: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message)
    }

    /// 500: a defect of this program. What it was is not told.
    pub(crate) fn internal() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "this request failed inside the server")
    }
}

impl ApiError {
    /// 400: a text that is no position. A mistake in its moves is one in the position that was asked for.
    pub(crate) fn invalid_position(error: NotationError) -> Self {
        Self::bad_request("invalid_position", error.to_string())
    }
}

impl From<NotationError> for ApiError {
    fn from(error: NotationError) -> Self {
        let code = match error {
            NotationError::Move(_) => "invalid_move",
            NotationError::Score(_) => "invalid_score",
            _ => "invalid_position",
        };
        Self::bad_request(code, error.to_string())
    }
}

impl From<MemoryError> for ApiError {
    fn from(error: MemoryError) -> Self {
        match error {
            MemoryError::InvalidItem { reason } => Self::bad_request("invalid_item", reason),
            MemoryError::ReadOnly { .. } => Self::read_only(),
            MemoryError::Busy { .. } => Self::busy("another process is writing to the memory; try again"),
            MemoryError::Full { .. } => Self::new(StatusCode::INSUFFICIENT_STORAGE, "disk_full", "the disk is full"),
            MemoryError::Damaged { .. } | MemoryError::Replaced { .. } => Self::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "memory_damaged",
                "the memory is damaged or was replaced; see 'mnemon memory verify'",
            ),
            _ => Self::new(StatusCode::INTERNAL_SERVER_ERROR, "memory_failed", "the memory cannot be used now"),
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let body = Shape { error: Members { code: self.code, message: &self.message } };
        let mut response = json(&body);
        *response.status_mut() = self.status;
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

/// A value as a JSON answer.
pub(crate) fn json(value: &impl Serialize) -> Response {
    match serde_json::to_vec(value) {
        Ok(text) => {
            let mut response = Response::new(Body::from(text));
            response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
            response
        }
        // No type of an answer has a map with keys that are no texts: this cannot be.
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_this_machine_are_not_told() {
        for error in [
            MemoryError::Damaged { location: "/home/ada/m".into(), detail: "page 7 of /home/ada/m".into() },
            MemoryError::Full { location: "/home/ada/m".into() },
            MemoryError::Busy { location: "/home/ada/m".into(), seconds: 3 },
            MemoryError::Store { location: "/home/ada/m".into(), detail: "/home/ada".into() },
        ] {
            let told = ApiError::from(error);
            assert!(!told.message.contains("ada") && told.status.is_server_error(), "{told:?}");
        }
    }
}
