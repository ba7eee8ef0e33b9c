//! How closely a slip is followed.

use crate::arithmetic::Arithmetic;
use crate::elementary::rough_log2;
use crate::error::{Error, Field, finite};
use crate::invariant::Turning;

/// A direction that attracts contracts its neighbours by `e^{-x}` in a step; a
/// polynomial of order `CONTRACTION · x` does too, and does not throw them off.
const CONTRACTION: f64 = 4.0;

/// The largest part of the speed at the start that a step may be wrong by.
const LOOSEST: f64 = 1e-3;

/// The longest step, in units of the flow's own time: beyond it only
/// polynomials would stay exact.
const LONGEST: f64 = 50.0;

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
    stretched: bool,
}

impl Default for Accuracy {
    fn default() -> Self {
        Self { tolerance: 1e-15, order: cheapest(1e-15), stretched: false }
    }
}

impl Accuracy {
    /// A tolerance between 1e-16 and 0.01, with the order that needs least work.
    ///
    /// # Errors
    /// [`Error::AccuracyOutOfRange`], [`Error::NotFinite`].
    pub fn new(tolerance: f64) -> Result<Self, Error> {
        within("tolerance", tolerance, 1e-16, 1e-2)?;
        Ok(Self { tolerance, order: cheapest(tolerance), stretched: false })
    }

    /// The same tolerance with an order of one's own, between 2 and 64. Above
    /// some 28, steps are so long that rounding grows in them: 1e-10 at worst.
    ///
    /// # Errors
    /// [`Error::AccuracyOutOfRange`].
    pub fn with_order(self, order: usize) -> Result<Self, Error> {
        within("order", order as f64, 2.0, 64.0)?;
        Ok(Self { order, ..self })
    }

    /// The same in a variable that has the nearest singularity removed, with
    /// series of order 24: a third to a half fewer steps, in somewhat more time.
    ///
    /// ```
    /// use routh_solver::{Accuracy, Contact, Friction, Trajectory};
    /// let contact = Contact::new([[1.3, 0.4, -0.2], [0.4, 2.1, 0.5], [-0.2, 0.5, 0.9]])?;
    /// let steps = |accuracy| {
    ///     let friction = Friction::uniform(0.15)?;
    ///     let mut motion = Trajectory::new(&contact, friction, [0.7, -1.1], accuracy)?;
    ///     motion.advance(4.0)?;
    ///     Ok(motion.steps())
    /// };
    /// let accuracy = Accuracy::new(1e-12)?;
    /// assert!(steps(accuracy.stretched())? < steps(accuracy)?);
    /// # Ok::<(), routh_solver::Error>(())
    /// ```
    pub fn stretched(self) -> Self {
        Self { stretched: true, order: STRETCHED, ..self }
    }

    /// Whether steps are in the stretched variable.
    pub fn is_stretched(&self) -> bool {
        self.stretched
    }

    /// The same with no larger tolerance than this, and an order in a range.
    #[cfg(feature = "compliant")]
    pub(crate) fn within(self, tolerance: f64, orders: core::ops::RangeInclusive<usize>) -> Self {
        let order = if self.tolerance > tolerance { cheapest(tolerance) } else { self.order };
        let order = order.clamp(*orders.start(), *orders.end());
        Self { tolerance: self.tolerance.min(tolerance), order, ..self }
    }

    /// The error of a motion that takes too many steps.
    pub(crate) fn exceeded(&self, steps: usize) -> Error {
        Error::StepLimit { steps, tolerance: self.tolerance, order: self.order }
    }

    /// `tolerance^(1/N) min (‖x_0‖ / ‖x_k‖)^(1/k)` over the last two orders up
    /// to `N`, whose sizes `‖x_k‖` are given, last first: an estimate of the
    /// radius of convergence, and how much of it the tolerance leaves; but no
    /// longer than is safe whatever the coefficients.
    ///
    /// Where the speed `‖x_0‖` falls, so does what it is compared with at the
    /// step's end, to first order by `e^{g τ}`. With some `slack` it is compared with
    /// so many times the speed throughout.
    #[inline(always)]
    pub(crate) fn step_length<T: Arithmetic>(
        &self,
        sizes: [T; 2],
        speed: T,
        slack: T,
        turning: &Turning<T>,
        rate: T,
    ) -> T {
        let order = self.order as f64;
        let [last, next_to_last] = [T::real(1.0 / order), T::real(1.0 / (order - 1.0))];
        let start = speed.rough_log2();
        let x = (sizes[0].rough_log2() - start) * last;
        let y = (sizes[1].rough_log2() - start) * next_to_last;
        let slack = slack.rough_log2();
        let reach = (T::real(rough_log2(self.tolerance)) + slack) * last;
        let width = (reach - x.max(y)).rough_exp2();
        // With slack, whose logarithm is positive, what it is compared with does not fall; in
        // lanes that is told without a branch.
        let fall = ((-turning.along) * last - slack).max(T::real(0.0));
        width / (T::real(1.0) + width * fall).max(width * self.shortening(turning, rate))
    }

    /// How many times its speed a slip's error is compared with where it surely closes
    /// to a halt after it was that many times as fast.
    pub(crate) fn slack(&self, times: f64) -> f64 {
        times.min(LOOSEST / self.tolerance).max(1.0)
    }

    /// One over the longest that a step may be in `τ`, whatever its coefficients.
    #[inline(always)]
    pub(crate) fn shortening<T: Arithmetic>(&self, turning: &Turning<T>, rate: T) -> T {
        let pull = (-turning.slope).max(T::real(0.0));
        let contraction = T::real(CONTRACTION / self.order as f64);
        (rate * T::real(1.0 / LONGEST)).max(pull * contraction)
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

/// The order that needs least time at a tolerance, of those with straight-line
/// kernels; `docs/series.md` has the table that this comes from.
fn cheapest(tolerance: f64) -> usize {
    match tolerance {
        1e-5.. => 12,
        1e-9.. => 16,
        1e-14.. => 20,
        _ => 24,
    }
}

/// The order of stretched steps: there are fewer of them with a higher one.
const STRETCHED: usize = 24;
