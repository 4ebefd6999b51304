//! Parsing one line: the fields of the position, then the operations.

use std::str::FromStr;

use super::{Epd, EpdError, find};

impl FromStr for Epd {
    type Err = EpdError;

    /// Parses one line.
    fn from_str(line: &str) -> Result<Self, EpdError> {
        let line = line.replace('\0', "");
        let mut rest = line.as_str();
        let mut fen: Vec<&str> = std::iter::from_fn(|| next_field(&mut rest)).take(4).collect();
        let counters = fen_counters(&mut rest);
        let operations = operations(rest);
        if fen.len() == 4 {
            let operand = |name| find(&operations, name).and_then(|operands| operands.first()).map(String::as_str);
            fen.push(operand("hmvc").or(counters.map(|(clock, _)| clock)).unwrap_or("0"));
            fen.push(operand("fmvn").or(counters.map(|(_, number)| number)).unwrap_or("1"));
        }
        let position = fen.join(" ").parse()?;
        Ok(Epd { position, operations })
    }
}

/// Takes the next field of the position from `rest`.
fn next_field<'t>(rest: &mut &'t str) -> Option<&'t str> {
    let text = rest.trim_start();
    let end = text.find(|letter: char| letter.is_whitespace() || letter == ';').unwrap_or(text.len());
    let (field, after) = text.split_at(end);
    *rest = after;
    (!field.is_empty()).then_some(field)
}

/// Takes the two counters of a FEN from `rest`, if both are there.
fn fen_counters<'t>(rest: &mut &'t str) -> Option<(&'t str, &'t str)> {
    let mut after = *rest;
    let mut number = || next_field(&mut after).filter(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    let counters = (number()?, number()?);
    *rest = after;
    Some(counters)
}

fn operations(text: &str) -> Vec<(String, Vec<String>)> {
    let mut operations: Vec<(String, Vec<String>)> = Vec::new();
    for part in split_outside_quotes(text, |letter| letter == ';') {
        for (index, word) in split_outside_quotes(part, char::is_whitespace).into_iter().enumerate() {
            match operations.last_mut() {
                Some((name, operands)) if index > 0 && !is_next_operation(name, word) => {
                    operands.push(word.trim_matches('"').to_owned());
                }
                _ => operations.push((word.to_owned(), Vec::new())),
            }
        }
    }
    operations
}

/// Whether a word in a list of moves is the name of the next operation, before which the semicolon is missing.
fn is_next_operation(name: &str, word: &str) -> bool {
    let is_list = ["bm", "am", "pv"].contains(&name);
    is_list && ["bm", "am", "dm", "ce", "id", "c0", "pv", "acd", "acn", "acs"].contains(&word)
}

/// The parts between separators that are outside double quotes, without empty parts.
fn split_outside_quotes(text: &str, is_separator: impl Fn(char) -> bool) -> Vec<&str> {
    let mut is_quoted = false;
    let parts = text.split(|letter: char| {
        is_quoted ^= letter == '"';
        !is_quoted && is_separator(letter)
    });
    parts.map(str::trim).filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - -";
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    fn parse(line: &str) -> Epd {
        line.parse().unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    fn parse_after_board(rest: &str) -> Epd {
        parse(&format!("{BOARD}{rest}"))
    }

    fn operands(epd: &Epd, name: &str) -> String {
        epd.operands(name).map_or("none".to_owned(), |operands| operands.join("|"))
    }

    #[test]
    fn operations_are_read_in_the_forms_in_use() {
        let plain = parse_after_board(" bm Qg6; id \"WAC.001\";");
        assert_eq!((operands(&plain, "bm").as_str(), plain.id().as_deref()), ("Qg6", Some("WAC.001")));
        assert_eq!(plain.operands("am"), None);
        let two = parse_after_board(" bm Qg6 Nd7+; am Ne8; id \"a; b  c\"; c8 \"10 2\"");
        assert_eq!(two.operands("bm").map(<[_]>::len), Some(2));
        assert_eq!((two.id().as_deref(), operands(&two, "c8").as_str()), (Some("a; b  c"), "10 2"));
        assert_eq!(parse_after_board(" 3 17 ; bm Qg6 ").position.fullmove_number(), 17);
        assert_eq!(operands(&parse_after_board(" 3 17 ; bm Qg6 "), "bm"), "Qg6");
        assert_eq!(operands(&parse_after_board(" hmvc 0; fmvn 1;"), "hmvc"), "0");
        let no_semicolon = parse_after_board(" 0 1 bm Rc8+ dm 26");
        assert_eq!((operands(&no_semicolon, "bm").as_str(), operands(&no_semicolon, "dm").as_str()), ("Rc8+", "26"));
        for bare in ["", ";", " ", " 5 9", " \0\0"] {
            assert!(parse_after_board(bare).operations.is_empty(), "{bare:?}");
        }
    }

    #[test]
    fn moves_and_names_are_read_in_the_forms_in_use() {
        for tail in [
            r#" bm Nf3 e4; id "a; b";"#,
            r#" 0 1 ; bm Nf3 e2e4; id a; b"#,
            r#"; bm Nf3 +, e4 ; id "a; b" "#,
            r#" id "a; b"; bm Ng1f3 e4"#,
        ] {
            let epd = parse(&format!("{START}{tail}"));
            let best = epd.best_moves().expect(tail);
            assert_eq!(best.iter().map(|&mv| epd.position.san(mv)).collect::<Vec<_>>(), ["Nf3", "e4"], "{tail}");
            assert!(epd.id().is_some_and(|id| id.starts_with('a')), "{tail}");
        }
        assert_eq!(parse(START).id(), None);
        assert_eq!(parse(&format!("{START} id \"\";")).id(), None);
        assert_eq!(parse(&format!("{START} id two words;")).id().as_deref(), Some("two words"));
        assert_eq!(parse(&format!("{START} hmvc 7; fmvn 12;")).position.to_string(), format!("{START} 7 12"));
        assert_eq!(parse(&format!("{START} 7 12")).position.to_string(), format!("{START} 7 12"));
    }

    #[test]
    fn a_move_is_accepted_if_it_is_best_and_not_to_be_avoided() {
        let accept = |tail: &str, san: &str| {
            let epd = parse(&format!("{START} {tail}"));
            epd.expected_moves().expect(tail).accept(epd.position.parse_san(san).ok())
        };
        assert_eq!(accept("bm e4 d4;", "d4"), Some(true));
        assert_eq!(accept("bm e4;", "d4"), Some(false));
        assert_eq!(accept("am e4;", "d4"), Some(true));
        assert_eq!(accept("am e4;", "e4"), Some(false));
        assert_eq!(accept("bm e4; am e4", "e4"), Some(false));
        assert_eq!(accept("am e4;", "no move"), Some(false));
        assert_eq!(accept("id x;", "e4"), None);
    }

    #[test]
    fn errors_name_the_field_or_the_operation() {
        for line in ["", "x", "8/8/8/8/8/8/8/8 w - -", "bm Qg6;", "8 é ö ü"] {
            assert!(line.parse::<Epd>().is_err(), "{line}");
        }
        let error = |line: &str| line.parse::<Epd>().expect_err(line).to_string();
        assert!(error("hello").contains("FEN"));
        assert!(error("hello").contains("this one has 1"));
        assert!(error(&format!("{START} hmvc many;")).contains("clock"));
        let illegal = parse(&format!("{START} bm Nf4;")).best_moves().expect_err("illegal");
        assert!(illegal.to_string().starts_with("bm: "));
    }
}
