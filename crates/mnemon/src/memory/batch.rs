//! Records as commands scan and merge them.

use std::ops::ControlFlow;

use mnemon_memory::{Annotation, Item, Merged, Range, Store};

use crate::{Result, format};

/// What a merge did, as text.
pub(crate) fn summary(merged: Merged) -> String {
    let Merged { added, changed, known } = merged;
    let all = format::records(added + changed + known);
    let [added, changed, known] = [added, changed, known].map(indicatif::HumanCount);
    format!("{all}: {added} added, {changed} changed, {known} known before")
}

/// Visits each item in the range until one fails.
pub(crate) fn each(store: &dyn Store, range: &Range<'_>, mut visit: impl FnMut(Item) -> Result) -> Result {
    let mut result = Ok(());
    store.scan(range, &mut |item| {
        result = visit(item);
        if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    result
}

/// Visits each annotation in the range until one fails.
pub(crate) fn each_annotation(
    store: &dyn Store,
    range: &Range<'_>,
    mut visit: impl FnMut(Annotation) -> Result,
) -> Result {
    let mut result = Ok(());
    store.scan_annotations(range, &mut |annotation| {
        result = visit(annotation);
        if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    result
}
