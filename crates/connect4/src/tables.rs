//! The solver's transposition table, and the proof that it never confuses two positions.
//!
//! A key is the packed position times an odd constant, which is a bijection on 64 bits. A slot keeps the key's low
//! [`CHECK_BITS`], which determine the low bits of the position. Two positions with equal check bits therefore differ by a
//! multiple of `2^CHECK_BITS`, and [`buckets_needed`] is the number of buckets from which on their keys never share a
//! bucket. With that many buckets every hit is the position's own entry.

use crate::geometry::Geometry;
use crate::replacement::{KeepBigger, SolverScheme};
use mnemon_table::replace::Replace;
use mnemon_table::{Compact, Table};

/// Scores within ±31, a column in four bits, no depth (a solver's bounds are final), a five-bit logarithm of the nodes.
type SolverLayout = Compact<31, 4, 0, 5>;

/// The table that the solver searches with.
pub type SolverTable = Table<SolverLayout, SolverScheme>;

/// Bits of the key that each slot keeps.
pub const CHECK_BITS: u32 = SolverLayout::CHECK_BITS;

/// 2^64 divided by the golden ratio, made odd: its multiples spread evenly over the 64 bits.
const ODD: u64 = 0x9E37_79B9_7F4A_7C15;

/// Bytes of the largest bucket: a scheme with fewer ways has more buckets in the same bytes.
const BUCKET_BYTES: u64 = 8 * KeepBigger::WAYS as u64;

/// The key of a packed position.
#[inline(always)]
#[must_use]
pub const fn key(packed: u64) -> u64 {
    packed.wrapping_mul(ODD)
}

/// The number of buckets from which on a table cannot confuse two positions of `position_bits` bits.
#[must_use]
pub const fn buckets_needed(position_bits: u32) -> u64 {
    if position_bits <= CHECK_BITS {
        return 1;
    }
    let mut nearest = u64::MAX;
    let mut difference: u64 = 1;
    while difference >> (position_bits - CHECK_BITS) == 0 {
        let apart = key(difference << CHECK_BITS);
        let apart = if apart > apart.wrapping_neg() { apart.wrapping_neg() } else { apart };
        if apart < nearest {
            nearest = apart;
        }
        difference += 1;
    }
    // Keys of one bucket differ by less than 2^64 / buckets, rounded up.
    u64::MAX / nearest + 1
}

/// The smallest table, in bytes, that is exact for a board of this size.
#[must_use]
pub const fn bytes_needed<const WIDTH: usize, const HEIGHT: usize>() -> u64 {
    buckets_needed((WIDTH * Geometry::<WIDTH, HEIGHT>::STRIDE) as u32) * BUCKET_BYTES
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The claim itself, for a table of exactly the needed size: equal check bits never meet in one bucket.
    #[test]
    fn positions_with_equal_check_bits_never_share_a_bucket() {
        for bits in [49, 56, 63] {
            let buckets = buckets_needed(bits);
            let bucket_of = |packed: u64| ((u128::from(key(packed)) * u128::from(buckets)) >> 64) as u64;
            let mut random = 0x2545_F491_4F6C_DD1D_u64;
            for difference in 1..1_u64 << (bits - CHECK_BITS) {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let low = random & ((1 << CHECK_BITS) - 1);
                assert_ne!(bucket_of(low), bucket_of(low + (difference << CHECK_BITS)));
            }
        }
    }

    #[test]
    fn the_check_bits_decide_the_low_bits_of_the_position() {
        let mask = (1_u64 << CHECK_BITS) - 1;
        let mut inverse: u64 = 1;
        for _ in 0..6 {
            inverse = inverse.wrapping_mul(2_u64.wrapping_sub(ODD.wrapping_mul(inverse)));
        }
        for packed in [0, 1, 0x1_2345_6789_ABCD, u64::MAX >> 15] {
            assert_eq!((key(packed) & mask).wrapping_mul(inverse) & mask, packed & mask);
        }
    }

    #[test]
    fn the_standard_board_needs_little_memory() {
        assert!(bytes_needed::<7, 6>() <= 1 << 16, "{}", bytes_needed::<7, 6>());
        assert!(bytes_needed::<9, 6>() <= 64 << 20, "{}", bytes_needed::<9, 6>());
        assert!(bytes_needed::<8, 7>() <= 64 << 20, "{}", bytes_needed::<8, 7>());
    }
}
