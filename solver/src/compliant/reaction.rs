//! The linear map from the forces of the free contacts to all forces and
//! accelerations, in given modes.

use alloc::vec::Vec;

use nalgebra::DMatrix;

use super::modes::{Mode, Normal, Tangent};
use super::problem::Problem;
use crate::error::{Error, Field};

/// All forces and accelerations, two rows to a contact, for unit forces of the free
/// contacts, a column each.
#[derive(Clone, Debug)]
pub(super) struct Reaction {
    /// The contacts whose indentation makes their force.
    pub(super) free: Vec<usize>,
    pub(super) forces: DMatrix<f64>,
    pub(super) rates: DMatrix<f64>,
    /// Held contacts that more force would separate.
    parting: Vec<usize>,
}

impl Reaction {
    /// Solves for the forces of contacts that stick or are held: all of them
    /// together keep their velocities.
    pub(super) fn new(problem: &Problem, modes: &[Mode]) -> Result<Self, Error> {
        let rows = 2 * modes.len();
        let free: Vec<usize> = (0..modes.len()).filter(|&j| modes[j].is_free()).collect();
        let mut kept = Vec::new();
        for (j, mode) in modes.iter().enumerate() {
            if mode.normal == Normal::Held {
                kept.push(2 * j);
            }
            if !mode.is_open() && mode.tangent == Tangent::Stuck {
                kept.push(2 * j + 1);
            }
        }
        let mut made = DMatrix::zeros(rows, free.len());
        let mut keeping = DMatrix::zeros(rows, kept.len());
        for (j, mode) in modes.iter().enumerate().filter(|(_, mode)| !mode.is_open()) {
            let sliding = match mode.tangent {
                Tangent::Slips(sign) => sign * problem.laws[j].kinetic_friction,
                Tangent::Smooth | Tangent::Stuck => 0.0,
            };
            if let Some(i) = free.iter().position(|&i| i == j) {
                made[(2 * j, i)] = 1.0;
                made[(2 * j + 1, i)] = sliding;
            }
            if let Some(i) = kept.iter().position(|&row| row == 2 * j) {
                keeping[(2 * j, i)] = 1.0;
                keeping[(2 * j + 1, i)] = sliding;
            }
            if let Some(i) = kept.iter().position(|&row| row == 2 * j + 1) {
                keeping[(2 * j + 1, i)] = 1.0;
            }
        }
        let mut forces = made;
        let mut parting = Vec::new();
        if let Some(&row) = kept.first() {
            let response = problem.response.select_rows(&kept);
            let factors = (&response * &keeping).lu();
            let held = kept.iter().enumerate().filter(|(_, row)| **row % 2 == 0);
            // With the others kept, a contact's own rate is one over this entry.
            if let Some(inverse) = held.clone().next().and_then(|_| factors.try_inverse()) {
                parting =
                    held.filter(|(i, _)| inverse[(*i, *i)] > 0.0).map(|(_, row)| row / 2).collect();
            }
            let needed = -(&response * &forces);
            let reason = Error::NotPositiveDefinite {
                field: Field::matrix("G", row, row),
                value: problem.response[(row, row)],
                pivot: 0.0,
            };
            if !free.is_empty() {
                forces += keeping * factors.solve(&needed).ok_or(reason)?;
            }
        }
        let mut rates = -(&problem.response * &forces);
        kept.iter().for_each(|&row| rates.row_mut(row).fill(0.0));
        Ok(Self { free, forces, rates, parting })
    }

    /// Whether more force at a contact would separate it. With friction it may not, and
    /// then the contact cannot be held.
    pub(super) fn yields(&self, j: usize) -> bool {
        match self.free.iter().position(|&i| i == j) {
            Some(column) => self.rates[(2 * j, column)] < 0.0,
            None => self.parting.contains(&j),
        }
    }
}
