//! The first integral of a slip, `ln s − ∫ g/f dφ`, and `τ = ∫ dφ/f`, in closed
//! form. With `f = ℓ1 ℓ2` a product of [chords](self::chords), both integrands
//! are sums of partial fractions
//!
//! ```text
//! Σ P_i ℓ_i'/ℓ_i + Q_i/ℓ_i
//! ```
//!
//! and with `S² = α² + β² − γ²` and the half angles `x = cos φ/2`, `y = sin φ/2`
//!
//! ```text
//! ∫ ℓ'/ℓ dφ = ln ℓ        ∫ dφ/ℓ = 2/S asinh (S (x0 y1 − y0 x1) / √(ℓ(φ0) ℓ(φ1)))
//! ```
//!
//! which stays finite as `S → 0`, and becomes an arctangent for `S² < 0`. A
//! pair of invariant directions that meet shares a chord, so there is no cancellation
//! there; there is where three of them meet, at `|δ| = |h1|, h2 = 0` or the like.

mod certificate;
mod chords;

pub(crate) use certificate::{Certificate, Place};

use self::chords::{Chord, chords};
use crate::elementary::{asinh, atan2, ln, ln_1p, sqrt};
use crate::kernels::{HalfAngle, half_angle};

/// How near three invariant directions may come to each other, as a part of
/// `h`: partial fractions cancel as they meet.
const CUSP: f64 = 1e-9;

/// Replaces a discriminant of zero, to avoid a division by zero.
const TINY: f64 = 1e-150;

/// `Σ P_i ℓ_i'/ℓ_i + Q_i/ℓ_i`
#[derive(Clone, Copy, Debug)]
struct Fractions {
    logarithms: [f64; 2],
    arcs: [f64; 2],
}

/// The closed forms for one contact and friction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FirstIntegral {
    chords: [Chord; 2],
    discriminants: [f64; 2],
    growth: Fractions,
    time: Fractions,
}

/// The changes of the flow's variables from one direction to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Passage {
    /// `∫ g/f dφ`, by which `ln s` grows.
    pub(crate) growth: f64,
    /// `∫ dφ/f`, the change of `τ`.
    pub(crate) time: f64,
}

impl FirstIntegral {
    /// In the principal axes of `b`, with `m = μ b`.
    pub(crate) fn new(h: [f64; 2], [m1, m2]: [f64; 2]) -> Self {
        Self::with(h, m1 - m2, m2)
    }

    fn with([h1, h2]: [f64; 2], delta: f64, m2: f64) -> Self {
        let largest = h1.abs().max(h2.abs()).max(delta.abs());
        let unit = largest.max(m2.abs() * TINY).max(f64::MIN_POSITIVE);
        let [h1, h2, delta, m2] = [h1, h2, delta, m2].map(|x| x / unit);
        let delta = off_cusp([h1, h2], delta);
        let chords = chords([h1, h2], delta);
        let HalfAngle { growth: [r0, r1, r2, _], time, circle: [alpha], .. } =
            half_angle(h1, h2, delta, m2);
        let time = Fractions::new(&chords, time, 0.0);
        Self {
            chords,
            discriminants: chords.map(|chord| chord.dot(&chord)),
            growth: Fractions::new(&chords, [r0, r1, r2], -0.5 * alpha),
            time: Fractions {
                logarithms: time.logarithms.map(|x| x / unit),
                arcs: time.arcs.map(|x| x / unit),
            },
        }
    }

    /// From one direction to another with no invariant direction between
    /// them; not finite if either is invariant.
    pub(crate) fn passage(&self, from: [f64; 2], to: [f64; 2]) -> Passage {
        let start = self.chords.map(|chord| chord.value(from));
        let end = self.chords.map(|chord| chord.value(to));
        let ([x0, y0], [x1, y1]) = (half(from), half(to));
        let (sine, cosine) = (x0 * y1 - y0 * x1, x0 * x1 + y0 * y1);
        let middle = [x0 * x1 - y0 * y1, x0 * y1 + y0 * x1];
        let polar = self.chords.map(|chord| chord.offset * cosine + chord.across(middle));
        // Half angles have two signs: these lead along the arc without ends.
        let way = if polar[0] * start[0] < 0.0 { -1.0 } else { 1.0 };
        let logarithms = [0, 1].map(|i| ln(end[i] / start[i]));
        let arcs = [0, 1].map(|i| {
            let square = self.discriminants[i];
            if square < 0.0 {
                let root = sqrt(-square);
                return 2.0 * atan2(way * root * sine, way * polar[i]) / root;
            }
            let root = sqrt(square).max(TINY);
            let mean = sqrt(start[i] * end[i]).copysign(start[i]);
            2.0 * asinh(way * root * sine / mean) / root
        });
        Passage {
            growth: self.growth.sum(&logarithms, &arcs),
            time: self.time.sum(&logarithms, &arcs),
        }
    }

    /// The directions that do not turn: two or four.
    #[cfg(test)]
    fn invariant_directions(&self) -> impl Iterator<Item = [f64; 2]> {
        self.chords.into_iter().filter_map(|chord| chord.ends()).flatten()
    }

