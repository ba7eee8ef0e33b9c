//! All formulas are derived afresh with Symbolica, always, by the tests that need it.
//!
//! They are built and run apart from all others: packages that are built together share
//! their features, and the command that other tests run must not contain Symbolica.
#![cfg(not(feature = "symbolica"))]

use std::path::Path;
use std::process::Command;

/// The first line of code of the tests that need Symbolica.
const NEEDS: &str = "#![cfg(feature = \"symbolica\")]";

/// The names of these tests.
fn tests() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.extension().is_some_and(|end| end == "rs"));
    let files = files
        .filter(|path| std::fs::read_to_string(path).unwrap().lines().any(|line| line == NEEDS));
    let mut names: Vec<_> =
        files.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    names.sort();
    names
}

/// `cargo test` with the versions and the profile of the workspace.
#[track_caller]
fn succeeds(arguments: &[&str]) {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let output = Command::new(env!("CARGO"))
        .args(["test", "--release", "--locked", "--package", "routh-codegen"])
        .args(["--no-default-features", "--features", "symbolica", "--target-dir"])
        .arg(target)
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|x| String::from_utf8(x).unwrap());
    assert!(output.status.success(), "{}\n{out}\n{err}", output.status);
    print!("{out}");
}

#[test]
fn everything_is_derived_afresh() {
    let tests = tests();
    assert!(tests.iter().any(|name| name == "derivations"), "{tests:?}");
    succeeds(&tests.iter().flat_map(|name| ["--test", name]).collect::<Vec<_>>());
    succeeds(&["--doc", "derive"]);
}
