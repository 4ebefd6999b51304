//! The index of a subtable, and its last blocks: checked so that no position leads the prober out of the file.
//!
//! An index entry names the block and the place in it of the position in the middle of its stretch. The prober goes from there
//! block by block, by their sizes, to the block of its own position, and decodes that from its beginning. Damage inside a
//! block gives wrong values, which only the table's checksum could tell; it leads out of the file only from the last blocks.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use super::header::{Damage, Subtable};

/// Larger indexes are not read: for tables of six pieces that would be gigabytes.
const MAX_INDEX_BYTES: u64 = 1 << 22;

/// How far from the beginning of a block the prober can read: 65,536 symbols of 32 bits, and 8 bytes at a time.
const MAX_DECODED_BYTES: u64 = (1 << 18) + 8;

/// Checks a subtable of a file of `length` bytes.
///
/// # Errors
/// A file that cannot be read; inside, what is wrong with it.
pub(super) fn check(file: &mut File, subtable: &Subtable, length: u64) -> io::Result<Result<(), Damage>> {
    let code = &subtable.code;
    if code.positions == 0 || code.index_bytes() + code.sizes_bytes() > MAX_INDEX_BYTES {
        return Ok(Ok(()));
    }
    let index = read_at(file, subtable.index_at, code.index_bytes())?;
    let sizes = read_at(file, subtable.sizes_at, code.sizes_bytes())?;
    let sizes: Vec<u16> = sizes.chunks_exact(2).map(|size| u16::from_le_bytes([size[0], size[1]])).collect();
    if let Err(damage) = check_index(&index, &sizes, subtable) {
        return Ok(Err(damage));
    }
    let end = subtable.blocks_at + code.blocks_bytes();
    let first = end.min(length.saturating_sub(MAX_DECODED_BYTES)).max(subtable.blocks_at) - subtable.blocks_at;
    let first = first >> code.block_bits;
    let blocks = read_at(
        file,
        subtable.blocks_at + (first << code.block_bits),
        end - subtable.blocks_at - (first << code.block_bits),
    )?;
    let is_whole = |(block, &size): (&[u8], &u16)| ends(block, size, subtable);
    let all = blocks.chunks_exact(1 << code.block_bits).zip(&sizes[first as usize..]).all(is_whole);
    Ok(if all { Ok(()) } else { Err("a block of it does not end") })
}

fn read_at(file: &mut File, at: u64, bytes: u64) -> io::Result<Vec<u8>> {
    let mut part = vec![0; bytes as usize];
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(&mut part)?;
    Ok(part)
}

/// Checks that every entry leads to the middle of its stretch, and that the blocks have all positions.
fn check_index(index: &[u8], sizes: &[u16], subtable: &Subtable) -> Result<(), Damage> {
    let code = &subtable.code;
    // The first position of each block, and of the one that would follow.
    let mut starts = vec![0_u64];
    for &size in sizes {
        starts.push(starts[starts.len() - 1] + u64::from(size) + 1);
    }
    let is_right = |(number, entry): (usize, &[u8])| {
        let block = u32::from_le_bytes([entry[0], entry[1], entry[2], entry[3]]) as usize;
        let place = u64::from(u16::from_le_bytes([entry[4], entry[5]]));
        let middle = ((number as u64) << code.index_bits) + (1 << (code.index_bits - 1));
        starts.get(block).is_some_and(|start| start + place == middle)
    };
    if starts[code.blocks as usize] >= code.positions && index.chunks_exact(6).enumerate().all(is_right) {
        Ok(())
    } else {
        Err("its index is wrong")
    }
}

/// Whether the code words of a block, for one value more than `size`, end in it.
fn ends(block: &[u8], size: u16, subtable: &Subtable) -> bool {
    let (mut values, mut at) = (u64::from(size) + 1, 0_usize);
    while values > 0 {
        let (bits, length) = subtable.code.decode(bits_at(block, at));
        at += bits as usize;
        values = values.saturating_sub(length.into());
        if at > 8 * block.len() {
            return false;
        }
    }
    true
}

/// 64 bits from a place on, with zeros behind the end.
fn bits_at(bytes: &[u8], bit: usize) -> u64 {
    let rest = bytes.get(bit / 8..).unwrap_or_default();
    let window: [u8; 9] = std::array::from_fn(|index| rest.get(index).copied().unwrap_or(0));
    let wide = window.iter().fold(0_u128, |wide, &byte| wide << 8 | u128::from(byte));
    (wide >> (8 - bit % 8)) as u64
}
