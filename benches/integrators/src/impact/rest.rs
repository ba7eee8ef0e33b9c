//! What follows rest.

use crate::problem::Problem;

/// Halvings that leave nothing of a range.
const HALVINGS: usize = 64;

/// `b⁻¹h` for a symmetric `b`: 11, 12, 22.
pub(super) fn solve([b11, b12, b22]: [f64; 3], [h1, h2]: [f64; 2]) -> [f64; 2] {
    let determinant = b11 * b22 - b12 * b12;
    [(b22 * h1 - b12 * h2) / determinant, (b11 * h2 - b12 * h1) / determinant]
}

/// `dv_t/dp` of a slip out of rest: `λ u` with `(μ b + λ) u = h`, `|u| = 1`. As
/// `|u|` falls with `λ` from above one at 0 to below one at `|h|`, by halving.
pub(super) fn restart_rate(problem: &Problem) -> [f64; 2] {
    let [m11, m12, m22] = problem.friction;
    let direction = |lambda: f64| solve([m11 + lambda, m12, m22 + lambda], problem.h);
    let (mut low, mut high) = (0.0, problem.h[0].hypot(problem.h[1]));
    for _ in 0..HALVINGS {
        let lambda = 0.5 * (low + high);
        let [x, y] = direction(lambda);
        if x.hypot(y) > 1.0 { low = lambda } else { high = lambda }
    }
    direction(high).map(|u| high * u)
}
