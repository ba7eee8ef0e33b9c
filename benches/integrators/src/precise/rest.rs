//! The motion out of rest: it sticks if friction can hold it, `|b⁻¹h| ≤ μ`, and
//! else restarts along the `u` with `(μ b + λ) u = h`, `|u| = 1`, at the rate
//! `λ u`.

use num_bigfloat::{BigFloat, ONE, ZERO};

use super::number::{Pair, dot, times, whole};

/// Bisections of `λ`: more than forty digits.
const BISECTIONS: usize = 140;

/// A motion out of rest.
pub(super) struct Rest {
    rate: Pair,
}

impl Rest {
    pub(super) fn new(h: Pair, mu: BigFloat, b: [BigFloat; 3]) -> Self {
        if determined(h, b, ZERO).is_none_or(|u| dot(u, u) <= mu * mu) {
            return Self { rate: [ZERO; 2] };
        }
        let friction = b.map(|b| mu * b);
        let (mut low, mut high) = (ZERO, dot(h, h).sqrt());
        for _ in 0..BISECTIONS {
            let middle = (low + high) / whole(2);
            let long = determined(h, friction, middle).is_none_or(|u| dot(u, u) > ONE);
            if long { low = middle } else { high = middle }
        }
        let u = determined(h, friction, high).unwrap_or(h);
        Self { rate: times(high, u) }
    }

    /// The velocity when so much impulse has gone by.
    pub(super) fn after(&self, impulse: BigFloat) -> Pair {
        times(impulse, self.rate)
    }
}

/// The `u` with `(m + λ) u = h`, if there is one.
fn determined(h: Pair, [m11, m12, m22]: [BigFloat; 3], lambda: BigFloat) -> Option<Pair> {
    let (m11, m22) = (m11 + lambda, m22 + lambda);
    let determinant = m11 * m22 - m12 * m12;
    let [x, y] = [m22 * h[0] - m12 * h[1], m11 * h[1] - m12 * h[0]];
    (determinant > ZERO).then(|| [x / determinant, y / determinant])
}
