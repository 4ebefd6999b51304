//! The private files of a session: memories, and what is none.

use std::fs;
use std::path::{Path, PathBuf};

use mnemon_chess::Position;
use mnemon_chess::polyglot::BookWriter;
use mnemon_search::random::Random;

use crate::gui::Gui;

/// The bytes of a memory that knows a few positions.
pub(crate) struct Template(Vec<u8>);

impl Template {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("learned.mnemon");
        let mut gui = Gui::with_memory(&file);
        gui.go("startpos", "go depth 8");
        gui.send("quit");
        assert_eq!(gui.close().1, Some(0));
        Template(fs::read(&file).expect("a memory"))
    }
}

/// A book that knows the first move of every game, and a reply to each.
fn book() -> Vec<u8> {
    let (start, mut writer, mut moves) = (Position::start(), BookWriter::new(), Vec::new());
    start.legal_moves(&mut moves);
    for mv in moves {
        let after = start.after(mv);
        let mut replies = Vec::new();
        after.legal_moves(&mut replies);
        writer.add(&start, mv, 1).add(&after, replies[0], 1);
    }
    writer.finish()
}

/// A folder of its own for each session.
pub(crate) struct Files {
    folder: tempfile::TempDir,
}

impl Files {
    pub(crate) fn new(template: &Template, random: &mut Random) -> Self {
        let files = Files { folder: tempfile::tempdir().expect("a folder") };
        let Template(bytes) = template;
        fs::write(files.path("a.mnemon"), bytes).expect("written");
        let mut damaged = bytes.clone();
        for _ in 0..1 + random.below(64) {
            let place = random.below(damaged.len());
            damaged[place] = random.bits() as u8;
        }
        fs::write(files.path("damaged.mnemon"), damaged).expect("written");
        fs::write(files.path("cut.mnemon"), &bytes[..random.below(bytes.len())]).expect("written");
        fs::write(files.path("letter.txt"), "Dear Ada, this is no memory at all.").expect("written");
        fs::write(files.path("book.bin"), book()).expect("written");
        fs::write(files.path("empty"), "").expect("written");
        fs::create_dir(files.path("directory")).expect("a folder");
        let recipes = rusqlite::Connection::open(files.path("recipes.db")).expect("a database");
        recipes.execute_batch("CREATE TABLE recipes(name); INSERT INTO recipes VALUES('soup')").expect("a table");
        files
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The memory that is set at the start.
    pub(crate) fn memory(&self) -> PathBuf {
        self.path("default.mnemon")
    }

    /// What a user may name as a memory, a table or a folder.
    pub(crate) fn any(&self, random: &mut Random) -> String {
        const NAMES: [&str; 15] = [
            "a.mnemon",
            "a.mnemon",
            "b.mnemon",
            "b.mnemon",
            "default.mnemon",
            "damaged.mnemon",
            "cut.mnemon",
            "letter.txt",
            "empty",
            "directory",
            "recipes.db",
            "missing/folder/c.mnemon",
            "table.hash",
            "book.bin",
            "book.bin",
        ];
        match random.below(20) {
            0 => "<empty>".to_owned(),
            1 => "redis://localhost/0".to_owned(),
            _ => self.path(NAMES[random.below(NAMES.len())]).display().to_string(),
        }
    }

    /// What must be as it was, whatever was set.
    pub(crate) fn check(&self) -> Result<(), String> {
        let letter = fs::read_to_string(self.path("letter.txt")).map_err(|error| error.to_string())?;
        let recipes = rusqlite::Connection::open(self.path("recipes.db"));
        let soup = recipes
            .and_then(|recipes| recipes.query_row("SELECT name FROM recipes", [], |row| row.get::<_, String>(0)));
        if !letter.starts_with("Dear Ada") || soup.as_deref() != Ok("soup") || !Path::is_dir(&self.path("directory")) {
            return Err(format!("a file of another program was changed: {letter:?}, {soup:?}"));
        }
        if fs::read(self.path("book.bin")).ok() != Some(book()) {
            return Err("the opening book was changed".to_owned());
        }
        Ok(())
    }
}
