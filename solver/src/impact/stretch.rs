//! A change of variable that removes the nearest singularity, so that steps may be
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
//! the derivative vanishes at `ζ = ±i`, the images of the pair: `√(τ − τ*)` is linear
//! in `ζ` there, and no longer singular. A step starts at `ζ_0` and uses
//! `η = κ (ζ − ζ_0)`, scaled to `dτ/dη = 1 + c_1 η + c_2 η²`.

use routh_runtime::double::follow::{Outcome, go_straight};
use routh_runtime::double::inertia::Contact;
use routh_runtime::double::restitution::ImpactState;
use routh_runtime::double::series::{
    Kernel, MOST_STEPS, Step, is_eventful, normal_span, pass_events, rises, slide,
};
use routh_runtime::double::step::{
    Demand, Reached, Slip, error_scale, no_rates, reaches_line, shortening, size, step_width,
    values, weights,
};
use routh_runtime::double::straight::State;

use super::series::{ROWS, Works};
use crate::elementary::{cbrt, sqrt};
use crate::first_integral::FirstIntegral;
use crate::kernels;

/// The factor by which a stretched step is shortened until it is short enough in `τ`.
const SHRINK: f64 = 0.8;

/// The position of a slip in `ζ`, and the height `Y` of its branch points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stretch {
    zeta: f64,
    height: f64,
}

impl Stretch {
    /// For a slip that starts in a direction; `None` if it has no singularity.
    pub(crate) fn new(contact: &Contact, direction: [f64; 2]) -> Option<Self> {
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

    /// A step that is short enough in `τ`, given one over the longest.
    pub(crate) fn shortened(&self, width: f64, shortening: f64) -> f64 {
        let mut width = width;
        while self.time(width) * shortening > 1.0 {
            width *= SHRINK;
        }
        width
    }

    /// Moves on by a step.
    pub(crate) fn advance(&mut self, step: f64) {
        self.zeta += step / self.scale();
    }
}

/// Follows a slip to the end of the impact or to a halt in stretched steps.
pub(super) fn slide_stretched(
    kernel: &Kernel<Works>,
    contact: &Contact,
    at: &mut State<()>,
    impact: &mut ImpactState<()>,
) -> Outcome {
    let demand = Demand::of(contact, &impact.restitution, impact.approach);
    let mut slip = Slip::<8>::start(contact, at, demand);
    let direction = at.tangential.map(|v| v / slip.speed);
    let Some(mut stretch) = Stretch::new(contact, direction) else {
        return slide::<_, _, ROWS, 8>(kernel, contact, at, impact);
    };
    let (order, mut line) = (kernel.control.order, no_rates());
    let mut step = Step { rows: [[0.0; 8]; ROWS], order, width: 0.0, end: [0.0; 8] };
    for _ in 0..MOST_STEPS {
        match reaches_line(contact, &slip, &kernel.control, at, &mut line) {
            Reached::Rest => return Outcome::Halted,
            Reached::Line => return go_straight(&line, at, impact),
            Reached::Nothing => impact.steps += 1,
        }
        let &Contact { a, h: [h1, h2], b: [b1, b2], mu, rate, .. } = contact;
        let [c1, c2] = stretch.coefficients();
        let constants = kernels::stretched_works_constants(a, h1, h2, b1, b2, mu, c1, c2);
        kernels::stretched_works(&constants, &slip.unknowns, order, &mut step.rows);
        let scale = error_scale(contact, &slip, &kernel.control);
        let weights = weights(contact, &slip);
        let sizes = [order, order - 1, order - 2].map(|k| size(&step.rows[k], &weights));
        let width = step_width(&kernel.control, &sizes, slip.speed, scale, &slip.flow, rate);
        step.width = stretch.shortened(width, shortening(&slip.flow, rate, order));
        values(&step.rows, order, step.width, &mut step.end);
        let rising = contact.always_separates || rises(contact, &slip, &step.end);
        if is_eventful(&slip, &step.end, normal_span(&step), impact, rising) {
            let outcome = pass_events(&slip, &mut step, impact, rising, at);
            if outcome != Outcome::GoesOn {
                return outcome;
            }
        }
        stretch.advance(step.width);
        slip.arrive(contact, &step.end);
    }
    Outcome::Endless
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
