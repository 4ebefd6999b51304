//! Bitboards: the masks and shifts of a board.
//!
//! A column takes `HEIGHT + 1` bits, bottom first; the extra bit on top is always empty, so that shifted lines do not
//! run from one column into the next. For 7 wide and 6 high:
//!
//! ```text
//!  6 13 20 27 34 41 48   always empty
//!  5 12 19 26 33 40 47   row 5
//!  4 11 18 25 32 39 46
//!  3 10 17 24 31 38 45
//!  2  9 16 23 30 37 44
//!  1  8 15 22 29 36 43
//!  0  7 14 21 28 35 42   row 0
//! ```

/// The columns of the standard board.
pub const WIDTH: usize = 7;
/// The rows of the standard board.
pub const HEIGHT: usize = 6;

/// The masks of a board of `WIDTH` columns and `HEIGHT` rows; any size that fits in 64 bits.
#[derive(Clone, Copy, Debug)]
pub struct Geometry<const WIDTH: usize, const HEIGHT: usize>;

impl<const WIDTH: usize, const HEIGHT: usize> Geometry<WIDTH, HEIGHT> {
    /// Bits from one column to the next.
    pub const STRIDE: usize = HEIGHT + 1;
    /// Squares of the board.
    pub const SQUARES: u32 = (WIDTH * HEIGHT) as u32;
    /// The bottom square of every column.
    pub const BOTTOM: u64 = Self::row(0);
    /// Every square of the board.
    pub const BOARD: u64 = Self::rows_from(0, 1);
    /// The lower square of every pair when each column is cut into pairs from its top down.
    ///
    /// With six rows these are the first, third and fifth row. A side that always answers in the column just played gets
    /// every other square.
    pub const LOWER_OF_PAIR: u64 = Self::rows_from(HEIGHT % 2, 2);

    const FITS: () = assert!(
        WIDTH >= 1 && WIDTH <= 9 && HEIGHT >= 1 && WIDTH * (HEIGHT + 1) <= 64,
        "a board is 1 to 9 columns wide and fits in 64 bits with one spare bit a column"
    );

    const fn row(row: usize) -> u64 {
        let () = Self::FITS;
        let mut mask = 0;
        let mut column = 0;
        while column < WIDTH {
            mask |= 1 << (column * Self::STRIDE + row);
            column += 1;
        }
        mask
    }

    const fn rows_from(first: usize, step: usize) -> u64 {
        let mut mask = 0;
        let mut row = first;
        while row < HEIGHT {
            mask |= Self::row(row);
            row += step;
        }
        mask
    }

    /// The squares of one column, counted from 0.
    #[inline(always)]
    #[must_use]
    pub const fn column(column: usize) -> u64 {
        ((1 << HEIGHT) - 1) << (column * Self::STRIDE)
    }

    /// The column, counted from 0, of a mask of one square.
    #[inline(always)]
    #[must_use]
    pub const fn column_of(square: u64) -> usize {
        square.trailing_zeros() as usize / Self::STRIDE
    }

    /// The row, counted from 0 at the bottom, of a mask of one square.
    #[inline(always)]
    #[must_use]
    pub const fn row_of(square: u64) -> usize {
        square.trailing_zeros() as usize % Self::STRIDE
    }

    /// The squares a stone can be dropped on: one for every column that is not full.
    #[inline(always)]
    #[must_use]
    pub const fn playable(mask: u64) -> u64 {
        mask.wrapping_add(Self::BOTTOM) & Self::BOARD
    }

    /// True when `stones` holds four in a row.
    #[inline(always)]
    #[must_use]
    pub const fn has_four(stones: u64) -> bool {
        let vertical = stones & (stones >> 1);
        let level = stones & (stones >> Self::STRIDE);
        let falling = stones & (stones >> (Self::STRIDE - 1));
        let rising = stones & (stones >> (Self::STRIDE + 1));
        (vertical & (vertical >> 2))
            | (level & (level >> (2 * Self::STRIDE)))
            | (falling & (falling >> (2 * (Self::STRIDE - 1))))
            | (rising & (rising >> (2 * (Self::STRIDE + 1))))
            != 0
    }

    /// The empty squares that would complete four for the owner of `stones`, playable now or not.
    #[inline(always)]
    #[must_use]
    pub const fn winning_squares(stones: u64, mask: u64) -> u64 {
        let vertical = (stones << 1) & (stones << 2) & (stones << 3);
        let lines = Self::completions(stones, Self::STRIDE)
            | Self::completions(stones, Self::STRIDE - 1)
            | Self::completions(stones, Self::STRIDE + 1);
        (vertical | lines) & (Self::BOARD ^ mask)
    }

    /// The squares that complete four along one direction, `step` bits from stone to stone.
    #[inline(always)]
    const fn completions(stones: u64, step: usize) -> u64 {
        let pair_below = (stones << step) & (stones << (2 * step));
        let pair_above = (stones >> step) & (stones >> (2 * step));
        (pair_below & ((stones << (3 * step)) | (stones >> step)))
            | (pair_above & ((stones >> (3 * step)) | (stones << step)))
    }

    /// The same squares with left and right exchanged.
    #[inline(always)]
    #[must_use]
    pub const fn mirror(squares: u64) -> u64 {
        let all = (1 << Self::STRIDE) - 1;
        let mut mirrored = 0;
        let mut column = 0;
        while column < WIDTH {
            let bits = (squares >> (column * Self::STRIDE)) & all;
            mirrored |= bits << ((WIDTH - 1 - column) * Self::STRIDE);
            column += 1;
        }
        mirrored
    }
}
