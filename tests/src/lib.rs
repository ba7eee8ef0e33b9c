//! Reference data, random contacts and generated solvers for the tests and benchmarks.
#![forbid(unsafe_code)]

pub mod chains;
pub mod documents;
pub mod generated;
pub mod identities;
pub mod landings;
pub mod random;
pub mod reference;
pub mod systems;
