//! The contacts of one system as they are solved: scaled, in rows contact by contact.

use crate::elementary::{pow, sqrt};

/// Rows of a contact: its normal and two tangents.
pub(super) const ROWS: usize = 3;

/// How a contact presses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Pressing {
    /// By its indentation, until it opens.
    Elastic,
    /// By its indentation until that is largest; then it is held.
    Plastic,
}

/// The law of one contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Law {
    pub(super) pressing: Pressing,
    /// `K` of `λ = K x^η`.
    pub(super) stiffness: f64,
    /// `e²`
    pub(super) returned: f64,
    pub(super) static_friction: f64,
    pub(super) kinetic_friction: f64,
    /// Directions in which it can slide: 0, 1 or 2.
    pub(super) tangents: usize,
}

/// `K` contacts at most, with `N = 3 K` rows.
#[derive(Clone, Debug)]
pub(super) struct System<const K: usize, const N: usize> {
    pub(super) count: usize,
    pub(super) inertia: [[f64; N]; N],
    pub(super) laws: [Law; K],
    /// Whether `η = 3/2`; otherwise it is 1.
    pub(super) hertz: bool,
    /// Whether a contact that unloads loses force, instead of indentation faster.
    pub(super) jumps: bool,
}

impl<const K: usize, const N: usize> System<K, N> {
    /// `D f`
    pub(super) fn accelerations(&self, forces: &[f64; N]) -> [f64; N] {
        let mut rates = [0.0; N];
        for (row, force) in self.inertia.iter().zip(forces).take(ROWS * self.count) {
            if *force != 0.0 {
                for (rate, inertia) in rates.iter_mut().zip(row) {
                    *rate += inertia * force;
                }
            }
        }
        rates
    }

    /// `x^η`
    pub(super) fn power(&self, x: f64) -> f64 {
        if self.hertz { x * sqrt(x) } else { x }
    }

    /// The energy that a contact has stored.
    pub(super) fn stored(&self, contact: usize, x: f64) -> f64 {
        let exponent = if self.hertz { 2.5 } else { 2.0 };
        self.laws[contact].stiffness * self.power(x) * x / exponent
    }

    /// The indentation at which a contact that loads has this force.
    pub(super) fn indented(&self, contact: usize, force: f64) -> f64 {
        let power = force / self.laws[contact].stiffness;
        if self.hertz { pow(power, 2.0 / 3.0) } else { power }
    }

    /// An indentation as large as those of the impact: where `D K x^(η+1)` is 1.
    pub(super) fn indentation(&self, contact: usize) -> f64 {
        self.level(contact, 1.0)
    }

    /// The indentation at which a contact alone would store this much of the energy that a
    /// velocity of 1 has.
    pub(super) fn level(&self, contact: usize, part: f64) -> f64 {
        let normal = ROWS * contact;
        let x = part / (self.laws[contact].stiffness * self.inertia[normal][normal]);
        if self.hertz { pow(x, 0.4) } else { sqrt(x) }
    }
}
