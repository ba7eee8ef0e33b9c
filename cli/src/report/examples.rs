//! The examples that are bundled with the command.

use crate::input::{Document, Rejection};
use crate::output::Failure;

macro_rules! bundled {
    ($($name:ident: $file:literal),* $(,)?) => {
        $(pub(super) const $name: &str = include_str!(concat!("../../page/examples/", $file));)*
    };
}

bundled! {
    CHAIN: "chain.json",
    CHAIN_ANGLES: "chain_angles.json",
    CHAIN_MODELS: "chain_models.json",
    CHAIN_OBLIQUE: "chain_oblique.json",
    CHAIN_SLIDING: "chain_sliding.json",
    FLOW: "flow.json",
    ROD: "rod.json",
    SEED_ROBOT: "seed_robot.json",
    STARTS: "starts.json",
    TRIPLE_CONTACT: "triple_contact.json",
}

/// Reads an example of one document.
pub(super) fn read<T>(
    text: &str,
    read: impl FnOnce(Document) -> Result<T, Rejection>,
) -> Result<T, Failure> {
    read(Document { text: text.as_bytes(), line: 1 }).map_err(refused)
}

/// Reads an example with one document a line.
pub(super) fn read_lines<T>(
    text: &str,
    read: impl Fn(Document) -> Result<T, Rejection>,
) -> Result<Vec<T>, Failure> {
    let documents =
        text.lines().zip(1..).map(|(text, line)| Document { text: text.as_bytes(), line });
    documents.map(|document| read(document).map_err(refused)).collect()
}

/// A bundled example that is not solved.
pub(super) fn refused(reason: impl ToString) -> Failure {
    Failure::Example(reason.to_string())
}
