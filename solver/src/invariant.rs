//! The sliding flow's directions: how fast a direction turns, the invariant
//! ones, and the one in which sliding restarts.

use crate::elementary::hypot;
use crate::kernels::Real;
use crate::principal::Principal;

/// How the flow acts on a direction `σ = (c, d)`, with `F = h − μ b σ`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turning<T = f64> {
    /// `f = σ⊥·F`: `dφ/dτ`.
    pub(crate) across: T,
    /// `g = σ·F`: `d ln s/dτ`.
    pub(crate) along: T,
    /// `df/dφ`.
    pub(crate) slope: T,
}

impl Turning {
    /// The flow at a direction.
    pub(crate) fn of(contact: &Principal, direction: [f64; 2]) -> Self {
        let Principal { h, b, mu, .. } = *contact;
        Turning::at(h, b.map(|b| mu * b), direction)
    }
}

impl<T: Real> Turning<T> {
    /// The flow of `h` and `m = μ b` at a direction.
    #[inline(always)]
    pub(crate) fn at([h1, h2]: [T; 2], [m1, m2]: [T; 2], [c, d]: [T; 2]) -> Self {
        let [f1, f2] = [h1 - m1 * c, h2 - m2 * d];
        let along = c * f1 + d * f2;
        let across_m = m1 * d * d + m2 * c * c;
        Self { across: c * f2 - d * f1, along, slope: -across_m - along }
    }
}

/// The direction in which sliding restarts after a halt, for `μ < μ_c`:
/// `σ = u` with `(μ b + λ) u = h`, `|u| = 1`, `λ > 0`.
///
/// `|u(λ)|` decreases, so Newton's method on `1/|u|` from a `λ` that is too
/// small rises to the root without overshooting.
pub(crate) fn restart_direction(contact: &Principal) -> [f64; 2] {
    let Principal { h: [h1, h2], b: [b1, b2], mu, .. } = *contact;
    let mut lambda = (hypot(h1, h2) - mu * b1.max(b2)).max(0.0);
    let mut u = [h1, h2];
    for _ in 0..100 {
        let stiffness = [mu * b1 + lambda, mu * b2 + lambda];
        u = [h1 / stiffness[0], h2 / stiffness[1]];
        let length = hypot(u[0], u[1]);
        let curvature = u[0] * u[0] / stiffness[0] + u[1] * u[1] / stiffness[1];
        let step = (length - 1.0) * length * length / curvature;
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
    contact: &Principal,
    sigma: [f64; 2],
    reach: f64,
) -> Option<[f64; 2]> {
    let mut at = sigma;
    for _ in 0..8 {
        let Turning { across, slope, .. } = Turning::of(contact, at);
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
