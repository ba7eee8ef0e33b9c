//! The generated code: sliding kernels in `τ` and planar closed forms.
//!
//! For those who write their own integrators or measure ours; everyone else
//! uses [`Contact`](crate::Contact).
//!
//! Rows of a kernel are `c`, `d`, `s`, `p`, `vt1`, `vt2`, `vn`, `it1`, `it2`,
//! `wn`, `wt` of the regularised system, with `v_t = s (c, d)` and `dp = s dτ`.
#![allow(missing_docs, clippy::all)]

use crate::elementary::sqrt;

/// The order of the straight-line kernels.
pub const ORDER: usize = 20;

include!(concat!(env!("OUT_DIR"), "/kernels.rs"));
