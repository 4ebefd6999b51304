//! A quick hash of bitboards for small tables.

use mnemon_search::random::mix;

/// Odd factors that have nothing to do with each other.
const FACTORS: [u64; 8] = {
    let mut factors = [0; 8];
    let mut number = 0;
    while number < factors.len() {
        factors[number] = mix(number as u64 + 1) | 1;
        number += 1;
    }
    factors
};

/// Scatters at most eight words over `1 << bits` places. The products do not wait for each other.
#[inline]
pub(crate) fn scatter<const WORDS: usize>(words: [u64; WORDS], bits: u32) -> usize {
    const { assert!(WORDS <= FACTORS.len()) };
    let sum = words.iter().zip(FACTORS).fold(0, |sum: u64, (word, factor)| sum ^ word.wrapping_mul(factor));
    // The low bits of a product know only the low bits of its word: the high ones know all.
    ((sum ^ (sum >> 29)).wrapping_mul(FACTORS[0]) >> (64 - bits)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pawn_structures_are_spread() {
        let mut hits = vec![0; 1 << 10];
        for white in 0..64_u64 {
            for black in 0..64_u64 {
                hits[scatter([white << 8, black << 48], 10)] += 1;
            }
        }
        // 4096 throws at 1024 places: 4 on average, and about 1.8 % of the places empty if it were chance.
        assert!(hits.iter().filter(|&&times| times == 0).count() < 60);
        assert!(hits.iter().all(|&times| times < 20));
    }
}
