//! The generated code: sliding kernels in `τ` and planar closed forms.
//!
//! For those who write their own integrators or measure ours; everyone else
//! uses [`Contact`](crate::Contact).
//!
//! A kernel takes the state at the start of a step to a row of Taylor
//! coefficients for each order. `velocity` kernels have the unknowns `vt1`,
//! `vt2`, `p`, with `dp = |v_t| dτ`; `works` kernels `it1`, `it2`, `vn`, `wn`,
//! `wt` as well; `varied` ones their derivatives by `vt1`, `vt2` and `μ` too;
//! `stretched` ones are in `η` with `dτ/dη = 1 + c1 η + c2 η²`.
//!
//! In `f32` choose units in which the rate of sliding, `|h| + μ |b|`, is about
//! one: coefficients grow with its powers, and `f32` soon overflows.

use core::ops::{Add, Div, Mul, Neg, Sub};

use crate::elementary;

/// The arithmetic that a kernel works in: `f64`, `f32`, or lanes of them.
pub trait Real:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// A constant.
    fn real(x: f64) -> Self;

    /// The square root.
    fn sqrt(self) -> Self;

    /// The absolute value.
    fn abs(self) -> Self;

    /// The larger of two.
    fn max(self, other: Self) -> Self;
}

impl Real for f64 {
    #[inline(always)]
    fn real(x: f64) -> Self {
        x
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        elementary::sqrt(self)
    }

    #[inline(always)]
    fn abs(self) -> Self {
        f64::abs(self)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        if self > other { self } else { other }
    }
}

impl Real for f32 {
    #[inline(always)]
    fn real(x: f64) -> Self {
        x as f32
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        elementary::sqrt(f64::from(self)) as f32
    }

    #[inline(always)]
    fn abs(self) -> Self {
        f32::abs(self)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        if self > other { self } else { other }
    }
}

#[inline(always)]
fn sqrt<T: Real>(x: T) -> T {
    x.sqrt()
}

pub use generated::*;

#[allow(missing_docs, dead_code, unused_parens, clippy::all)]
mod generated {
    use super::{Real, sqrt};

    include!(concat!(env!("OUT_DIR"), "/kernels.rs"));
}
