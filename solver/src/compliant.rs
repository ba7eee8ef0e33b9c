//! Compliant contacts, any number at once (the chain paper's Eqs. 1-16).
//!
//! Contact `j` has the indentation `ξ_j`, its rate `u_j` and the sliding velocity
//! `w_j`. Its normal force is `S_j = k ξ_j^(3/2)` times a factor of `u_j` that the
//! [`Model`] defines. Its tangential force `T_j` is Coulomb's while it slides, and keeps
//! `w_j = 0` while it sticks. The bodies couple them linearly by `G = J M⁻¹ Jᵀ`,
//!
//! ```text
//! (u', w') = −G (S, T)
//! ```
//!
//! ordered `(u_1, w_1, u_2, w_2, …)`. Between kinks the motion is a power series,
//! made of generated parts; contacts opening and closing, `u_j = 0`, `w_j = 0` and
//! the ends of sticking are roots of its polynomials, and no step crosses one.

mod bookkeeping;
pub mod chain;
mod events;
mod law;
mod modes;
mod motion;
mod outcome;
mod problem;
mod reaction;
mod sizes;
mod step;

pub(crate) use law::positive;
pub use law::{Compliance, Model, hertz_stiffness};
pub use outcome::{Outcome, Sample, Scenario, Touch};

use alloc::vec::Vec;

use nalgebra::DMatrix;

use crate::contact::{factorised, finite_entries, mirrored, semidefinite};
use crate::error::{Error, Field, finite};
use crate::impact::Accuracy;
use motion::Motion;
use problem::Problem;

/// The loosest tolerance: kinks are distinguished by small remainders of forces and
/// velocities, which must be accurate.
const LOOSEST: f64 = 1e-9;

/// The orders of series: of a closing contact's, only every fifth coefficient is not
/// zero.
const ORDERS: core::ops::RangeInclusive<usize> = 12..=48;

/// Bodies in compliant contact: the force laws of the contacts, and their coupling
/// through the bodies.
///
/// ```
/// use nalgebra::DMatrix;
/// use routh::compliant::{Compliance, Compliant, Model};
/// use routh::{Accuracy, Friction};
///
/// let law = Compliance::new(2.4e10, 0.8, Friction::uniform(0.0)?, Model::Michalczyk)?;
/// let response = DMatrix::from_row_slice(2, 2, &[0.5, 0.0, 0.0, 1.5]);
/// let pair = Compliant::new(response, vec![law])?;
/// let after = pair.solve(&[1.0], &[0.0], Accuracy::default())?;
/// assert!((after.approach[0] + 0.8).abs() < 1e-12);
/// # Ok::<(), routh::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Compliant {
    response: DMatrix<f64>,
    laws: Vec<Compliance>,
}

impl Compliant {
    /// Contacts with `G = J M⁻¹ Jᵀ`, two rows to a contact: along its normal, so that
    /// a positive velocity approaches, and along its tangent.
    ///
    /// # Errors
    /// [`Error::WrongDimension`], [`Error::NotFinite`], [`Error::NotSymmetric`],
    /// [`Error::NotPositive`] for a diagonal entry that must be,
    /// [`Error::NotPositiveDefinite`] if forces could gain energy.
    pub fn new(response: DMatrix<f64>, laws: Vec<Compliance>) -> Result<Self, Error> {
        let rows = 2 * laws.len();
        for found in [response.nrows(), response.ncols()] {
            if found != rows || rows == 0 {
                let field = Field::new("G");
                return Err(Error::WrongDimension { field, expected: rows.max(2), found });
            }
        }
        for i in 0..rows {
            let slides = i % 2 == 1;
            let (field, value) =
                (Field::matrix("G", i, i), finite(Field::matrix("G", i, i), response[(i, i)])?);
            let bound = !slides || laws[i / 2].friction().static_friction() > 0.0;
            if value < 0.0 || bound && value == 0.0 {
                return Err(Error::NotPositive { field, value });
            }
            for j in 0..i {
                let [x, y] = [response[(i, j)], response[(j, i)]];
                finite(Field::matrix("G", i, j), x)?;
                finite(Field::matrix("G", j, i), y)?;
                mirrored(Field::matrix("G", i, j), x, y, [value, response[(j, j)]])?;
            }
        }
        let response = (&response + response.transpose()) * 0.5;
        semidefinite("G", &response)?;
        Ok(Self { response, laws })
    }

