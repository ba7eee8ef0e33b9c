//! The algorithm of one rigid impact with friction: from the velocity before to the
//! velocity after, at one contact in the plane or in space.
//!
//! It stands here once. The files are compiled as the modules [`double`] and [`single`],
//! one for each number type, and they are also [`SOURCES`], the text that `routh-codegen`
//! makes solvers for one robot from, in Rust and in C. What differs between the two is a
//! type parameter: see `instances`.
//!
//! It is written in the part of Rust that can be printed as C: functions, plain
//! structures and enumerations, fixed arrays. So both do the same operations in the same
//! order, and give the same bits.
#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]
#![allow(
    missing_docs,
    clippy::needless_range_loop,
    clippy::neg_cmp_op_on_partial_ord,
    clippy::manual_div_ceil,
    clippy::duplicate_mod,
    clippy::excessive_precision,
    reason = "the part of Rust that is printed as C; letters of the formulas speak for themselves"
)]

pub mod double;
pub mod single;
mod sources;

pub use sources::{SOURCES, Source};
