//! Answers that were given a moment ago: a position that is on many screens is looked up once.
//!
//! An answer is kept for a second at the most, since other programs may write to the memory, and until something is changed
//! through this server.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;

/// How long an answer is kept.
const LIFETIME: Duration = Duration::from_secs(1);
/// The most answers, and the most bytes of one: together they bound the memory that is used.
const MOST: usize = 512;
const LARGEST: usize = 16 << 10;

/// The answers by what was asked.
#[derive(Default)]
pub(crate) struct Answers {
    kept: Mutex<HashMap<String, Kept>>,
    /// What is being looked up: who asks the same waits for that answer.
    under_way: Mutex<HashMap<String, Arc<Flight>>>,
}

/// Held while an answer is looked up.
pub(crate) type Flight = tokio::sync::Mutex<()>;

struct Kept {
    since: Instant,
    changes: u64,
    bytes: Bytes,
}

impl Kept {
    fn is_fresh(&self, changes: u64) -> bool {
        self.changes == changes && self.since.elapsed() < LIFETIME
    }
}

impl Answers {
    /// The answer, if it was given a moment ago and the memory has not been changed here since.
    pub(crate) fn get(&self, asked: &str, changes: u64) -> Option<Bytes> {
        let answers = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        answers.get(asked).filter(|kept| kept.is_fresh(changes)).map(|kept| kept.bytes.clone())
    }

    /// The lock of those who ask this: only one of them looks it up, and [`land`](Self::land) ends it.
    pub(crate) fn flight(&self, asked: &str) -> Arc<Flight> {
        let mut under_way = self.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        if under_way.len() >= MOST {
            // Those whose clients have left.
            under_way.retain(|_, flight| Arc::strong_count(flight) > 1);
        }
        Arc::clone(under_way.entry(asked.to_owned()).or_default())
    }

    /// Forgets the lock when nobody else waits for it.
    pub(crate) fn land(&self, asked: &str, flight: Arc<Flight>) {
        let mut under_way = self.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        drop(flight);
        if under_way.get(asked).is_some_and(|flight| Arc::strong_count(flight) == 1) {
            under_way.remove(asked);
        }
    }

    /// Keeps an answer that was made when the memory had this number of changes.
    pub(crate) fn put(&self, asked: String, changes: u64, bytes: Bytes) {
        if bytes.len() > LARGEST {
            return;
        }
        let mut answers = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if answers.len() >= MOST {
            answers.retain(|_, kept| kept.is_fresh(changes));
        }
        if answers.len() < MOST {
            answers.insert(asked, Kept { since: Instant::now(), changes, bytes });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_makes_answers_old_and_their_number_is_bounded() {
        let answers = Answers::default();
        answers.put("a".into(), 1, Bytes::from_static(b"x"));
        assert_eq!(answers.get("a", 1), Some(Bytes::from_static(b"x")));
        assert_eq!((answers.get("a", 2), answers.get("b", 1)), (None, None));
        for number in 0..2 * MOST {
            answers.put(number.to_string(), 1, Bytes::new());
        }
        assert_eq!(answers.kept.lock().expect("no panic").len(), MOST);
        answers.put("late".into(), 2, Bytes::new());
        assert!(answers.get("late", 2).is_some(), "old ones make room");
        answers.put("large".into(), 2, Bytes::from(vec![0; LARGEST + 1]));
        assert!(answers.get("large", 2).is_none());
    }
}
