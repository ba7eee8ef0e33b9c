//! An error measure independent of the integrator: the distance of a computed slip
//! from the true one, by the closed forms of its orbit.
//!
//! Along the true slip `ln s − ∫ g/f dφ` and `τ − ∫ dφ/f` are constant. The
//! first gives the distance from the orbit, `ε = Δ ln s` at the same
//! direction; the second the place on it, `η` ahead in `τ`. The impulse
//! follows from `dp = s dτ`, so it is ahead by `ζ = ∫ s (ε + g η) dτ`, and at
//! the same impulse the velocity is off by
//!
//! ```text
//! Δv = s ε σ + (s η − ζ) F        F = g σ + f σ⊥
//! ```

use routh_runtime::double::directions::DirectionRates;
use routh_runtime::double::inertia::Contact as Prepared;
use routh_runtime::double::number::length;

use super::{FirstIntegral, Passage};
use crate::elementary::ln;

/// A place that a slip has come to by a step of the width `step` in `τ`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) step: f64,
    pub(crate) direction: [f64; 2],
    pub(crate) turning: DirectionRates<f64>,
    pub(crate) speed: f64,
    pub(crate) impulse: f64,
    /// `dp/dτ` of the series, which is cut one order before the speed.
    pub(crate) rate: f64,
}

/// The closed forms, and the largest distance of a slip from them.
#[derive(Clone, Debug)]
pub(crate) struct Certificate {
    integral: FirstIntegral,
    start: [f64; 2],
    initial_speed: f64,
    order: f64,
    at: Known,
    drift: f64,
}

/// Where the current step starts, and how far off that is.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    time: f64,
    speed: f64,
    impulse: f64,
    offset: Offset,
}

/// `ε`, `η` and `ζ`
#[derive(Clone, Copy, Debug, Default)]
struct Offset {
    growth: f64,
    time: f64,
    impulse: f64,
}

impl Certificate {
    /// For a slip by series of some order from the start of a step.
    pub(crate) fn new(contact: &Prepared, order: usize, v0: [f64; 2], impulse: f64) -> Self {
        let speed = length(v0[0], v0[1]);
        Self {
            integral: FirstIntegral::new(contact.h, contact.b.map(|b| contact.mu * b)),
            start: v0.map(|v| v / speed),
            initial_speed: speed,
            order: order as f64,
            at: Known { speed, impulse, ..Known::default() },
            drift: 0.0,
        }
    }

    /// The largest error of the velocity so far, relative to the larger of the
    /// speeds there and at the start.
    pub(crate) fn drift(&self) -> f64 {
        self.drift
    }

    /// Looks at a place inside the current step.
    pub(crate) fn visit(&mut self, place: &Place) {
        self.measure(place);
    }

    /// Looks at the end of the current step, from which the next one starts.
    pub(crate) fn complete(&mut self, place: &Place) {
        let offset = self.measure(place);
        self.at = Known {
            time: self.at.time + place.step,
            speed: place.speed,
            impulse: place.impulse,
            offset,
        };
    }

    /// Adds a deliberate change of the velocity, at a speed.
    pub(crate) fn change(&mut self, velocity: f64, speed: f64) {
        self.drift = self.drift.max(velocity / self.initial_speed.max(speed));
    }

    /// The offset at a place. On an invariant direction the closed forms are infinite,
    /// and the offset of the step's start is returned.
    fn measure(&mut self, place: &Place) -> Offset {
        let offset = self.offset(place);
        let error = self.error(place, &offset);
        if !error.is_finite() {
            return self.at.offset;
        }
        self.drift = self.drift.max(error);
        offset
    }

    fn offset(&self, place: &Place) -> Offset {
        let Passage { growth, time } = self.integral.passage(self.start, place.direction);
        let before = self.at.offset;
        let growth = ln(place.speed / self.initial_speed) - growth;
        let time = time - (self.at.time + place.step);
        // Offsets of earlier steps are constant on this one; its own rises with
        // the power of its order.
        let earlier = before.growth * (place.impulse - self.at.impulse)
            + before.time * (place.speed - self.at.speed);
        let own = growth - before.growth + place.turning.along * (time - before.time);
        let own = place.speed * own / (self.order + 2.0)
            + (place.rate - place.speed) / (self.order + 1.0);
        let impulse = before.impulse + earlier + own * place.step;
        Offset { growth, time, impulse }
    }

    /// `|Δv|`, relative.
    fn error(&self, place: &Place, offset: &Offset) -> f64 {
        let DirectionRates { across: f, along: g, .. } = place.turning;
        let along = place.speed * (offset.growth + g * offset.time) - g * offset.impulse;
        let across = f * (place.speed * offset.time - offset.impulse);
        length(along, across) / self.initial_speed.max(place.speed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use routh_runtime::double::step::values;

    use crate::contact::{Contact, Friction};
    use crate::kernels::{velocity_20, velocity_constants};

    /// The drift after a step of one from a speed of four with one coefficient
    /// of `vt1` or `vt2` multiplied.
    fn drift(unknown: usize, order: usize, factor: f64) -> f64 {
        let d = [[9.0e-3, -0.3e-3, 1.8e-3], [-0.3e-3, 9.3e-3, 2.3e-3], [1.8e-3, 2.3e-3, 3.9e-3]];
        let contact = Contact::new(d).unwrap();
        let contact = contact.prepared(Friction::uniform(0.3).unwrap()).unwrap();
        let Prepared { h: [h1, h2], b: [b1, b2], mu, .. } = contact;
        let v0 = contact.inward([1.0, 0.0]);
        let mut rows = [[0.0; 3]; 21];
        let constants = velocity_constants(h1, h2, b1, b2, mu);
        velocity_20(&constants, &[v0[0], v0[1], 0.0], &mut rows);
        rows[order][unknown] *= factor;
        let step = 0.5;
        let mut at = [0.0; 3];
        values(&rows, 20, step, &mut at);
        let [x, y, impulse] = at;
        let rate = (1..=20).rev().fold(0.0, |sum, k| sum * step + k as f64 * rows[k][2]);
        let speed = length(x, y);
        let direction = [x / speed, y / speed];
        let turning = contact.rates_at(direction);
        let mut certificate = Certificate::new(&contact, 20, v0, 0.0);
        certificate.complete(&Place { step, direction, turning, speed, impulse, rate });
        certificate.drift()
    }

    #[test]
    fn a_wrong_coefficient_is_seen() {
        let right = drift(0, 1, 1.0);
        assert!(right < 1e-14, "{right:e}");
        for (unknown, order) in [(0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (1, 3)] {
            let wrong = drift(unknown, order, 1.0 + 1e-6);
            assert!(wrong > 1e5 * f64::EPSILON, "{unknown}, order {order}: {wrong:e}");
        }
    }
}
