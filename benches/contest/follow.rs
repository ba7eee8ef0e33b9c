//! Impacts and slips by any integrator, in either form of the equations.

use routh_rivals::Failure;
use routh_rivals::impact::{Course, Followed};
use routh_solver::Collision;

use super::field::{OverImpulse, OverImpulseWorking, Regular, RegularWorking};
use super::watch::{End, Events, Samples, Watch};
use super::{Case, Integrator};

/// A form of the equations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Over the impulse.
    Impulse,
    /// Over `τ`.
    Regular,
}

/// An impact as a watch sees it.
pub(super) fn impact(
    case: &Case,
    tolerance: f64,
    watched: impl FnOnce(&mut Events) -> Result<usize, Failure>,
) -> Result<Followed, Failure> {
    let Collision { contact, velocity, friction, restitution } = &case.impact;
    let course = Course::new(contact, *velocity, *friction, *restitution);
    let mut events = Events::new(&case.sliding, course, tolerance);
    let steps = watched(&mut events)?;
    match events.end {
        Some(End::Impact) => events.course.end(steps),
        Some(End::Halt) => events.course.halt(steps),
        None => Err(Failure::Stuck { impulse: events.reached() }),
    }
}

/// A slip as a watch sees it, and its steps.
pub(super) fn slip(
    case: &Case,
    tolerance: f64,
    watched: impl FnOnce(&mut Samples) -> Result<usize, Failure>,
) -> Result<(Vec<[f64; 2]>, usize), Failure> {
    let (impulse, rate) = (case.problem.impulse(), case.rate_from_rest);
    let mut samples = Samples::new(&case.sliding, impulse, rate, tolerance);
    let steps = watched(&mut samples)?;
    Ok((samples.velocity, steps))
}

/// An impact by an integrator.
pub(super) fn impact_by(
    integrator: &impl Integrator,
    (form, case, tolerance): (Form, &Case, f64),
) -> Result<Followed, Failure> {
    let sliding = case.sliding;
    impact(case, tolerance, |events| match form {
        Form::Impulse => integrator.follow(&OverImpulseWorking(sliding), tolerance, events),
        Form::Regular => integrator.follow(&RegularWorking(sliding), tolerance, events),
    })
}

/// A slip by an integrator, and its steps.
pub(super) fn slip_by(
    integrator: &impl Integrator,
    (form, case, tolerance): (Form, &Case, f64),
) -> Result<(Vec<[f64; 2]>, usize), Failure> {
    let sliding = case.sliding;
    slip(case, tolerance, |samples| match form {
        Form::Impulse => integrator.follow(&OverImpulse(sliding), tolerance, samples),
        Form::Regular => integrator.follow(&Regular(sliding), tolerance, samples),
    })
}
