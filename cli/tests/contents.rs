//! What the command and the page's solver contain: nothing of Symbolica, unless its
//! feature is asked for.
#![cfg(not(feature = "symbolica"))]

use std::path::Path;

#[test]
fn nothing_of_symbolica_is_in_the_command() {
    let solver = concat!(env!("CARGO_MANIFEST_DIR"), "/page/routh.wasm");
    for path in [env!("CARGO_BIN_EXE_routh"), solver] {
        let bytes = std::fs::read(Path::new(path)).unwrap();
        // Its crate's name, in paths and symbols; our messages write its name as it is written.
        let found = bytes.windows(9).filter(|bytes| *bytes == b"symbolica").count();
        assert!(found == 0, "{path} names it {found} times");
    }
}
