//! Several contacts of one system in space: compliant ones, in the limit of rigidity.
//!
//! Contact `i` has an indentation `x` (below zero a gap) and a velocity `v`, normal first.
//! It presses with `λ = K max(x, 0)^η`, `η` being 3/2 or 1, where
//!
//! ```text
//! x' = −v_n         while it loads or is open
//! x' = −v_n / e²    while it unloads
//! ```
//!
//! So what it stores in loading comes back as the part `e²`: one contact alone obeys the
//! energetic law, whatever `K` and `η`. Rigid contacts are the limit of great stiffness at
//! fixed ratios, and only the ratios matter. It slides with the friction `−μ λ v_t / |v_t|`;
//! contacts at rest are decided together, by least energy over the discs `|f| ≤ μ λ`. The
//! bodies couple all of them linearly,
//!
//! ```text
//! v' = D f,    D = J M⁻¹ Jᵀ,
//! ```
//!
//! where `D` may be singular, as it is for a table with four feet. Between kinks the motion
//! is a power series, made of generated parts; that contacts open and close, turn, halt and
//! yield are roots of its polynomials, and no step crosses one.

mod discs;
mod eliminated;
mod instant;
mod kinks;
mod modes;
mod motion;
mod outcome;
mod reaction;
mod rest;
mod settling;
mod step;
mod system;
mod touching;
mod turning;

use alloc::vec::Vec;

use nalgebra::{DMatrix, DVector};

pub use outcome::{Event, Kind, Landing};

use crate::contact::{Friction, coefficient, factorised, finite_entries, mirrored, semidefinite};
use crate::error::{Error, Field, finite};
use crate::impact::Accuracy;
use eliminated::Eliminated;

/// How a contact is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// It presses and opens. Without restitution it does as in the limit of little.
    Unilateral,
    /// Once it no longer approaches it stays, until it would have to be pulled.
    Plastic,
    /// It never moves: a hinge, a planted foot, a closed loop.
    Held,
}

impl Hold {
    /// All ways.
    pub const ALL: [Self; 3] = [Self::Unilateral, Self::Plastic, Self::Held];

    /// The way's name, as inputs have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unilateral => "unilateral",
            Self::Plastic => "plastic",
            Self::Held => "held",
        }
    }
}

/// The law of one of several contacts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// Its stiffness relative to those of the others.
    pub stiffness: f64,
    /// Its coefficient of restitution, the root of the part of the energy that returns.
    pub restitution: f64,
    /// Its friction.
    pub friction: Friction,
    /// How it is kept.
    pub hold: Hold,
    /// The directions in which it can slide: 2 in space, 1 in the plane, 0 without friction.
    pub tangents: usize,
}

impl Surface {
    /// A contact in space, as stiff as others.
    pub fn new(restitution: f64, friction: Friction) -> Self {
        Self { stiffness: 1.0, restitution, friction, hold: Hold::Unilateral, tangents: 2 }
    }
}

/// How a contact that unloads differs from one that loads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NormalLaw {
    /// Its indentation falls faster, and its force is continuous.
    #[default]
    Bistiffness,
    /// Its force is `e²` times as large. Where others press, it may be held between both.
    Michalczyk,
}

impl NormalLaw {
    /// All laws.
    pub const ALL: [Self; 2] = [Self::Bistiffness, Self::Michalczyk];

    /// The law's name, as inputs have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bistiffness => "bistiffness",
            Self::Michalczyk => "michalczyk",
        }
    }
}

/// The power of the indentation that the normal force follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Exponent {
    /// 3/2, as for round bodies.
    #[default]
    Hertz,
    /// 1
    Linear,
}

/// Several contacts of one system.
///
/// ```
/// use nalgebra::DMatrix;
/// use routh::several::{Exponent, NormalLaw, Several, Surface};
/// use routh::{Accuracy, Friction};
///
/// // Two contacts that press each other shut; the first has no restitution.
/// let inertia = DMatrix::from_row_slice(2, 2, &[1.0, -0.6, -0.6, 1.2]);
/// let contact = |restitution, stiffness| -> Result<Surface, routh::Error> {
///     let smooth = Friction::uniform(0.0)?;
///     Ok(Surface { stiffness, tangents: 0, ..Surface::new(restitution, smooth) })
/// };
/// let surfaces = vec![contact(0.0, 1.0)?, contact(0.8, 0.2)?];
/// let pair = Several::new(inertia, surfaces, NormalLaw::default(), Exponent::default())?;
/// let landing = pair.solve(&[-1.0, -0.7], Accuracy::default())?;
/// let [[first, ..], [second, ..]] = landing.velocity[..] else { unreachable!() };
/// assert!(first.abs() < 1e-9 && (second - 0.68517).abs() < 1e-5);
/// # Ok::<(), routh::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Several {
    inertia: DMatrix<f64>,
    surfaces: Vec<Surface>,
    law: NormalLaw,
    exponent: Exponent,
    bodies: Option<Bodies>,
}

