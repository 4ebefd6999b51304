//! By how much late moves are reduced (late move reduction), and after how many they are pruned (late move pruning).

use std::sync::LazyLock;

const SIZE: usize = 64;

/// By depth and move number, in 1024ths of a ply: the product of both logarithms.
static REDUCTIONS: LazyLock<[[i32; SIZE]; SIZE]> = LazyLock::new(|| {
    std::array::from_fn(|depth| {
        std::array::from_fn(|number| {
            let logarithms = (depth.max(1) as f64).ln() * (number.max(1) as f64).ln();
            (1024.0 * (0.7 + logarithms / 2.3)) as i32
        })
    })
});

/// The basic late move reduction, in 1024ths of a ply.
pub(crate) fn reduction(depth: i32, number: i32) -> i32 {
    let index = |value: i32| value.clamp(0, SIZE as i32 - 1) as usize;
    REDUCTIONS[index(depth)][index(number)]
}

/// Late move pruning: quiet moves after this number of moves are pruned.
pub(crate) fn late_move_pruning_count(depth: i32, improving: bool) -> i32 {
    (3 + depth * depth) / if improving { 1 } else { 2 }
}
