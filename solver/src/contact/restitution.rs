//! A law of restitution and its coefficient.

use routh_runtime::double::result::{Law, Restitution as Given};

use crate::error::{Error, Field, finite};

/// A law and its coefficient.
///
/// ```
/// use routh::{Law, Restitution};
/// assert_eq!(Restitution::new(Law::Poisson, 0.5)?.e(), 0.5);
/// assert!(Restitution::new(Law::Poisson, 1.5).is_err());
/// # Ok::<(), routh::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Restitution(Given);

impl Restitution {
    /// A law with a coefficient between 0 and 1.
    ///
    /// # Errors
    /// [`Error::RestitutionOutOfRange`], [`Error::NotFinite`].
    pub fn new(law: Law, e: f64) -> Result<Self, Error> {
        Ok(Self(Given { law, e: coefficient(Field::new("restitution.e"), e)? }))
    }

    /// The law.
    pub fn law(&self) -> Law {
        self.0.law
    }

    /// The coefficient.
    pub fn e(&self) -> f64 {
        self.0.e
    }

    /// The law in the form that the algorithm takes.
    pub(crate) fn given(&self) -> &Given {
        &self.0
    }
}

/// Checks a coefficient of restitution.
pub(crate) fn coefficient(field: Field, e: f64) -> Result<f64, Error> {
    let value = finite(field, e)?;
    let in_range = (0.0..=1.0).contains(&value);
    in_range.then_some(value).ok_or(Error::RestitutionOutOfRange { field, value })
}
