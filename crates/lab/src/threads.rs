//! Several threads that share the work of an experiment.

use std::panic::resume_unwind;
use std::thread::{self, Builder};

use crate::console::Console;
use crate::{LabError, Result};

/// The results of the workers, each of which runs on a thread of its own until no work is left. Where the system refuses
/// threads, the others do all of it, and that is remarked.
///
/// # Errors
/// [`LabError::Threads`] if not one can be started.
pub(crate) fn run_workers<W, T>(console: &dyn Console, workers: Vec<W>) -> Result<Vec<T>>
where
    W: FnOnce() -> T + Send,
    T: Send,
{
    run_workers_on(|_| Builder::new(), console, workers)
}

/// As [`run_workers`]; `builder` makes the thread of this number.
fn run_workers_on<W, T>(builder: impl Fn(usize) -> Builder, console: &dyn Console, workers: Vec<W>) -> Result<Vec<T>>
where
    W: FnOnce() -> T + Send,
    T: Send,
{
    let asked = workers.len();
    thread::scope(|scope| {
        let (mut threads, mut refused) = (Vec::new(), None);
        for (number, worker) in workers.into_iter().enumerate() {
            match builder(number).spawn_scoped(scope, worker) {
                Ok(thread) => threads.push(thread),
                Err(error) => {
                    refused = Some(error);
                    break;
                }
            }
        }
        match refused {
            Some(error) if threads.is_empty() => return Err(LabError::Threads(error)),
            Some(error) => console.remark(&format!("{} of {asked} threads work ({error})", threads.len())),
            None => {}
        }
        Ok(threads.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic))).collect())
    })
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[derive(Default)]
    struct Remarks(Mutex<Vec<String>>);

    impl Console for Remarks {
        fn line(&self, _text: &str) -> io::Result<()> {
            Ok(())
        }

        fn remark(&self, text: &str) {
            self.0.lock().expect("no panic").push(text.to_owned());
        }

        fn begin(&self, _job: &'static str, _done: u64, _total: Option<u64>) {}

        fn advance(&self, _steps: u64) {}

        fn end(&self) {}
    }

    /// The work done and the remarks, if only this many threads of four can be started.
    fn run(started: usize) -> (Result<usize>, Vec<String>) {
        let (next, console) = (AtomicUsize::new(0), Remarks::default());
        let worker = || std::iter::from_fn(|| (next.fetch_add(1, Ordering::Relaxed) < 100).then_some(())).count();
        // No system has room for this stack.
        let builder =
            |number| if number < started { Builder::new() } else { Builder::new().stack_size(usize::MAX / 4) };
        let done = run_workers_on(builder, &console, vec![worker; 4]);
        (done.map(|counts| counts.into_iter().sum()), console.0.into_inner().expect("no panic"))
    }

    #[test]
    fn all_work_is_done_by_the_threads_that_start() {
        let (done, remarks) = run(4);
        assert_eq!((done.expect("threads"), remarks.len()), (100, 0));
        let (done, remarks) = run(2);
        assert_eq!(done.expect("threads"), 100);
        assert!(matches!(&remarks[..], [remark] if remark.starts_with("2 of 4 threads work (")), "{remarks:?}");
    }

    #[test]
    fn without_any_thread_it_is_an_error() {
        let (done, remarks) = run(0);
        assert!(matches!(done, Err(LabError::Threads(_))) && remarks.is_empty(), "{done:?} {remarks:?}");
    }
}
