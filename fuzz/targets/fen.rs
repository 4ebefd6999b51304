//! A FEN is refused, or gives a position that is written and read back in every form.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mnemon_chess::Position;
use mnemon_fuzz::chess::check_position;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match text.parse::<Position>() {
        Ok(position) => {
            check_position(&position);
            check_position(&position.with_chess960(true));
        }
        Err(error) => assert!(error.to_string().len() < 1000, "an error that repeats its input: {error}"),
    }
});
