//! HTML as text: escaping, and the frame that every page has.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::error::ApiError;

/// A text with the characters replaced that mean something in HTML, in an element or in a quoted attribute.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// A page: its title, which of the pages it is, and what stands between the navigation and the end.
pub(super) struct Page {
    pub(super) title: String,
    pub(super) section: Section,
    pub(super) main: String,
}

/// The pages that the navigation names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    Chess,
    ConnectFour,
    Memory,
}

impl Section {
    const ALL: [Section; 3] = [Section::Chess, Section::ConnectFour, Section::Memory];

    fn name(self) -> &'static str {
        match self {
            Section::Chess => "Chess",
            Section::ConnectFour => "Connect Four",
            Section::Memory => "Memory",
        }
    }

    fn address(self) -> &'static str {
        match self {
            Section::Chess => "/chess",
            Section::ConnectFour => "/connect4",
            Section::Memory => "/memory",
        }
    }

    /// The module that adds to the page what needs a script.
    fn script(self) -> &'static str {
        match self {
            Section::Chess => "/static/chess.js",
            Section::ConnectFour => "/static/connect4.js",
            Section::Memory => "/static/memory.js",
        }
    }

    fn link(self, current: Section) -> String {
        let mark = if self == current { " aria-current=\"page\"" } else { "" };
        format!("<a href=\"{}\"{mark}>{}</a>", self.address(), self.name())
    }
}

impl Page {
    /// The whole document, with its section's script unless there is nothing for it to do. `theme.js` runs before anything
    /// is drawn, so that a chosen theme does not flash.
    fn document(&self, has_script: bool) -> String {
        let Page { title, section, main } = self;
        let script = format!("<script type=\"module\" src=\"{}\"></script>\n", section.script());
        let links: String = Section::ALL.into_iter().map(|other| other.link(*section)).collect();
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{} · mnemon</title>\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <link rel=\"icon\" href=\"/static/icon.svg\" type=\"image/svg+xml\">\n\
             <link rel=\"stylesheet\" href=\"/static/page.css\">\n\
             <script src=\"/static/theme.js\"></script>\n{}</head>\n<body>\n\
             <a class=\"skip\" href=\"#main\">Skip to the content</a>\n\
             <header class=\"top\"><a class=\"brand\" href=\"/\">mnemon</a>\n<nav aria-label=\"Pages\">{links}</nav>\n\
             <button type=\"button\" id=\"theme\" class=\"script quiet\">Dark</button></header>\n\
             <main id=\"main\" tabindex=\"-1\">\n{main}\n</main>\n\
             <div id=\"announce\" class=\"unseen\" role=\"status\" aria-live=\"polite\"></div>\n</body>\n</html>\n",
            escape(title),
            if has_script { &script } else { "" },
        )
    }
}

impl IntoResponse for Page {
    fn into_response(self) -> Response {
        html(StatusCode::OK, self.document(true))
    }
}

/// A part of a page, which a script puts into one.
pub(super) struct Fragment(pub(super) String);

impl IntoResponse for Fragment {
    fn into_response(self) -> Response {
        html(StatusCode::OK, self.0)
    }
}

fn html(status: StatusCode, text: String) -> Response {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    response
}

/// An error as a page: what a person typed into the address or a form was wrong.
pub(super) struct ErrorPage {
    pub(super) section: Section,
    pub(super) error: ApiError,
}

impl IntoResponse for ErrorPage {
    fn into_response(self) -> Response {
        let ErrorPage { section, error } = self;
        let main = format!(
            "<section class=\"panel alone\"><h1>This cannot be shown</h1>\n<p class=\"problem\">{}</p>\n\
             <p><a href=\"{}\">Begin anew</a></p></section>",
            escape(&error.message),
            section.address()
        );
        let page = Page { title: "This cannot be shown".to_owned(), section, main };
        html(error.status, page.document(false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_text_is_markup() {
        assert_eq!(escape("<b a='1' c=\"2\">&amp;"), "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;amp;");
        let page = Page { title: "</title><script>".to_owned(), section: Section::Chess, main: String::new() };
        assert!(page.document(true).contains("<title>&lt;/title&gt;&lt;script&gt; · mnemon</title>"));
    }
}
