//! Who advises and notes.

/// The name that is given, or else the user's.
pub(crate) fn name(given: Option<&str>) -> String {
    given.map(str::to_owned).or_else(user_name).unwrap_or_else(|| "me".to_owned())
}

/// The user's name: `USER` where it is set, as on most Unix systems, or else as the system knows it.
fn user_name() -> Option<String> {
    let is_given = |name: &String| !name.is_empty();
    std::env::var("USER").ok().filter(is_given).or_else(|| whoami::username().ok().filter(is_given))
}
