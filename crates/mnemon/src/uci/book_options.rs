//! The opening book as a GUI sets it: which file, and whether to play from it.

use std::path::Path;
use std::sync::Arc;

use mnemon_chess::polyglot::Book;
use mnemon_engine::Engine;
use mnemon_engine::book::OpeningBook;

/// What a GUI has set about the book.
#[derive(Default)]
pub(super) struct BookOptions {
    /// The file; empty for none.
    file: String,
    /// The file's book, if it could be read.
    book: Option<Arc<Book>>,
    is_used: bool,
    is_analysing: bool,
}

impl BookOptions {
    /// Reads the file. Returns what there is to say of it.
    pub(super) fn set_file(&mut self, file: &str, engine: &mut Engine) -> String {
        file.clone_into(&mut self.file);
        let said = self.open();
        self.apply(engine);
        said
    }

    /// Plays from the book or not. Returns what there is to say of it.
    pub(super) fn set_used(&mut self, is_used: bool, engine: &mut Engine) -> Option<String> {
        self.is_used = is_used;
        // A file that could not be read before may be there now.
        let said = (is_used && self.book.is_none()).then(|| self.open());
        self.apply(engine);
        said
    }

    /// An analysis is not answered from the book.
    pub(super) fn set_analysing(&mut self, is_analysing: bool, engine: &mut Engine) {
        self.is_analysing = is_analysing;
        self.apply(engine);
    }

    fn open(&mut self) -> String {
        self.book = None;
        if self.file.is_empty() {
            return "book: none, since Book File is empty".to_owned();
        }
        match Book::open(Path::new(&self.file)) {
            Ok(book) => {
                let said = format!("book: {} entries of {}", book.len(), self.file);
                self.book = Some(Arc::new(book));
                said
            }
            Err(error) => format!("book: {error}; going on without it"),
        }
    }

    fn apply(&self, engine: &mut Engine) {
        let book = self.book.clone().filter(|_| self.is_used && !self.is_analysing);
        engine.set_book(book.map(OpeningBook::new));
    }
}
