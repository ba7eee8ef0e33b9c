//! Bookkeeping of one motion: the history of each contact, and the check that energy
//! and momentum are conserved.

use alloc::vec;
use alloc::vec::Vec;

use nalgebra::DVector;

use super::modes::{Mode, Normal, Point};
use super::outcome::Scenario;
use super::problem::{Problem, ROUNDING};
use crate::elementary::sqrt;
use crate::error::Error;
use crate::impact::Accuracy;

/// The largest relative error of energy or momentum that counts as rounding: this, or
/// `TOLERANCES` times the tolerance.
const MOST_ERROR: f64 = 1e-9;
const TOLERANCES: f64 = 1e3;

/// The history of one contact.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct History {
    pub(super) peak: f64,
    pub(super) duration: f64,
    /// When a contact that touches at rest was first driven, directly or through others.
    pub(super) stirred: Option<f64>,
    /// Sliding velocity when it first closed, and when it was last indented.
    pub(super) closed: Option<f64>,
    pub(super) opened: f64,
    /// The scenario after sliding first came to rest.
    pub(super) halted: Option<Scenario>,
    /// Whether it unloads, and its elastic energy when it began to.
    unloads: bool,
    turned: f64,
    /// The energy lost to restitution so far, without the current unloading.
    lost: f64,
}

impl History {
    /// The contact's scenario, given its final state.
    pub(super) fn scenario(&self, point: &Point) -> Scenario {
        let Some(closed) = self.closed.filter(|_| point.p > ROUNDING) else {
            return Scenario::None;
        };
        if let Some(halted) = self.halted {
            return halted;
        }
        let opened = self.opened.abs();
        if closed != 0.0 {
            let faster = opened > closed.abs() + ROUNDING;
            return if faster { Scenario::IncreasingSlip } else { Scenario::DecreasingSlip };
        }
        if opened > ROUNDING {
            return Scenario::IncreasingSlip;
        }
        if point.z.abs() > ROUNDING { Scenario::Stick } else { Scenario::None }
    }

    /// The energy lost to restitution during the current unloading.
    fn losing(&self, unloading: f64, stored: f64) -> f64 {
        if self.unloads { (1.0 - unloading) * (self.turned - stored) } else { 0.0 }
    }
}

/// All contacts' histories, and the largest errors so far.
#[derive(Clone, Debug)]
pub(super) struct Bookkeeping {
    pub(super) contacts: Vec<History>,
    pub(super) energy_error: f64,
    pub(super) momentum_error: f64,
}

impl Bookkeeping {
    pub(super) fn new(count: usize) -> Self {
        let contacts = vec![History::default(); count];
        Self { contacts, energy_error: 0.0, momentum_error: 0.0 }
    }

    /// Records contacts that began or ended unloading, with the energy lost.
    pub(super) fn turn(&mut self, problem: &Problem, points: &[Point], modes: &[Mode]) {
        for (j, history) in self.contacts.iter_mut().enumerate() {
            let stored = stored(problem, points, j);
            let unloads = modes[j].normal == Normal::Unloading;
            if history.unloads && !unloads {
                history.lost += history.losing(problem.laws[j].unloading, stored);
            }
            if !history.unloads && unloads {
                history.turned = stored;
            }
            history.unloads = unloads;
        }
    }

    /// Compares works with changes of energy, and impulses with changes of velocity.
    pub(super) fn check(
        &mut self,
        problem: &Problem,
        points: &[Point],
        accuracy: Accuracy,
        steps: usize,
    ) -> Result<(), Error> {
        let (mut kinetic, mut works, mut moved) = (0.0, 0.0, 1.0_f64);
        let mut energies = Vec::with_capacity(points.len() + 1);
        for (j, point) in points.iter().enumerate() {
            let Point { u, w, p, z, .. } = *point;
            let changes = [p * (problem.u[j] + u), z * (problem.w[j] + w)];
            kinetic += 0.5 * (changes[0] + changes[1]);
            moved = moved.max(changes[0].abs()).max(changes[1].abs());
            works += point.normal_work + point.friction_work;
            if problem.laws[j].damping.is_none() {
                let (history, stored) = (&self.contacts[j], stored(problem, points, j));
                let losing = history.losing(problem.laws[j].unloading, stored);
                energies.push(point.normal_work - (stored + history.lost + losing));
            }
        }
        energies.push(kinetic - works);
        let energies = energies.into_iter().map(|energy| energy / moved);
        self.energy_error = largest(self.energy_error, energies);
        let impulses = points.iter().flat_map(|point| [point.p, point.z]);
        let changes = &problem.response * DVector::from_iterator(2 * points.len(), impulses);
        let momenta = points.iter().enumerate().flat_map(|(j, point)| {
            let along = point.u - (problem.u[j] - changes[2 * j]);
            let across = point.w - (problem.w[j] - changes[2 * j + 1]);
            [along / problem.fastest, across / problem.fastest]
        });
        self.momentum_error = largest(self.momentum_error, momenta);
        let most = MOST_ERROR.max(TOLERANCES * accuracy.tolerance());
        for (what, value) in [("energy", self.energy_error), ("momentum", self.momentum_error)] {
            if value.is_nan() || value > most {
                return Err(Error::NotConserved { what, value, most, steps });
            }
        }
        Ok(())
    }
}

/// The elastic energy of a contact under its whole stiffness.
fn stored(problem: &Problem, points: &[Point], j: usize) -> f64 {
    let xi = if points[j].xi <= 0.0 { 0.0 } else { points[j].xi };
    0.4 * problem.laws[j].stiffness * xi * xi * sqrt(xi)
}

/// The largest absolute value of `before` and `values`; NaN if one of them is NaN.
fn largest(before: f64, values: impl Iterator<Item = f64>) -> f64 {
    values.map(f64::abs).fold(before, |most, x| if most.is_nan() || x <= most { most } else { x })
}

#[cfg(test)]
mod tests {
    use super::largest;

    #[test]
    fn nan_stays_nan() {
        assert!(largest(0.0, [f64::NAN, 0.1].into_iter()).is_nan());
        assert!(largest(0.0, [0.1, f64::NAN].into_iter()).is_nan());
        assert_eq!(largest(0.2, [0.1, -0.3].into_iter()), 0.3);
    }
}
