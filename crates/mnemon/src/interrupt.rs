//! Ctrl-C, and a request to terminate: the first one ends the search, the second one the program.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::Result;

/// The exit code of what was not done to its end, as shells number an interrupt.
pub(crate) const INTERRUPTED: u8 = 130;

/// Whether Ctrl-C was pressed.
#[derive(Clone, Default)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from now on; `wake` is called at the first Ctrl-C, on a thread of its own.
    pub(crate) fn listen(wake: impl Fn() + Send + 'static) -> Result<Self> {
        let interrupt = Interrupt::default();
        let pressed = interrupt.clone();
        ctrlc::set_handler(move || {
            if pressed.0.swap(true, Ordering::SeqCst) {
                // A memory survives this at any instant.
                std::process::exit(INTERRUPTED.into());
            }
            wake();
        })
        .map_err(|error| format!("cannot listen for Ctrl-C: {error}"))?;
        Ok(interrupt)
    }

    pub(crate) fn was_pressed(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
