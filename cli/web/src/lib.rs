//! The solver as a WebAssembly module: numbers in, numbers and words out.
//!
//! Whoever calls writes numbers to [`input`](exchange::input), calls
//! [`impact`](exports::impact) or [`inertia`](exports::inertia), and reads as many
//! numbers from [`output`](exchange::output) as the call returns, and words from
//! [`text`](exchange::text). `cli/page/solver.js` is such a caller.
#![deny(unsafe_code)]

pub mod exchange;
pub mod exports;
pub mod impact;
pub mod robots;
