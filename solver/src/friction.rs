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
        let checked = |name, value, least| {
            let field = Field::new(name);
            let value = finite(field, value)?;
            let in_range = value >= least;
            in_range.then_some(value).ok_or(Error::FrictionOutOfRange { field, value, least })
        };
        let kinetic = checked("friction.kinetic", kinetic, 0.0)?;
        Ok(Self { fixed: checked("friction.static", fixed, kinetic)?, kinetic })
    }

    /// The same coefficient for sticking and sliding.
    ///
    /// # Errors
    /// As [`Friction::new`].
    pub fn uniform(mu: f64) -> Result<Self, Error> {
        Self::new(mu, mu)
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
