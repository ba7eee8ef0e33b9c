//! The impacts and slips that methods are compared at, from the reference of thirty
//! digits. Inertia is measured in a power of two such that the impact's normal impulse
//! is between one and two: nothing is rounded, and no integrator has to do with odd units.

use rayon::{ThreadPool, ThreadPoolBuilder};
use routh::{Collision, Contact, Flow};
use routh_integrators::impact::SlidingImpact;
use routh_integrators::{Failure, Motion, matched, precise};
use routh_tests::reference::{self, Impacts, Input};
use serde_json::{Value, json};

use super::field::Sliding;
use super::outcome::Outcome;

/// Our names of cases, and the reference's.
const NAMES: [(&str, &str); 5] = [
    ("smooth", "seed-robot (4.0, 0.0) energetic"),
    ("near-sticking", "seed-robot (1.0, -4.0) energetic"),
    ("sticking", "stick-03"),
    ("restarting", "stick-33"),
    ("jamming", "tiny-11"),
];
/// Impulses at which a slip is sampled.
const SAMPLES: u32 = 7;
/// How far a slip is followed: in impulses of the impact, or beyond its halt.
const BEYOND: (f64, f64) = (1.5, 1.25);
/// Impacts of a batch: the same one with velocities up to twice as large.
const COPIES: u32 = 256;

/// An impact, its slip, and their references.
pub struct Case {
    /// Its name.
    pub name: &'static str,
    /// The impact.
    pub impact: Collision,
    /// Its tables.
    pub flow: Flow,
    /// The same impact with velocities that are so many times as large.
    pub copies: Vec<Collision>,
    /// How many times.
    pub scales: Vec<f64>,
    /// What the impact leads to.
    pub expected: Outcome,
    /// Its slip over impulses.
    pub motion: Motion,
    /// The velocities there.
    pub velocity: Vec<[f64; 2]>,
    /// One thread, for batches.
    pub(super) alone: ThreadPool,
    pub(super) sliding: Sliding,
    pub(super) rate_from_rest: [f64; 2],
}

impl Case {
    /// All of them.
    ///
    /// # Errors
    /// [`Failure`] of the reference.
    ///
    /// # Panics
    /// If the reference has no such case, or there is no thread.
    pub fn all() -> Result<Vec<Self>, Failure> {
        let cases = Impacts::load().spatial;
        let find = |(name, known)| {
            let case = cases.iter().find(|case| case.name == known).expect("in the reference");
            Self::new(name, case)
        };
        NAMES.into_iter().map(find).collect()
    }

    fn new(name: &'static str, case: &reference::Case<3>) -> Result<Self, Failure> {
        let unit = case.expect.impulse[0].log2().floor().exp2();
        let Input { inertia, velocity, friction, restitution } = case.input.clone();
        let contact =
            Contact::new(inertia.map(|row| row.map(|x| x * unit))).map_err(super::refused)?;
        let impact = Collision { contact, velocity, friction, restitution };
        let expected = Outcome::expected(&case.expect, unit);
        let [_, x, y] = velocity;
        let halt = expected.events.iter().find(|(kind, _)| kind == "halt");
        let end = halt.map_or(BEYOND.0 * expected.impulse, |(_, p)| BEYOND.1 * p);
        let impulses: Vec<_> =
            (1..=SAMPLES).map(|i| end * f64::from(i) / f64::from(SAMPLES)).collect();
        let motion = Motion::new(contact, friction, [x, y], &impulses);
        let begun = SlidingImpact::new(&contact, velocity, friction, restitution);
        let scales: Vec<_> = (0..COPIES).map(|i| 1.0 + f64::from(i) / f64::from(COPIES)).collect();
        let copy = |scale: &f64| Collision { velocity: velocity.map(|v| v * scale), ..impact };
        Ok(Self {
            name,
            flow: Flow::new(&contact, friction),
            copies: scales.iter().map(copy).collect(),
            scales,
            velocity: precise::follow(&motion.problem)?,
            rate_from_rest: begun.rate_from_rest(),
            alone: ThreadPoolBuilder::new().num_threads(1).build().map_err(super::refused)?,
            impact,
            expected,
            motion,
            sliding: Sliding::new(&begun),
        })
    }

    /// The error of an impact.
    pub fn impact_error(&self, found: &Outcome) -> f64 {
        found.error(&self.expected, &self.impact.velocity)
    }

    /// The largest error of its copies; infinite if there are none.
    pub fn copies_error(&self, found: impl ExactSizeIterator<Item = Option<Outcome>>) -> f64 {
        if found.len() == 0 {
            return f64::INFINITY;
        }
        let errors = found.zip(&self.scales).map(|(found, scale)| {
            found.map_or(f64::INFINITY, |found| self.impact_error(&found.scaled(1.0 / scale)))
        });
        errors.fold(0.0, f64::max)
    }

    /// The largest error of a slip, relative to its first speed.
    pub fn slip_error(&self, found: &[[f64; 2]]) -> f64 {
        if found.len() != self.velocity.len() {
            return f64::INFINITY;
        }
        let [_, x, y] = self.impact.velocity;
        matched::error(&self.velocity, found) / x.hypot(y)
    }

    /// The case for programs in other languages.
    pub fn export(&self) -> Value {
        let Collision { contact, velocity, friction, restitution } = self.impact;
        json!({
            "name": self.name,
            "inertia": contact.inertia(),
            "velocity": velocity,
            "static_friction": friction.static_friction(),
            "friction": friction.kinetic(),
            "law": restitution.law().name(),
            "e": restitution.e(),
            "impulses": self.motion.problem.impulse(),
            "scales": self.scales,
        })
    }
}