/// The system whose contacts they are.
#[derive(Clone, Debug)]
struct Bodies {
    jacobian: DMatrix<f64>,
    /// `M⁻¹ Jᵀ`
    response: DMatrix<f64>,
}

/// The most contacts that are not held.
const MOST: usize = 16;

impl Several {
    /// Contacts with the inertia `D = J M⁻¹ Jᵀ`: for each a row along its normal, then one
    /// for each of its tangents.
    ///
    /// # Errors
    /// [`Error::WrongDimension`], [`Error::NotFinite`], [`Error::NotSymmetric`];
    /// [`Error::NotPositive`] for a stiffness, or for the inertia along a normal;
    /// [`Error::NotPositiveDefinite`] if forces could gain energy;
    /// [`Error::RestitutionOutOfRange`]; [`Error::AccuracyOutOfRange`] for the number of
    /// contacts (1 to 16 besides those that are held) or of tangents.
    pub fn new(
        inertia: DMatrix<f64>,
        surfaces: Vec<Surface>,
        law: NormalLaw,
        exponent: Exponent,
    ) -> Result<Self, Error> {
        between(Field::new("contacts"), free(&surfaces).count(), 1, MOST)?;
        let mut normals = Vec::with_capacity(surfaces.len());
        let mut rows = 0;
        for (i, surface) in surfaces.iter().enumerate() {
            let field = |name| Field::entry("contacts", i).member(name);
            between(field("tangents"), surface.tangents, 0, 2)?;
            coefficient(field("restitution"), surface.restitution)?;
            let value = finite(field("stiffness"), surface.stiffness)?;
            if value <= 0.0 {
                return Err(Error::NotPositive { field: field("stiffness"), value });
            }
            normals.push(rows);
            rows += 1 + surface.tangents;
        }
        for found in [inertia.nrows(), inertia.ncols()] {
            if found != rows {
                return Err(Error::WrongDimension {
                    field: Field::new("D"),
                    expected: rows,
                    found,
                });
            }
        }
        finite_entries("D", &inertia)?;
        let mut symmetric = inertia.clone();
        for i in 0..rows {
            let (field, value) = (Field::matrix("D", i, i), inertia[(i, i)]);
            if value < 0.0 || value == 0.0 && normals.contains(&i) {
                return Err(Error::NotPositive { field, value });
            }
            for j in 0..i {
                let (field, diagonal) = (Field::matrix("D", i, j), [value, inertia[(j, j)]]);
                let mean = mirrored(field, inertia[(i, j)], inertia[(j, i)], diagonal)?;
                (symmetric[(i, j)], symmetric[(j, i)]) = (mean, mean);
            }
        }
        semidefinite("D", &symmetric)?;
        Ok(Self { inertia: symmetric, surfaces, law, exponent, bodies: None })
    }

