//! The sliding field in the direction alone.
//!
//! With `t = tan(δ/2)`, `δ` the angle from a reference direction `e`, everything
//! is polynomial. With `q = 1 + t²`, over `τ`:
//!
//! ```text
//! t' = Q / 2q        (ln s)' = G / q²        dv_n/dp = a − μ h·σ = N / q
//! ```
//!
//! so that `dy/dτ = x` reads `q Q/2 dy/dt = q² x`.

use routh_runtime::double::directions::{DirectionRates, direction_rates};

/// A contact in the principal axes of its tangential inertia `b`, sliding.
///
/// With `σ` a direction, `dv_t/dp = h − μ b σ` and `dv_n/dp = a − μ h·σ`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Field {
    /// The normal inertia.
    pub a: f64,
    /// The coupling of normal and tangent.
    pub h: [f64; 2],
    /// The principal tangential inertias.
    pub b: [f64; 2],
    /// Kinetic friction.
    pub mu: f64,
}

impl Field {
    /// How the field acts on a direction: `f = dφ/dτ`, `g = d ln s/dτ` and `df/dφ`.
    pub(crate) fn turning(&self, [c, d]: [f64; 2]) -> DirectionRates<f64> {
        direction_rates(&self.h, &self.b.map(|b| self.mu * b), c, d)
    }

    /// A bound on how fast directions turn and speeds change.
    pub fn rate(&self) -> f64 {
        libm::hypot(self.h[0], self.h[1]) + self.mu * (self.b[0] + self.b[1])
    }

    /// How fast the normal velocity rises along a direction.
    pub(crate) fn normal_rate(&self, [c, d]: [f64; 2]) -> f64 {
        self.a - self.mu * (self.h[0] * c + self.h[1] * d)
    }
}

/// The field's polynomials about a direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Local {
    /// `q Q / 2`
    pub(crate) turn: [f64; 7],
    /// `G`
    pub(crate) growth: [f64; 5],
    /// `N`
    pub(crate) normal: [f64; 3],
    /// The field along and across the direction.
    pub(crate) h: [f64; 2],
    /// `b` along, mixed and across.
    pub(crate) b: [f64; 3],
}

impl Local {
    pub(crate) fn about(field: &Field, e: [f64; 2]) -> Self {
        let [c, d] = e;
        let h = [field.h[0] * c + field.h[1] * d, field.h[1] * c - field.h[0] * d];
        Self::new(field, e, h)
    }

    /// The same about an invariant direction, where the field across vanishes
    /// exactly: `h·e⊥ = μ e·b e⊥`.
    pub(crate) fn about_invariant(field: &Field, e: [f64; 2]) -> Self {
        let [c, d] = e;
        let h = [field.h[0] * c + field.h[1] * d, field.mu * ((field.b[1] - field.b[0]) * c * d)];
        Self::new(field, e, h)
    }

    fn new(field: &Field, [c, d]: [f64; 2], [hx, hy]: [f64; 2]) -> Self {
        let ([b1, b2], mu) = (field.b, field.mu);
        let b = [b1 * c * c + b2 * d * d, (b2 - b1) * c * d, b1 * d * d + b2 * c * c];
        let [xx, xy, yy] = b.map(|b| mu * b);
        let q = [hy - xy, 2.0 * (xx - yy - hx), 6.0 * xy, 2.0 * (yy - xx - hx), -hy - xy];
        let mut turn = [0.0; 7];
        for (k, x) in q.into_iter().enumerate() {
            turn[k] += 0.5 * x;
            turn[k + 2] += 0.5 * x;
        }
        Self {
            turn,
            growth: [
                hx - xx,
                2.0 * hy - 4.0 * xy,
                2.0 * xx - 4.0 * yy,
                2.0 * hy + 4.0 * xy,
                -hx - xx,
            ],
            normal: [field.a - mu * hx, -2.0 * mu * hy, field.a + mu * hx],
            h: [hx, hy],
            b,
        }
    }
}

/// A polynomial's value, lowest coefficient first.
pub(crate) fn value(polynomial: &[f64], t: f64) -> f64 {
    polynomial.iter().rev().fold(0.0, |sum, x| sum * t + x)
}
