//! A line of EPD is refused, or gives a position with legal moves; an analysis that is written is read as it was.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mnemon_chess::epd::Epd;
use mnemon_fuzz::chess::check_position;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let Ok(epd) = text.parse::<Epd>() else { return };
    check_position(&epd.position);
    let (best, avoid) = (epd.best_moves(), epd.avoid_moves());
    for &mv in best.iter().chain(&avoid).flatten() {
        assert!(epd.position.is_legal(mv));
    }
    assert_eq!(epd.expected_moves().is_ok(), best.is_ok() && avoid.is_ok());
    assert!(epd.id().is_none_or(|id| !id.is_empty()));
    let Ok(analysis) = epd.analysis() else { return };
    let line = analysis.line(&epd.position);
    let again = line.parse::<Epd>().expect("a line that was written");
    let read = again.analysis().expect("an analysis that was written");
    assert_eq!((&again.position, read.depth, read.nodes), (&epd.position, analysis.depth, analysis.nodes), "{line}");
    assert_eq!((read.score, &read.pv), (analysis.score, &analysis.pv), "{line}");
});
