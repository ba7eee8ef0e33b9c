//! The power series in the impulse itself, with the same search for events.

use routh_integrators::Failure;
use routh_integrators::direct::Expansion;
use routh_solver::Accuracy;

use super::field::Point;
use super::watch::Watch;
use super::{Case, MOST_STEPS};

/// Follows sliding until the watch has seen enough: the steps that takes.
pub(super) fn follow(
    case: &Case,
    tolerance: f64,
    watch: &mut impl Watch,
) -> Result<usize, Failure> {
    let (sliding, order) = (&case.sliding, Accuracy::new(tolerance)?.order());
    let mut at = Point { p: 0.0, v: sliding.start(), work: 0.0 };
    for steps in 1..=MOST_STEPS {
        if at.v == [0.0; 2] {
            return Err(Failure::AtRest { impulse: at.p });
        }
        let expansion = Expansion::new(&case.motion.problem, at.v, order);
        let after = |p: f64| {
            let q = p - at.p;
            let work = at.work + sliding.normal_work(at.p, q, expansion.integral(q));
            Point { p, v: expansion.at(q), work }
        };
        let to = at.p + expansion.width(tolerance);
        let end = after(to);
        if watch.step(at.p, to, end, after) {
            return Ok(steps);
        }
        if to <= at.p {
            return Err(Failure::Stuck { impulse: at.p });
        }
        at = end;
    }
    Err(Failure::StepLimit { steps: MOST_STEPS, impulse: at.p })
}
