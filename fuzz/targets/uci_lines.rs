//! Lines in both directions of UCI: what is understood of a line is understood again when it is written.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mnemon_uci::{Command, EngineLine, OptionDecl};

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut option: Option<OptionDecl> = None;
    for line in text.split('\n') {
        let understood = EngineLine::parse(line);
        // A carriage return inside a text is written as a blank: it might end the line.
        let line = if line.contains('\r') { &understood.to_string() } else { line };
        let understood = EngineLine::parse(line);
        assert_eq!(EngineLine::parse(&understood.to_string()), understood, "{line:?}");
        if let EngineLine::Option(declared) = understood {
            option = Some(declared);
        }
        let parsed = Command::parse(line);
        for complaint in &parsed.complaints {
            assert!(complaint.to_string().len() < 1000, "a complaint that repeats its input: {complaint}");
        }
        let Some(command) = parsed.command else { continue };
        let again = Command::parse(&command.to_string());
        assert_eq!(again.command.as_ref(), Some(&command), "{line:?}");
        assert!(again.complaints.is_empty(), "{line:?}: {:?}", again.complaints);
        if let (Command::SetOption { value, .. }, Some(option)) = (&command, &option) {
            let _ = option.check(value.as_deref());
        }
    }
});
