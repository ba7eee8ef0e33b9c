//! Impacts and slips by any integrator, in either form of the equations.

use routh::{Collision, Impact};
use routh_integrators::Failure;
use routh_integrators::impact::SlidingImpact;

use super::field::Field;
use super::watch::{End, Events, Samples, Watch, Watched};
use super::{Case, Integrator};

/// A form of the equations.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// Over the impulse.
    Impulse,
    /// Over `τ`.
    Tau,
}

/// Velocities of a slip, and its steps.
pub(super) type Slip = (Vec<[f64; 2]>, usize);

/// An impact as a watch sees it.
pub(super) fn impact(
    case: &Case,
    tolerance: f64,
    watched: impl FnOnce(&mut Events) -> Result<usize, Failure>,
) -> Result<Impact<3>, Failure> {
    let Collision { contact, velocity, friction, restitution } = &case.impact;
    let impact = SlidingImpact::new(contact, *velocity, *friction, *restitution);
    let mut events = Events::new(&case.sliding, impact, tolerance);
    let steps = watched(&mut events)?;
    match events.end {
        Some(End::Impact) => events.impact.end(steps),
        Some(End::Halt) => events.impact.halt(steps),
        None => Err(Failure::Stuck { impulse: events.reached() }),
    }
}

/// A slip as a watch sees it.
pub(super) fn slip(
    case: &Case,
    tolerance: f64,
    watched: impl FnOnce(&mut Samples) -> Result<usize, Failure>,
) -> Result<Slip, Failure> {
    let (impulse, rate) = (case.motion.problem.impulse(), case.rate_from_rest);
    let mut samples = Samples::new(&case.sliding, impulse, rate, tolerance);
    let steps = watched(&mut samples)?;
    Ok((samples.velocity, steps))
}

/// Any integrator, whatever its systems and watches.
pub(super) trait Follow: Sync {
    fn impact(&self, form: Form, case: &Case, tolerance: f64) -> Result<Impact<3>, Failure>;
    fn slip(&self, form: Form, case: &Case, tolerance: f64) -> Result<Slip, Failure>;
}

impl<I: Integrator + Sync> Follow for I {
    fn impact(&self, form: Form, case: &Case, tolerance: f64) -> Result<Impact<3>, Failure> {
        impact(case, tolerance, |events| match form {
            Form::Impulse => watched::<false, 3, _>(self, case, tolerance, events),
            Form::Tau => watched::<true, 4, _>(self, case, tolerance, events),
        })
    }

    fn slip(&self, form: Form, case: &Case, tolerance: f64) -> Result<Slip, Failure> {
        slip(case, tolerance, |samples| match form {
            Form::Impulse => watched::<false, 2, _>(self, case, tolerance, samples),
            Form::Tau => watched::<true, 3, _>(self, case, tolerance, samples),
        })
    }
}

fn watched<const OVER_TAU: bool, const N: usize, W: Watch>(
    integrator: &impl Integrator,
    case: &Case,
    tolerance: f64,
    watch: &mut W,
) -> Result<usize, Failure> {
    let field = &Field::<OVER_TAU, N>(case.sliding.clone());
    integrator.follow(&mut Watched { field, tolerance, watch, done: false })
}
