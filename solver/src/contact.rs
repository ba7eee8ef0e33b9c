//! A contact is its inertia `D = J M⁻¹ Jᵀ = [a hᵀ; h b]`, checked once.

mod condition;
mod friction;
#[cfg(feature = "nalgebra")]
mod multibody;
mod restitution;

pub use condition::Condition;
pub use friction::Friction;
#[cfg(feature = "contacts")]
pub(crate) use friction::at_least;
#[cfg(feature = "nalgebra")]
pub use multibody::Multibody;
#[cfg(any(feature = "contacts", feature = "compliant"))]
pub(crate) use multibody::{factorised, finite_entries, mirrored, semidefinite};
pub use restitution::Restitution;
#[cfg(feature = "contacts")]
pub(crate) use restitution::coefficient;
use routh_runtime::double::inertia::{Contact as Prepared, Inertia};
use routh_runtime::double::inertia::{check_inertia, holding_friction, prepare};
use routh_runtime::double::number::length;
use routh_runtime::double::result::Status;

use crate::error::{Error, Field};

/// A contact's inertia `D = J M⁻¹ Jᵀ`, normal first: `N = 2` in the plane,
/// `N = 3` in space. Symmetric and positive definite by construction.
///
/// ```
/// use routh::Contact;
/// let rod = Contact::new([[2.5, -1.5], [-1.5, 2.5]])?;
/// assert_eq!(rod.critical_friction(), 0.6);
/// assert!(Contact::new([[1.0, 2.0], [2.0, 1.0]]).is_err());
/// # Ok::<(), routh::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact<const N: usize>(Inertia<N>);

impl<const N: usize> Contact<N> {
    /// A contact from its inertia matrix.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::NotSymmetric`],
    /// [`Error::NotPositiveDefinite`].
    pub fn new(inertia: [[f64; N]; N]) -> Result<Self, Error> {
        const { assert!(N == 2 || N == 3, "a contact is planar or spatial") };
        let mut checked = Inertia::NONE;
        let status = check_inertia(&inertia, &mut checked);
        let Inertia { row, column, sticking_rate: left, .. } = checked;
        let (field, value) = (Field::matrix("D", row, column), inertia[row][column]);
        match status {
            Status::Solved => Ok(Self(checked)),
            Status::NotFinite => Err(Error::NotFinite { field, value }),
            Status::NotSymmetric => {
                Err(Error::NotSymmetric { field, value, mirror: inertia[column][row] })
            }
            _ => Err(Error::NotPositiveDefinite { field, value, pivot: left / value }),
        }
    }

    /// The matrix in the form that the algorithm takes.
    pub(crate) fn checked(&self) -> &Inertia<N> {
        &self.0
    }

    /// `a − hᵀb⁻¹h`, above zero: `dv_n/dp` while the contact point sticks.
    ///
    /// ```
    /// let rod = routh::Contact::new([[2.5, -1.5], [-1.5, 2.5]])?;
    /// assert!((rod.sticking_rate() - 1.6).abs() < 1e-15);
    /// # Ok::<(), routh::Error>(())
    /// ```
    pub fn sticking_rate(&self) -> f64 {
        self.0.sticking_rate
    }

    /// The inertia matrix, exactly symmetric.
    pub fn inertia(&self) -> &[[f64; N]; N] {
        &self.0.entries
    }
}

impl Contact<2> {
    /// `|c|/b`: sticking holds if the static friction is at least this.
    pub fn critical_friction(&self) -> f64 {
        let [[_, c], [_, b]] = self.0.entries;
        c.abs() / b
    }
}

impl Contact<3> {
    /// `|b⁻¹h|`: sticking holds if the static friction is at least this.
    pub fn critical_friction(&self) -> f64 {
        let [[_, h1, h2], [_, b11, b12], [_, _, b22]] = self.0.entries;
        let [x, y] = holding_friction([h1, h2], [b11, b12, b22]);
        length(x, y)
    }

    /// The contact in its principal axes, with its friction.
    pub(crate) fn prepared(&self, friction: Friction) -> Result<Prepared, Error> {
        let mut prepared = Prepared::NONE;
        match prepare(&self.0, friction.coefficients(), &mut prepared) {
            Status::Solved => Ok(prepared),
            _ => Err(self.overflowing(friction)),
        }
    }
}

impl<const N: usize> Contact<N> {
    /// The error of friction whose products with the inertia overflow.
    pub(crate) fn overflowing(&self, friction: Friction) -> Error {
        let diagonal = || (0..N).map(|i| self.0.entries[i][i]);
        Error::FrictionOverflow {
            field: Field::new("friction.kinetic"),
            value: friction.kinetic(),
            inertia: diagonal().skip(1).fold(0.0, f64::max),
            least: diagonal().fold(f64::INFINITY, f64::min),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definiteness_does_not_depend_on_units() {
        for scale in [1e-150, 1.0, 1e150] {
            let d = [[scale, 0.5], [0.5, 1.0 / scale]];
            assert!(Contact::new(d).is_ok(), "{scale}");
            let d = [[scale, 1.5], [1.5, 1.0 / scale]];
            let error = Contact::new(d).unwrap_err();
            let Error::NotPositiveDefinite { pivot, .. } = error else { panic!("{error}") };
            assert!((pivot + 1.25).abs() < 1e-12, "{error}");
        }
        let error = Contact::new([[0.0, 0.0], [0.0, 1.0]]).unwrap_err();
        assert_eq!(error.kind(), "not_positive_definite");
    }

    #[test]
    fn asymmetry_is_measured_in_units_of_the_diagonal() {
        for scale in [1e-6, 1.0, 1e6] {
            let skew = |part: f64| [[scale, 0.5 * scale], [(0.5 + part) * scale, scale]];
            assert!(Contact::new(skew(1e-10)).is_ok(), "{scale}");
            assert_eq!(Contact::new(skew(1e-8)).unwrap_err().kind(), "not_symmetric");
        }
    }

    #[test]
    fn small_asymmetry_is_averaged() {
        let contact = Contact::new([[1.0, 0.5], [0.5 + 1e-12, 1.0]]).unwrap();
        let [[_, x], [y, _]] = *contact.inertia();
        assert_eq!(x, y);
        let error = Contact::new([[1.0, 0.5], [0.4, 1.0]]).unwrap_err();
        assert_eq!(
            error,
            Error::NotSymmetric { field: Field::matrix("D", 1, 0), value: 0.4, mirror: 0.5 }
        );
    }
}