    /// The singularity of the flow in complex `τ` nearest to a direction, as
    /// `(X, |Y|)` from there; `None` if the direction is invariant.
    ///
    /// It is where `φ → i∞`: `∫ dφ/f` straight up from the direction. Where the
    /// second chord has no ends it vanishes at some complex `φ` instead. From
    /// the arc below that zero `φ = i∞` is also in sight on the zero's other
    /// side, a period `2πi` times the zero's residue away; from the other arc
    /// the zero lies behind it.
    pub(crate) fn branch_point(&self, sigma: [f64; 2]) -> Option<[f64; 2]> {
        let mut at = [0.0; 2];
        for i in [0, 1] {
            let (logarithm, arc) = upward(&self.chords[i], self.discriminants[i], sigma);
            for k in [0, 1] {
                at[k] += self.time.logarithms[i] * logarithm[k] + self.time.arcs[i] * arc[k];
            }
        }
        let square = |[x, y]: [f64; 2]| x * x + y * y;
        let other = self.other_side(sigma, at).filter(|&other| square(other) < square(at));
        let [x, y] = other.unwrap_or(at);
        (x.is_finite() && y.is_finite()).then(|| [x, y.abs()])
    }

    /// The same branch point passing the complex zero on its other side.
    fn other_side(&self, sigma: [f64; 2], [x, y]: [f64; 2]) -> Option<[f64; 2]> {
        let [first, second] = &self.chords;
        let [a, b] = second.normal;
        let size = sqrt(a * a + b * b);
        let under = [-a / size, -b / size];
        let hidden = first.value(under) * first.value(sigma) < 0.0;
        if self.discriminants[1] >= 0.0 || size == 0.0 || hidden {
            return None;
        }
        let turn = core::f64::consts::TAU.copysign(-second.slope(sigma));
        let root = sqrt(-self.discriminants[1]);
        Some([x + turn * self.time.arcs[1] / root, y + turn * self.time.logarithms[1]])
    }
}

impl Fractions {
    /// Of a numerator over `f`, both in the half angle, with `P_1 + P_2` given.
    ///
    /// In `u = tan(φ/2)` a chord is `q = γ + α + 2 β u + (γ − α) u²`, and
    /// `N − (P_1 + P_2) q1 q2' = P_1 (q1' q2 − q1 q2') + 2 Q_1 q2 + 2 Q_2 q1`: a
    /// quadratic, and the first on the right is orthogonal to the others.
    fn new(chords: &[Chord; 2], [n0, n1, n2]: [f64; 3], total: f64) -> Self {
        let [first, second] = chords;
        let [q0, q1, q2] = quadratic(first);
        let [_, r1, r2] = quadratic(second);
        let n0 = n0 - total * q0 * r1;
        let n1 = n1 - total * (2.0 * q0 * r2 + q1 * r1);
        let n2 = n2 - total * (2.0 * q1 * r2 + q2 * r1);
        let rest = Chord { normal: [0.25 * (n0 - n2), 0.25 * n1], offset: 0.25 * (n0 + n2) };
        let wronskian = first.wronskian(second);
        let [g11, g12, g22] = [first.dot(first), first.dot(second), second.dot(second)];
        let [n_1, n_2] = [rest.dot(first), rest.dot(second)];
        let determinant = wronskian.dot(&wronskian);
        let p = rest.dot(&wronskian) / determinant;
        Self {
            logarithms: [p, total - p],
            arcs: [(n_1 * g12 - n_2 * g11) / determinant, (n_2 * g12 - n_1 * g22) / determinant],
        }
    }

    fn sum(&self, logarithms: &[f64; 2], arcs: &[f64; 2]) -> f64 {
        let term = |i: usize| self.logarithms[i] * logarithms[i] + self.arcs[i] * arcs[i];
        term(0) + term(1)
    }
}

/// A chord in `u = tan(φ/2)`, lowest power first.
fn quadratic(chord: &Chord) -> [f64; 3] {
    let [a, b] = chord.normal;
    [chord.offset + a, 2.0 * b, chord.offset - a]
}

/// `(cos φ/2, sin φ/2)`, up to sign.
fn half([c, d]: [f64; 2]) -> [f64; 2] {
    let large = sqrt(0.5 * (1.0 + c.abs()));
    let small = 0.5 * d / large;
    if c >= 0.0 { [large, small] } else { [small, large] }
}

/// Moves `δ` away from where three invariant directions are one.
fn off_cusp([h1, h2]: [f64; 2], delta: f64) -> f64 {
    let (near, far) = (h1.abs().min(h2.abs()), h1.abs().max(h2.abs()));
    let close = near <= CUSP && (delta.abs() - far).abs() <= CUSP;
    if close { (far + 2.0 * CUSP).copysign(delta) } else { delta }
}

/// `∫ ℓ'/ℓ dφ`, without the part common to all chords, and `∫ dφ/ℓ` from a
/// direction straight up to `i∞`, each as its real and imaginary part.
fn upward(chord: &Chord, square: f64, sigma: [f64; 2]) -> ([f64; 2], [f64; 2]) {
    let (across, slope) = (chord.across(sigma), chord.slope(sigma));
    let value = across + chord.offset;
    let sign = 1.0_f64.copysign(value);
    let size = sqrt(across * across + slope * slope);
    let logarithm = match size > 0.0 {
        true => [ln(size / value.abs()), atan2(sign * slope, sign * across)],
        false => [0.0; 2],
    };
    let root = sqrt(square.abs()).max(TINY);
    // Logarithm and argument of (u + iv + k)/(u + iv − k), u ≥ 0.
    let pair = |u: f64, v: f64| {
        let away = (u - root) * (u - root) + v * v;
        let modulus = 0.5 * ln_1p(4.0 * u * root / away);
        [modulus / root, atan2(2.0 * root * v, u * u + v * v - square.abs()) / root]
    };
    let arc = if square < 0.0 {
        let [modulus, argument] = pair(value, slope);
        [argument, modulus]
    } else {
        let [modulus, argument] = pair(slope.abs(), value);
        [modulus.copysign(slope), argument]
    };
    (logarithm, arc)
}

#[cfg(test)]
mod tests;
