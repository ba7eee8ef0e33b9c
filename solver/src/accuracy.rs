//! How closely a slip is followed.

use crate::error::{Error, Field, finite};
use crate::kernels::ORDER;

/// How closely a slip is followed: the tolerance on a step's last
/// coefficients, and the order of its series.
///
/// ```
/// use routh_solver::Accuracy;
/// let plotting = Accuracy::new(1e-6)?;
/// assert!(plotting.order() < Accuracy::default().order());
/// assert_eq!(plotting.with_order(12)?.order(), 12);
/// assert!(plotting.with_order(65).is_err());
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
    /// A tolerance between 1e-16 and 0.01, with the order that needs least work.
    ///
    /// # Errors
    /// [`Error::AccuracyOutOfRange`], [`Error::NotFinite`].
    pub fn new(tolerance: f64) -> Result<Self, Error> {
        within("tolerance", tolerance, 1e-16, 1e-2)?;
        Ok(Self { tolerance, order: cheapest(tolerance) })
    }

    /// The same tolerance with an order of one's own, between 2 and 64.
    ///
    /// # Errors
    /// [`Error::AccuracyOutOfRange`].
    pub fn with_order(self, order: usize) -> Result<Self, Error> {
        within("order", order as f64, 2.0, 64.0)?;
        Ok(Self { order, ..self })
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

fn within(name: &'static str, value: f64, least: f64, most: f64) -> Result<(), Error> {
    let field = Field::new(name);
    let value = finite(field, value)?;
    let inside = (least..=most).contains(&value);
    inside.then_some(()).ok_or(Error::AccuracyOutOfRange { field, value, least, most })
}

/// The order that needs least work.
fn cheapest(tolerance: f64) -> usize {
    if tolerance < 1e-7 { ORDER } else { 16 }
}
