//! The paper's motions, every method tuned to come just as near to them, random
//! impacts, and robots.
#![forbid(unsafe_code)]

pub mod contest;
pub mod rest;
pub mod robots;
pub mod timed;

use routh_rivals::dormand_prince::{self, Method as DormandPrince};
use routh_rivals::{Failure, Problem, Run, direct, matched, pade, precise, runge_kutta};
use routh_solver::{Accuracy, Collision, Contact, Error, Friction, Trajectory};
use routh_tests::random::{Kind, Random};
use routh_tests::reference::{Input, seed_robot};

/// The spatial paper's friction.
pub const MU: f64 = 0.3;
/// Its impulse, in N s.
pub const IMPULSE: f64 = 3000.0;
/// Its three starts, in m/s.
pub const STARTS: [[f64; 2]; 3] = [[4.0, 0.0], [1.0, -4.0], [-4.0, -4.0]];

/// A sliding motion up to one impulse, for solver and rivals alike.
#[derive(Clone, Debug)]
pub struct Motion {
    /// The contact.
    pub contact: Contact<3>,
    /// Its friction.
    pub friction: Friction,
    /// The sliding velocity at the start.
    pub v0: [f64; 2],
    /// The impulse.
    pub impulse: f64,
    /// The same for the rivals.
    pub problem: Problem,
}

/// A way to follow a motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Power series in `τ`.
    Series,
    /// The same in the stretched variable.
    Stretched,
    /// The same continued by Padé approximants.
    Pade,
    /// Power series in the impulse.
    Direct,
    /// Runge-Kutta with fixed steps.
    Rk4,
    /// Dormand and Prince's 5(4).
    Dopri5,
    /// Dormand and Prince's 8(5,3).
    Dop853,
}

/// A method with its tolerance, or its number of steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tuned {
    /// The method.
    pub method: Method,
    /// Its tolerance or its number of steps.
    pub setting: f64,
    /// The steps it takes.
    pub steps: usize,
    /// Its error.
    pub error: f64,
}

/// Random impacts in space.
pub fn collisions(many: usize) -> Vec<Collision> {
    let mut random = Random::seeded(1);
    std::iter::repeat_with(|| random.spatial(Kind::Plain))
        .filter_map(|input| {
            let contact = Contact::new(input.inertia).ok()?;
            let Input { velocity, friction, restitution, .. } = input;
            Some(Collision { contact, velocity, friction, restitution })
        })
        .take(many)
        .collect()
}

impl Motion {
    /// The spatial paper's motion from one of its starts.
    ///
    /// # Errors
    /// None: the friction is in range.
    pub fn of_the_paper(v0: [f64; 2]) -> Result<Self, Error> {
        Ok(Self::new(seed_robot(), Friction::uniform(MU)?, v0, IMPULSE))
    }

    /// A motion at a contact.
    pub fn new(contact: Contact<3>, friction: Friction, v0: [f64; 2], impulse: f64) -> Self {
        let problem = Problem::new(*contact.inertia(), friction.kinetic(), v0, &[impulse]);
        Self { contact, friction, v0, impulse, problem }
    }

    /// Follows the motion by the solver's series.
    ///
    /// # Errors
    /// As [`Trajectory::advance`].
    pub fn series(&self, accuracy: Accuracy) -> Result<Run, Error> {
        let mut motion = Trajectory::new(&self.contact, self.friction, self.v0, accuracy)?;
        let velocity = vec![motion.advance(self.impulse)?];
        Ok(Run { velocity, steps: motion.steps(), evaluations: motion.steps() })
    }
}

impl Method {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Series,
        Self::Stretched,
        Self::Pade,
        Self::Direct,
        Self::Rk4,
        Self::Dopri5,
        Self::Dop853,
    ];

    /// Follows a motion with a tolerance, or a number of steps.
    ///
    /// # Errors
    /// [`Failure`].
    pub fn follow(self, motion: &Motion, setting: f64) -> Result<Run, Failure> {
        let problem = &motion.problem;
        let accuracy = || Accuracy::new(setting).map_err(refused);
        match self {
            Self::Series => motion.series(accuracy()?).map_err(refused),
            Self::Stretched => motion.series(accuracy()?.stretched()).map_err(refused),
            Self::Pade => pade::follow(problem, setting, accuracy()?.order()),
            Self::Direct => direct::follow(problem, setting, accuracy()?.order()),
            Self::Rk4 => Ok(runge_kutta::follow(problem, setting as usize)),
            Self::Dopri5 => dormand_prince::follow(problem, DormandPrince::Dopri5, setting),
            Self::Dop853 => dormand_prince::follow(problem, DormandPrince::Dop853, setting),
        }
    }

    /// The loosest tolerance, or the fewest steps, with which the motion ends as
    /// near to the reference as is asked; none if nothing does.
    ///
    /// # Errors
    /// [`Failure`] of the reference.
    pub fn tuned(self, motion: &Motion, target: f64) -> Result<Option<Tuned>, Failure> {
        let reference = precise::follow(&motion.problem)?;
        let found = if self == Self::Rk4 {
            let run = |steps| runge_kutta::follow(&motion.problem, steps);
            let trials = matched::over_steps(&reference, run);
            let fewest = matched::fewest(&trials, target, &reference, run);
            fewest.map(|trial| trial.with(|steps| steps as f64))
        } else {
            let run = |tolerance| self.follow(motion, tolerance);
            matched::first(&matched::over_tolerances(&reference, run), target)
        };
        Ok(found.map(|trial| Tuned {
            method: self,
            setting: trial.setting,
            steps: trial.steps,
            error: trial.error,
        }))
    }
}

impl Tuned {
    /// Follows the motion again.
    ///
    /// # Errors
    /// [`Failure`].
    pub fn follow(&self, motion: &Motion) -> Result<Run, Failure> {
        self.method.follow(motion, self.setting)
    }
}

fn refused(error: Error) -> Failure {
    Failure::Refused(error.to_string())
}
