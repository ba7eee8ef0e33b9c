//! The classic Runge-Kutta method of order 4 with fixed steps: what the spatial
//! paper measures its series against.

use std::array;

use crate::problem::Problem;
use crate::run::Run;

/// Its order.
pub const ORDER: usize = 4;

/// Follows a motion in about so many steps: none is longer than that part of
/// the last impulse, and between the impulses asked for all are equal.
pub fn follow(problem: &Problem, steps: usize) -> Run {
    let longest = problem.end() / steps as f64;
    let (mut p, mut v, mut taken) = (0.0, problem.v0, 0);
    let mut velocity = Vec::with_capacity(problem.impulse.len());
    for &next in &problem.impulse {
        let pieces = ((next - p) / longest * (1.0 - 1e-12)).ceil();
        let width = (next - p) / pieces;
        for _ in 0..pieces as usize {
            v = step(|v| problem.rate(v), v, problem.rate(v), width);
        }
        (p, taken) = (next, taken + pieces as usize);
        velocity.push(v);
    }
    Run { velocity, steps: taken, evaluations: 4 * taken }
}

/// One step of width `w` of `dx/dp = rate(x)`, given the rate at `x`.
#[inline]
pub(crate) fn step<const N: usize>(
    rate: impl Fn([f64; N]) -> [f64; N],
    x: [f64; N],
    k1: [f64; N],
    w: f64,
) -> [f64; N] {
    let shifted = |k: [f64; N], w: f64| array::from_fn(|i| x[i] + w * k[i]);
    let k2 = rate(shifted(k1, 0.5 * w));
    let k3 = rate(shifted(k2, 0.5 * w));
    let k4 = rate(shifted(k3, w));
    array::from_fn(|i| x[i] + w / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]))
}
