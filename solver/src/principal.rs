//! A contact in the principal axes of its tangential inertia `b`, where `b` is
//! diagonal and every expansion has fewer products.

use crate::contact::Contact;
use crate::elementary::{hypot, sqrt};
use crate::friction::Friction;
use crate::units::Units;

/// Rates below this part of the normal inertia turn nothing while an impact
/// lasts.
const SLOWEST: f64 = 1e-120;

/// A bound on how fast sliding turns and slows, in `1/τ`.
fn rate(contact: &Contact<3>, mu: f64) -> f64 {
    let [[_, h1, h2], [_, b11, _], [_, _, b22]] = *contact.inertia();
    hypot(h1, h2) + mu * (b11 + b22)
}

/// Rounding of a rate, as a part of the largest.
const NOISE: f64 = 32.0 * f64::EPSILON;

/// How much more than `μ |h|` the normal inertia must be, so that rounding does
/// not decide.
const PARTING: f64 = 1.0 + 1e-9;

/// A contact in units of order one and in the principal axes of `b`, with the
/// friction it slides and sticks by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Principal {
    pub(crate) a: f64,
    pub(crate) h: [f64; 2],
    pub(crate) b: [f64; 2],
    /// Kinetic friction.
    pub(crate) mu: f64,
    /// A bound on how fast sliding turns and slows, in `1/τ`, above zero.
    pub(crate) rate: f64,
    /// What rounding makes of how fast a direction turns: below it, the
    /// direction is as near to invariant as it can be.
    pub(crate) noise: f64,
    /// Whether sliding in any direction parts the bodies: `a > μ |h|`. Then
    /// there is neither jamming nor a second compression.
    pub(crate) parts: bool,
    /// `b⁻¹h`: minus the friction that keeps the contact point from sliding.
    pub(crate) holding: [f64; 2],
    /// The length of that.
    pub(crate) critical_friction: f64,
    /// `dv_n/dp` while it sticks.
    pub(crate) sticking_rate: f64,
    /// Whether it does once it is at rest.
    pub(crate) sticks: bool,
    units: Units,
    axis: [f64; 2],
}

impl Principal {
    /// The contact in units in which the rate of sliding is of order one, which
    /// keeps high powers of it within range.
    pub(crate) fn new(contact: &Contact<3>, friction: Friction) -> Self {
        let mu = friction.kinetic();
        let true_rate = rate(contact, mu);
        let rate = true_rate.max(contact.inertia()[0][0] * SLOWEST);
        let units = Units::new(rate, 1.0);
        let [[a, h1, h2], [_, b11, b12], [_, _, b22]] =
            contact.inertia().map(|row| row.map(|x| units.scale_inertia(x)));
        let (axis, b) = diagonalised([b11, b12, b22]);
        let holding = contact.holding_friction();
        let critical_friction = hypot(holding[0], holding[1]);
        Self {
            a,
            h: along(axis, [h1, h2]),
            b,
            mu,
            rate: units.scale_inertia(rate),
            noise: NOISE * units.scale_inertia(true_rate),
            parts: a > PARTING * mu * hypot(h1, h2),
            holding: along(axis, holding),
            critical_friction,
            sticking_rate: units.scale_inertia(contact.sticking_rate()),
            sticks: critical_friction <= friction.fixed(),
            units,
            axis,
        }
    }

    /// Its unit of inertia, with one in which velocities up to `speed` are of
    /// order one.
    #[inline]
    pub(crate) fn units(&self, speed: f64) -> Units {
        self.units.at_speed(speed)
    }

    /// A tangential vector in the principal axes.
    pub(crate) fn inward(&self, vector: [f64; 2]) -> [f64; 2] {
        along(self.axis, vector)
    }

    /// A tangential vector back in the contact's own axes.
    pub(crate) fn outward(&self, vector: [f64; 2]) -> [f64; 2] {
        let [c, s] = self.axis;
        along([c, -s], vector)
    }
}

/// Components of a vector along an axis and across it.
fn along([c, s]: [f64; 2], [x, y]: [f64; 2]) -> [f64; 2] {
    [c * x + s * y, c * y - s * x]
}

/// The axis nearest to the first that `[b11 b12; b12 b22]` leaves in place, and
/// the inertias along and across it (Jacobi). The smaller follows from the
/// determinant, which loses least.
fn diagonalised([b11, b12, b22]: [f64; 3]) -> ([f64; 2], [f64; 2]) {
    if b12 == 0.0 {
        return ([1.0, 0.0], [b11, b22]);
    }
    let half = 0.5 * (b11 - b22);
    let root = hypot(half, b12);
    let tangent = b12 / (half.abs() + root);
    let cosine = 1.0 / sqrt(1.0 + tangent * tangent);
    let large = 0.5 * (b11 + b22) + root;
    let small = (b11 - b12 * (b12 / b22)) * (b22 / large);
    if half >= 0.0 {
        ([cosine, cosine * tangent], [large, small])
    } else {
        ([cosine, -cosine * tangent], [small, large])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn principal_axes_are_left_in_place() {
        for b in [[2.0, 0.7, 1.0], [1.0, -0.7, 2.0], [1.0, 0.3, 1.0], [1e8, 3.0, 1e-6]] {
            let ([c, s], principal) = diagonalised(b);
            let [b11, b12, b22] = b;
            let size = b11 + b22;
            for (axis, inertia) in [([c, s], principal[0]), ([-s, c], principal[1])] {
                let image = [b11 * axis[0] + b12 * axis[1], b12 * axis[0] + b22 * axis[1]];
                for (found, along) in image.into_iter().zip(axis) {
                    assert!((found - inertia * along).abs() <= 1e-15 * size, "{b:?}");
                }
            }
        }
    }

    #[test]
    fn vectors_come_back() {
        let contact = Contact::new([[1.3, 0.4, -0.2], [0.4, 2.1, 0.5], [-0.2, 0.5, 0.9]]).unwrap();
        let principal = Principal::new(&contact, Friction::uniform(0.2).unwrap());
        let [x, y] = principal.outward(principal.inward([0.3, -4.0]));
        assert!((x - 0.3).abs() < 1e-15 && (y + 4.0).abs() < 1e-15);
    }
}
