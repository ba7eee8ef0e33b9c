//! Coulomb friction: how much holds, and how much slows.

use crate::error::{Error, Field, finite};

/// Coulomb friction, the static coefficient at least as large as the kinetic.
///
/// ```
/// use routh_solver::Friction;
/// let friction = Friction::new(0.73, 0.7)?;
/// assert_eq!(friction.kinetic(), 0.7);
/// assert!(Friction::new(0.2, 0.3).is_err());
/// # Ok::<(), routh_solver::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Friction {
    fixed: f64,
    kinetic: f64,
}

impl Friction {
    /// Friction from its static and its kinetic coefficient.
    ///
    /// # Errors
    /// [`Error::FrictionOutOfRange`], [`Error::NotFinite`].
    pub fn new(fixed: f64, kinetic: f64) -> Result<Self, Error> {
        let kinetic = at_least(Field::new("friction.kinetic"), kinetic, 0.0)?;
        Ok(Self { fixed: at_least(Field::new("friction.static"), fixed, kinetic)?, kinetic })
    }

    /// The same coefficient for sticking and sliding.
    ///
    /// # Errors
    /// As [`Friction::new`].
    pub fn uniform(mu: f64) -> Result<Self, Error> {
        let mu = at_least(Field::new("friction"), mu, 0.0)?;
        Ok(Self { fixed: mu, kinetic: mu })
    }

    /// The coefficient that bounds sticking.
    pub fn fixed(&self) -> f64 {
        self.fixed
    }

    /// The coefficient of sliding.
    pub fn kinetic(&self) -> f64 {
        self.kinetic
    }
}

/// Checks a coefficient.
pub(crate) fn at_least(field: Field, value: f64, least: f64) -> Result<f64, Error> {
    let value = finite(field, value)?;
    if value >= least { Ok(value) } else { Err(Error::FrictionOutOfRange { field, value, least }) }
}
