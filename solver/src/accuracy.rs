//! How closely a slip is followed.

use crate::error::{Error, Field, finite};
use crate::kernels::ORDER;

/// How closely a slip is followed: the tolerance on a step's last
/// coefficients, and the order of its series.
///
/// ```
/// use routh_solver::Accuracy;
/// assert_eq!(Accuracy::default().order(), 20);
/// assert!(Accuracy::new(1e-9, 12).is_ok());
/// assert!(Accuracy::new(1e-9, 65).is_err());
/// # Ok::<(), routh_solver::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accuracy {
    tolerance: f64,
    order: usize,
}

impl Default for Accuracy {
    fn default() -> Self {
        Self { tolerance: 1e-13, order: ORDER }
    }
}

impl Accuracy {
    /// A tolerance between 1e-16 and 0.01 and an order between 2 and 64.
    ///
    /// # Errors
    /// [`Error::AccuracyOutOfRange`], [`Error::NotFinite`].
    pub fn new(tolerance: f64, order: usize) -> Result<Self, Error> {
        let within = |name, value: f64, least: f64, most: f64| {
            let field = Field::new(name);
            let value = finite(field, value)?;
            let inside = (least..=most).contains(&value);
            inside.then_some(()).ok_or(Error::AccuracyOutOfRange { field, value, least, most })
        };
        within("tolerance", tolerance, 1e-16, 1e-2)?;
        within("order", order as f64, 2.0, 64.0)?;
        Ok(Self { tolerance, order })
    }

    /// The error of a motion that takes too many steps.
    pub(crate) fn exceeded(&self, steps: usize) -> Error {
        Error::StepLimit { steps, tolerance: self.tolerance, order: self.order }
    }

    /// The tolerance.
    pub fn tolerance(&self) -> f64 {
        self.tolerance
    }

    /// The order.
    pub fn order(&self) -> usize {
        self.order
    }
}
