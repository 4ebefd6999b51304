//! Chooses loom's atomics in the table's source.

fn main() {
    println!("cargo:rustc-cfg=mnemon_loom");
}
