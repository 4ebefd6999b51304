//! Trust: whose scores a search believes.

use std::collections::BTreeSet;

use crate::{Contributor, MemoryId, Origins, PROVEN, Record, Source};

/// Whose scores are believed: the memory's own, and those of contributors that its owner trusts.
///
/// Advice is never believed. It guides a search, as the moves of others do, and the search decides. The results of games
/// are no scores of searches: only a policy that is made for them believes them.
///
/// ```
/// use mnemon_memory::{MemoryId, Source, Trust};
///
/// let friend = MemoryId::from([7; 16]);
/// let (own, theirs) = (Source::engine("mnemon", "0.2.0"), Source::engine("mnemon", "0.2.0").contributed_by(friend));
/// let nobody = Trust::default();
/// assert!(nobody.believes(&own) && !nobody.believes(&theirs));
/// assert!(!nobody.believes(&own.believing([friend])), "it rests on one who is not trusted");
/// assert!(Trust::of([friend]).believes(&theirs));
/// assert!(!Trust::of([friend]).believes(&Source::person("Ada")));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trust(BTreeSet<MemoryId>);

impl Trust {
    /// Trust in these contributors.
    pub fn of(contributors: impl IntoIterator<Item = MemoryId>) -> Self {
        Trust(contributors.into_iter().collect())
    }

    /// Trust in those that the memory's owner trusts.
    pub fn recorded(contributors: &[Contributor]) -> Self {
        Trust::of(contributors.iter().filter(|contributor| contributor.trusted).map(|contributor| contributor.id))
    }

    /// Trusts those whom the other does, too.
    pub fn merge(&mut self, mut other: Trust) {
        self.0.append(&mut other.0);
    }

    /// Whether the source's scores are believed: everyone that they rest on is trusted, and they are neither advice nor
    /// results of games.
    pub fn believes(&self, source: &Source) -> bool {
        !source.is_person() && !source.is_player() && self.trusts(source)
    }

    /// Whether everyone that the source rests on is trusted.
    pub fn trusts(&self, source: &Source) -> bool {
        source.foundations().all(|foundation| self.0.contains(&foundation))
    }

    /// What a search by `own` believes of a source's record: all of it; without what it claims to be proven, if it is
    /// another program's or another memory's; nothing, an empty record, if the source is not believed. What others call
    /// proven is left to the search, which tries their move first.
    pub fn believed(&self, source: &Source, record: &Record, own: &Source) -> Record {
        if !self.believes(source) || record.origins.contains(Origins::ADVICE) {
            return Record::default();
        }
        if is_same_program(source, own) { *record } else { without_proofs(*record) }
    }
}

/// Whether both are versions or parts of one program, as `mnemon` and `mnemon-connect4` are, with records of this memory's
/// own.
fn is_same_program(source: &Source, own: &Source) -> bool {
    let family = |source: &Source| source.name().split('-').next().map(str::to_owned);
    source.contributor().is_none() && source.kind() == own.kind() && family(source) == family(own)
}

fn without_proofs(mut record: Record) -> Record {
    if record.lower.depth == PROVEN {
        record.lower = crate::Claim::NO_LOWER;
    }
    if record.upper.depth == PROVEN {
        record.upper = crate::Claim::NO_UPPER;
    }
    record
}
