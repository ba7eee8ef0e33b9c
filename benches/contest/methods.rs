//! Every way to follow a case.

use routh_rivals::dormand_prince::Method as Ivp;
use routh_rivals::impact::{self, Followed};
use routh_rivals::{Failure, runge_kutta};
use routh_solver::{Accuracy, Collision, Error, Impact, Trajectory, solve_batch};

use super::differential_equations::DifferentialEquations;
use super::diffsol::Tsitouras45;
use super::follow::{Form, impact_by, slip_by};
use super::numeris::Numeris;
use super::ode_solvers::OdeSolvers;
use super::{Case, Kind, Outcome, TOLERANCES, direct, follow, refused};

/// Numbers of steps that Runge-Kutta is given, as powers of two.
const STEPS: std::ops::RangeInclusive<i32> = 2..=16;

/// A way to follow a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The power series in `τ`.
    Series,
    /// That in the impulse.
    Direct,
    /// Tables of the contact's flow.
    Flow,
    /// The power series of many impacts in lanes, on one core.
    Batch,
    /// The classic Runge-Kutta method, in a given number of steps.
    Rk4,
    /// A method of a crate, over the impulse.
    OverImpulse(Rival),
    /// The same over `τ`.
    OverTau(Rival),
}

/// A method of a crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rival {
    /// Dormand and Prince's 5(4) of `ivp`.
    IvpDopri5,
    /// Their 8(5,3) of `ivp`.
    IvpDop853,
    /// Their 5(4) of `ode_solvers`.
    OdeSolversDopri5,
    /// Their 8(5,3) of `ode_solvers`.
    OdeSolversDop853,
    /// Their 8(5,3) of `differential-equations`.
    DifferentialEquationsDop853,
    /// Verner's 9(8) of `differential-equations`.
    DifferentialEquationsVerner98,
    /// Tsitouras's 5(4) of `diffsol`.
    DiffsolTsitouras45,
    /// Tsitouras's 5(4) of `numeris`.
    NumerisTsitouras54,
    /// Verner's 9(8) of `numeris`.
    NumerisVerner98,
}

/// What a method found.
pub enum Found {
    /// An impact.
    Impact(Impact<3>),
    /// The same, by a rival.
    Followed(Followed),
    /// Many.
    Batch(Vec<Result<Impact<3>, Error>>),
    /// Velocities of a slip, and steps.
    Slip(Vec<[f64; 2]>, usize),
}

/// Calls a function with the integrator of a rival.
macro_rules! by {
    ($rival:ident, $follow:ident, $form:ident, $case:ident, $tolerance:ident) => {{
        let rest = ($form, $case, $tolerance);
        match $rival {
            Self::IvpDopri5 => $follow(&Ivp::Dopri5, rest),
            Self::IvpDop853 => $follow(&Ivp::Dop853, rest),
            Self::OdeSolversDopri5 => $follow(&OdeSolvers::Dopri5, rest),
            Self::OdeSolversDop853 => $follow(&OdeSolvers::Dop853, rest),
            Self::DifferentialEquationsDop853 => $follow(&DifferentialEquations::Dop853, rest),
            Self::DifferentialEquationsVerner98 => $follow(&DifferentialEquations::Verner98, rest),
            Self::DiffsolTsitouras45 => $follow(&Tsitouras45, rest),
            Self::NumerisTsitouras54 => $follow(&Numeris::Tsitouras54, rest),
            Self::NumerisVerner98 => $follow(&Numeris::Verner98, rest),
        }
    }};
}

impl Rival {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::IvpDopri5,
        Self::IvpDop853,
        Self::OdeSolversDopri5,
        Self::OdeSolversDop853,
        Self::DifferentialEquationsDop853,
        Self::DifferentialEquationsVerner98,
        Self::DiffsolTsitouras45,
        Self::NumerisTsitouras54,
        Self::NumerisVerner98,
    ];

    /// Its crate and method.
    pub fn name(self) -> &'static str {
        match self {
            Self::IvpDopri5 => "ivp DOPRI5",
            Self::IvpDop853 => "ivp DOP853",
            Self::OdeSolversDopri5 => "ode_solvers DOPRI5",
            Self::OdeSolversDop853 => "ode_solvers DOP853",
            Self::DifferentialEquationsDop853 => "differential-equations DOP853",
            Self::DifferentialEquationsVerner98 => "differential-equations Verner 9(8)",
            Self::DiffsolTsitouras45 => "diffsol Tsitouras 5(4)",
            Self::NumerisTsitouras54 => "numeris Tsitouras 5(4)",
            Self::NumerisVerner98 => "numeris Verner 9(8)",
        }
    }

    fn impact(self, form: Form, case: &Case, tolerance: f64) -> Result<Followed, Failure> {
        by!(self, impact_by, form, case, tolerance)
    }

    fn slip(
        self,
        form: Form,
        case: &Case,
        tolerance: f64,
    ) -> Result<(Vec<[f64; 2]>, usize), Failure> {
        by!(self, slip_by, form, case, tolerance)
    }
}

