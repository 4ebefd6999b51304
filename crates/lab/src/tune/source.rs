//! The weights as the source file that the engine is built from.

use std::fmt::Write as _;

use mnemon_engine::eval::terms::GROUPS;

use super::features::Weight;
use crate::{LabError, Result};

/// Weights on one line.
const A_LINE: usize = 8;

/// The file's text; `head` are the lines that say where the weights come from.
///
/// # Errors
/// A weight that is no 16-bit number: the data do not determine it.
pub(super) fn text(weights: &[Weight], head: &[String]) -> Result<String> {
    let mut text = String::new();
    for line in head {
        let _ = writeln!(text, "{}", format!("//! {line}").trim_end());
    }
    text += "\nuse super::TaperedScore;\nuse super::terms::COUNT;\n\n";
    text += "const fn p(middle: i16, end: i16) -> TaperedScore {\n    TaperedScore::new(middle, end)\n}\n\n";
    text += "/// One weight for each feature: for the middlegame and for the endgame, in centipawns.\n";
    text += "#[rustfmt::skip]\npub static WEIGHTS: [TaperedScore; COUNT] = [\n";
    for group in GROUPS {
        let _ = writeln!(text, "    // {}", group.name);
        for line in weights[group.start..group.start + group.len].chunks(A_LINE) {
            let pairs: Vec<_> = line.iter().map(|weight| pair(weight, group.name)).collect::<Result<_>>()?;
            let _ = writeln!(text, "    {},", pairs.join(", "));
        }
    }
    Ok(text + "];\n")
}

fn pair(weight: &Weight, group: &str) -> Result<String> {
    let [middlegame, endgame] = weight.map(f64::round);
    if !weight.iter().all(|half| half.abs() <= f64::from(i16::MAX)) {
        return Err(LabError::Weight { group: group.to_owned(), middlegame, endgame });
    }
    Ok(format!("p({}, {})", middlegame as i16, endgame as i16))
}

#[cfg(test)]
mod tests {
    use super::super::features::built_in;
    use super::*;

    #[test]
    fn the_built_in_weights_are_written_as_they_stand() {
        // Read when the test runs, so that the crate compiles without its neighbour.
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/src/eval/weights.rs");
        let file = std::fs::read_to_string(path).expect("the engine's source");
        let head: Vec<_> =
            file.lines().map_while(|line| line.strip_prefix("//!")).map(|line| line.trim_start().to_owned()).collect();
        assert_eq!(text(&built_in(), &head).expect("small weights"), file);
    }

    #[test]
    fn rounding_gives_one_zero_and_refuses_large_weights() {
        assert_eq!(pair(&[-0.3, -10.4], "x").expect("small"), "p(0, -10)");
        assert_eq!(pair(&[10.0, -0.0], "x").expect("small"), "p(10, 0)");
        assert!(pair(&[1e9, 0.0], "x").is_err_and(|error| error.to_string().contains("'x' became 1000000000, 0")));
        assert!(pair(&[f64::NAN, 0.0], "x").is_err());
    }
}
