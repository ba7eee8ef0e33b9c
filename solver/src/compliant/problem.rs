//! The contacts in units of their own: stiffness, velocity and inertia of the
//! contact that approaches fastest are one.

use alloc::vec::Vec;

use nalgebra::DMatrix;

use super::law::Model;
use super::sizes::sizeable;
use super::{Compliance, Compliant};
use crate::elementary::pow;
use crate::error::{Error, Field, finite};

/// Velocities below this part of the largest are rounding.
pub(super) const ROUNDING: f64 = 4e-15;

/// Units of time, length and impulse; velocities are in `length / time`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Units {
    pub(super) velocity: f64,
    pub(super) length: f64,
    pub(super) impulse: f64,
}

impl Units {
    pub(super) fn time(&self) -> f64 {
        self.length / self.velocity
    }

    pub(super) fn force(&self) -> f64 {
        self.impulse / self.time()
    }

    pub(super) fn work(&self) -> f64 {
        self.impulse * self.velocity
    }
}

/// A contact's law in these units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Law {
    pub(super) stiffness: f64,
    /// `R²`, by which unloading is softer than loading.
    pub(super) unloading: f64,
    /// `λ u₀` of a damped model.
    pub(super) damping: Option<f64>,
    pub(super) fixed_friction: f64,
    pub(super) kinetic_friction: f64,
    pub(super) model: Model,
}

impl Law {
    fn new(law: &Compliance, units: Units) -> Self {
        let unloading = match law.model() {
            Model::Michalczyk => law.restitution() * law.restitution(),
            _ => 1.0,
        };
        Self {
            stiffness: law.stiffness() * pow(units.length, 1.5) / units.force(),
            unloading,
            damping: law.model().damping(law.restitution()),
            fixed_friction: law.friction().static_friction(),
            kinetic_friction: law.friction().kinetic(),
            model: law.model(),
        }
    }

    /// Whether the force jumps where the indentation turns.
    pub(super) fn jumps(&self) -> bool {
        self.unloading < 1.0
    }

    /// Whether the contact has no friction at all.
    pub(super) fn is_smooth(&self) -> bool {
        self.fixed_friction == 0.0
    }
}

/// A motion to be followed.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    /// `G`, two rows to a contact.
    pub(super) response: DMatrix<f64>,
    pub(super) laws: Vec<Law>,
    pub(super) u: Vec<f64>,
    pub(super) w: Vec<f64>,
    /// The largest of these velocities.
    pub(super) fastest: f64,
    pub(super) units: Units,
}

impl Problem {
    pub(super) fn new(contacts: &Compliant, u: &[f64], w: &[f64]) -> Result<Self, Error> {
        let count = contacts.laws.len();
        let names = ["approach", "sliding"];
        for (name, velocity) in names.into_iter().zip([u, w]) {
            if velocity.len() != count {
                let (field, found) = (Field::new(name), velocity.len());
                return Err(Error::WrongDimension { field, expected: count, found });
            }
            for (i, &v) in velocity.iter().enumerate() {
                finite(Field::entry(name, i), v)?;
            }
        }
        let fastest = (0..count).max_by(|&i, &j| u[i].total_cmp(&u[j])).unwrap_or(0);
        let largest = u.iter().chain(w).fold(0.0, |most: f64, v| most.max(v.abs()));
        if u[fastest] <= ROUNDING * largest {
            let field = Field::entry("contacts", fastest).member("velocity");
            return Err(Error::NotApproaching { field, value: -u[fastest] });
        }
        sizeable(Field::entry("contacts", fastest).member("speed"), u[fastest])?;
        let inertia = contacts.response[(2 * fastest, 2 * fastest)];
        let stiffness = contacts.laws[fastest].stiffness();
        let speed = u[fastest];
        let length = pow(speed / inertia * (speed / stiffness), 0.4);
        let units = Units { velocity: speed, length, impulse: speed / inertia };
        for (name, value) in [
            ("length", length),
            ("impulse", units.impulse),
            ("force", units.force()),
            ("work", units.work()),
        ] {
            finite(Field::new(name), value)?;
        }
        let scaled = |v: &f64| {
            if v.abs() <= ROUNDING * largest { 0.0 } else { v / speed }
        };
        Ok(Self {
            response: &contacts.response / inertia,
            laws: contacts.laws.iter().map(|law| Law::new(law, units)).collect(),
            u: u.iter().map(scaled).collect(),
            w: w.iter().map(scaled).collect(),
            fastest: largest / speed,
            units,
        })
    }

    /// Whether a force at one contact accelerates another along its normal.
    pub(super) fn couples(&self, one: usize, other: usize) -> bool {
        let row = 2 * other;
        [2 * one, 2 * one + 1].into_iter().any(|column| self.response[(row, column)] != 0.0)
    }

    pub(super) fn count(&self) -> usize {
        self.laws.len()
    }
}
