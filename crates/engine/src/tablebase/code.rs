//! The code of a subtable: recursive pairing of values into symbols, then canonical Huffman code words for the symbols.
//!
//! ```text
//! 1 byte    flags: bit 7 one value for all positions, which follows; DTZ: bit 1 values are mapped, bit 4 to 16 bits
//! 1 byte    binary logarithm of the bytes of a block
//! 1 byte    binary logarithm of the positions of an index entry
//! 1 byte    sizes beyond the last block's
//! 4 bytes   number of blocks
//! 1 byte    longest code word
//! 1 byte    shortest code word
//! 2 bytes   for each length: the first symbol with it
//! 2 bytes   number of symbols
//! 3 bytes   for each symbol: two of 12 bits that it stands for; or 0xfff, and before it a value
//! ```

use super::bytes::Bytes;
use super::header::{Damage, TableType};

/// A code whose every symbol and code word is defined.
#[derive(Debug, Default)]
pub(super) struct Code {
    flags: u8,
    max_value: u16,
    /// The positions of the subtable; 0 where all have one value.
    pub(super) positions: u64,
    pub(super) index_bits: u8,
    index_entries: u64,
    sizes: u64,
    pub(super) blocks: u64,
    pub(super) block_bits: u8,
    words: Words,
    /// How many values each symbol stands for.
    lengths: Vec<u32>,
}

/// The code words of each length from the shortest on.
#[derive(Debug, Default)]
struct Words {
    shortest: u8,
    /// The first symbol with each length.
    first_symbols: Vec<u16>,
    /// Its code word, as the top bits of 64. The longest words begin at 0, and no shorter one is below a longer one.
    first_words: Vec<u64>,
}

const ONE_VALUE: u8 = 0x80;
const MAPPED: u8 = 2;
const WIDE_MAP: u8 = 16;
const LEAF: u16 = 0xfff;
/// The prober reads 32 bits when as many are used.
const MAX_WORD_BITS: u8 = 32;
/// What a symbol stands for, and that less one fits a byte.
const MAX_SYMBOL_VALUES: u32 = 256;
/// The highest value of a WDL table, a win.
const WIN: u8 = 4;

impl Code {
    /// Reads and checks the code of a subtable with this number of positions.
    pub(super) fn read(bytes: &mut Bytes<'_>, positions: u64, table_type: TableType) -> Result<Self, Damage> {
        let flags = bytes.byte()?;
        let second = bytes.byte()?;
        if flags & ONE_VALUE != 0 {
            let is_value = table_type == TableType::Dtz || second <= WIN;
            return if is_value { Ok(Code { flags, ..Code::default() }) } else { Err("its value is none") };
        }
        let (block_bits, index_bits) = (second, bytes.byte()?);
        // The prober reads 8 bytes at a time.
        if !(3..32).contains(&block_bits) || !(1..32).contains(&index_bits) {
            return Err("its block sizes are none");
        }
        let more_sizes = u64::from(bytes.byte()?);
        let blocks = u64::from(bytes.u32()?);
        let (longest, shortest) = (bytes.byte()?, bytes.byte()?);
        if shortest == 0 || shortest > longest || longest > MAX_WORD_BITS {
            return Err("its code words have no length");
        }
        let first_symbols: Vec<u16> = (shortest..=longest).map(|_| bytes.u16()).collect::<Result<_, _>>()?;
        let symbols = bytes.u16()?;
        let words = Words::new(shortest, first_symbols, symbols)?;
        let patterns = bytes.take(3 * usize::from(symbols))?;
        bytes.skip(usize::from(symbols & 1))?;
        let (lengths, max_value) = symbol_lengths(patterns)?;
        if table_type == TableType::Wdl && max_value > WIN.into() {
            return Err("its values are none");
        }
        Ok(Code {
            flags,
            max_value,
            positions,
            index_bits,
            index_entries: positions.div_ceil(1 << index_bits),
            sizes: blocks + more_sizes,
            blocks,
            block_bits,
            words,
            lengths,
        })
    }

