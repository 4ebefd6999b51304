//! Positions that people or programs asked to have searched, taken from the queue beside the memory.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::Explored;
use crate::queue::Queue;

/// How often the queue is looked at.
const INTERVAL: Duration = Duration::from_secs(2);

/// The queue, and what was taken out of it.
#[derive(Debug)]
pub(super) struct Requests<G> {
    queue: Queue,
    taken: VecDeque<G>,
    looked: Option<Instant>,
}

impl<G: Explored> Requests<G> {
    pub(super) fn new(queue: Queue) -> Self {
        Requests { queue, taken: VecDeque::new(), looked: None }
    }

    /// The next position. A queue that cannot be read is an empty one: a convenience must not end an exploration.
    pub(super) fn pop(&mut self) -> Option<G> {
        if self.taken.is_empty() && self.looked.is_none_or(|looked| looked.elapsed() >= INTERVAL) {
            self.looked = Some(Instant::now());
            let positions = self.queue.take(&G::name()).unwrap_or_default();
            self.taken.extend(positions.iter().filter_map(|position| G::unpack(&position.packed())));
        }
        self.taken.pop_front()
    }
}
