//! The methods of a comparison, and each tuned by the one thing it has.

use routh_rivals::dormand_prince::{self, Method as DormandPrince};
use routh_rivals::matched::{self, Trial};
use routh_rivals::{Failure, Problem, Run, direct, runge_kutta};
use routh_solver::{Accuracy, Error};

use crate::input::Sliding;

/// A way to follow a motion.
#[derive(Clone, Copy, Debug)]
pub(super) enum Method {
    Rk4,
    Adaptive(Adaptive),
}

/// A way to follow a motion within a tolerance.
#[derive(Clone, Copy, Debug)]
pub(super) enum Adaptive {
    Series,
    SeriesStretched,
    SeriesDirect,
    DormandPrince(DormandPrince),
}

/// A method with its number of steps or its tolerance.
#[derive(Clone, Copy, Debug)]
pub(super) enum Tuned {
    Rk4(usize),
    Adaptive(Adaptive, f64),
}

/// A motion in the forms that the methods take it in, and the velocities that
/// they should find.
pub(super) struct Subject {
    sliding: Sliding,
    problem: Problem,
    reference: Vec<[f64; 2]>,
}

/// The runs of a method, from coarse to fine.
pub(super) enum Sweep {
    Rk4(Vec<Trial<usize>>),
    Adaptive(Adaptive, Vec<Trial<f64>>),
}

impl Subject {
    pub(super) fn new(sliding: Sliding) -> Result<Self, Failure> {
        let (inertia, mu) = (*sliding.contact.inertia(), sliding.friction.kinetic());
        let problem = Problem::new(inertia, mu, sliding.v0, &sliding.impulse);
        let reference = routh_rivals::precise::follow(&problem)?;
        Ok(Self { sliding, problem, reference })
    }

    /// What is compared on, in a line.
    pub(super) fn title(&self) -> String {
        let ([x, y], mu) = (self.sliding.v0, self.sliding.friction.kinetic());
        format!("from ({x}, {y}) to impulse {}, friction {mu}", self.sliding.end())
    }
}

impl Method {
    pub(super) const ALL: [Self; 6] = [
        Self::Adaptive(Adaptive::Series),
        Self::Adaptive(Adaptive::SeriesStretched),
        Self::Adaptive(Adaptive::SeriesDirect),
        Self::Rk4,
        Self::Adaptive(Adaptive::DormandPrince(DormandPrince::Dopri5)),
        Self::Adaptive(Adaptive::DormandPrince(DormandPrince::Dop853)),
    ];

    /// Its name in results.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Rk4 => "rk4",
            Self::Adaptive(Adaptive::Series) => "series",
            Self::Adaptive(Adaptive::SeriesStretched) => "series_stretched",
            Self::Adaptive(Adaptive::SeriesDirect) => "series_direct",
            Self::Adaptive(Adaptive::DormandPrince(DormandPrince::Dopri5)) => "dopri5",
            Self::Adaptive(Adaptive::DormandPrince(DormandPrince::Dop853)) => "dop853",
        }
    }

    /// Runs it with ever finer settings.
    pub(super) fn sweep(self, subject: &Subject) -> Sweep {
        match self {
            Self::Rk4 => Sweep::Rk4(matched::over_steps(&subject.reference, |steps| {
                runge_kutta::follow(&subject.problem, steps)
            })),
            Self::Adaptive(method) => {
                let run = |tolerance| method.follow(subject, tolerance);
                Sweep::Adaptive(method, matched::over_tolerances(&subject.reference, run))
            }
        }
    }
}

impl Adaptive {
    fn follow(self, subject: &Subject, tolerance: f64) -> Result<Run, Failure> {
        match self {
            Self::Series | Self::SeriesStretched => self
                .accuracy(tolerance)
                .and_then(|accuracy| series(subject, accuracy))
                .map_err(|error| Failure::Refused(error.to_string())),
            Self::SeriesDirect => {
                direct::follow(&subject.problem, tolerance, self.order(tolerance))
            }
            Self::DormandPrince(method) => {
                dormand_prince::follow(&subject.problem, method, tolerance)
            }
        }
    }

    /// How closely the solver follows within a tolerance.
    fn accuracy(self, tolerance: f64) -> Result<Accuracy, Error> {
        let accuracy = Accuracy::new(tolerance)?;
        Ok(if let Self::SeriesStretched = self { accuracy.stretched() } else { accuracy })
    }

    /// The order that goes with a tolerance, the same for both plain series.
    fn order(self, tolerance: f64) -> usize {
        match self {
            Self::DormandPrince(method) => method.order(),
            _ => self.accuracy(tolerance).unwrap_or_default().order(),
        }
    }
}

fn series(subject: &Subject, accuracy: Accuracy) -> Result<Run, Error> {
    let mut motion = subject.sliding.motion(accuracy)?;
    let impulses = subject.problem.impulse().iter();
    let velocity = impulses.map(|&p| motion.advance(p)).collect::<Result<_, _>>()?;
    Ok(Run { velocity, steps: motion.steps(), evaluations: motion.steps() })
}

impl Tuned {
    pub(super) fn follow(self, subject: &Subject) -> Result<Run, Failure> {
        match self {
            Self::Rk4(steps) => Ok(runge_kutta::follow(&subject.problem, steps)),
            Self::Adaptive(method, tolerance) => method.follow(subject, tolerance),
        }
    }

    pub(super) fn order(self) -> usize {
        match self {
            Self::Rk4(_) => runge_kutta::ORDER,
            Self::Adaptive(method, tolerance) => method.order(tolerance),
        }
    }

    pub(super) fn tolerance(self) -> Option<f64> {
        match self {
            Self::Rk4(_) => None,
            Self::Adaptive(_, tolerance) => Some(tolerance),
        }
    }
}

impl Sweep {
    /// The coarsest run that comes as near as is asked.
    pub(super) fn reach(&self, target: f64, subject: &Subject) -> Option<Trial<Tuned>> {
        match self {
            Self::Rk4(trials) => {
                let run = |steps| runge_kutta::follow(&subject.problem, steps);
                let trial = matched::fewest(trials, target, &subject.reference, run)?;
                Some(trial.with(Tuned::Rk4))
            }
            Self::Adaptive(method, trials) => {
                let trial = matched::first(trials, target)?;
                Some(trial.with(|tolerance| Tuned::Adaptive(*method, tolerance)))
            }
        }
    }

    /// The run that comes nearest, if any ended.
    pub(super) fn nearest(&self) -> Option<Trial<Tuned>> {
        match self {
            Self::Rk4(trials) => matched::nearest(trials).map(|trial| trial.with(Tuned::Rk4)),
            Self::Adaptive(method, trials) => matched::nearest(trials)
                .map(|trial| trial.with(|tolerance| Tuned::Adaptive(*method, tolerance))),
        }
    }

    /// Steps and error of every run.
    pub(super) fn points(&self) -> Vec<(f64, f64)> {
        fn points<S>(trials: &[Trial<S>]) -> Vec<(f64, f64)> {
            trials.iter().map(|trial| (trial.steps as f64, trial.error)).collect()
        }
        match self {
            Self::Rk4(trials) => points(trials),
            Self::Adaptive(_, trials) => points(trials),
        }
    }
}
