//! Who may ask, and who may change something.
//!
//! A server on the loopback interface is reached by every page in the user's browser. So the first thing looked at is the
//! `Host`: a page whose name was made to point here afterwards (DNS rebinding) still says its own. Writes need more: see
//! [`writes`].

mod headers;
mod hosts;
mod token;
mod writes;

pub(crate) use headers::{add_headers, allow_reading};
pub(crate) use hosts::{Hosts, check_host, is_foreign};
pub use token::Token;
pub(crate) use writes::check_write;
