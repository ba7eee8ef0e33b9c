//! The accuracy of the series.

use routh_runtime::double::step::{StepControl, cheapest_order, step_control};

use crate::error::{Error, Field, finite};

/// The accuracy of the series: the tolerance on a step's last coefficients, and the
/// order.
///
/// ```
/// use routh::Accuracy;
/// let plotting = Accuracy::new(1e-6)?;
/// assert!(plotting.order() < Accuracy::default().order());
/// assert_eq!(plotting.with_order(12)?.order(), 12);
/// assert!(plotting.with_order(65).is_err());
/// # Ok::<(), routh::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accuracy {
    control: StepControl,
    stretched: bool,
}

impl Default for Accuracy {
    fn default() -> Self {
        Self::of(1e-15)
    }
}

impl Accuracy {
    /// A tolerance between 1e-16 and 0.01, with the order that needs least work.
    ///
    /// # Errors
    /// [`Error::AccuracyOutOfRange`], [`Error::NotFinite`].
    pub fn new(tolerance: f64) -> Result<Self, Error> {
        within("tolerance", tolerance, 1e-16, 1e-2)?;
        Ok(Self::of(tolerance))
    }

    fn of(tolerance: f64) -> Self {
        Self { control: step_control(tolerance, cheapest_order(tolerance)), stretched: false }
    }

    fn of_order(self, order: usize) -> Self {
        Self { control: StepControl { order, ..self.control }, ..self }
    }

    /// The same tolerance with a given order, between 2 and 64. Above about 28, steps
    /// are so long that rounding errors grow in them, to 1e-10 at worst.
    ///
    /// # Errors
    /// [`Error::AccuracyOutOfRange`].
    pub fn with_order(self, order: usize) -> Result<Self, Error> {
        within("order", order as f64, 2.0, 64.0)?;
        Ok(self.of_order(order))
    }

    /// The same in a variable that has the nearest singularity removed, with
    /// series of order 24: a third to a half fewer steps, in somewhat more time.
    ///
    /// ```
    /// use routh::{Accuracy, Contact, Friction, Trajectory};
    /// let contact = Contact::new([[1.3, 0.4, -0.2], [0.4, 2.1, 0.5], [-0.2, 0.5, 0.9]])?;
    /// let steps = |accuracy| {
    ///     let friction = Friction::uniform(0.15)?;
    ///     let mut motion = Trajectory::new(&contact, friction, [0.7, -1.1], accuracy)?;
    ///     motion.advance(4.0)?;
    ///     Ok(motion.steps())
    /// };
    /// let accuracy = Accuracy::new(1e-12)?;
    /// assert!(steps(accuracy.stretched())? < steps(accuracy)?);
    /// # Ok::<(), routh::Error>(())
    /// ```
    pub fn stretched(self) -> Self {
        Self { stretched: true, ..self.of_order(STRETCHED) }
    }

    /// Whether steps are in the stretched variable.
    pub fn is_stretched(&self) -> bool {
        self.stretched
    }

    /// The same with no larger tolerance than this, and an order in a range.
    #[cfg(feature = "compliant")]
    pub(crate) fn within(self, tolerance: f64, orders: core::ops::RangeInclusive<usize>) -> Self {
        let tighter = if self.tolerance() > tolerance { Self::of(tolerance) } else { self };
        let order = tighter.order().clamp(*orders.start(), *orders.end());
        Self { stretched: self.stretched, ..tighter.of_order(order) }
    }

    /// The error of a motion that takes too many steps.
    pub(crate) fn exceeded(&self, steps: usize) -> Error {
        Error::StepLimit { steps, tolerance: self.tolerance(), order: self.order() }
    }

    /// The parameters of the step-size control.
    pub(crate) fn control(&self) -> StepControl {
        self.control
    }

    /// The tolerance.
    pub fn tolerance(&self) -> f64 {
        self.control.tolerance
    }

    /// The order.
    pub fn order(&self) -> usize {
        self.control.order
    }
}

fn within(name: &'static str, value: f64, least: f64, most: f64) -> Result<(), Error> {
    let field = Field::new(name);
    let value = finite(field, value)?;
    let inside = (least..=most).contains(&value);
    inside.then_some(()).ok_or(Error::AccuracyOutOfRange { field, value, least, most })
}

/// The order of stretched steps: there are fewer of them with a higher one.
const STRETCHED: usize = 24;
