//! The committed derivations are what Symbolica derives today.
//!
//! `ROUTH_REFRESH=1 cargo test --release -p routh-codegen --test afresh` rewrites them.
#![cfg(feature = "symbolica")]

use std::path::Path;

use routh_codegen::derivations::Derivations;
use routh_codegen::kernels;

#[test]
fn committed_derivations_are_fresh() {
    let fresh = Derivations::fresh().unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("derivations");
    for (name, text) in fresh.files() {
        let path = folder.join(name);
        if std::env::var_os("ROUTH_REFRESH").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        let committed = std::fs::read_to_string(&path).unwrap();
        assert!(committed == text, "{name} differs from a fresh derivation");
    }
}

#[test]
fn fresh_derivations_give_the_same_kernels() {
    let committed = kernels::library(&Derivations::committed().unwrap()).unwrap();
    let fresh = kernels::library(&Derivations::fresh().unwrap()).unwrap();
    assert!(fresh == committed);
}