    /// The symbol that 64 bits begin with: the bits of its code word, and how many values it stands for.
    pub(super) fn decode(&self, bits: u64) -> (u32, u32) {
        let Words { shortest, first_symbols, first_words } = &self.words;
        let index = first_words.iter().position(|&first| bits >= first).unwrap_or(0);
        let length = u32::from(*shortest) + index as u32;
        let symbol = usize::from(first_symbols[index]) + ((bits - first_words[index]) >> (64 - length)) as usize;
        (length, self.lengths[symbol])
    }

    /// Whether values are looked up in a map of a DTZ table.
    pub(super) fn has_map(&self) -> bool {
        self.flags & MAPPED != 0
    }

    /// Whether the map has values of 16 bits.
    pub(super) fn has_wide_map(&self) -> bool {
        self.flags & WIDE_MAP != 0
    }

    /// The highest value of a symbol.
    pub(super) fn max_value(&self) -> u16 {
        self.max_value
    }

    pub(super) fn index_bytes(&self) -> u64 {
        self.index_entries.saturating_mul(6)
    }

    pub(super) fn sizes_bytes(&self) -> u64 {
        2 * self.sizes
    }

    pub(super) fn blocks_bytes(&self) -> u64 {
        self.blocks << self.block_bits
    }
}

impl Words {
    /// The code words, if every sequence of bits begins with one of a symbol.
    fn new(shortest: u8, first_symbols: Vec<u16>, symbols: u16) -> Result<Self, Damage> {
        let broken = "its code words are none";
        let mut first_words = vec![0_u64; first_symbols.len()];
        for index in (0..first_symbols.len() - 1).rev() {
            let longer = first_words[index + 1] + u64::from(first_symbols[index]);
            first_words[index] = longer.checked_sub(first_symbols[index + 1].into()).ok_or(broken)? / 2;
        }
        let mut last_word = Some(u64::MAX);
        for (index, first_word) in first_words.iter_mut().enumerate() {
            let unused_bits = 64 - (u32::from(shortest) + index as u32);
            *first_word <<= unused_bits;
            let Some(distance) = last_word.and_then(|last| last.checked_sub(*first_word)) else { continue };
            if u64::from(first_symbols[index]) + (distance >> unused_bits) >= symbols.into() {
                return Err(broken);
            }
            last_word = first_word.checked_sub(1);
        }
        Ok(Words { shortest, first_symbols, first_words })
    }
}

/// How many values each symbol stands for, and the highest of all values.
fn symbol_lengths(patterns: &[u8]) -> Result<(Vec<u32>, u16), Damage> {
    let broken = "its symbols are none";
    let pair = |symbol: usize| {
        let pattern = patterns.get(3 * symbol..3 * symbol + 3)?;
        let left = u16::from(pattern[0]) | u16::from(pattern[1] & 15) << 8;
        Some((left, u16::from(pattern[1] >> 4) | u16::from(pattern[2]) << 4))
    };
    let symbols = patterns.len() / 3;
    if symbols > usize::from(LEAF) {
        return Err(broken);
    }
    let (mut lengths, mut highest) = (vec![0_u32; symbols], 0);
    // A symbol's length is known once those of its two parts are; on the way down nothing may be met twice.
    for symbol in 0..symbols {
        let mut path = vec![symbol];
        while let Some(&at) = path.last() {
            let (left, right) = pair(at).ok_or(broken)?;
            if right == LEAF {
                (lengths[at], highest) = (1, highest.max(left));
                path.pop();
                continue;
            }
            let parts = [usize::from(left), usize::from(right)];
            match parts.into_iter().find(|&part| lengths.get(part).is_none_or(|&length| length == 0)) {
                Some(part) if part >= symbols || path.len() > symbols => return Err(broken),
                Some(part) => path.push(part),
                None => {
                    lengths[at] = lengths[parts[0]] + lengths[parts[1]];
                    path.pop();
                }
            }
            if lengths[at] > MAX_SYMBOL_VALUES {
                return Err(broken);
            }
        }
    }
    Ok((lengths, highest))
}
