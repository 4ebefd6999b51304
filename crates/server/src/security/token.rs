//! The token of one run of the server: whoever read its start line may write.

use std::fmt;

/// 128 random bits as hexadecimal digits. Not shown by `Debug`.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// A new token of the system's random numbers.
    ///
    /// # Errors
    /// If the system has none.
    pub(crate) fn random() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        Ok(Token(mnemon_explore::notation::to_hex(&bytes)))
    }

    /// Whether the text is the token. The time it takes does not tell how much of it is right.
    pub(crate) fn is(&self, text: &str) -> bool {
        let (own, given) = (self.0.as_bytes(), text.as_bytes());
        own.len() == given.len() && own.iter().zip(given).fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
    }

    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Token(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_token_is_the_token() {
        let token = Token::random().expect("random numbers");
        let digits = token.as_str().to_owned();
        assert_eq!(digits.len(), 32);
        assert!(token.is(&digits));
        assert!(!token.is("") && !token.is(&digits[1..]) && !token.is(&format!("{digits}0")));
        assert_ne!(Token::random().expect("random numbers").as_str(), digits);
        assert!(!format!("{token:?}").contains(&digits));
    }
}
