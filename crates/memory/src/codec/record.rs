//! A record as bytes: 8 for its move, origins and time, 3 for each bound, then numbers of variable length.

use mnemon_table::{Score, Window};

use super::bytes::{Bytes, push_number};
use crate::{Claim, Flags, Origins, Record};

/// Bits of the first byte.
mod shape {
    pub(super) const LOWER: u8 = 1;
    pub(super) const UPPER: u8 = 2;
    /// Both bounds are one claim, which is written once.
    pub(super) const EXACT: u8 = 4;
    pub(super) const ROOT: u8 = 8;
    /// The first bound's time, then the second's, differs from the record's and is written.
    pub(super) const FIRST_TIME: u8 = 16;
    pub(super) const SECOND_TIME: u8 = 32;
    pub(super) const ALL: u8 = 63;
}

/// Appends the record's bytes; numbers are little-endian:
///
/// ```text
///  0       1         2      4      8       10      11      13
///  | shape | origins | best | time | score | depth | score | depth | times | game_ply + 1 | root_ply + 1 | nodes |
///                                  first bound     second bound    0, 4, 8   of variable length
/// ```
///
/// A bound that is not known is left out, and so is the second of two that are the same claim.
pub fn encode(record: &Record, to: &mut Vec<u8>) {
    let Record { lower, upper, best, origins, flags, game_ply, root_ply, nodes, time } = *record;
    let is_exact = lower.is_known() && lower == upper;
    let claims = [(lower.is_known(), lower), (upper.is_known() && !is_exact, upper)];
    let mut known = claims.iter().filter(|(is_known, _)| *is_known).map(|(_, claim)| *claim);
    let (first, second) = (known.next(), known.next());
    let bit = |is_set: bool, bit: u8| if is_set { bit } else { 0 };
    let other_time = |claim: Option<Claim>| claim.map(|claim| claim.time).filter(|&claimed| claimed != time);
    to.push(
        bit(lower.is_known(), shape::LOWER)
            | bit(upper.is_known(), shape::UPPER)
            | bit(is_exact, shape::EXACT)
            | bit(flags.contains(Flags::ROOT), shape::ROOT)
            | bit(other_time(first).is_some(), shape::FIRST_TIME)
            | bit(other_time(second).is_some(), shape::SECOND_TIME),
    );
    to.push(origins.bits());
    to.extend_from_slice(&best.to_le_bytes());
    to.extend_from_slice(&time.to_le_bytes());
    for claim in first.into_iter().chain(second) {
        to.extend_from_slice(&claim.score.to_le_bytes());
        to.push(claim.depth);
    }
    for time in other_time(first).into_iter().chain(other_time(second)) {
        to.extend_from_slice(&time.to_le_bytes());
    }
    for ply in [game_ply, root_ply] {
        push_number(to, u64::from(ply.wrapping_add(1)));
    }
    push_number(to, nodes);
}

/// The record that [`encode`] wrote; `None` if no record has these bytes.
pub fn decode(bytes: &[u8]) -> Option<Record> {
    let mut bytes = Bytes(bytes);
    let [shape, origins] = bytes.array()?;
    let (best, time) = (bytes.u16()?, bytes.u32()?);
    let [has_lower, has_upper, is_exact] = [shape::LOWER, shape::UPPER, shape::EXACT].map(|bit| shape & bit != 0);
    let claims = usize::from(has_lower) + usize::from(has_upper) - usize::from(is_exact && has_lower && has_upper);
    if shape & !shape::ALL != 0 || is_exact && !(has_lower && has_upper) {
        return None;
    }
    let mut read = [Claim::NO_LOWER; 2];
    for claim in &mut read[..claims] {
        *claim = Claim { score: bytes.u16()? as Score, depth: bytes.byte()?, time };
    }
    for (number, bit) in [shape::FIRST_TIME, shape::SECOND_TIME].into_iter().enumerate() {
        if shape & bit != 0 {
            (number < claims).then_some(())?;
            read[number].time = bytes.u32()?;
        }
    }
    let [first, second] = read;
    let (lower, upper) = match (has_lower, has_upper) {
        (true, true) => (first, if is_exact { first } else { second }),
        (true, false) => (first, Claim::NO_UPPER),
        (false, true) => (Claim::NO_LOWER, first),
        (false, false) => (Claim::NO_LOWER, Claim::NO_UPPER),
    };
    let mut ply = || bytes.number().and_then(|number| u16::try_from(number).ok()).map(|number| number.wrapping_sub(1));
    let (game_ply, root_ply) = (ply()?, ply()?);
    let nodes = bytes.number()?;
    let is_known = |claim: Claim, is_said: bool| claim.is_known() == is_said && claim.score != Window::NO_UPPER;
    let is_sound = bytes.0.is_empty() && is_known(lower, has_lower) && (!has_upper || upper.is_known());
    let flags = if shape & shape::ROOT != 0 { Flags::ROOT } else { Flags::NONE };
    let origins = Origins::from_bits(origins);
    is_sound.then_some(Record { lower, upper, best, origins, flags, game_ply, root_ply, nodes, time })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PROVEN;

    fn encoded(record: &Record) -> Vec<u8> {
        let mut bytes = Vec::new();
        encode(record, &mut bytes);
        bytes
    }

    #[test]
    fn a_bound_as_learned_takes_fourteen_bytes() {
        let at_least = Record { best: 700, ..Record::between(Window::at_least(-35), 9) }.found_at(1_700_000_000);
        assert_eq!(encoded(&at_least).len(), 14);
        let exact = Record { nodes: 200, game_ply: 20, root_ply: 3, ..Record::exact(-35, 9) }.found_at(1_700_000_000);
        assert_eq!(encoded(&exact).len(), 15);
    }

    #[test]
    fn every_record_comes_back() {
        let scores = [-32_767, -15_995, 0, 35, 15_990, 32_766];
        let claim = |number: usize, unknown: Claim| match number % 7 {
            6 => unknown,
            kind => Claim { score: scores[kind], depth: [0, 9, PROVEN][number / 7 % 3], time: (number / 21) as u32 },
        };
        for number in 0..63 * 63 * 2 {
            let record = Record {
                lower: claim(number % 63, Claim::NO_LOWER),
                upper: claim(number / 63 % 63, Claim::NO_UPPER),
                best: (number % 3) as u16,
                flags: if number % 2 == 0 { Flags::ROOT } else { Flags::NONE },
                game_ply: [Record::NO_PLY, 0, 65_534, 300][number % 4],
                root_ply: [0, Record::NO_PLY][number % 2],
                nodes: [0, 127, 128, u64::MAX][number % 4],
                time: (number % 3) as u32,
                origins: Origins::SEARCH,
            };
            let bytes = encoded(&record);
            assert_eq!(decode(&bytes), Some(record));
            for end in 0..bytes.len() {
                assert_eq!(decode(&bytes[..end]), None, "cut off");
            }
            assert_eq!(decode(&[&bytes[..], &[0]].concat()), None, "a byte too many");
        }
    }

    #[test]
    fn bytes_that_are_no_record_are_refused() {
        let bytes = encoded(&Record::exact(1, 1));
        let with = |index: usize, byte: u8| {
            let mut bytes = bytes.clone();
            bytes[index] = byte;
            decode(&bytes)
        };
        assert_eq!(with(0, bytes[0] | 64), None, "a shape without a meaning");
        assert_eq!(with(0, 5), None, "exact without an upper bound");
    }
}
