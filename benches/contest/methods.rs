//! Every way to follow a case.

use routh::{Accuracy, Collision, Error, Impact, solve_batch};
use routh_integrators::dormand_prince::Method as Ivp;
use routh_integrators::{Failure, impact, runge_kutta};

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
    Crate(Other, Form),
}

/// A method of a crate.
#[derive(Clone, Copy)]
pub struct Other {
    name: &'static str,
    integrator: &'static dyn Follow,
}

const OTHERS: [Other; 8] = [
    Other { name: "ivp DOPRI5", integrator: &Ivp::Dopri5 },
    Other { name: "ivp DOP853", integrator: &Ivp::Dop853 },
    Other { name: "ode_solvers DOPRI5", integrator: &OdeSolvers::Dopri5 },
    Other { name: "ode_solvers DOP853", integrator: &OdeSolvers::Dop853 },
    Other { name: "differential-equations DOP853", integrator: &DifferentialEquations::Dop853 },
    Other {
        name: "differential-equations Verner 9(8)",
        integrator: &DifferentialEquations::Verner98,
    },
    Other { name: "numeris Tsitouras 5(4)", integrator: &Numeris::Tsitouras54 },
    Other { name: "numeris Verner 9(8)", integrator: &Numeris::Verner98 },
];

/// What a method found.
#[expect(clippy::large_enum_variant, reason = "there is one at a time")]
pub enum Found {
    /// An impact.
    Impact(Impact<3>),
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
            OTHERS
                .into_iter()
                .flat_map(|other| [Form::Impulse, Form::Tau].map(|form| Self::Crate(other, form))),
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
            Self::Crate(other, Form::Impulse) => format!("{} in p", other.name),
            Self::Crate(other, Form::Tau) => format!("{} in τ", other.name),
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
        Ok(Found::Impact(match self {
            Self::Series => case.impact.solve(Accuracy::new(setting)?)?,
            Self::Direct => {
                follow::impact(case, setting, |events| direct::follow(case, setting, events))?
            }
            Self::Flow => case.flow.solve(*velocity, *restitution)?,
            Self::Batch => {
                let accuracy = Accuracy::new(setting)?;
                let solve = || solve_batch(&case.copies, accuracy);
                return Ok(Found::Batch(case.alone.install(solve)));
            }
            Self::Rk4 => {
                impact::follow(contact, *velocity, *friction, *restitution, setting as usize)?
            }
            Self::Crate(Other { integrator, .. }, form) => {
                integrator.impact(form, case, setting)?
            }
        }))
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
            Self::Crate(Other { integrator, .. }, form) => {
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
            Self::Slip(velocity, _) => case.slip_error(velocity),
            Self::Batch(impacts) => case
                .copies_error(impacts.iter().map(|impact| impact.as_ref().ok().map(Outcome::from))),
        }
    }

    /// The steps it took; of many, the first one's.
    pub fn steps(&self) -> usize {
        match self {
            Self::Impact(impact) => impact.steps,
            Self::Slip(_, steps) => *steps,
            Self::Batch(impacts) => match impacts.first() {
                Some(Ok(impact)) => impact.steps,
                _ => 0,
            },
        }
    }
}
