//! The methods that a sliding motion is followed by: what each is given,
//! and what it counts.

use routh::{Accuracy, Contact, Error, Friction, Trajectory};

use crate::dormand_prince::{self, Method as DormandPrince};
use crate::problem::Problem;
use crate::run::{Failure, Run};
use crate::{direct, runge_kutta};

/// A sliding motion over some impulses, as the solver takes it and as the others do.
#[derive(Clone, Debug)]
pub struct Motion {
    /// The contact.
    pub contact: Contact<3>,
    /// Its friction.
    pub friction: Friction,
    /// The same for the others.
    pub problem: Problem,
}

/// A way to follow a motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The solver's power series.
    Series,
    /// The same in the stretched variable.
    Stretched,
    /// Power series in the impulse.
    Direct,
    /// Runge-Kutta with fixed steps.
    Rk4,
    /// Dormand and Prince's 5(4).
    Dopri5,
    /// Dormand and Prince's 8(5,3).
    Dop853,
}

impl Motion {
    /// A motion from a sliding velocity.
    pub fn new(contact: Contact<3>, friction: Friction, v0: [f64; 2], impulse: &[f64]) -> Self {
        let problem = Problem::new(*contact.inertia(), friction.kinetic(), v0, impulse);
        Self { contact, friction, problem }
    }

    /// Follows it by the solver's series.
    ///
    /// # Errors
    /// [`Failure::Refused`].
    pub fn series(&self, accuracy: Accuracy) -> Result<Run, Failure> {
        let Self { contact, friction, problem } = self;
        let mut motion = Trajectory::new(contact, *friction, problem.v0, accuracy)?;
        let mut velocity = Vec::with_capacity(problem.impulse.len());
        for &p in &problem.impulse {
            velocity.push(motion.advance(p)?);
        }
        Ok(Run { velocity, steps: motion.steps(), evaluations: motion.steps() })
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Refused(error.to_string())
    }
}

impl Method {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Series, Self::Stretched, Self::Direct, Self::Rk4, Self::Dopri5, Self::Dop853];

    /// Its name in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Series => "series",
            Self::Stretched => "series_stretched",
            Self::Direct => "series_direct",
            Self::Rk4 => "rk4",
            Self::Dopri5 => "dopri5",
            Self::Dop853 => "dop853",
        }
    }

    /// Its name in figures and tables.
    pub fn title(self) -> &'static str {
        match self {
            Self::Series => "series",
            Self::Stretched => "series, stretched",
            Self::Direct => "series in p",
            Self::Rk4 => "RK4",
            Self::Dopri5 => "DOPRI5",
            Self::Dop853 => "DOP853",
        }
    }

    /// Follows a motion with a setting: a tolerance, or the number of steps of
    /// [`Method::Rk4`].
    ///
    /// # Errors
    /// [`Failure`].
    pub fn follow(self, motion: &Motion, setting: f64) -> Result<Run, Failure> {
        self.follow_to_order(motion, setting, self.order(setting))
    }

    /// Follows a motion with series of an order; the others have their own.
    ///
    /// # Errors
    /// [`Failure`].
    pub fn follow_to_order(
        self,
        motion: &Motion,
        setting: f64,
        order: usize,
    ) -> Result<Run, Failure> {
        let problem = &motion.problem;
        match self {
            Self::Series | Self::Stretched => {
                motion.series(self.accuracy(setting)?.with_order(order)?)
            }
            Self::Direct => direct::follow(problem, setting, order),
            Self::Rk4 => Ok(runge_kutta::follow(problem, setting as usize)),
            Self::Dopri5 => dormand_prince::follow(problem, DormandPrince::Dopri5, setting),
            Self::Dop853 => dormand_prince::follow(problem, DormandPrince::Dop853, setting),
        }
    }

    /// How closely the solver follows within a tolerance.
    fn accuracy(self, tolerance: f64) -> Result<Accuracy, Error> {
        let accuracy = Accuracy::new(tolerance)?;
        Ok(if self == Self::Stretched { accuracy.stretched() } else { accuracy })
    }

    /// The order that it has with a setting, the same for both plain series.
    pub fn order(self, setting: f64) -> usize {
        match self {
            Self::Rk4 => runge_kutta::ORDER,
            Self::Dopri5 => DormandPrince::Dopri5.order(),
            Self::Dop853 => DormandPrince::Dop853.order(),
            _ => self.accuracy(setting).unwrap_or_default().order(),
        }
    }
}
