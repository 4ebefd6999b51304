//! The header of a table, checked before the prober reads it.
//!
//! The prober takes piece lists, code lengths and sizes from the file and follows them without looking: with a damaged
//! header it reads outside the file or its own arrays. Each check here is what one of its reads relies on.
//!
//! ```text
//! 4 bytes   magic
//! 1 byte    bit 0: values for both sides to move
//! a list    of pieces for each subtable: one, or with pawns one for each of the files a to d
//! even      a code for each subtable and side: see `code`
//!           DTZ: maps from codes to distances
//! even      index of each code: 6 bytes for a stretch of positions
//!           sizes of each code's blocks: 2 bytes each
//! 64        blocks of each code
//! 16 bytes  checksum
//! ```

use super::bytes::Bytes;
use super::code::Code;

/// What is wrong with a table.
pub(super) type Damage = &'static str;

/// Which values a table has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TableType {
    /// Win, draw or loss.
    Wdl,
    /// Plies to the next capture, pawn move or mate.
    Dtz,
}

/// The pieces of a table, as its name gives them: how many of each code. Codes count from 1, pawn to king, and from 9 for
/// Black's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Material([u8; 16]);

const PAWN: [usize; 2] = [1, 9];
const KING: [u8; 2] = [6, 14];
/// The most pieces that the prober can place.
const MAX_PIECES: usize = 7;
const CHECKSUM_BYTES: u64 = 16;
/// The prober maps whole pages: behind the end of a file it reads zeros up to the end of the last one.
const PAGE_BYTES: u64 = 4096;

impl Material {
    /// The pieces of a name such as `KRPvKR`; `None` if it is no table's name.
    pub(super) fn of(name: &str) -> Option<Self> {
        let (white, black) = name.split_once('v')?;
        let mut counts = [0_u8; 16];
        for (side, black) in [(white, 0), (black, 8)] {
            if !side.starts_with('K') || side.len() > 16 {
                return None;
            }
            for (index, letter) in side.chars().enumerate() {
                let piece = "PNBRQK".find(letter).filter(|&piece| index == 0 || piece < 5)?;
                counts[1 + piece + black] += 1;
            }
        }
        Some(Material(counts))
    }

    /// The number of pieces, kings included.
    pub(super) fn pieces(&self) -> usize {
        self.0.iter().map(|&count| usize::from(count)).sum()
    }

    fn is_symmetric(&self) -> bool {
        self.0[..8] == self.0[8..]
    }

    /// How many pawns lead the list and how many of the other side follow them.
    fn pawns(&self) -> [usize; 2] {
        match PAWN.map(|pawn| usize::from(self.0[pawn])) {
            [white, black] if black > 0 && (white == 0 || white > black) => [black, white],
            counts => counts,
        }
    }

    /// Whether the two kings lead the list; otherwise any three pieces do.
    fn kings_lead(&self) -> bool {
        self.0.iter().filter(|&&count| count == 1).count() == 2
    }
}

/// A code, and where in the file its parts are.
#[derive(Debug)]
pub(super) struct Subtable {
    pub(super) code: Code,
    pub(super) index_at: u64,
    pub(super) sizes_at: u64,
    pub(super) blocks_at: u64,
}

/// The subtables of a table of `length` bytes, of which `bytes` is the beginning.
///
/// # Errors
/// The first thing that is wrong with it.
pub(super) fn read(
    bytes: &[u8],
    length: u64,
    material: &Material,
    table_type: TableType,
) -> Result<Vec<Subtable>, Damage> {
    if !(3..=MAX_PIECES).contains(&material.pieces()) {
        // The prober never opens it.
        return Ok(Vec::new());
    }
    let mut bytes = Bytes::new(bytes, 4);
    let both_sides = table_type == TableType::Wdl && bytes.byte()? & 1 != 0;
    if table_type == TableType::Dtz {
        bytes.skip(1)?;
    } else if !both_sides && !material.is_symmetric() {
        return Err("it has the values of one side only");
    }
    let sizes = subtable_sizes(&mut bytes, material, both_sides)?;
    bytes.align(2)?;
    let codes: Vec<Code> =
        sizes.iter().map(|&positions| Code::read(&mut bytes, positions, table_type)).collect::<Result<_, _>>()?;
    if table_type == TableType::Dtz {
        check_maps(&mut bytes, &codes, length)?;
        bytes.align(2)?;
    }
    subtables(bytes.at(), codes, length)
}

/// The number of positions of each subtable: of each file of the leading pawn, for one or for both sides to move.
fn subtable_sizes(bytes: &mut Bytes<'_>, material: &Material, both_sides: bool) -> Result<Vec<u64>, Damage> {
    let has_pawns = material.pawns()[0] > 0;
    let mut sizes = Vec::new();
    let mut leader = None;
    for file in 0..if has_pawns { 4 } else { 1 } {
        let orders = 1 + usize::from(material.pawns()[1] > 0);
        let list = bytes.take(orders + material.pieces())?;
        for shift in if both_sides { &[0, 4][..] } else { &[0] } {
            let list: Vec<u8> = list.iter().map(|byte| byte >> shift & 15).collect();
            let (orders, pieces) = list.split_at(orders);
            check_pieces(pieces, material)?;
            if has_pawns && *leader.get_or_insert(pieces[0]) != pieces[0] {
                return Err("its lists of pieces differ");
            }
            sizes.push(positions(orders, pieces, material, file)?);
        }
    }
    Ok(sizes)
}

