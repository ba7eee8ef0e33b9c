//! Coulomb friction: the static and the kinetic coefficient.

use routh_runtime::double::result::Friction as Coefficients;

use crate::error::{Error, Field, finite};

/// Coulomb friction, the static coefficient at least as large as the kinetic.
///
/// ```
/// use routh::Friction;
/// let friction = Friction::new(0.73, 0.7)?;
/// assert_eq!(friction.kinetic(), 0.7);
/// assert!(Friction::new(0.2, 0.3).is_err());
/// # Ok::<(), routh::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Friction(Coefficients);

impl Friction {
    /// Friction from its static and its kinetic coefficient.
    ///
    /// # Errors
    /// [`Error::FrictionOutOfRange`], [`Error::NotFinite`], [`Error::AccuracyOutOfRange`]
    /// above 1e300.
    pub fn new(static_friction: f64, kinetic: f64) -> Result<Self, Error> {
        let kinetic = at_least(Field::new("friction.kinetic"), kinetic, 0.0)?;
        let static_friction = at_least(Field::new("friction.static"), static_friction, kinetic)?;
        Ok(Self(Coefficients { static_friction, kinetic }))
    }

    /// The same coefficient for sticking and sliding.
    ///
    /// # Errors
    /// As [`Friction::new`].
    pub fn uniform(mu: f64) -> Result<Self, Error> {
        let mu = at_least(Field::new("friction"), mu, 0.0)?;
        Ok(Self(Coefficients { static_friction: mu, kinetic: mu }))
    }

    /// The coefficient that bounds sticking.
    pub fn static_friction(&self) -> f64 {
        self.0.static_friction
    }

    /// The coefficient of sliding.
    pub fn kinetic(&self) -> f64 {
        self.0.kinetic
    }

    /// The coefficients in the form that the algorithm takes.
    pub(crate) fn coefficients(&self) -> &Coefficients {
        &self.0
    }
}

/// The largest coefficient, so that its products do not overflow.
const MOST: f64 = 1e300;

/// Checks a coefficient.
pub(crate) fn at_least(field: Field, value: f64, least: f64) -> Result<f64, Error> {
    let value = finite(field, value)?;
    if value > MOST {
        return Err(Error::AccuracyOutOfRange { field, value, least, most: MOST });
    }
    if value >= least { Ok(value) } else { Err(Error::FrictionOutOfRange { field, value, least }) }
}
