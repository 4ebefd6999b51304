//! A record as bytes: the input of its checksum, and the value of a store without columns.
//!
//! docs/format.md is normative; this is its table in code.

use mnemon_table::Score;

use crate::{Claim, Flags, Origins, Record};

/// The size of a record.
pub const RECORD_BYTES: usize = 28;

/// The record's 28 bytes, all numbers little-endian:
///
/// ```text
///  0      2      4      6    7    8          10         12      16        17      18        20      28
///  | lower | upper | best | lower| upper| game_ply | root_ply | time | origins | flags | zero (2) | nodes |
///                           depth  depth
/// ```
pub fn encode(record: &Record) -> [u8; RECORD_BYTES] {
    let Record { lower, upper, best, origins, flags, game_ply, root_ply, nodes, time } = *record;
    let mut bytes = [0; RECORD_BYTES];
    bytes[0..2].copy_from_slice(&lower.score.to_le_bytes());
    bytes[2..4].copy_from_slice(&upper.score.to_le_bytes());
    bytes[4..6].copy_from_slice(&best.to_le_bytes());
    bytes[6] = lower.depth;
    bytes[7] = upper.depth;
    bytes[8..10].copy_from_slice(&game_ply.to_le_bytes());
    bytes[10..12].copy_from_slice(&root_ply.to_le_bytes());
    bytes[12..16].copy_from_slice(&time.to_le_bytes());
    bytes[16] = origins.bits();
    bytes[17] = flags.bits();
    bytes[20..28].copy_from_slice(&nodes.to_le_bytes());
    bytes
}

/// The record that [`encode`] wrote; `None` if no record has these bytes.
pub fn decode(bytes: &[u8; RECORD_BYTES]) -> Option<Record> {
    let word = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    let record = Record {
        lower: Claim::new(word(0) as Score, bytes[6]),
        upper: Claim::new(word(2) as Score, bytes[7]),
        best: word(4),
        game_ply: word(8),
        root_ply: word(10),
        time: u32::from_le_bytes(*bytes[12..].first_chunk()?),
        origins: Origins::from_bits(bytes[16])?,
        flags: Flags::from_bits(bytes[17])?,
        nodes: u64::from_le_bytes(*bytes[20..].first_chunk()?),
    };
    (word(18) == 0 && record.normalized() == record).then_some(record)
}

/// The checksum that a store keeps beside a record: a CRC-32 over its key and its bytes, so that a flipped bit in either is
/// found. `game` and `source` are the ids that the store has given to their names.
pub fn checksum(game: u32, position: &[u8], source: u32, record: &Record) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&game.to_le_bytes());
    hasher.update(&source.to_le_bytes());
    hasher.update(position);
    hasher.update(&encode(record));
    hasher.finalize()
}
