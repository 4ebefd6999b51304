//! What a search takes from the records of one position: a value that it believes, or a move to try first.

use crate::{Record, Source, Trust};

/// How far a search believes what is recalled of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is the searching engine's own, or the same engine's of a contributor who is trusted.
    Own,
    /// It is another engine's, which is believed.
    Believed,
    /// Its move is tried first; its score is not believed, or not known.
    Hint,
}

/// What is recalled of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Recalled<'r> {
    /// The value; without bounds if it is a hint.
    pub(super) value: Record,
    pub(super) standing: Standing,
    /// Whose it is.
    pub(super) source: &'r Source,
}

/// What a search by `own` takes from the records of a position. `None` if there is nothing.
///
/// The deepest record that is believed; at equal depth the engine's own. A person of this memory who advises another move has
/// it searched first: then no bound is taken, which would end the search before the move is tried. Where nothing is
/// believed, the deepest of the others gives the move.
pub(super) fn recalled<'r>(records: &'r [(Source, Record)], own: &Source, trust: &Trust) -> Option<Recalled<'r>> {
    let value = believed(records, own, trust);
    let advised = records
        .iter()
        .filter(|(source, record)| source.is_person() && source.contributor().is_none() && record.best != 0)
        .max_by_key(|(_, record)| record.time);
    match (value, advised) {
        (Some(value), Some((_, advice))) if value.value.best == advice.best => Some(value),
        (_, Some((source, advice))) => Some(hint(source, advice)),
        (Some(value), None) => Some(with_hint(value, records)),
        (None, None) => deepest_hint(records),
    }
}

pub(super) fn believed<'r>(records: &'r [(Source, Record)], own: &Source, trust: &Trust) -> Option<Recalled<'r>> {
    let believed = records.iter().filter_map(|(source, record)| {
        let value = trust.believed(source, record, own);
        let standing = if source.is_same_engine(own) { Standing::Own } else { Standing::Believed };
        (!value.is_empty()).then_some(Recalled { value, standing, source })
    });
    believed.max_by_key(|Recalled { value, standing, .. }| {
        (value.lower.depth.max(value.upper.depth), *standing == Standing::Own)
    })
}

/// A value without a move gets that of another record, if it has no lower bound, which its own move would have to prove.
fn with_hint<'r>(mut value: Recalled<'r>, records: &'r [(Source, Record)]) -> Recalled<'r> {
    if value.value.best == 0
        && !value.value.lower.is_known()
        && let Some(hint) = deepest_hint(records)
    {
        value.value.best = hint.value.best;
    }
    value
}

fn deepest_hint(records: &[(Source, Record)]) -> Option<Recalled<'_>> {
    let with_move = records.iter().filter(|(_, record)| record.best != 0);
    let deepest = with_move.max_by_key(|(_, record)| record.lower.depth.max(record.upper.depth));
    deepest.map(|(source, record)| hint(source, record))
}

/// What a search takes from the results of games: the value of the player with the most games whom it trusts. Of other
/// records, the moves.
pub(super) fn result<'r>(records: &'r [(Source, Record)], own: &Source, trust: &Trust) -> Option<Recalled<'r>> {
    let results = records.iter().filter(|(source, record)| {
        source.is_player() && trust.trusts(source) && record.lower.is_known() && record.upper.is_known()
    });
    let most = results.max_by_key(|(_, record)| record.nodes);
    most.map_or_else(
        || recalled(records, own, trust).map(|recalled| hint(recalled.source, &recalled.value)),
        |(source, record)| Some(Recalled { value: *record, standing: Standing::Own, source }),
    )
}

/// The record's move alone.
fn hint<'r>(source: &'r Source, record: &Record) -> Recalled<'r> {
    let value = Record { best: record.best, origins: record.origins, ..Record::default() };
    Recalled { value, standing: Standing::Hint, source }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Claim, MemoryId, Origins, PROVEN};

    const FRIEND: [u8; 16] = [7; 16];

    fn own() -> Source {
        Source::engine("mnemon", "0.2.0")
    }

    fn friends() -> Source {
        own().contributed_by(MemoryId::from(FRIEND))
    }

    fn exact(score: i16, depth: u8, best: u16) -> Record {
        Record { best, ..Record::exact(score, depth) }
    }

    fn taken(records: &[(Source, Record)], trust: &Trust) -> (Record, Standing) {
        let recalled = recalled(records, &own(), trust).expect("something is known");
        (recalled.value, recalled.standing)
    }

    #[test]
    fn of_a_contributor_who_is_not_trusted_only_the_move_is_taken() {
        let records = [(friends(), exact(-14_999, 120, 5))];
        let (value, standing) = taken(&records, &Trust::default());
        assert_eq!((value.lower, value.upper, value.best), (Claim::NO_LOWER, Claim::NO_UPPER, 5));
        assert_eq!(standing, Standing::Hint);
        let trusted = Trust::of([MemoryId::from(FRIEND)]);
        assert_eq!(taken(&records, &trusted), (records[0].1, Standing::Own), "the same engine searched it");
        let other = [(Source::engine("other", "9").contributed_by(MemoryId::from(FRIEND)), records[0].1)];
        assert_eq!(taken(&other, &trusted), (records[0].1, Standing::Believed));
    }

    #[test]
    fn the_own_record_stands_before_a_deeper_one_that_is_not_believed() {
        let records = [(own(), exact(20, 8, 3)), (friends(), exact(-900, 40, 5))];
        assert_eq!(taken(&records, &Trust::default()), (records[0].1, Standing::Own));
        let on_trust = [(own().believing([MemoryId::from(FRIEND)]), exact(-900, 40, 5)), records[0].clone()];
        assert_eq!(taken(&on_trust, &Trust::default()), (records[0].1, Standing::Own));
    }

    #[test]
    fn what_others_call_proven_is_left_to_the_search() {
        let trusted = Trust::of([MemoryId::from(FRIEND)]);
        let (value, standing) = taken(&[(friends(), exact(15_990, PROVEN, 5))], &trusted);
        assert_eq!((value.is_proven(), value.best, standing), (false, 5, Standing::Own));
        assert!(!value.lower.is_known() && !value.upper.is_known());
        let (value, _) = taken(&[(Source::engine("mnemon", "0.1.0"), exact(15_990, PROVEN, 5))], &trusted);
        assert!(value.is_proven(), "an earlier version of the same program");
    }

    #[test]
    fn advice_has_its_move_searched_and_its_score_ignored() {
        let advice = Record { best: 9, origins: Origins::ADVICE, ..Record::exact(300, 50) };
        let records = [(own(), exact(20, 8, 3)), (Source::person("Ada"), advice)];
        let (value, standing) = taken(&records, &Trust::default());
        assert_eq!((value.best, value.lower.is_known(), standing), (9, false, Standing::Hint));
        let agreeing = [(own(), exact(20, 8, 9)), (Source::person("Ada"), advice)];
        assert_eq!(taken(&agreeing, &Trust::default()), (agreeing[0].1, Standing::Own));
    }
}
