//! A variable in which the nearest singularity is none, so that steps may be
//! longer than the radius of convergence in `τ`.
//!
//! As a function of complex `τ` the sliding velocity has square-root branch
//! points, at `φ → i∞`; the nearest pair, `X ± iY`, follows from the closed form
//! of `τ(φ)`. Where
//!
//! ```text
//! τ = X + Y/2 (ζ³ + 3ζ)        dτ/dζ = 3Y/2 (1 + ζ²)
//! ```
//!
//! the derivative vanishes at `ζ = ±i`, which is where they are: `√(τ − τ*)` is
//! linear in `ζ` there, and no longer singular. A step starts at `ζ_0` and uses
//! `η = κ (ζ − ζ_0)`, scaled to `dτ/dη = 1 + c_1 η + c_2 η²`.

use crate::elementary::{cbrt, sqrt};
use crate::first_integral::FirstIntegral;
use crate::principal::Principal;

/// Where a slip is in `ζ`, and the height `Y` of its branch points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stretch {
    zeta: f64,
    height: f64,
}

impl Stretch {
    /// For a slip that starts in a direction; none if nothing is in its way.
    pub(crate) fn new(contact: &Principal, direction: [f64; 2]) -> Option<Self> {
        let integral = FirstIntegral::new(contact.h, contact.b.map(|b| contact.mu * b));
        let [x, height] = integral.branch_point(direction)?;
        let zeta = real_root(-x / height);
        (height > 0.0 && zeta.is_finite()).then_some(Self { zeta, height })
    }

    /// `κ = dτ/dζ` at the start of a step.
    fn scale(&self) -> f64 {
        1.5 * self.height * (1.0 + self.zeta * self.zeta)
    }

    /// `c_1` and `c_2` of a step from here.
    pub(crate) fn coefficients(&self) -> [f64; 2] {
        let (scale, square) = (self.scale(), 1.0 + self.zeta * self.zeta);
        [2.0 * self.zeta / (square * scale), 1.0 / (square * scale * scale)]
    }

    /// `dτ/dη` after a step from here.
    pub(crate) fn rate(&self, step: f64) -> f64 {
        let [c1, c2] = self.coefficients();
        1.0 + step * (c1 + step * c2)
    }

    /// How long a step from here is in `τ`.
    pub(crate) fn time(&self, step: f64) -> f64 {
        let [c1, c2] = self.coefficients();
        step * (1.0 + step * (0.5 * c1 + step * c2 / 3.0))
    }

    /// Moves on by a step.
    pub(crate) fn advance(&mut self, step: f64) {
        self.zeta += step / self.scale();
    }
}

/// The real `ζ` with `ζ³ + 3ζ = 2x`: `2 sinh(asinh(x)/3)`.
fn real_root(x: f64) -> f64 {
    let root = cbrt(x.abs() + sqrt(x * x + 1.0));
    (root - 1.0 / root).copysign(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_the_cubics() {
        for x in [-1e3, -2.0, 0.0, 0.7, 40.0] {
            let zeta = real_root(x);
            assert!((zeta * (zeta * zeta + 3.0) - 2.0 * x).abs() <= 1e-14 * (1.0 + x.abs()), "{x}");
            let mut stretch = Stretch { zeta, height: 0.3 };
            let cubic = |zeta: f64| 0.15 * zeta * (zeta * zeta + 3.0);
            let time = stretch.time(0.2);
            stretch.advance(0.2);
            let expected = cubic(stretch.zeta) - cubic(zeta);
            assert!((time - expected).abs() <= 1e-14 * (1.0 + x.abs()), "{x}: {time} {expected}");
        }
    }
}
