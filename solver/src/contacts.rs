//! Simultaneous rigid contacts: impulses at all points at once, in two phases.
//!
//! With `D = J M⁻¹ Jᵀ` over all normals and `v = J q̇`, compression stops the
//! approach,
//!
//! ```text
//! 0 ≤ Λ_c ⟂ v_c = v⁻ + D Λ_c ≥ 0,
//! ```
//!
//! and a contact that separates on its own is released without an impulse. Then
//!
//! ```text
//! Poisson:  Λ = Λ_c + Λ_r,  Λ_r ≥ e Λ_c,  v⁺ = v_c + D Λ_r ≥ 0,  (Λ_r − e Λ_c) ⟂ v⁺
//! Newton:   0 ≤ Λ ⟂ v⁺ − e max(0, −v⁻) ≥ 0,  v⁺ = v⁻ + D Λ
//! ```
//!
//! with an `e` for each contact. Under Newton's law a contact that is at rest or
//! separates before impact must only not penetrate.
//!
//! `D` may be singular, as it is for a table with four legs. Velocities at the end of a
//! phase are still unique. Of the possible impulses the one of least `Σ D_ii Λ_i²` is
//! taken: contacts with compliances in proportion to `D_ii` would share it so.
//!
//! Friction acts along one tangent a contact and obeys Coulomb's law for each phase
//! as a whole: `|Λ_t| ≤ μ Λ`, and where the point slides at the phase's end, `Λ_t`
//! is `μ Λ` against that direction. So a point that reverses within a phase is solved
//! only approximately. Friction may allow several solutions; one of them is returned.
//! For Newton's law the impact is one phase.

mod complementarity;
mod directions;
mod phase;
mod sharing;

use alloc::vec::Vec;

use nalgebra::{DMatrix, DVector};

use self::directions::Directions;
use self::phase::{Friction, Reached, State};
use crate::contact::{coefficient, factorised};
use crate::error::{Error, Field, finite};
use crate::impact::Law;
use complementarity::Unsolved;

/// Energy below this part of an impulse, and of its square, is rounding.
const ROUNDING: f64 = 1e-12;

/// Contacts of one system, solved simultaneously.
///
/// ```
/// use nalgebra::{DMatrix, DVector};
/// use routh::{Law, contacts::Contacts};
/// // A body of mass 1 and inertia 1/2 with two feet turns about the left one, which
/// // rests on the ground, until the right one hits it.
/// let mass = DMatrix::from_row_slice(2, 2, &[1.0, 0.0, 0.0, 0.5]);
/// let feet = Contacts::new(&mass, &DMatrix::from_row_slice(2, 2, &[1.0, -0.5, 1.0, 0.5]))?;
/// let qd = DVector::from_row_slice(&[-0.75, -1.5]);
/// let impacts = feet.solve(&qd, Law::Poisson, &[0.5, 0.5])?;
/// assert!((impacts.impulse[1] - 1.5).abs() < 1e-12);
/// assert_eq!(impacts.impulse[0], 0.0);
/// assert_eq!(impacts.separated_in_compression(), [true, false]);
/// # Ok::<(), routh::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Contacts {
    /// `L` of `M = L Lᵀ`.
    factor: DMatrix<f64>,
    normals: Directions,
    /// `D` of the normals, with ones on its diagonal.
    inertia: DMatrix<f64>,
    friction: Option<Friction>,
}

/// The result of simultaneous impacts, contact by contact.
#[derive(Clone, Debug, PartialEq)]
pub struct Impacts {
    /// Joint velocities after impact.
    pub qd: DVector<f64>,
    /// Normal velocities after impact.
    pub velocity: Vec<f64>,
    /// Normal impulses.
    pub impulse: Vec<f64>,
    /// Normal velocities at the end of compression.
    pub compression_velocity: Vec<f64>,
    /// Normal impulses of compression.
    pub compression_impulse: Vec<f64>,
    /// The results along the tangents, if there is friction.
    pub tangential: Option<Tangential>,
    /// Change of kinetic energy.
    pub energy_change: f64,
    /// Whether energy is gained, as laws for whole phases may: Newton's where a contact
    /// separates before impact, and all where contacts rub.
    pub gains_energy: bool,
}

