//! Positions whose search was requested, in a file beside the memory: `FILE.queue`, one position a line, the
//! game's name before it. Programs that are asked add to it; an exploration takes from it.
//!
//! It is a convenience and no part of the memory: bounded, and what is in it may be lost with no harm done.

use std::collections::HashSet;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::notation::{Games, Position};

/// The most positions that wait.
pub const MOST_QUEUED: usize = 10_000;

/// The positions that wait to be searched.
///
/// ```
/// use mnemon_explore::notation;
/// use mnemon_explore::queue::Queue;
///
/// let folder = tempfile::tempdir()?;
/// let memory = folder.path().join("m.mnemon");
/// let start = notation::read(&["startpos".to_owned()], None)?;
/// assert!(Queue::beside(&memory).push(&*start)?);
/// let taken = Queue::beside(&memory).take("chess")?;
/// assert_eq!((taken.len(), taken[0].text()), (1, start.text()));
/// assert!(Queue::beside(&memory).take("chess")?.is_empty(), "each is taken once");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Queue {
    /// `None` for a memory that is no file: the queue then ends with the program.
    file: Option<PathBuf>,
    /// The lines as far as this program knows them, so that none is added twice.
    known: Mutex<HashSet<String>>,
}

impl Queue {
    /// The queue beside a memory's file.
    pub fn beside(memory: &Path) -> Self {
        let mut name = memory.file_name().unwrap_or_default().to_owned();
        name.push(".queue");
        Queue { file: Some(memory.with_file_name(name)), known: Mutex::default() }
    }

    /// A queue that ends with the program.
    pub fn in_ram() -> Self {
        Queue { file: None, known: Mutex::default() }
    }

    /// Adds a position; false if the queue is full. One that waits already is not added again.
    ///
    /// # Errors
    /// A file that cannot be read or written.
    pub fn push(&self, position: &dyn Position) -> io::Result<bool> {
        let line = format!("{}\t{}", position.game(), position.text());
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = &self.file {
            // Another program may have added to it, or taken it.
            *known = lines(file)?;
        }
        if known.contains(&line) {
            return Ok(true);
        }
        if known.len() >= MOST_QUEUED {
            return Ok(false);
        }
        if let Some(file) = &self.file {
            append(file, &format!("{line}\n"))?;
        }
        known.insert(line);
        Ok(true)
    }

    /// Takes all positions of a game out of the queue; lines that are no positions are dropped.
    ///
    /// # Errors
    /// A file that cannot be read, moved or written.
    pub fn take(&self, game: &str) -> io::Result<Vec<Box<dyn Position>>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let is_of_game = |line: &String| line.split_once('\t').is_none_or(|(name, _)| name == game);
        if let Some(file) = &self.file {
            *known = lines(file)?;
            if !known.iter().any(is_of_game) {
                return Ok(Vec::new());
            }
            // Moved first, so that what is added meanwhile goes to a new file.
            let mut taken = file.clone().into_os_string();
            taken.push(format!(".{}", std::process::id()));
            match fs::rename(file, &taken) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
                Err(error) => return Err(error),
            }
            *known = lines(Path::new(&taken))?;
            let others: String =
                known.iter().filter(|line| !is_of_game(line)).map(|line| format!("{line}\n")).collect();
            append(file, &others)?;
            fs::remove_file(&taken)?;
        }
        let mut taken: Vec<String> = known.extract_if(is_of_game).collect();
        taken.sort();
        let games = Games::new();
        let read = |line: &String| games.read(&game.into(), line.split_once('\t')?.1).ok();
        Ok(taken.iter().filter_map(read).collect())
    }
}

/// Adds lines to the file, which is made if it is missing.
fn append(file: &Path, lines: &str) -> io::Result<()> {
    if lines.is_empty() {
        return Ok(());
    }
    OpenOptions::new().create(true).append(true).open(file)?.write_all(lines.as_bytes())
}

/// The lines of the file; none if it is missing.
fn lines(file: &Path) -> io::Result<HashSet<String>> {
    match fs::read_to_string(file) {
        Ok(text) => Ok(text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(HashSet::new()),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation;

    const CONNECT_FOUR: &str = "connect4-7x6";

    fn position(text: &str) -> Box<dyn Position> {
        notation::read(&[text.to_owned()], None).expect("a position")
    }

    #[test]
    fn a_position_waits_once_and_the_queue_is_bounded() {
        let queue = Queue::in_ram();
        for _ in 0..3 {
            assert!(queue.push(&*position("startpos")).expect("RAM"));
        }
        assert_eq!(queue.take("chess").expect("RAM").len(), 1);
        let mut known = queue.known.lock().expect("no panic");
        known.extend((0..MOST_QUEUED).map(|number| number.to_string()));
        drop(known);
        assert!(!queue.push(&*position("44")).expect("RAM"), "full");
        assert!(queue.take("chess").expect("RAM").is_empty(), "these are no positions");
    }

    #[test]
    fn several_programs_share_the_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let memory = folder.path().join("m.mnemon");
        let (server, explorer) = (Queue::beside(&memory), Queue::beside(&memory));
        assert!(explorer.take(CONNECT_FOUR).expect("no file is no error").is_empty());
        assert!(server.push(&*position("44")).expect("written") && server.push(&*position("45")).expect("written"));
        let texts: Vec<String> =
            explorer.take(CONNECT_FOUR).expect("read").iter().map(|position| position.text()).collect();
        assert_eq!(texts, ["44", "45"]);
        assert!(server.push(&*position("44")).expect("written"), "it may be asked for again");
        assert!(server.push(&*position("startpos")).expect("written"));
        assert_eq!(explorer.take(CONNECT_FOUR).expect("read").len(), 1);
        assert_eq!(explorer.take("chess").expect("read").len(), 1, "another game's position has stayed");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0, "nothing is left behind");
    }
}
