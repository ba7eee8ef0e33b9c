//! The sliding flow's directions: how fast a direction turns, the invariant
//! ones, the one in which sliding restarts, and the first integral of a slip.

use num_complex::Complex64;

use crate::elementary::{hypot, sqrt};
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

/// `ln s − ∫ g/f dφ`, constant on a slip, in closed form.
///
/// With `z = e^{iφ}`, `f` is a Laurent polynomial whose four zeros `z_k` are
/// simple poles of `g/f`, with residues `r_k = g/f'` there, and
/// `∫ g/f dφ = Re Σ r_k ln(z − z_k)` on the unit circle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FirstIntegral {
    poles: [(Complex64, Complex64); 4],
}

impl FirstIntegral {
    pub(crate) fn new(contact: &Principal) -> Self {
        let Principal { h: [h1, h2], b: [b11, b22], mu, .. } = *contact;
        let b12 = 0.0;
        // f = A z² + B z + B̄/z + Ā/z²,  g = iĀ… in the same form.
        let a = Complex64::new(-mu * b12, -0.5 * mu * (b11 - b22)) * 0.5;
        let b = Complex64::new(h2, h1) * 0.5;
        let zeros = zeros(a, b);
        let poles = zeros.map(|z| {
            let inverse = z.inv();
            let f_slope = Complex64::i()
                * (2.0 * a * z * z + b * z
                    - b.conj() * inverse
                    - 2.0 * a.conj() * inverse * inverse);
            let g2 = -Complex64::i() * a;
            let g1 = Complex64::new(h1, -h2) * 0.5;
            let g = g2 * z * z + g1 * z + g1.conj() * inverse + g2.conj() * inverse * inverse
                - 0.5 * mu * (b11 + b22);
            (z, g / f_slope)
        });
        Self { poles }
    }

    /// The change of `∫ g/f dφ` from one direction to another close by.
    pub(crate) fn between(&self, [c0, d0]: [f64; 2], [c1, d1]: [f64; 2]) -> f64 {
        let (from, to) = (Complex64::new(c0, d0), Complex64::new(c1, d1));
        self.poles
            .iter()
            .filter(|(z, residue)| z.is_finite() && residue.is_finite())
            .map(|&(z, residue)| (residue * ((to - z) / (from - z)).ln()).re)
            .sum()
    }
}

/// Zeros of `A z⁴ + B z³ + B̄ z + Ā` by simultaneous iteration (Aberth);
/// those that are not finite or zero are left out as NaN.
fn zeros(a: Complex64, b: Complex64) -> [Complex64; 4] {
    let none = Complex64::new(f64::NAN, f64::NAN);
    if a.norm() <= 1e-14 * b.norm() {
        let root = (-b.conj() / b).sqrt();
        return [root, -root, none, none];
    }
    let polynomial = |z: Complex64| (((a * z + b) * z) * z + b.conj()) * z + a.conj();
    let derivative = |z: Complex64| (4.0 * a * z + 3.0 * b) * z * z + b.conj();
    let spread = sqrt(1.0 + b.norm() / a.norm());
    let mut z = [0.4, 1.9, 3.6, 5.3].map(|angle| Complex64::from_polar(1.0, angle));
    z[0] *= spread;
    z[2] /= spread;
    for _ in 0..200 {
        let mut moved = 0.0_f64;
        for k in 0..4 {
            let ratio = polynomial(z[k]) / derivative(z[k]);
            let others: Complex64 = (0..4).filter(|&j| j != k).map(|j| (z[k] - z[j]).inv()).sum();
            let step = ratio / (1.0 - ratio * others);
            if step.is_finite() {
                z[k] -= step;
                moved = moved.max(step.norm() / z[k].norm());
            }
        }
        if moved <= 4.0 * f64::EPSILON {
            break;
        }
    }
    z
}