/// The results of simultaneous impacts along the tangents.
#[derive(Clone, Debug, PartialEq)]
pub struct Tangential {
    /// Velocities after impact.
    pub velocity: Vec<f64>,
    /// Impulses.
    pub impulse: Vec<f64>,
    /// Velocities at the end of compression.
    pub compression_velocity: Vec<f64>,
    /// Impulses of compression.
    pub compression_impulse: Vec<f64>,
}

impl Impacts {
    /// Which contacts separate in compression, without an impulse.
    pub fn separated_in_compression(&self) -> Vec<bool> {
        self.compression_velocity.iter().map(|v| *v > 0.0).collect()
    }
}

impl Contacts {
    /// Contacts from the mass matrix and a row of the Jacobian for each normal,
    /// which points so that a negative velocity approaches.
    ///
    /// # Errors
    /// [`Error::WrongDimension`], [`Error::NotFinite`], [`Error::NotSymmetric`];
    /// [`Error::NotPositiveDefinite`] for `M`, and for `D` where a row is zero.
    pub fn new(mass: &DMatrix<f64>, jacobian: &DMatrix<f64>) -> Result<Self, Error> {
        sized(Field::new("M"), mass.ncols(), mass.nrows())?;
        if jacobian.nrows() == 0 {
            sized(Field::new("J"), 0, 1)?;
        }
        let factor = factorised(mass)?.unpack();
        let normals = Directions::new("J", jacobian, &factor)?;
        Ok(Self { factor, inertia: normals.inertia(&normals), normals, friction: None })
    }

    /// The same contacts with friction: a row of the Jacobian for the tangent of
    /// each, and its coefficient.
    ///
    /// ```
    /// use nalgebra::{DMatrix, DVector};
    /// use routh::{Law, contacts::Contacts};
    /// let [normal, tangent] = [[0.0, 1.0], [1.0, 0.0]];
    /// let mass = DMatrix::from_diagonal_element(2, 2, 2.0);
    /// let block = Contacts::new(&mass, &DMatrix::from_row_slice(1, 2, &normal))?
    ///     .with_friction(&DMatrix::from_row_slice(1, 2, &tangent), &[0.25])?;
    /// let qd = DVector::from_row_slice(&[3.0, -1.0]);
    /// let impacts = block.solve(&qd, Law::Newton, &[0.5])?;
    /// assert!((impacts.qd - DVector::from_row_slice(&[2.625, 0.5])).amax() < 1e-12);
    /// # Ok::<(), routh::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Contacts::new`]; [`Error::FrictionOutOfRange`].
    pub fn with_friction(self, tangents: &DMatrix<f64>, friction: &[f64]) -> Result<Self, Error> {
        sized(Field::new("Jt"), tangents.nrows(), self.count())?;
        sized(Field::new("friction"), friction.len(), self.count())?;
        let tangents = Directions::new("Jt", tangents, &self.factor)?;
        let friction = Some(Friction::new(&self.normals, tangents, friction)?);
        Ok(Self { friction, ..self })
    }

    /// The number of contacts.
    pub fn count(&self) -> usize {
        self.normals.count()
    }

    /// Solves for velocities and impulses, under Newton's or Poisson's law with a
    /// coefficient for each contact.
    ///
    /// # Errors
    /// [`Error::WrongDimension`], [`Error::NotFinite`];
    /// [`Error::NotApproaching`] if no contact approaches;
    /// [`Error::RestitutionOutOfRange`]; [`Error::UnsupportedLaw`];
    /// [`Error::RestitutionUnattainable`] under Newton's law, where a contact that
    /// separates before impact blocks others, or friction wedges the contacts;
    /// [`Error::PivotLimit`].
    pub fn solve(&self, qd: &DVector<f64>, law: Law, e: &[f64]) -> Result<Impacts, Error> {
        sized(Field::new("qd"), qd.len(), self.factor.nrows())?;
        for (i, &x) in qd.iter().enumerate() {
            finite(Field::entry("qd", i), x)?;
        }
        sized(Field::new("restitution.e"), e.len(), self.count())?;
        for (i, &e) in e.iter().enumerate() {
            coefficient(Field::entry("restitution.e", i), e)?;
        }
        let momentum = self.factor.tr_mul(qd);
        let unit = finite(Field::new("energy_change"), momentum.amax())?;
        let momentum = if unit > 0.0 { momentum / unit } else { momentum };
        let before = State {
            velocity: self.normals.velocities(&momentum),
            slip: match &self.friction {
                None => DVector::zeros(0),
                Some(friction) => friction.tangents.velocities(&momentum),
            },
        };
        self.approaching(&before, unit)?;
        let e = DVector::from_column_slice(e);
        let compressed = self.compress(&before).map_err(|error| self.endless(error))?;
        let after = match law {
            Law::Poisson => self.expand(&compressed, &e).map_err(|error| self.endless(error))?,
            Law::Newton => self
                .rebound(&before, &e)
                .map_err(|error| if error.ray { unattainable(&e) } else { self.endless(error) })?,
            Law::Energetic => return Err(Error::UnsupportedLaw { law }),
        };
        self.impacts(qd, unit, &before, &compressed, &after)
    }

