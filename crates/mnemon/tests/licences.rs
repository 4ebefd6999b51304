//! Every crate that goes into the product or its tests has a permissive licence.

use std::process::Command;

use serde_json::Value;
use spdx::{Expression, LicenseReq};

/// What a licence may be, by its SPDX name.
const PERMISSIVE: [&str; 8] =
    ["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "Unicode-3.0", "Zlib"];

/// The whole dependency tree with `MNEMON_LICENCES=all`, for every platform; otherwise this platform's part of it, for
/// which nothing need be downloaded.
fn packages() -> Vec<Value> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["metadata", "--format-version=1", "--locked"]).current_dir(env!("CARGO_MANIFEST_DIR"));
    if std::env::var("MNEMON_LICENCES").is_ok_and(|scope| scope == "all") {
        command.arg("--all-features");
    } else {
        command.args(["--filter-platform", host().trim()]);
    }
    let output = command.output().expect("cargo runs");
    assert!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    metadata["packages"].as_array().expect("a list of packages").clone()
}

fn host() -> String {
    let output = Command::new("rustc").args(["--print", "host-tuple"]).output().expect("rustc runs");
    String::from_utf8(output.stdout).expect("text")
}

/// Whether the licence can be chosen to be permissive.
fn is_permissive(licence: &str) -> bool {
    let name_of = |requirement: &LicenseReq| requirement.license.to_string();
    // Old manifests write "MIT/Apache-2.0".
    Expression::parse(&licence.replace('/', " OR "))
        .is_ok_and(|expression| expression.evaluate(|requirement| PERMISSIVE.contains(&name_of(requirement).as_str())))
}

#[test]
fn every_dependency_is_permissive() {
    let packages = packages();
    assert!(packages.len() > 20, "the tree was read");
    let licence = |package: &Value| package["license"].as_str().unwrap_or("no licence").to_owned();
    let refused: Vec<_> = packages
        .iter()
        .filter(|package| !is_permissive(&licence(package)))
        .map(|package| format!("{} {}: {}", package["name"], package["version"], licence(package)))
        .collect();
    assert!(refused.is_empty(), "not permissive, or not known to be: {refused:#?}");
}

#[test]
fn copyleft_is_refused() {
    assert!(
        is_permissive("MIT OR Apache-2.0") && is_permissive("GPL-3.0-only OR MIT") && is_permissive("MIT/Apache-2.0")
    );
    assert!(
        !is_permissive("GPL-3.0-or-later") && !is_permissive("MIT AND AGPL-3.0-only") && !is_permissive("no licence")
    );
}
