//! The committed derivations are what Symbolica derives today.
//!
//! `ROUTH_REFRESH=1 cargo test -p routh-codegen --test derivations` rewrites them.
#![cfg(feature = "symbolica")]

use std::path::Path;

use routh_codegen::derivations::Derivations;

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
