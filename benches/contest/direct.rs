//! The power series in the impulse itself, with the same search for events.

use routh::Accuracy;
use routh_integrators::Failure;
use routh_integrators::direct::watched;

use super::Case;
use super::field::Point;
use super::watch::Watch;

/// Follows sliding until the watch has seen enough: the steps that takes.
pub(super) fn follow(
    case: &Case,
    tolerance: f64,
    watch: &mut impl Watch,
) -> Result<usize, Failure> {
    let (sliding, order) = (&case.sliding, Accuracy::new(tolerance)?.order());
    let mut work = 0.0;
    watched(&case.motion.problem, tolerance, order, |from, expansion, width| {
        let at = |p: f64| {
            let q = p - from;
            let work = work + sliding.normal_work(from, q, expansion.integral(q));
            Point { p, v: expansion.at(q), work }
        };
        let end = at(from + width);
        let done = watch.step(from, from + width, end, at);
        work = end.work;
        done
    })
}