/// Checks that a list has the pieces of the table's name, the same ones side by side, and that the right ones lead it.
fn check_pieces(pieces: &[u8], material: &Material) -> Result<(), Damage> {
    let mut counts = [0_u8; 16];
    for (index, &piece) in pieces.iter().enumerate() {
        let seen = &mut counts[usize::from(piece)];
        if *seen > 0 && pieces[index - 1] != piece {
            return Err("its list of pieces is out of order");
        }
        *seen += 1;
    }
    if counts != material.0 {
        return Err("its pieces are not those of its name");
    }
    let [leading, following] = material.pawns();
    let are_pawns =
        |pieces: &[u8]| pieces.iter().all(|&piece| PAWN.contains(&usize::from(piece)) && piece == pieces[0]);
    let is_led_well = if leading > 0 {
        are_pawns(&pieces[..leading]) && are_pawns(&pieces[leading..leading + following])
    } else {
        !material.kings_lead() || pieces[..2] == KING || pieces[..2] == [KING[1], KING[0]]
    };
    if is_led_well { Ok(()) } else { Err("its list of pieces is out of order") }
}

/// The number of positions: the product over the groups of like pieces. `orders` says at which places of the product the
/// leading group and the pawns of the other side stand.
fn positions(orders: &[u8], pieces: &[u8], material: &Material, file: usize) -> Result<u64, Damage> {
    let [leading_pawns, other_pawns] = material.pawns();
    let leading = match (leading_pawns, material.kings_lead()) {
        (0, true) => (2, 462),
        (0, false) => (3, 31_332),
        (pawns, _) => (pawns, leading_pawn_placements(pawns, file)),
    };
    let mut groups = vec![leading.1];
    if other_pawns > 0 {
        groups.push(choose(48 - leading_pawns as u64, other_pawns as u64));
    }
    let mut free = 64 - (leading.0 + other_pawns) as u64;
    for like in pieces[leading.0 + other_pawns..].chunk_by(|a, b| a == b) {
        groups.push(choose(free, like.len() as u64));
        free -= like.len() as u64;
    }
    let is_place = |&order: &u8| usize::from(order) < groups.len();
    if !orders.iter().all(is_place) || orders.len() == 2 && orders[0] == orders[1] {
        return Err("the order of its pieces is none");
    }
    groups.iter().try_fold(1_u64, |product, &group| product.checked_mul(group)).ok_or("it has too many positions")
}

/// The placements of the leading pawns where the foremost of them, in the prober's order, is on this file or its mirror.
fn leading_pawn_placements(pawns: usize, file: usize) -> u64 {
    // From a2, the first square, each square further leaves one less for the other pawns, and so does its mirror image.
    let squares = (0..6).map(|rank| 47 - 12 * file as u64 - 2 * rank);
    squares.map(|others| choose(others, pawns as u64 - 1)).sum()
}

/// The binomial coefficient.
fn choose(of: u64, count: u64) -> u64 {
    (0..count).fold(1, |product, taken| product * (of - taken) / (taken + 1))
}

/// Checks that the maps of a DTZ table are in the file, and whatever a code leads to in them.
fn check_maps(bytes: &mut Bytes<'_>, codes: &[Code], length: u64) -> Result<(), Damage> {
    let end = length.next_multiple_of(PAGE_BYTES);
    for code in codes.iter().filter(|code| code.has_map()) {
        let width = if code.has_wide_map() { 2 } else { 1 };
        bytes.align(width)?;
        for _ in 0..4 {
            let values = if width == 2 { bytes.u16()?.into() } else { usize::from(bytes.byte()?) };
            if (bytes.at() + width * (usize::from(code.max_value()) + 1)) as u64 > end {
                return Err("a map of its values ends behind the file");
            }
            bytes.skip(width * values)?;
        }
    }
    Ok(())
}

/// Where the parts of every code are; all must be in the file.
fn subtables(header: usize, codes: Vec<Code>, length: u64) -> Result<Vec<Subtable>, Damage> {
    let too_short = "it is shorter than its header says";
    let mut end = header as u64;
    let mut next = |bytes: u64, alignment: u64| {
        let start = end.checked_next_multiple_of(alignment)?;
        end = start.checked_add(bytes).filter(|&end| end <= length.saturating_sub(CHECKSUM_BYTES))?;
        Some(start)
    };
    let mut subtables = Vec::new();
    for code in codes {
        let index_at = next(code.index_bytes(), 1).ok_or(too_short)?;
        subtables.push(Subtable { code, index_at, sizes_at: 0, blocks_at: 0 });
    }
    for subtable in &mut subtables {
        subtable.sizes_at = next(subtable.code.sizes_bytes(), 1).ok_or(too_short)?;
    }
    for subtable in &mut subtables {
        subtable.blocks_at = next(subtable.code.blocks_bytes(), 64).ok_or(too_short)?;
    }
    Ok(subtables)
}
