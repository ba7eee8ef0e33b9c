//! Reference data and random contacts for the tests and benchmarks.
#![forbid(unsafe_code)]

pub mod random;
pub mod reference;
