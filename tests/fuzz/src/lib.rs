//! What the fuzz targets share: what is asked of every answer, and numbers from bytes.
#![forbid(unsafe_code)]

pub mod impacts;
pub mod numbers;
pub mod replies;

// The tests' own; their crate would have a dozen generated solvers built besides.
#[path = "../../src/identities.rs"]
pub mod identities;
#[path = "../../src/reference.rs"]
pub mod reference;
#[path = "../../../codegen/tests/c/random.rs"]
pub mod programs;
