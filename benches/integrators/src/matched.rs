//! Methods at equal accuracy: the fewest steps, or the loosest tolerance, with
//! which one comes as near to the reference as is asked.

use crate::method::{Method, Motion};
use crate::precise;
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

/// The runs of a method over all its settings, against the reference of the motion.
#[derive(Clone, Debug)]
pub struct Sweep<'a> {
    method: Method,
    motion: &'a Motion,
    reference: &'a [[f64; 2]],
    /// From coarse to fine.
    pub trials: Vec<Trial>,
}

/// The largest difference between the components of two lists of velocities;
/// infinite if one is not a number.
pub fn error(reference: &[[f64; 2]], velocity: &[[f64; 2]]) -> f64 {
    let pairs = reference.as_flattened().iter().zip(velocity.as_flattened());
    pairs.map(|(x, y)| (x - y).abs()).fold(0.0, |most: f64, difference| {
        if difference.is_nan() { f64::INFINITY } else { most.max(difference) }
    })
}

impl Method {
    /// Runs it with ever finer settings: doubled numbers of steps up to [`MOST_STEPS`], or
    /// tolerances from 0.01 to 1e-16. Runs that fail are left out, and after as many in
    /// turn as a decade of tolerances has, no more are tried.
    pub fn sweep<'a>(self, motion: &'a Motion, reference: &'a [[f64; 2]]) -> Sweep<'a> {
        let rungs = RUNGS * DECADES.0..=RUNGS * DECADES.1;
        let settings: Vec<f64> = match self {
            Self::Rk4 => (0..=MOST_STEPS.ilog2()).map(|k| f64::from(k).exp2()).collect(),
            _ => rungs.map(|rung| 10f64.powf(-f64::from(rung) / f64::from(RUNGS))).collect(),
        };
        let mut sweep = Sweep { method: self, motion, reference, trials: Vec::new() };
        let mut failures = 0;
        for setting in settings {
            match sweep.try_with(setting) {
                Ok(trial) => {
                    failures = 0;
                    sweep.trials.push(trial);
                }
                Err(_) => failures += 1,
            }
            if failures == RUNGS {
                break;
            }
        }
        sweep
    }

    /// The run of fewest steps that ends as near to the reference as is asked, if any
    /// does.
    ///
    /// # Errors
    /// [`Failure`] of the reference.
    pub fn tuned(self, motion: &Motion, target: f64) -> Result<Option<Trial>, Failure> {
        let reference = precise::follow(&motion.problem)?;
        Ok(self.sweep(motion, &reference).reach(target))
    }
}

impl Sweep<'_> {
    fn try_with(&self, setting: f64) -> Result<Trial, Failure> {
        let Run { velocity, steps, evaluations } = self.method.follow(self.motion, setting)?;
        Ok(Trial { setting, steps, evaluations, error: error(self.reference, &velocity) })
    }

    /// The run of fewest steps that comes as near as is asked, the coarsest of several;
    /// numbers of steps between those of the trials are tried too, by bisection.
    pub fn reach(&self, target: f64) -> Option<Trial> {
        let near = self.trials.iter().filter(|trial| trial.error <= target);
        let mut enough = *near.min_by_key(|trial| trial.steps)?;
        if self.method == Method::Rk4 {
            let mut few = (0.5 * enough.setting).floor();
            while enough.setting - few > 1.0 {
                let trial = self.try_with(few.midpoint(enough.setting).floor()).ok()?;
                if trial.error <= target { enough = trial } else { few = trial.setting }
            }
        }
        Some(enough)
    }

    /// The trial that comes nearest.
    pub fn nearest(&self) -> Option<Trial> {
        self.trials.iter().min_by(|a, b| a.error.total_cmp(&b.error)).copied()
    }
}
