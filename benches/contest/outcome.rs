//! What a method finds, and how far it is from the reference.

use routh::Impact;
use routh_tests::reference::{Expect, largest};
use serde::{Deserialize, Serialize};

/// What an impact leads to. The tangential impulse, the work of friction and the energy
/// follow from it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// Velocity after impact, normal first.
    pub velocity: [f64; 3],
    /// Normal impulse.
    pub impulse: f64,
    /// That of compression.
    pub compression_impulse: f64,
    /// Normal work.
    pub normal_work: f64,
    /// What happens on the way, and at which impulse.
    pub events: Vec<(String, f64)>,
}

impl Outcome {
    /// The reference, where inertia is measured in `1/unit`.
    pub fn expected(expect: &Expect<3>, unit: f64) -> Self {
        let [compression_impulse, normal_work, ..] = expect.scalars;
        let events = expect.events.iter().map(|(kind, p)| (kind.clone(), p / unit));
        Self {
            velocity: expect.velocity,
            impulse: expect.impulse[0] / unit,
            compression_impulse: compression_impulse / unit,
            normal_work: normal_work / unit,
            events: events.collect(),
        }
    }

    /// The largest difference from the reference, relative to the largest velocity, to
    /// the normal impulse, and to their product; infinite if events differ in kind.
    pub fn error(&self, expected: &Self, before: &[f64; 3]) -> f64 {
        let speed = largest(before.iter().chain(&expected.velocity).copied());
        let impulse = expected.impulse;
        let kinds = |outcome: &Self| {
            outcome.events.iter().map(|(kind, _)| kind.clone()).collect::<Vec<_>>()
        };
        if kinds(self) != kinds(expected) {
            return f64::INFINITY;
        }
        let velocities = self.velocity.iter().zip(&expected.velocity);
        let events = self.events.iter().zip(&expected.events);
        let differences = velocities
            .map(|(x, y)| (x - y) / speed)
            .chain(events.map(|((_, x), (_, y))| (x - y) / impulse))
            .chain([
                (self.impulse - impulse) / impulse,
                (self.compression_impulse - expected.compression_impulse) / impulse,
                (self.normal_work - expected.normal_work) / (speed * impulse),
            ]);
        differences
            .fold(0.0, |most: f64, x| if x.is_nan() { f64::INFINITY } else { most.max(x.abs()) })
    }

    /// The same for velocities that are so many times as large.
    pub fn scaled(&self, factor: f64) -> Self {
        Self {
            velocity: self.velocity.map(|v| v * factor),
            impulse: self.impulse * factor,
            compression_impulse: self.compression_impulse * factor,
            normal_work: self.normal_work * factor * factor,
            events: self.events.iter().map(|(kind, p)| (kind.clone(), p * factor)).collect(),
        }
    }
}

impl From<&Impact<3>> for Outcome {
    fn from(impact: &Impact<3>) -> Self {
        let events = impact.events.iter();
        let events = events.map(|event| (event.kind.name().to_owned(), event.impulse));
        Self {
            velocity: impact.velocity,
            impulse: impact.impulse[0],
            compression_impulse: impact.compression_impulse,
            normal_work: impact.normal_work,
            events: events.collect(),
        }
    }
}
