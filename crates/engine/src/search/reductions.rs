//! How much less deep late moves are searched, and how many are searched at all.

use std::sync::LazyLock;

const SIZE: usize = 64;

/// By depth and number of the move, in 1024ths of a ply: the logarithms of both.
static REDUCTIONS: LazyLock<[[i32; SIZE]; SIZE]> = LazyLock::new(|| {
    std::array::from_fn(|depth| {
        std::array::from_fn(|number| {
            let logarithms = (depth.max(1) as f64).ln() * (number.max(1) as f64).ln();
            (1024.0 * (0.7 + logarithms / 2.3)) as i32
        })
    })
});

/// The reduction of a move, in 1024ths of a ply.
pub(crate) fn reduction(depth: i32, number: i32) -> i32 {
    let index = |value: i32| value.clamp(0, SIZE as i32 - 1) as usize;
    REDUCTIONS[index(depth)][index(number)]
}

/// Quiet moves after so many are not searched.
pub(crate) fn late_move_count(depth: i32, improving: bool) -> i32 {
    (3 + depth * depth) / if improving { 1 } else { 2 }
}