    fn approaching(&self, before: &State, unit: f64) -> Result<(), Error> {
        let (i, least) = before.velocity.argmin();
        let value = least * unit * self.normals.length(i);
        let field = Field::entry("velocity", i);
        if least < 0.0 { Ok(()) } else { Err(Error::NotApproaching { field, value }) }
    }

    /// The error of a phase whose solution was lost to rounding.
    fn endless(&self, Unsolved { pivots, .. }: Unsolved) -> Error {
        Error::PivotLimit { field: Field::new("J"), contacts: self.count(), pivots }
    }

    /// Impacts in the units of the input.
    fn impacts(
        &self,
        qd: &DVector<f64>,
        unit: f64,
        before: &State,
        compressed: &Reached,
        after: &Reached,
    ) -> Result<Impacts, Error> {
        let mut change = &self.normals.response * &after.impulse;
        let mut energy = after.impulse.dot(&(&before.velocity + &after.state.velocity));
        let mut largest = after.impulse.amax();
        let mut tangential = None;
        if let Some(Friction { tangents, .. }) = &self.friction {
            change += &tangents.response * &after.friction;
            energy += after.friction.dot(&(&before.slip + &after.state.slip));
            largest = largest.max(after.friction.amax());
            tangential = Some(Tangential {
                velocity: tangents.outward_velocities(&after.state.slip, unit),
                impulse: tangents.outward_impulses(&after.friction, unit),
                compression_velocity: tangents.outward_velocities(&compressed.state.slip, unit),
                compression_impulse: tangents.outward_impulses(&compressed.friction, unit),
            });
        }
        let normals = &self.normals;
        let impacts = Impacts {
            qd: qd + change * unit,
            velocity: normals.outward_velocities(&after.state.velocity, unit),
            impulse: normals.outward_impulses(&after.impulse, unit),
            compression_velocity: normals.outward_velocities(&compressed.state.velocity, unit),
            compression_impulse: normals.outward_impulses(&compressed.impulse, unit),
            tangential,
            energy_change: 0.5 * energy * unit * unit,
            gains_energy: energy > ROUNDING * largest * largest.max(1.0),
        };
        impacts.finite()
    }
}

impl Impacts {
    /// The impacts, unless a number overflows.
    fn finite(self) -> Result<Self, Error> {
        let tangential = self.tangential.iter().flat_map(|t| {
            [("tangential_velocity", &t.velocity[..]), ("tangential_impulse", &t.impulse)]
        });
        let vectors = [
            ("qd", self.qd.as_slice()),
            ("velocity", &self.velocity),
            ("impulse", &self.impulse),
            ("compression_velocity", &self.compression_velocity),
            ("compression_impulse", &self.compression_impulse),
        ];
        for (name, vector) in vectors.into_iter().chain(tangential) {
            for (i, &x) in vector.iter().enumerate() {
                finite(Field::entry(name, i), x)?;
            }
        }
        finite(Field::new("energy_change"), self.energy_change)?;
        Ok(self)
    }
}

/// Only Newton's law may have no solution.
fn unattainable(e: &DVector<f64>) -> Error {
    let (i, value) = e.argmax();
    Error::RestitutionUnattainable { field: Field::entry("restitution.e", i), value }
}

fn sized(field: Field, found: usize, expected: usize) -> Result<(), Error> {
    if found == expected { Ok(()) } else { Err(Error::WrongDimension { field, expected, found }) }
}