    /// Contacts of a system with mass matrix `M` and, for each contact, a row of the
    /// Jacobian along the normal, pointing so that a negative velocity approaches,
    /// and one along the tangent. Approach and sliding velocity are minus the
    /// velocities along these.
    ///
    /// ```
    /// use nalgebra::DMatrix;
    /// use routh::compliant::{Compliance, Compliant, Model};
    /// use routh::{Accuracy, Friction};
    ///
    /// // A bar falls on its two ends, one of them a thousand times as stiff.
    /// let mass = DMatrix::from_row_slice(2, 2, &[1.0, 0.0, 0.0, 1.0 / 3.0]);
    /// let normals = DMatrix::from_row_slice(2, 2, &[1.0, -1.0, 1.0, 1.0]);
    /// let smooth = Friction::uniform(0.0)?;
    /// let law = |k| Compliance::new(k, 1.0, smooth, Model::Elastic);
    /// let bar = Compliant::of_bodies(&mass, &normals, None, vec![law(1e9)?, law(1e12)?])?;
    /// let after = bar.solve(&[1.0, 1.0], &[0.0, 0.0], Accuracy::default())?;
    /// assert!(after.approach.iter().all(|u| *u < 0.0));
    /// # Ok::<(), routh::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Compliant::new`]; [`Error::NotPositiveDefinite`] for `M`.
    pub fn of_bodies(
        mass: &DMatrix<f64>,
        normals: &DMatrix<f64>,
        tangents: Option<&DMatrix<f64>>,
        laws: Vec<Compliance>,
    ) -> Result<Self, Error> {
        let contacts = normals.nrows();
        let mut jacobian = DMatrix::zeros(2 * contacts, mass.ncols());
        for (name, rows, offset) in [("J", Some(normals), 0), ("Jt", tangents, 1)] {
            let Some(rows) = rows else { continue };
            finite_entries(name, rows)?;
            let sizes = [(rows.nrows(), contacts), (rows.ncols(), mass.ncols())];
            for (found, expected) in sizes {
                if found != expected {
                    let field = Field::new(name);
                    return Err(Error::WrongDimension { field, expected, found });
                }
            }
            for i in 0..contacts {
                jacobian.row_mut(2 * i + offset).copy_from(&rows.row(i));
            }
        }
        let response = &jacobian * factorised(mass)?.solve(&jacobian.transpose());
        Self::new(response, laws)
    }

    /// The contacts' laws.
    pub fn laws(&self) -> &[Compliance] {
        &self.laws
    }

    /// The motion from contacts that all touch, with approach `u` and sliding
    /// velocity `w`, until all are open for good or at rest. A tolerance above 1e-9
    /// counts as 1e-9, an order outside 12 to 48 as the nearest of these.
    ///
    /// # Errors
    /// [`Error::WrongDimension`], [`Error::NotFinite`], [`Error::NotApproaching`],
    /// [`Error::ClosedAtRest`], [`Error::NotConserved`], [`Error::StepLimit`];
    /// [`Error::NoContinuation`] where no combination of contact states is consistent;
    /// [`Error::NotPositiveDefinite`] where the forces that keep several contacts from
    /// sliding are not determined.
    pub fn solve(&self, u: &[f64], w: &[f64], accuracy: Accuracy) -> Result<Outcome, Error> {
        self.observe(u, w, accuracy, 0, &mut |_| ())
    }

    /// The same, passing the forces at `points` instants of each step to the observer.
    ///
    /// # Errors
    /// As [`Compliant::solve`].
    pub fn observe(
        &self,
        u: &[f64],
        w: &[f64],
        accuracy: Accuracy,
        points: usize,
        observer: &mut dyn FnMut(&Sample),
    ) -> Result<Outcome, Error> {
        let problem = Problem::new(self, u, w)?;
        Motion::new(&problem, accuracy.within(LOOSEST, ORDERS)).run(points, observer)
    }
}
