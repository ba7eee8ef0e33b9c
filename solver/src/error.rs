//! Errors: the field of the input, its value, and the reason.

use core::fmt;

use routh_runtime::double::result::Law;

use crate::elementary::ln;

/// A place in the input: a name and, within a vector or matrix, an index.
///
/// ```
/// use routh::Field;
/// assert_eq!(Field::matrix("D", 0, 1).to_string(), "D[0][1]");
/// assert_eq!(Field::entry("material", 1).member("poisson_ratio").to_string(), "material[1].poisson_ratio");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The input's name.
    pub name: &'static str,
    /// Row, for a vector or matrix.
    pub row: Option<usize>,
    /// Column, for a matrix.
    pub column: Option<usize>,
    /// The member, of an entry that has several.
    pub member: Option<&'static str>,
    /// Row and column within the member, which is small.
    pub within: [Option<u8>; 2],
}

impl Field {
    /// A scalar input, or a whole one.
    pub const fn new(name: &'static str) -> Self {
        Self { name, row: None, column: None, member: None, within: [None; 2] }
    }

    /// An entry of a vector.
    pub const fn entry(name: &'static str, row: usize) -> Self {
        Self { row: Some(row), ..Self::new(name) }
    }

    /// An entry of a matrix.
    pub const fn matrix(name: &'static str, row: usize, column: usize) -> Self {
        Self { row: Some(row), column: Some(column), ..Self::new(name) }
    }

    /// A member of this entry.
    pub const fn member(self, name: &'static str) -> Self {
        Self { member: Some(name), ..self }
    }

    /// An entry of this member, a vector, or a row of it, a matrix.
    pub const fn at(self, row: u8) -> Self {
        Self { within: [Some(row), None], ..self }
    }

    /// An entry of this member, a matrix.
    pub const fn at_both(self, row: u8, column: u8) -> Self {
        Self { within: [Some(row), Some(column)], ..self }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        [self.row, self.column].into_iter().flatten().try_for_each(|i| write!(f, "[{i}]"))?;
        self.member.map_or(Ok(()), |member| write!(f, ".{member}"))?;
        self.within.into_iter().flatten().try_for_each(|i| write!(f, "[{i}]"))
    }
}

