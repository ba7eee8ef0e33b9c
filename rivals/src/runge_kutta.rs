//! The classic Runge-Kutta method of order 4 with fixed steps: what the spatial
//! paper measures its series against.

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
            v = step(problem, v, width);
        }
        (p, taken) = (next, taken + pieces as usize);
        velocity.push(v);
    }
    Run { velocity, steps: taken, evaluations: 4 * taken }
}

#[inline]
fn step(problem: &Problem, v: [f64; 2], w: f64) -> [f64; 2] {
    let shifted = |k: [f64; 2], w: f64| [v[0] + w * k[0], v[1] + w * k[1]];
    let k1 = problem.rate(v);
    let k2 = problem.rate(shifted(k1, 0.5 * w));
    let k3 = problem.rate(shifted(k2, 0.5 * w));
    let k4 = problem.rate(shifted(k3, w));
    [0, 1].map(|i| v[i] + w / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]))
}
