//! What the binary's build must see to: that it meets the right processor.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

/// The instruction sets that a compiler chooses by itself, each with the register and the bit in which CPUID tells it.
const FEATURES: [(&str, &str, u32); 28] = [
    ("sse3", "LEAF_1_ECX", 0),
    ("ssse3", "LEAF_1_ECX", 9),
    ("fma", "LEAF_1_ECX", 12),
    ("cmpxchg16b", "LEAF_1_ECX", 13),
    ("sse4.1", "LEAF_1_ECX", 19),
    ("sse4.2", "LEAF_1_ECX", 20),
    ("movbe", "LEAF_1_ECX", 22),
    ("popcnt", "LEAF_1_ECX", 23),
    ("avx", "LEAF_1_ECX", 28),
    ("f16c", "LEAF_1_ECX", 29),
    ("bmi1", "LEAF_7_EBX", 3),
    ("avx2", "LEAF_7_EBX", 5),
    ("bmi2", "LEAF_7_EBX", 8),
    ("avx512f", "LEAF_7_EBX", 16),
    ("avx512dq", "LEAF_7_EBX", 17),
    ("adx", "LEAF_7_EBX", 19),
    ("avx512ifma", "LEAF_7_EBX", 21),
    ("avx512cd", "LEAF_7_EBX", 28),
    ("avx512bw", "LEAF_7_EBX", 30),
    ("avx512vl", "LEAF_7_EBX", 31),
    ("avx512vbmi", "LEAF_7_ECX", 1),
    ("avx512vbmi2", "LEAF_7_ECX", 6),
    ("gfni", "LEAF_7_ECX", 8),
    ("avx512vnni", "LEAF_7_ECX", 11),
    ("avx512bitalg", "LEAF_7_ECX", 12),
    ("avx512vpopcntdq", "LEAF_7_ECX", 14),
    ("lzcnt", "EXTENDED_ECX", 5),
    ("sse4a", "EXTENDED_ECX", 6),
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/processor.c");
    if variable("CARGO_CFG_TARGET_ARCH") != "x86_64" {
        return;
    }
    let enabled = variable("CARGO_CFG_TARGET_FEATURE");
    let is_enabled = |name: &str| enabled.split(',').any(|enabled| enabled == name);
    let used: Vec<_> = FEATURES.into_iter().filter(|(name, ..)| is_enabled(name)).collect();
    if !used.is_empty() {
        refuse_native_dist();
        check_at_start(&used);
    }
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default()
}

/// The profile `dist` is for any x86-64, unless the user chose a processor.
fn refuse_native_dist() {
    // Build scripts learn the name of a custom profile from its folder only.
    let is_dist = variable("OUT_DIR").replace('\\', "/").contains("/dist/build/");
    println!("cargo::rerun-if-env-changed=RUSTFLAGS");
    if is_dist && env::var_os("RUSTFLAGS").is_none() {
        println!(
            "cargo::error=the profile 'dist' is for any x86-64, and this build would be for this processor alone: use \
             'cargo dist', or choose a processor by RUSTFLAGS"
        );
    }
}

/// Compiles the check that runs before everything else. Microsoft's compiler has no such start-up functions: there, the
/// binary goes without.
fn check_at_start(used: &[(&str, &str, u32)]) {
    if variable("CARGO_CFG_TARGET_ENV") == "msvc" {
        return;
    }
    let mut text = String::new();
    for (name, register, bit) in used {
        let _ = writeln!(text, "{{\"{name}\", {register}, {bit}}},");
    }
    let folder = variable("OUT_DIR");
    if let Err(error) = fs::write(Path::new(&folder).join("needed_features.h"), text) {
        println!("cargo::error=cannot write needed_features.h to {folder}: {error}");
        return;
    }
    let mut compiler = cc::Build::new();
    compiler.file("src/processor.c").include(folder).link_lib_modifier("+whole-archive").compile("processor");
}
