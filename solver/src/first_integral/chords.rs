//! The rate at which a direction turns, as a product of two chords of the circle of
//! directions. In the principal axes of `b`, with `σ = (c, d)`, `c² + d² = 1`:
//!
//! ```text
//! f = h2 c − h1 d + δ c d = ℓ1 ℓ2        ℓ = α c + β d + γ
//! ```
//!
//! In the half angle `f` is a quartic and a chord is one of its real quadratic
//! factors, without the half angle's special direction. The invariant directions are
//! the ends of the chords. Reflections and a change of axes make `0 ≤ h1 ≤ h2` and `δ ≥ 0`; then
//! `f + t/2 (1 − c² − d²)` is a pair of lines where its determinant vanishes,
//! which for `t = δ x` is
//!
//! ```text
//! δ² x³ + (h1² + h2² − δ²) x − 2 h1 h2 = 0        0 ≤ x ≤ 1
//! ```
//!
//! It has one such root. The first of its chords joins the direction between
//! the axes that `h` lies between to the one opposite, and always has ends; the
//! other joins the two invariant directions that may meet and vanish.

use crate::elementary::{cbrt, sqrt};

/// Newton's method falls to the root from above; it needs about six steps, and
/// about forty if three invariant directions meet.
const NEWTON_STEPS: usize = 64;

/// `ℓ = α c + β d + γ`
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chord {
    /// `(α, β)`
    pub(crate) normal: [f64; 2],
    /// `γ`
    pub(crate) offset: f64,
}

impl Chord {
    pub(crate) fn value(&self, sigma: [f64; 2]) -> f64 {
        self.across(sigma) + self.offset
    }

    /// `α c + β d`
    pub(crate) fn across(&self, [c, d]: [f64; 2]) -> f64 {
        self.normal[0] * c + self.normal[1] * d
    }

    /// `dℓ/dφ`
    pub(crate) fn slope(&self, [c, d]: [f64; 2]) -> f64 {
        self.normal[1] * c - self.normal[0] * d
    }

    /// `α α' + β β' − γ γ'`, the polar form of a half-angle quadratic's
    /// discriminant.
    pub(crate) fn dot(&self, other: &Self) -> f64 {
        self.across(other.normal) - self.offset * other.offset
    }

    /// `ℓ1' ℓ2 − ℓ1 ℓ2'`, itself of the form of a chord, and orthogonal to both.
    pub(crate) fn wronskian(&self, other: &Self) -> Self {
        let ([a1, b1], [a2, b2]) = (self.normal, other.normal);
        let (c1, c2) = (self.offset, other.offset);
        Self { normal: [b1 * c2 - b2 * c1, a2 * c1 - a1 * c2], offset: a2 * b1 - a1 * b2 }
    }

    /// The directions in which the chord meets the circle, if it does.
    #[cfg(test)]
    pub(crate) fn ends(&self) -> Option<[[f64; 2]; 2]> {
        let [a, b] = self.normal;
        let size = a * a + b * b;
        let half = sqrt(self.dot(self)) / size;
        let foot = -self.offset / size;
        let end = |half: f64| [foot * a - half * b, foot * b + half * a];
        half.is_finite().then(|| [end(half), end(-half)])
    }
}

/// The two chords of `h2 c − h1 d + δ c d`, for `h` and `δ` at most of order
/// one and not all zero. The first has ends; the second, if it has none, is
/// positive on the circle.
pub(crate) fn chords([h1, h2]: [f64; 2], delta: f64) -> [Chord; 2] {
    let [s1, s2, s] = [h1, h2, delta].map(|x| 1.0_f64.copysign(x));
    let exchange = h1.abs() > h2.abs();
    let (near, far, wide) = (h1.abs().min(h2.abs()), h1.abs().max(h2.abs()), delta.abs());
    let x = resolvent_root(near, far, wide);
    let t = wide * x;
    let root = far + sqrt(far * far + t * t);
    let cosine = complement(x, near, far, wide);
    let ratio = x / (1.0 + cosine);
    let factor = 0.5 * wide * (1.0 + cosine);
    let place = |along: f64, across: f64| match exchange {
        false => [s * s1 * along, s * s2 * across],
        true => [-s * s1 * across, -s * s2 * along],
    };
    let sign = s * s1 * s2;
    let first = place(1.0, -ratio).map(|x| sign * x);
    let offset = if t > 0.0 { sign * t / root } else { 0.0 };
    let second = place(-ratio * factor, factor);
    [Chord { normal: first, offset }, Chord { normal: second, offset: 0.5 * root }]
}

/// The root of `δ² x³ + (h1² + h2² − δ²) x = 2 h1 h2` in `[0, 1]`.
fn resolvent_root(near: f64, far: f64, wide: f64) -> f64 {
    let cubic = wide * wide;
    let linear = (far - wide) * (far + wide) + near * near;
    let constant = 2.0 * near * far;
    let third = cbrt(constant / cubic);
    let above = match linear > 0.0 {
        true => third.min(constant / linear),
        false => sqrt(-linear) / wide + third.min(constant / (-2.0 * linear)),
    };
    let mut x = above.min(1.0);
    for _ in 0..NEWTON_STEPS {
        let excess = (cubic * x * x + linear) * x - constant;
        let step = excess / (3.0 * cubic * x * x + linear);
        let next = x - step;
        if step.is_nan() || step <= f64::EPSILON * x || next < 0.0 {
            break;
        }
        x = next;
    }
    x
}

/// `√(1 − x²)` for the root `x`, also where that would cancel: the cubic gives
/// `(1 − x) (δ² x (1 + x) + 2 h1 h2) = x (h2 − h1)²`.
fn complement(x: f64, near: f64, far: f64, wide: f64) -> f64 {
    if x < 0.5 {
        return sqrt((1.0 - x) * (1.0 + x));
    }
    let rest = wide * wide * x * (1.0 + x) + 2.0 * near * far;
    (far - near) * sqrt(x * (1.0 + x) / rest)
}
