//! An error measure that owes nothing to the integrator: how far a computed
//! slip is from the true one, by the closed forms of its orbit.
//!
//! Along the true slip `ln s − ∫ g/f dφ` and `τ − ∫ dφ/f` are constant. The
//! first tells the distance from the orbit, `ε = Δ ln s` at the same
//! direction; the second the place on it, `η` ahead in `τ`. The impulse
//! follows from `dp = s dτ`, so it is ahead by `ζ = ∫ s (ε + g η) dτ`, and at
//! the same impulse the velocity is off by
//!
//! ```text
//! Δv = s ε σ + (s η − ζ) F        F = g σ + f σ⊥
//! ```

use crate::contact::Contact;
use crate::elementary::{hypot, ln};
use crate::first_integral::{FirstIntegral, Passage};
use crate::sliding::{Quantity, Slip};

/// The closed forms, and how far a slip has strayed from them.
#[derive(Clone, Debug)]
pub(crate) struct Certificate {
    integral: FirstIntegral,
    start: [f64; 2],
    speed: f64,
    order: f64,
    time: f64,
    offset: Offset,
    drift: f64,
}

/// `ε`, `η` and `ζ`
#[derive(Clone, Copy, Debug, Default)]
struct Offset {
    growth: f64,
    time: f64,
    impulse: f64,
}

impl Certificate {
    /// For a slip by series of some order that starts with the velocity `v0`.
    pub(crate) fn new(contact: &Contact<3>, mu: f64, order: usize, v0: [f64; 2]) -> Self {
        let speed = hypot(v0[0], v0[1]);
        Self {
            integral: FirstIntegral::of(contact, mu),
            start: v0.map(|v| v / speed),
            speed,
            order: order as f64,
            time: 0.0,
            offset: Offset::default(),
            drift: 0.0,
        }
    }

    /// The largest error of the velocity so far, relative to the larger of the
    /// speeds then and at the start.
    pub(crate) fn drift(&self) -> f64 {
        self.drift
    }

    /// Compares the current step up to `t`. A step that is complete counts for
    /// those after it.
    pub(crate) fn follow(&mut self, slip: &Slip, t: f64, complete: bool) {
        let sigma = slip.direction(t);
        let speed = slip.value(Quantity::Speed, t);
        let turning = slip.turning(sigma);
        let (f, g) = (turning.across, turning.along);
        let Passage { growth, time } = self.integral.passage(self.start, sigma);
        let before = self.offset;
        let growth = ln(speed / self.speed) - growth;
        let time = time - (self.time + t);
        let rise = |quantity| slip.value(quantity, t) - slip.value(quantity, 0.0);
        // Offsets of earlier steps are constant on this one; its own rises with
        // the power of its order.
        let earlier = before.growth * rise(Quantity::Impulse) + before.time * rise(Quantity::Speed);
        let own = speed * (growth - before.growth + g * (time - before.time)) * t / self.order;
        let impulse = before.impulse + earlier + own;
        let along = speed * (growth + g * time) - g * impulse;
        let across = f * (speed * time - impulse);
        let distance = hypot(along, across) / self.speed.max(speed);
        // On an invariant direction the closed forms are infinite and say no more.
        if distance.is_finite() {
            self.drift = self.drift.max(distance);
            if complete {
                self.offset = Offset { growth, time, impulse };
            }
        }
        if complete {
            self.time += t;
        }
    }
}
