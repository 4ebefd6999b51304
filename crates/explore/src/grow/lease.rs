//! Leases: which positions other explorers of the same memory search at the moment.
//!
//! A lease is a small file in a folder beside the memory, named after the position. Whoever creates it has it; it is
//! renewed while the search runs and deleted afterwards. One that was not renewed for a while belonged to a program that
//! was killed, and is taken over. A lease that is lost by mistake costs a search that is done twice, and nothing else:
//! results are merged.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::notation::to_hex;

/// The folder of the leases.
#[derive(Clone, Debug)]
pub struct Leases {
    folder: PathBuf,
    duration: Duration,
}

/// A lease that is held.
#[derive(Debug)]
pub(super) struct Lease {
    path: PathBuf,
}

impl Leases {
    /// After this time without a renewal a lease has run out.
    pub const DURATION: Duration = Duration::from_secs(30);

    /// The leases of the memory in this file.
    pub fn beside(memory: &Path) -> Self {
        let mut name = memory.file_name().unwrap_or_default().to_owned();
        name.push("-explore");
        Leases { folder: memory.with_file_name(name), duration: Self::DURATION }
    }

    /// The same leases with another duration.
    #[must_use]
    pub fn lasting(self, duration: Duration) -> Self {
        Leases { duration, ..self }
    }

    /// The folder that they are in.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// How often leases are to be renewed.
    pub(super) fn renewal(&self) -> Duration {
        self.duration / 6
    }

    /// A lease of the position, of all its moves or of the rest; `None` if another program has it.
    ///
    /// # Errors
    /// A folder that cannot be written.
    pub(super) fn claim(&self, packed: &[u8], is_rest: bool) -> io::Result<Option<Lease>> {
        let suffix = if is_rest { "-rest" } else { "" };
        let path = self.folder.join(format!("{}{suffix}", to_hex(packed)));
        fs::create_dir_all(&self.folder)?;
        if !self.has_run_out(&path) || self.take_away(&path)? {
            return self.create(path);
        }
        Ok(None)
    }

    fn create(&self, path: PathBuf) -> io::Result<Option<Lease>> {
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(mut file) => {
                writeln!(file, "{}", std::process::id())?;
                Ok(Some(Lease { path }))
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(None),
            // Another explorer that ended has removed the folder.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn has_run_out(&self, path: &Path) -> bool {
        let modified = fs::metadata(path).and_then(|data| data.modified());
        modified.is_ok_and(|at| SystemTime::now().duration_since(at).is_ok_and(|age| age > self.duration))
    }

    /// Removes a lease that has run out; false if another program was faster. Only one program can rename a file, and what
    /// it has then is looked at once more: it may be the new lease of a faster one, which is put back.
    fn take_away(&self, path: &Path) -> io::Result<bool> {
        let aside = path.with_extension(format!("{}", std::process::id()));
        match fs::rename(path, &aside) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            renamed => renamed?,
        }
        let is_old = self.has_run_out(&aside);
        if is_old {
            fs::remove_file(&aside)?;
        } else {
            fs::rename(&aside, path)?;
        }
        Ok(is_old)
    }

    /// Removes the folder if no lease is left in it.
    pub(super) fn tidy(&self) {
        // Another explorer may have leases there: then it stays.
        let _ = fs::remove_dir(&self.folder);
    }
}

impl Lease {
    /// Keeps the lease from running out.
    pub(super) fn renew(&self) {
        // A folder that was removed meanwhile costs a search that is done twice.
        let _ = File::options().write(true).open(&self.path).and_then(|file| file.set_modified(SystemTime::now()));
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_leased_once_until_it_is_given_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let leases = Leases::beside(&folder.path().join("memory.mnemon"));
        let claim = |is_rest| leases.claim(&[1, 2], is_rest).expect("a folder");
        let first = claim(false).expect("free");
        assert!(claim(false).is_none() && claim(true).is_some(), "the rest of the moves is another search");
        drop(first);
        assert!(claim(false).is_some());
        leases.tidy();
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
    }

    #[test]
    fn a_lease_of_a_program_that_was_killed_runs_out() {
        let folder = tempfile::tempdir().expect("a folder");
        let leases = Leases::beside(&folder.path().join("memory.mnemon")).lasting(Duration::from_millis(200));
        let killed = leases.claim(&[1], false).expect("a folder").expect("free");
        let path = killed.path.clone();
        std::mem::forget(killed);
        assert!(leases.claim(&[1], false).expect("a folder").is_none());
        let old = SystemTime::now() - Duration::from_secs(1);
        File::options().write(true).open(&path).and_then(|file| file.set_modified(old)).expect("a file");
        let lease = leases.claim(&[1], false).expect("a folder").expect("it has run out");
        lease.renew();
        assert!(leases.claim(&[1], false).expect("a folder").is_none());
    }
}