/// Why an impact cannot be solved.
///
/// ```
/// use routh::{Contact, Error};
/// let error = Contact::new([[1.0, 0.2], [0.3, 1.0]]).unwrap_err();
/// assert!(matches!(error, Error::NotSymmetric { .. }));
/// assert_eq!(error.kind(), "not_symmetric");
/// assert!(error.to_string().starts_with("D["));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A vector or matrix has the wrong size.
    #[error("{field} has size {found}, not {expected}")]
    WrongDimension {
        /// Which one.
        field: Field,
        /// The size that the rest of the input requires.
        expected: usize,
        /// The size it has.
        found: usize,
    },
    /// An input, or the result it leads to, is infinite or not a number.
    #[error("{field} = {value:?} is not finite")]
    NotFinite {
        /// Which one.
        field: Field,
        /// Its value.
        value: f64,
    },
    /// A matrix that must be symmetric is not.
    #[error("{field} = {value:?} differs from its mirror entry {mirror:?}")]
    NotSymmetric {
        /// The entry.
        field: Field,
        /// Its value.
        value: f64,
        /// The value across the diagonal.
        mirror: f64,
    },
    /// A matrix that must be positive definite is not.
    #[error(
        "{field} = {value:?} is not positive definite: its pivot is {pivot:?} of the diagonal entry"
    )]
    NotPositiveDefinite {
        /// The diagonal entry at which it fails.
        field: Field,
        /// Its value.
        value: f64,
        /// Its pivot, relative to the entry.
        pivot: f64,
    },
    /// The contact point does not approach the surface.
    #[error("{field} = {value:?} is not below zero: the bodies do not approach")]
    NotApproaching {
        /// The normal velocity.
        field: Field,
        /// Its value.
        value: f64,
    },
    /// A friction coefficient is negative, or the static one below the kinetic.
    #[error("{field} = {value:?} is out of range: it must be at least {least:?}")]
    FrictionOutOfRange {
        /// Which one.
        field: Field,
        /// Its value.
        value: f64,
        /// The least it may be.
        least: f64,
    },
    /// Products of kinetic friction and the inertia overflow.
    #[error(
        "{field} = {value:?} is out of range: its product with the inertia {inertia:?} overflows \
         beside the inertia {least:?}"
    )]
    FrictionOverflow {
        /// The kinetic coefficient.
        field: Field,
        /// Its value.
        value: f64,
        /// The largest tangential inertia.
        inertia: f64,
        /// The least inertia.
        least: f64,
    },
    /// A coefficient of restitution outside 0 to 1.
    #[error("{field} = {value:?} is out of range: it must lie between 0 and 1")]
    RestitutionOutOfRange {
        /// The coefficient.
        field: Field,
        /// Its value.
        value: f64,
    },
    /// A law that simultaneous contacts do not have.
    #[error(
        "restitution.law = {} is not for several contacts: it needs the work at each contact over time, \
         which impulses do not give; expected newton or poisson", .law.name()
    )]
    UnsupportedLaw {
        /// The law.
        law: Law,
    },
    /// No velocities satisfy Newton's law at all contacts.
    #[error("{field} = {value:?} cannot be met: no velocity is Newton's at every contact")]
    RestitutionUnattainable {
        /// The coefficient that requires most.
        field: Field,
        /// Its value.
        value: f64,
    },
    /// Velocities of several contacts that no motion of the bodies has, whose contacts are
    /// more than they can move in.
    #[error("{field} = {value:?} and the others are no motion of the bodies: D is singular")]
    Unattainable {
        /// The velocity.
        field: Field,
        /// Its value.
        value: f64,
    },
    /// A tolerance, an order or another number outside its range.
    #[error("{field} = {value:?} is out of range: it must lie between {least:?} and {most:?}")]
    AccuracyOutOfRange {
        /// Which one.
        field: Field,
        /// Its value.
        value: f64,
        /// The least it may be.
        least: f64,
        /// The most it may be.
        most: f64,
    },
    /// A motion is already past the requested impulse.
    #[error("{field} = {value:?} has been passed: the motion is at {at:?}")]
    Passed {
        /// Which input.
        field: Field,
        /// Its value.
        value: f64,
        /// Where the current step begins.
        at: f64,
    },
    /// A mass, a stiffness or another quantity that must be positive is not.
    #[error("{field} = {value:?} is not above zero")]
    NotPositive {
        /// Which one.
        field: Field,
        /// Its value.
        value: f64,
    },
    /// A damped force that divides by the speed at which a contact closes, which
    /// is zero.
    #[error("{field} touches at rest, and the model {model} divides by the speed of closing")]
    ClosedAtRest {
        /// The contact.
        field: Field,
        /// The model of its force.
        model: &'static str,
    },
    /// Energy, momentum or restitution violate their laws along a motion.
    #[error("{what} is off by {value:?} of its scale after {steps} steps, more than {most:?}")]
    NotConserved {
        /// The violated law.
        what: &'static str,
        /// Its error, relative to its scale.
        value: f64,
        /// The largest error that counts as rounding.
        most: f64,
        /// Steps made.
        steps: usize,
    },
    /// Rounding decides an impact: its momentum, energy or restitution violate their laws,
    /// because the inertia is nearly singular.
    #[error(
        "{what} is off by {value:.0e} of its scale, more than {most:.0e}: D has condition \
         {condition:.0e} and hardly any inertia along {direction:.2?} (normal first), so that \
         about {} digits of the result would be right", digits(*.value)
    )]
    IllConditioned {
        /// The violated law.
        what: &'static str,
        /// Its error, relative to its scale.
        value: f64,
        /// The largest error that counts as rounding.
        most: f64,
        /// The condition of `D`.
        condition: f64,
        /// The direction of its least inertia, normal first.
        direction: [f64; 3],
    },
    /// At an instant no combination of contact states is consistent.
    #[error("after {steps} steps no combination of contact states is consistent")]
    NoContinuation {
        /// Steps made.
        steps: usize,
    },
    /// The limit of steps is reached.
    #[error("tolerance = {tolerance:?} at order = {order} has no end after {steps} steps")]
    StepLimit {
        /// Steps made.
        steps: usize,
        /// The tolerance.
        tolerance: f64,
        /// The order.
        order: usize,
    },
    /// The limit of pivots of simultaneous contacts is reached.
    #[error("{field} has {contacts} contacts, whose impulses were not found in {pivots} pivots")]
    PivotLimit {
        /// The Jacobian.
        field: Field,
        /// Its contacts.
        contacts: usize,
        /// Pivots made.
        pivots: usize,
    },
}

impl Error {
    /// The error's kind, as results name it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::WrongDimension { .. } => "wrong_dimension",
            Self::NotFinite { .. } => "not_finite",
            Self::NotSymmetric { .. } => "not_symmetric",
            Self::NotPositiveDefinite { .. } => "not_positive_definite",
            Self::NotApproaching { .. } => "not_approaching",
            Self::FrictionOutOfRange { .. } | Self::FrictionOverflow { .. } => {
                "friction_out_of_range"
            }
            Self::NotPositive { .. } => "not_positive",
            Self::ClosedAtRest { .. } => "closed_at_rest",
            Self::NotConserved { .. } | Self::IllConditioned { .. } => "not_conserved",
            Self::RestitutionOutOfRange { .. } | Self::RestitutionUnattainable { .. } => {
                "restitution_out_of_range"
            }
            Self::AccuracyOutOfRange { .. }
            | Self::Unattainable { .. }
            | Self::Passed { .. }
            | Self::UnsupportedLaw { .. } => "malformed_input",
            Self::StepLimit { .. } | Self::NoContinuation { .. } | Self::PivotLimit { .. } => {
                "step_limit"
            }
        }
    }
}

/// How many decimal digits of a number are right that is off by a part of itself.
fn digits(part: f64) -> u32 {
    (-ln(part) / core::f64::consts::LN_10).max(0.0) as u32
}

/// Checks that a value is finite.
pub(crate) fn finite(field: Field, value: f64) -> Result<f64, Error> {
    if value.is_finite() { Ok(value) } else { Err(Error::NotFinite { field, value }) }
}