impl Method {
    /// The project's own, and the paper's rival.
    pub const OWN: [Self; 5] = [Self::Series, Self::Direct, Self::Flow, Self::Batch, Self::Rk4];

    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        let rivals = Rival::ALL.into_iter();
        let rivals = rivals.flat_map(|rival| [Self::OverImpulse(rival), Self::OverTau(rival)]);
        Self::OWN.into_iter().chain(rivals)
    }

    /// Its name.
    pub fn name(self) -> String {
        match self {
            Self::Series => "series".to_owned(),
            Self::Direct => "series in p".to_owned(),
            Self::Flow => "flow".to_owned(),
            Self::Batch => "batch".to_owned(),
            Self::Rk4 => "RK4 in p".to_owned(),
            Self::OverImpulse(rival) => format!("{} in p", rival.name()),
            Self::OverTau(rival) => format!("{} in τ", rival.name()),
        }
    }

    /// Whether it is a kernel of this project's.
    pub fn is_own(self) -> bool {
        matches!(self, Self::Series | Self::Flow | Self::Batch)
    }

    /// The tolerances that it is run with, or its numbers of steps; none if it does not
    /// follow what is asked.
    pub fn settings(self, kind: Kind) -> Vec<f64> {
        match (self, kind) {
            (Self::Flow | Self::Batch, Kind::Slip) => Vec::new(),
            (Self::Flow, _) => vec![0.0],
            (Self::Rk4, _) => STEPS.map(|power| 2f64.powi(power)).collect(),
            _ => TOLERANCES.to_vec(),
        }
    }

    /// Impacts or slips in a run.
    pub fn many(self, case: &Case) -> usize {
        if self == Self::Batch { case.copies.len() } else { 1 }
    }

    /// Follows a case with a tolerance, or in a number of steps.
    ///
    /// # Errors
    /// [`Failure`].
    pub fn follow(self, kind: Kind, case: &Case, setting: f64) -> Result<Found, Failure> {
        match kind {
            Kind::Impact => self.impact(case, setting),
            Kind::Slip => self.slip(case, setting).map(|(found, steps)| Found::Slip(found, steps)),
        }
    }

    fn impact(self, case: &Case, setting: f64) -> Result<Found, Failure> {
        let Collision { contact, velocity, friction, restitution } = &case.impact;
        let accuracy = || Accuracy::new(setting).map_err(refused);
        Ok(match self {
            Self::Series => Found::Impact(case.impact.solve(accuracy()?).map_err(refused)?),
            Self::Direct => Found::Followed(follow::impact(case, setting, |events| {
                let order = accuracy()?.order();
                direct::follow(&case.problem, &case.sliding, setting, order, events)
            })?),
            Self::Flow => Found::Impact(case.flow.solve(*velocity, *restitution).map_err(refused)?),
            Self::Batch => {
                let accuracy = accuracy()?;
                Found::Batch(case.alone.install(|| solve_batch(&case.copies, accuracy)))
            }
            Self::Rk4 => {
                let steps = setting as usize;
                Found::Followed(impact::follow(contact, *velocity, *friction, *restitution, steps)?)
            }
            Self::OverImpulse(rival) => {
                Found::Followed(rival.impact(Form::Impulse, case, setting)?)
            }
            Self::OverTau(rival) => Found::Followed(rival.impact(Form::Regular, case, setting)?),
        })
    }

    fn slip(self, case: &Case, setting: f64) -> Result<(Vec<[f64; 2]>, usize), Failure> {
        let accuracy = || Accuracy::new(setting).map_err(refused);
        match self {
            Self::Series => series(case, accuracy()?).map_err(refused),
            Self::Direct => follow::slip(case, setting, |samples| {
                let order = accuracy()?.order();
                direct::follow(&case.problem, &case.sliding, setting, order, samples)
            }),
            Self::Flow | Self::Batch => Err(refused("impacts only")),
            Self::Rk4 => {
                let run = runge_kutta::follow(&case.problem, setting as usize);
                Ok((run.velocity, run.steps))
            }
            Self::OverImpulse(rival) => rival.slip(Form::Impulse, case, setting),
            Self::OverTau(rival) => rival.slip(Form::Regular, case, setting),
        }
    }
}

fn series(case: &Case, accuracy: Accuracy) -> Result<(Vec<[f64; 2]>, usize), Error> {
    let Collision { contact, velocity: [_, x, y], friction, .. } = case.impact;
    let mut motion = Trajectory::new(&contact, friction, [x, y], accuracy)?;
    let impulses = case.problem.impulse().iter();
    let velocity = impulses.map(|&p| motion.advance(p)).collect::<Result<_, _>>()?;
    Ok((velocity, motion.steps()))
}

impl Found {
    /// How far it is from the reference; of many, the farthest.
    pub fn error(&self, case: &Case) -> f64 {
        match self {
            Self::Impact(impact) => case.impact_error(&impact.into()),
            Self::Followed(followed) => case.impact_error(&followed.into()),
            Self::Slip(velocity, _) => case.slip_error(velocity),
            Self::Batch(impacts) => {
                let errors = impacts.iter().zip(&case.scales).map(|(impact, scale)| {
                    let outcome = impact.as_ref().ok().map(Outcome::from);
                    outcome.map_or(f64::INFINITY, |found| {
                        case.impact_error(&found.scaled(1.0 / scale))
                    })
                });
                errors.fold(0.0, f64::max)
            }
        }
    }

    /// The steps it took; of many, the first one's.
    pub fn steps(&self) -> usize {
        match self {
            Self::Impact(impact) => impact.steps,
            Self::Followed(followed) => followed.impact.steps,
            Self::Slip(_, steps) => *steps,
            Self::Batch(impacts) => match impacts.first() {
                Some(Ok(impact)) => impact.steps,
                _ => 0,
            },
        }
    }
}