    /// Contacts of a system with mass matrix `M`: the Jacobian `J` has their rows.
    ///
    /// ```
    /// use nalgebra::{DMatrix, DVector};
    /// use routh::several::{Exponent, NormalLaw, Several, Surface};
    /// use routh::{Accuracy, Friction};
    ///
    /// // A bar falls on its two ends while it slides; both have the same friction.
    /// let mass = DMatrix::from_diagonal(&DVector::from_row_slice(&[1.0, 1.0, 0.1]));
    /// let jacobian = DMatrix::from_row_slice(4, 3, &[
    ///     0.0, 1.0, -0.5, // left end: normal,
    ///     1.0, 0.0, 0.0, // tangent;
    ///     0.0, 1.0, 0.5, // right end
    ///     1.0, 0.0, 0.0,
    /// ]);
    /// let end = Surface { tangents: 1, ..Surface::new(0.5, Friction::uniform(0.2)?) };
    /// let bar = Several::of_bodies(
    ///     &mass, &jacobian, vec![end, end], NormalLaw::default(), Exponent::default(),
    /// )?;
    /// let qd = DVector::from_row_slice(&[1.0, -1.0, 0.0]);
    /// let landing = bar.solve_bodies(&qd, Accuracy::default())?;
    /// assert!((landing.qd - DVector::from_row_slice(&[0.7, 0.5, 0.0])).amax() < 1e-12);
    /// # Ok::<(), routh::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Several::new`]; [`Error::NotPositiveDefinite`] for `M`.
    pub fn of_bodies(
        mass: &DMatrix<f64>,
        jacobian: &DMatrix<f64>,
        surfaces: Vec<Surface>,
        law: NormalLaw,
        exponent: Exponent,
    ) -> Result<Self, Error> {
        finite_entries("J", jacobian)?;
        let (expected, found) = (mass.ncols(), jacobian.ncols());
        if found != expected {
            return Err(Error::WrongDimension { field: Field::new("J"), expected, found });
        }
        let response = factorised(mass)?.solve(&jacobian.transpose());
        let several = Self::new(jacobian * &response, surfaces, law, exponent)?;
        Ok(Self { bodies: Some(Bodies { jacobian: jacobian.clone(), response }), ..several })
    }

    /// The contacts' laws.
    pub fn surfaces(&self) -> &[Surface] {
        &self.surfaces
    }

    /// The impact from velocities of the contacts, in the order of the rows of `D`, until
    /// all contacts are open for good or at rest. What is held and moves is stopped first.
    ///
    /// # Errors
    /// [`Error::WrongDimension`], [`Error::NotFinite`];
    /// [`Error::NotApproaching`] if no contact approaches;
    /// [`Error::Unattainable`] for velocities that no motion of the bodies has;
    /// [`Error::NoContinuation`] where friction at what is held jams, or no combination of
    /// contact states is consistent; [`Error::NotConserved`], [`Error::StepLimit`].
    pub fn solve(&self, velocity: &[f64], accuracy: Accuracy) -> Result<Landing, Error> {
        let (expected, found) = (self.inertia.nrows(), velocity.len());
        if found != expected {
            return Err(Error::WrongDimension { field: Field::new("velocity"), expected, found });
        }
        for (i, &v) in velocity.iter().enumerate() {
            finite(Field::entry("velocity", i), v)?;
        }
        Eliminated::new(self).solve(self, velocity, accuracy)
    }

    /// The same from joint velocities, for a system [of bodies](Several::of_bodies).
    ///
    /// # Errors
    /// As [`Several::solve`]; [`Error::WrongDimension`] for `qd`.
    pub fn solve_bodies(&self, qd: &DVector<f64>, accuracy: Accuracy) -> Result<Landing, Error> {
        let joints = self.bodies.as_ref().map_or(0, |bodies| bodies.jacobian.ncols());
        let (Some(bodies), true) = (&self.bodies, qd.len() == joints) else {
            let field = Field::new("qd");
            return Err(Error::WrongDimension { field, expected: joints, found: qd.len() });
        };
        for (i, &v) in qd.iter().enumerate() {
            finite(Field::entry("qd", i), v)?;
        }
        let mut landing = self.solve((&bodies.jacobian * qd).as_slice(), accuracy)?;
        let impulse = self.flat(&landing.impulse);
        landing.qd = qd + &bodies.response * impulse;
        for (i, &v) in landing.qd.iter().enumerate() {
            finite(Field::entry("qd", i), v)?;
        }
        Ok(landing)
    }

    /// The rows of all contacts, one after the other.
    fn flat(&self, rows: &[[f64; 3]]) -> DVector<f64> {
        let each = rows.iter().zip(&self.surfaces);
        let all: Vec<f64> =
            each.flat_map(|(row, surface)| row[..=surface.tangents].iter().copied()).collect();
        DVector::from_vec(all)
    }
}

/// Contacts that are not held.
fn free(surfaces: &[Surface]) -> impl Iterator<Item = usize> {
    let free = surfaces.iter().enumerate().filter(|(_, surface)| surface.hold != Hold::Held);
    free.map(|(i, _)| i)
}

/// Checks a number of contacts or tangents.
fn between(field: Field, value: usize, least: usize, most: usize) -> Result<(), Error> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    let [value, least, most] = [value, least, most].map(|x| x as f64);
    Err(Error::AccuracyOutOfRange { field, value, least, most })
}
