//! Methods at equal accuracy: the fewest steps, or the loosest tolerance, with
//! which one comes as near to the reference as is asked.

use crate::run::{Failure, Run};

/// The most steps of fixed width that are tried.
pub const MOST_STEPS: usize = 1 << 20;
/// Tolerances tried in each decade.
const RUNGS: i32 = 8;
/// Decades of tolerances, from the first to the last.
const DECADES: (i32, i32) = (2, 16);

/// A run that was tried: with which setting, what it took and how far it was
/// from the reference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    /// The number of steps or the tolerance that was set.
    pub setting: f64,
    /// The steps it made.
    pub steps: usize,
    /// The right-hand sides it evaluated.
    pub evaluations: usize,
    /// The largest error of a velocity.
    pub error: f64,
}

impl Trial {
    fn new(setting: f64, run: &Run, reference: &[[f64; 2]]) -> Self {
        let error = error(reference, &run.velocity);
        Self { setting, steps: run.steps, evaluations: run.evaluations, error }
    }
}

/// The largest difference between the components of two lists of velocities;
/// infinite if one is not a number.
pub fn error(reference: &[[f64; 2]], velocity: &[[f64; 2]]) -> f64 {
    let pairs = reference.as_flattened().iter().zip(velocity.as_flattened());
    pairs.map(|(x, y)| (x - y).abs()).fold(0.0, |most: f64, difference| {
        if difference.is_nan() { f64::INFINITY } else { most.max(difference) }
    })
}

/// A ladder of tolerances, loose ones first, from 0.01 to 1e-16.
pub fn tolerances() -> Vec<f64> {
    let rungs = RUNGS * DECADES.0..=RUNGS * DECADES.1;
    rungs.map(|rung| 10f64.powf(-f64::from(rung) / f64::from(RUNGS))).collect()
}

/// Doubled numbers of steps, from one to [`MOST_STEPS`].
pub fn steps() -> Vec<f64> {
    (0..=MOST_STEPS.ilog2()).map(|power| (1_usize << power) as f64).collect()
}

/// Runs over settings; those that fail are left out, and after as many in turn as a
/// decade of tolerances has, no more are tried.
pub fn over(
    settings: Vec<f64>,
    reference: &[[f64; 2]],
    run: impl Fn(f64) -> Result<Run, Failure>,
) -> Vec<Trial> {
    let (mut trials, mut failures) = (Vec::new(), 0);
    for setting in settings {
        match run(setting) {
            Ok(run) => {
                failures = 0;
                trials.push(Trial::new(setting, &run, reference));
            }
            Err(_) => failures += 1,
        }
        if failures == RUNGS {
            break;
        }
    }
    trials
}

/// The trial of fewest steps that comes as near as is asked; the coarsest of
/// several.
pub fn first(trials: &[Trial], target: f64) -> Option<Trial> {
    let near = trials.iter().filter(|trial| trial.error <= target);
    near.min_by_key(|trial| trial.steps).copied()
}

/// The trial that comes nearest.
pub fn nearest(trials: &[Trial]) -> Option<Trial> {
    trials.iter().min_by(|a, b| a.error.total_cmp(&b.error)).copied()
}

/// The fewest steps that come as near as is asked: between the first trial
/// that does and the one before it, by bisection.
pub fn fewest(
    trials: &[Trial],
    target: f64,
    reference: &[[f64; 2]],
    run: impl Fn(f64) -> Result<Run, Failure>,
) -> Option<Trial> {
    let mut enough = first(trials, target)?;
    let mut few = (0.5 * enough.setting).floor();
    while enough.setting - few > 1.0 {
        let steps = few.midpoint(enough.setting).floor();
        let trial = Trial::new(steps, &run(steps).ok()?, reference);
        if trial.error <= target { enough = trial } else { few = steps }
    }
    Some(enough)
}
