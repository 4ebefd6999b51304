//! Small tables in the format of Syzygy, with made-up values: sound files, to be damaged.

use std::path::Path;

/// A table's file name, its bytes, and the length of its header.
pub(crate) struct MadeTable {
    pub(crate) name: &'static str,
    pub(crate) bytes: Vec<u8>,
    pub(crate) header: usize,
}

/// The number of positions of a subtable, and the file's pieces with the leading number of their order.
struct Plan {
    name: &'static str,
    /// 1 for each of both sides to move, and the piece lists: order, then pieces; with pawns four times.
    both_sides: bool,
    lists: usize,
    list: &'static [u8],
    positions: u64,
    /// The maps of a DTZ table, and its flags for them.
    maps: &'static [u8],
    flags: u8,
}

const WDL_MAGIC: [u8; 4] = [0x71, 0xe8, 0x23, 0x5d];
const DTZ_MAGIC: [u8; 4] = [0xd7, 0x66, 0x0c, 0xa5];
const BLOCK_BITS: u8 = 6;
const INDEX_BITS: u8 = 12;

/// Pieces: pawn 1 to king 6, Black's from 9 on.
const PLANS: [Plan; 6] = [
    Plan {
        name: "KQvK.rtbw",
        both_sides: true,
        lists: 1,
        list: &[0, 5, 6, 14],
        positions: 31_332,
        maps: &[],
        flags: 0,
    },
    Plan {
        name: "KQQvK.rtbw",
        both_sides: true,
        lists: 1,
        list: &[0, 6, 14, 5, 5],
        positions: 462 * (62 * 61 / 2),
        maps: &[],
        flags: 0,
    },
    Plan {
        name: "KPvK.rtbw",
        both_sides: true,
        lists: 4,
        list: &[1, 1, 6, 14],
        positions: 6 * 63 * 62,
        maps: &[],
        flags: 0,
    },
    Plan {
        name: "KPvKP.rtbw",
        both_sides: false,
        lists: 4,
        list: &[0, 1, 1, 9, 6, 14],
        positions: 6 * 47 * 62 * 61,
        maps: &[],
        flags: 0,
    },
    Plan {
        name: "KQvK.rtbz",
        both_sides: false,
        lists: 1,
        list: &[0, 5, 6, 14],
        positions: 31_332,
        maps: &[4, 3, 5, 7, 9, 4, 1, 2, 3, 4, 0, 4, 9, 9, 9, 9],
        flags: 2,
    },
    Plan {
        name: "KPvK.rtbz",
        both_sides: false,
        lists: 4,
        list: &[1, 1, 6, 14],
        positions: 6 * 63 * 62,
        maps: &[4, 0, 3, 0, 5, 0, 7, 0, 9, 0, 1, 0, 1, 0, 0, 0, 0, 0],
        flags: 2 | 16,
    },
];

/// All tables.
pub(crate) fn all() -> Vec<MadeTable> {
    PLANS.iter().map(make).collect()
}

/// Writes the tables to a folder.
pub(crate) fn write(tables: &[MadeTable], folder: &Path) {
    for table in tables {
        std::fs::write(folder.join(table.name), &table.bytes).expect("a writable folder");
    }
}

fn make(plan: &Plan) -> MadeTable {
    let is_wdl = plan.name.ends_with('w');
    let mut bytes = if is_wdl { WDL_MAGIC } else { DTZ_MAGIC }.to_vec();
    bytes.push(plan.both_sides.into());
    for _ in 0..plan.lists {
        bytes.extend(plan.list.iter().map(|nibble| nibble << 4 | nibble));
    }
    align(&mut bytes, 2);
    let subtables = plan.lists * (1 + usize::from(plan.both_sides));
    let encoded: Vec<Encoded> =
        (0..subtables).map(|number| encode(plan.positions, 701 + 300 * number as u64)).collect();
    for subtable in &encoded {
        write_code(&mut bytes, plan, is_wdl, subtable);
    }
    for _ in 0..if plan.maps.is_empty() { 0 } else { subtables } {
        bytes.extend(plan.maps);
    }
    align(&mut bytes, 2);
    let header = bytes.len();
    encoded.iter().for_each(|subtable| bytes.extend(&subtable.index));
    encoded.iter().for_each(|subtable| bytes.extend(subtable.sizes.iter().flat_map(|size| size.to_le_bytes())));
    for subtable in &encoded {
        align(&mut bytes, 64);
        subtable.blocks.iter().for_each(|block| bytes.extend(block));
    }
    align(&mut bytes, 64);
    // In place of the checksum.
    bytes.extend([0xcc; 16]);
    MadeTable { name: plan.name, bytes, header }
}

