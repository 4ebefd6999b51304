//! A memory that is recalled from and learns nothing.

use std::ops::ControlFlow;
use std::sync::Arc;

use mnemon_memory::{
    Annotation, Content, Contributor, Identity, Item, Key, Merged, Range, Record, Result, Source, Statistics, Store,
};

/// A store whose records do not change: writes are accepted and dropped.
#[derive(Debug)]
pub(super) struct ReadOnlyStore(pub(super) Arc<dyn Store>);

impl Store for ReadOnlyStore {
    fn get_many(&self, game: &str, positions: &[&[u8]], found: &mut dyn FnMut(usize, &Source, Record)) -> Result {
        self.0.get_many(game, positions, found)
    }

    fn merge_many(&self, _items: &[Item]) -> Result<Merged> {
        Ok(Merged::default())
    }

    fn replace_many(&self, _items: &[Item]) -> Result<Merged> {
        Ok(Merged::default())
    }

    fn annotations(&self, game: &str, position: &[u8]) -> Result<Vec<(Source, Content)>> {
        self.0.annotations(game, position)
    }

    fn merge_annotations(&self, _annotations: &[Annotation]) -> Result<Merged> {
        Ok(Merged::default())
    }

    fn scan_annotations(&self, range: &Range<'_>, visit: &mut dyn FnMut(Annotation) -> ControlFlow<()>) -> Result {
        self.0.scan_annotations(range, visit)
    }

    fn identity(&self) -> Result<Identity> {
        self.0.identity()
    }

    fn set_label(&self, _label: &str) -> Result {
        Ok(())
    }

    fn contributors(&self) -> Result<Vec<Contributor>> {
        self.0.contributors()
    }

    fn set_contributor(&self, _contributor: &Contributor) -> Result {
        Ok(())
    }

    fn delete_many(&self, _keys: &[Key]) -> Result<u64> {
        Ok(0)
    }

    fn scan(&self, range: &Range<'_>, visit: &mut dyn FnMut(Item) -> ControlFlow<()>) -> Result {
        self.0.scan(range, visit)
    }

    fn sync(&self) -> Result {
        self.0.sync()
    }

    fn statistics(&self) -> Result<Statistics> {
        self.0.statistics()
    }
}
