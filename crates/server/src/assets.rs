//! The files of `web/`, embedded in the program and served under `/static/`.
//!
//! A request names a key of a table, never a path of the file system: there is nothing to climb out of.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::error::ApiError;
use crate::params::Segment;

/// Each file's name, with `/` between folders, and its bytes.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/web.rs"));

/// The bytes of an embedded file.
pub(crate) fn file(name: &str) -> Option<&'static [u8]> {
    let at = FILES.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
    Some(FILES[at].1)
}

/// `GET /static/NAME`.
pub(crate) async fn get(Segment(name): Segment) -> Response {
    let Some(bytes) = file(&name) else { return ApiError::not_found("there is no such file").into_response() };
    let mut response = Response::new(Body::from(bytes));
    *response.status_mut() = StatusCode::OK;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type(&name)));
    // The files change with the program only, but the address of a new program is the same.
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "css" => "text/css; charset=utf-8",
        "html" => "text/html; charset=utf-8",
        "ico" => "image/x-icon",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "png" => "image/png",
        "svg" => "image/svg+xml",
        "txt" => "text/plain; charset=utf-8",
        "wasm" => "application/wasm",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_by_their_whole_names_only() {
        assert!(file("page.css").is_some_and(|bytes| !bytes.is_empty()));
        for none in ["", "page", "/page.css", "../web/page.css", "page.css/", "PAGE.CSS"] {
            assert!(file(none).is_none(), "{none}");
        }
        assert!(FILES.is_sorted_by_key(|(name, _)| name));
    }
}
