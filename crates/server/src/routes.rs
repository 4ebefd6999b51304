//! Every address of the server, and the layers around them.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{Method, StatusCode};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::app::App;
use crate::error::ApiError;
use crate::{api, assets, chessdb, lichess, page, security};

/// The whole server as one service.
pub(crate) fn router(app: App, fixed_answer: Option<String>) -> Router {
    let mut router = Router::new();
    if let Some(answer) = fixed_answer {
        let bytes = Bytes::from(answer);
        router = router.route("/fixed", get(|| async move { Response::new(Body::from(bytes)) }));
    }
    router
        .merge(page::routes())
        .nest("/api/v1", api::routes())
        .route("/cdb.php", get(chessdb::answer).post(chessdb::answer))
        .route("/api/cloud-eval", get(lichess::answer))
        .route("/static/{*name}", get(assets::get))
        .fallback(not_found)
        .method_not_allowed_fallback(wrong_method)
        .layer(from_fn_with_state(app.clone(), bound_address))
        // The outermost layers are the last: the host is looked at first, and every answer has the headers.
        .layer(from_fn_with_state(app.clone(), security::check_host))
        .layer(from_fn(security::add_headers))
        .with_state(app)
}

async fn not_found() -> ApiError {
    ApiError::not_found("there is nothing at this address; the API is described by /api/v1/openapi.json")
}

async fn wrong_method(method: Method) -> ApiError {
    let message = format!("this address does not take {}", crate::params::clip(method.as_str()));
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "wrong_method", message)
}

/// Refuses an address that is too long.
async fn bound_address(
    axum::extract::State(app): axum::extract::State<App>,
    request: Request,
    next: axum::middleware::Next,
) -> Response {
    let length = request.uri().path_and_query().map_or(0, |text| text.as_str().len());
    if length > app.limits.uri_bytes {
        let message = format!("an address may have {} bytes at the most", app.limits.uri_bytes);
        return ApiError::new(StatusCode::URI_TOO_LONG, "too_long", message).into_response();
    }
    next.run(request).await
}
