//! The sliding flow's directions: how fast a direction turns, the invariant
//! ones, and the one in which sliding restarts.

use crate::contact::{Contact, solve_symmetric};
use crate::elementary::hypot;
use crate::units::Units;

/// How the flow acts on a direction `σ = (c, d)`, with `F = h − μ b σ`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turning {
    /// `f = σ⊥·F`: `dφ/dτ`.
    pub(crate) across: f64,
    /// `g = σ·F`: `d ln s/dτ`.
    pub(crate) along: f64,
    /// `df/dφ`.
    pub(crate) slope: f64,
}

/// Rates below this part of the normal inertia turn nothing while an impact
/// lasts.
const SLOWEST: f64 = 1e-120;

/// A bound on how fast the flow turns and slows, in `1/τ`, above zero.
pub(crate) fn rate(contact: &Contact<3>, mu: f64) -> f64 {
    let [[a, h1, h2], [_, b11, _], [_, _, b22]] = *contact.inertia();
    (hypot(h1, h2) + mu * (b11 + b22)).max(a * SLOWEST)
}

/// Units in which velocities are of order one and so is the flow's rate, which
/// keeps high powers of it within range.
pub(crate) fn units(contact: &Contact<3>, mu: f64, speed: f64) -> Units {
    Units::new(rate(contact, mu), speed)
}

pub(crate) fn turning(contact: &Contact<3>, mu: f64, [c, d]: [f64; 2]) -> Turning {
    let [[_, h1, h2], [_, b11, b12], [_, _, b22]] = *contact.inertia();
    let [f1, f2] = [h1 - mu * (b11 * c + b12 * d), h2 - mu * (b12 * c + b22 * d)];
    let along = c * f1 + d * f2;
    let across_b = b11 * d * d - 2.0 * b12 * c * d + b22 * c * c;
    Turning { across: c * f2 - d * f1, along, slope: -mu * across_b - along }
}

/// The direction in which sliding restarts after a halt, for `μ < μ_c`:
/// `σ = u` with `(μ b + λ) u = h`, `|u| = 1`, `λ > 0`.
///
/// `|u(λ)|` decreases, so Newton's method on `1/|u|` from a `λ` that is too
/// small rises to the root without overshooting.
pub(crate) fn restart_direction(contact: &Contact<3>, mu: f64) -> [f64; 2] {
    let [[_, h1, h2], [_, b11, b12], [_, _, b22]] = *contact.inertia();
    let largest = 0.5 * (b11 + b22) + hypot(0.5 * (b11 - b22), b12);
    let mut lambda = (hypot(h1, h2) - mu * largest).max(0.0);
    let mut u = [h1, h2];
    for _ in 0..100 {
        let matrix = [mu * b11 + lambda, mu * b12, mu * b22 + lambda];
        u = solve_symmetric(matrix, [h1, h2]);
        let w = solve_symmetric(matrix, u);
        let length = hypot(u[0], u[1]);
        let step = (length - 1.0) * length * length / (u[0] * w[0] + u[1] * w[1]);
        let next = lambda + step;
        if next <= lambda || !step.is_finite() {
            break;
        }
        lambda = next;
    }
    let length = hypot(u[0], u[1]);
    [u[0] / length, u[1] / length]
}

/// The invariant direction next to `σ`, by Newton's method in the angle;
/// `None` if it does not lie within `reach`.
pub(crate) fn nearest_invariant(
    contact: &Contact<3>,
    mu: f64,
    sigma: [f64; 2],
    reach: f64,
) -> Option<[f64; 2]> {
    let mut at = sigma;
    for _ in 0..8 {
        let Turning { across, slope, .. } = turning(contact, mu, at);
        let angle = -across / slope;
        if across == 0.0 || angle.abs() <= f64::EPSILON {
            return Some(at);
        }
        let [c, d] = [at[0] - angle * at[1], at[1] + angle * at[0]];
        let length = hypot(c, d);
        at = [c / length, d / length];
        let away = (at[0] * sigma[1] - at[1] * sigma[0]).abs();
        if away.is_nan() || away > reach {
            return None;
        }
    }
    Some(at)
}
