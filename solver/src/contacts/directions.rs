//! Directions at contacts, in coordinates in which the mass matrix is one.
//!
//! With `M = L Lᵀ` and `x = Lᵀ q̇` the kinetic energy is `|x|²/2` and row `J_i` is the
//! vector `y_i = L⁻¹ J_iᵀ`, since `J_i q̇ = y_i·x`. With rows divided by their lengths
//! `D` has ones on its diagonal, for any units of the rows.

use alloc::vec::Vec;

use nalgebra::{DMatrix, DVector};

use super::sized;
use crate::contact::finite_entries;
use crate::error::{Error, Field, finite};

#[derive(Clone, Debug)]
pub(super) struct Directions {
    /// A column `y_i/|y_i|` for each contact.
    unit: DMatrix<f64>,
    /// `|y_i| = √D_ii`.
    length: Vec<f64>,
    /// `L⁻ᵀ y_i/|y_i|`: joint velocities from an impulse.
    pub(super) response: DMatrix<f64>,
}

impl Directions {
    pub(super) fn new(
        name: &'static str,
        jacobian: &DMatrix<f64>,
        factor: &DMatrix<f64>,
    ) -> Result<Self, Error> {
        sized(Field::new(name), jacobian.ncols(), factor.nrows())?;
        finite_entries(name, jacobian)?;
        let mut unit = factor.solve_lower_triangular_unchecked(&jacobian.transpose());
        let mut length = Vec::with_capacity(unit.ncols());
        for (i, mut column) in unit.column_iter_mut().enumerate() {
            // Its square might overflow.
            let largest = finite(Field::matrix("D", i, i), column.amax())?;
            if largest == 0.0 {
                let field = Field::entry(name, i);
                return Err(Error::NotPositiveDefinite { field, value: 0.0, pivot: 0.0 });
            }
            column /= largest;
            let norm = column.norm();
            column /= norm;
            length.push(largest * norm);
        }
        let response = factor.tr_solve_lower_triangular_unchecked(&unit);
        Ok(Self { unit, length, response })
    }

    pub(super) fn count(&self) -> usize {
        self.length.len()
    }

    pub(super) fn length(&self, contact: usize) -> f64 {
        self.length[contact]
    }

    /// Velocities along the unit directions.
    pub(super) fn velocities(&self, momentum: &DVector<f64>) -> DVector<f64> {
        self.unit.tr_mul(momentum)
    }

    /// The inertia between these directions and others: velocities here from
    /// impulses there.
    pub(super) fn inertia(&self, others: &Self) -> DMatrix<f64> {
        self.unit.tr_mul(&others.unit)
    }

    /// Velocities as the Jacobian has them, from those along the unit directions.
    pub(super) fn outward_velocities(&self, along: &DVector<f64>, unit: f64) -> Vec<f64> {
        along.iter().zip(&self.length).map(|(v, length)| v * unit * length).collect()
    }

    /// Impulses likewise.
    pub(super) fn outward_impulses(&self, along: &DVector<f64>, unit: f64) -> Vec<f64> {
        along.iter().zip(&self.length).map(|(p, length)| p * unit / length).collect()
    }
}