fn align(bytes: &mut Vec<u8>, width: usize) {
    bytes.resize(bytes.len().next_multiple_of(width), 0);
}

/// Ten symbols with code words of 9, 9, 8, 7 ... 1 bits: a rare value, a common one, and twice, four times, ... 256 times
/// the common one.
const WORD_BITS: [u32; 10] = [9, 9, 8, 7, 6, 5, 4, 3, 2, 1];

fn write_code(bytes: &mut Vec<u8>, plan: &Plan, is_wdl: bool, subtable: &Encoded) {
    bytes.extend([plan.flags, BLOCK_BITS, INDEX_BITS, 0]);
    bytes.extend((subtable.blocks.len() as u32).to_le_bytes());
    bytes.extend([9, 1]);
    for symbol in (2..10_u16).rev().chain([0]) {
        bytes.extend(symbol.to_le_bytes());
    }
    bytes.extend(10_u16.to_le_bytes());
    let (rare, common) = if is_wdl { (2, 4) } else { (3, 1) };
    let pairs = (1..9_u16).map(|half| (half, half));
    for (left, right) in [(rare, 0xfff), (common, 0xfff)].into_iter().chain(pairs) {
        bytes.extend([left as u8, (left >> 8 | right << 4 & 0xf0) as u8, (right >> 4) as u8]);
    }
}

/// The values of a subtable in blocks.
struct Encoded {
    index: Vec<u8>,
    sizes: Vec<u16>,
    blocks: Vec<Vec<u8>>,
}

/// Every so many positions have the rare value.
fn encode(positions: u64, rare: u64) -> Encoded {
    let (mut blocks, mut sizes, mut starts) = (Vec::new(), Vec::new(), Vec::new());
    let (mut bits, mut start, mut at) = (Vec::new(), 0, 0);
    let block_bits = 8 << BLOCK_BITS;
    while at < positions {
        let run = (rare - 1 - at % rare).min(256).min(positions - at);
        let symbol = if run == 0 { 0 } else { 1 + run.ilog2() };
        let length = if run == 0 { 1 } else { 1 << run.ilog2() };
        let word = WORD_BITS[symbol as usize];
        if bits.len() + word as usize > block_bits || at + length - start > 65_536 {
            finish(&mut blocks, &mut bits);
            (sizes, starts) = ([sizes, vec![(at - start - 1) as u16]].concat(), [starts, vec![start]].concat());
            start = at;
        }
        bits.extend((0..word).rev().map(|bit| bit == 0 && symbol != 0));
        at += length;
    }
    finish(&mut blocks, &mut bits);
    sizes.push((at - start - 1) as u16);
    starts.push(start);
    let mut index = Vec::new();
    for middle in (1_u64 << (INDEX_BITS - 1)..positions + (1 << (INDEX_BITS - 1))).step_by(1 << INDEX_BITS) {
        let block = starts.iter().rposition(|&start| start <= middle).expect("the first one starts at 0");
        index.extend((block as u32).to_le_bytes());
        index.extend(((middle - starts[block]) as u16).to_le_bytes());
    }
    Encoded { index, sizes, blocks }
}

fn finish(blocks: &mut Vec<Vec<u8>>, bits: &mut Vec<bool>) {
    bits.resize(8 << BLOCK_BITS, false);
    blocks.push(bits.chunks(8).map(|bits| bits.iter().fold(0, |byte, &bit| byte << 1 | u8::from(bit))).collect());
    bits.clear();
}
