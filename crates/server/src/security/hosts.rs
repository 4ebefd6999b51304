//! The names under which this server is asked. A request under any other name is refused before anything else.

use std::net::SocketAddr;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::error::ApiError;

/// The allowed names.
#[derive(Clone, Debug)]
pub(crate) struct Hosts {
    port: u16,
    /// In lower case, without a port.
    loopback: Vec<String>,
    /// In lower case: with a port for that port alone, otherwise for every port.
    allowed: Vec<String>,
}

impl Hosts {
    /// The loopback names, the address itself and what the user allows.
    pub(crate) fn new(address: SocketAddr, allowed: &[String]) -> Self {
        let mut loopback = ["localhost", "127.0.0.1", "[::1]"].map(str::to_owned).to_vec();
        if !address.ip().is_unspecified() {
            let text = address.to_string();
            loopback.extend(text.rsplit_once(':').map(|(host, _)| host.to_owned()));
        }
        Hosts {
            port: address.port(),
            loopback,
            allowed: allowed.iter().map(|host| host.to_ascii_lowercase()).collect(),
        }
    }

    /// Whether a `Host` header, or the authority of an address, names this server.
    pub(crate) fn allows(&self, authority: &str) -> bool {
        let authority = authority.to_ascii_lowercase();
        let (host, port) = split(&authority);
        let is_own_port = port.unwrap_or(80) == self.port;
        let has_port = authority.len() > host.len();
        if has_port && port.is_none() {
            return false;
        }
        is_own_port && self.loopback.iter().any(|known| known == host)
            || self.allowed.iter().any(|known| known == host || *known == authority)
    }

    /// Whether an `Origin` header is of a page of this server.
    pub(crate) fn allows_origin(&self, origin: &str) -> bool {
        let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        authority.is_some_and(|authority| self.allows(authority))
    }
}

/// The host without its port, and the port if there is one.
fn split(authority: &str) -> (&str, Option<u16>) {
    // The colons of an IPv6 address stand in brackets.
    let end_of_host = authority.rfind(']').map_or(0, |at| at + 1);
    match authority[end_of_host..].find(':') {
        Some(colon) => {
            let (host, port) = authority.split_at(end_of_host + colon);
            let digits = &port[1..];
            let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            (host, is_number.then(|| digits.parse().ok()).flatten())
        }
        None => (authority, None),
    }
}

/// Refuses a request that names another host: 400 without one, 421 with another one.
pub(crate) async fn check_host(State(app): State<App>, request: Request, next: Next) -> Response {
    let mut named = request.headers().get_all(header::HOST).iter();
    let (host, another) = (named.next(), named.next());
    let host = host.and_then(|host| host.to_str().ok());
    let Some(host) = host.filter(|_| another.is_none()) else {
        return ApiError::bad_request("missing_host", "the request needs one Host header").into_response();
    };
    // In the absolute form of a request the address has a host, too, which counts before the header's.
    let in_address = request.uri().authority().map(|authority| authority.as_str());
    if !app.hosts.allows(host) || in_address.is_some_and(|authority| !app.hosts.allows(authority)) {
        let message = "this server is not asked under this name; 'mnemon serve --allow-host NAME' allows one";
        return ApiError::new(StatusCode::MISDIRECTED_REQUEST, "wrong_host", message).into_response();
    }
    next.run(request).await
}

/// Whether a browser says that a page of another site asks. Programs that are no browsers say nothing.
pub(crate) fn is_foreign(app: &App, headers: &HeaderMap) -> bool {
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    text("origin").is_some_and(|origin| !app.hosts.allows_origin(origin))
        || text("sec-fetch-site").is_some_and(|site| !["same-origin", "none"].contains(&site))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(listen: &str, allowed: &[&str]) -> Hosts {
        let allowed: Vec<String> = allowed.iter().map(|&host| host.to_owned()).collect();
        Hosts::new(listen.parse().expect("an address"), &allowed)
    }

    #[test]
    fn only_loopback_names_with_the_own_port_are_allowed() {
        let hosts = hosts("127.0.0.1:8077", &[]);
        for good in ["localhost:8077", "127.0.0.1:8077", "[::1]:8077", "LocalHost:8077"] {
            assert!(hosts.allows(good) && hosts.allows_origin(&format!("http://{good}")), "{good}");
        }
        for bad in [
            "",
            "evil.example",
            "evil.example:8077",
            "localhost",
            "localhost:80",
            "127.0.0.1:8078",
            "localhost:8077:8077",
            "localhost:+8077",
            "localhost:",
            "localhost:8077@evil.example",
            "evil.localhost:8077",
            "[::1]",
            "[::1]x:8077",
            "127.0.0.1.evil.example:8077",
            "localhost.:8077",
        ] {
            assert!(!hosts.allows(bad), "{bad}");
        }
        for bad in ["null", "file://", "localhost:8077", "http://localhost:8077/", "ftp://localhost:8077"] {
            assert!(!hosts.allows_origin(bad), "{bad}");
        }
    }

    #[test]
    fn names_can_be_allowed_with_or_without_a_port() {
        let hosts = hosts("0.0.0.0:80", &["Chess.lan", "board.lan:8443"]);
        for good in ["chess.lan", "chess.lan:9", "board.lan:8443", "localhost", "127.0.0.1:80"] {
            assert!(hosts.allows(good), "{good}");
        }
        for bad in ["board.lan", "0.0.0.0", "x.chess.lan"] {
            assert!(!hosts.allows(bad), "{bad}");
        }
    }
}
