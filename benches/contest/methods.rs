//! Every way to follow a case.

use routh_rivals::dormand_prince::Method as Ivp;
use routh_rivals::impact::{self, Followed};
use routh_rivals::{Failure, runge_kutta};
use routh_solver::{Accuracy, Collision, Error, Impact, solve_batch};

use super::differential_equations::DifferentialEquations;
use super::follow::{Follow, Form, Slip};
use super::numeris::Numeris;
use super::ode_solvers::OdeSolvers;
use super::row::Group;
use super::{Case, Kind, Outcome, direct, follow, refused};

/// Numbers of steps that Runge-Kutta is given, as powers of two.
const STEPS: std::ops::RangeInclusive<i32> = 2..=16;

/// A way to follow a case.
#[derive(Clone, Copy)]
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
    /// A method of a crate, over the impulse or over `τ`.
    Crate(Rival, Form),
}

/// A method of a crate.
#[derive(Clone, Copy)]
pub struct Rival {
    name: &'static str,
    integrator: &'static dyn Follow,
}

const RIVALS: [Rival; 8] = [
    Rival { name: "ivp DOPRI5", integrator: &Ivp::Dopri5 },
    Rival { name: "ivp DOP853", integrator: &Ivp::Dop853 },
    Rival { name: "ode_solvers DOPRI5", integrator: &OdeSolvers::Dopri5 },
    Rival { name: "ode_solvers DOP853", integrator: &OdeSolvers::Dop853 },
    Rival { name: "differential-equations DOP853", integrator: &DifferentialEquations::Dop853 },
    Rival {
        name: "differential-equations Verner 9(8)",
        integrator: &DifferentialEquations::Verner98,
    },
    Rival { name: "numeris Tsitouras 5(4)", integrator: &Numeris::Tsitouras54 },
    Rival { name: "numeris Verner 9(8)", integrator: &Numeris::Verner98 },
];

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

impl Method {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        let own = [Self::Series, Self::Direct, Self::Flow, Self::Batch, Self::Rk4].into_iter();
        own.chain(
            RIVALS
                .into_iter()
                .flat_map(|rival| [Form::Impulse, Form::Tau].map(|form| Self::Crate(rival, form))),
        )
    }

    /// Its name.
    pub fn name(self) -> String {
        match self {
            Self::Series => "series".to_owned(),
            Self::Direct => "series in p".to_owned(),
            Self::Flow => "flow".to_owned(),
            Self::Batch => "batch".to_owned(),
            Self::Rk4 => "RK4 in p".to_owned(),
            Self::Crate(rival, Form::Impulse) => format!("{} in p", rival.name),
            Self::Crate(rival, Form::Tau) => format!("{} in τ", rival.name),
        }
    }

    /// Who wrote it.
    pub fn group(self) -> Group {
        match self {
            Self::Series => Group::Series,
            Self::Flow => Group::Flow,
            Self::Batch => Group::Batch,
            Self::Direct | Self::Rk4 => Group::Papers,
            Self::Crate(..) => Group::Crates,
        }
    }

    /// Those of some tolerances that it is run with, or its numbers of steps; none if
    /// it does not follow what is asked.
    pub fn settings(self, kind: Kind, tolerances: &[f64]) -> Vec<f64> {
        match (self, kind) {
            (Self::Flow | Self::Batch, Kind::Slip) => Vec::new(),
            (Self::Flow, _) => vec![0.0],
            (Self::Rk4, _) => STEPS.map(|power| 2f64.powi(power)).collect(),
            _ => tolerances.to_vec(),
        }
    }

    /// Impacts or slips in a run.
    pub fn many(self, case: &Case) -> usize {
        if let Self::Batch = self { case.copies.len() } else { 1 }
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
        Ok(match self {
            Self::Series => Found::Impact(case.impact.solve(Accuracy::new(setting)?)?),
            Self::Direct => Found::Followed(follow::impact(case, setting, |events| {
                direct::follow(case, setting, events)
            })?),
            Self::Flow => Found::Impact(case.flow.solve(*velocity, *restitution)?),
            Self::Batch => {
                let accuracy = Accuracy::new(setting)?;
                Found::Batch(case.alone.install(|| solve_batch(&case.copies, accuracy)))
            }
            Self::Rk4 => {
                let steps = setting as usize;
                Found::Followed(impact::follow(contact, *velocity, *friction, *restitution, steps)?)
            }
            Self::Crate(Rival { integrator, .. }, form) => {
                Found::Followed(integrator.impact(form, case, setting)?)
            }
        })
    }

    fn slip(self, case: &Case, setting: f64) -> Result<Slip, Failure> {
        let run = match self {
            Self::Series => case.motion.series(Accuracy::new(setting)?)?,
            Self::Rk4 => runge_kutta::follow(&case.motion.problem, setting as usize),
            Self::Direct => {
                return follow::slip(case, setting, |samples| {
                    direct::follow(case, setting, samples)
                });
            }
            Self::Crate(Rival { integrator, .. }, form) => {
                return integrator.slip(form, case, setting);
            }
            Self::Flow | Self::Batch => return Err(refused("impacts only")),
        };
        Ok((run.velocity, run.steps))
    }
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
