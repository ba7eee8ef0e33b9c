//! Slips by adaptive power series in `t`, where `dp = |v_t| dt` and the flow is
//! homogeneous: steps do not shrink as the sliding speed vanishes. Every change between
//! compression and restitution, and the end of the impact, is a root of a step's
//! polynomials.

use super::follow::{Outcome, go_straight};
use super::inertia::Contact;
use super::instances::{Expand, Varies};
use super::number::{absolute, finite, length};
use super::real::{CLEARLY, Real};
use super::restitution::ImpactState;
use super::result::{Law, MOST_EVENTS};
use super::roots::{bounded, column, first_crossing, rise, span, value};
use super::step::{
    Demand, IMPULSE, NORMAL, NORMAL_WORK, Reached, Slip, StepControl, error_scale, no_rates,
    reaches_line, size, state, step_width, values, weights,
};
use super::straight::State;

/// Steps after which a slip is given up: the hardest contacts known, with inertias 1e32
/// apart, take some 1,000.
pub const MOST_STEPS: usize = 10_000;

/// What slips are followed by: power series, and how closely.
#[derive(Clone, Copy, Debug)]
pub struct Kernel<E> {
    pub control: StepControl,
    pub expansion: E,
}

/// A step: a row of coefficients for each order, its length, and where it leads.
#[derive(Clone, Copy, Debug)]
pub struct Step<const ROWS: usize, const COLUMNS: usize> {
    pub rows: [[Real; COLUMNS]; ROWS],
    pub order: usize,
    pub width: Real,
    pub end: [Real; COLUMNS],
}

/// Follows a slip to the end of the impact or to a halt.
pub fn slide<V: Varies, E: Expand<ROWS, COLUMNS>, const ROWS: usize, const COLUMNS: usize>(
    kernel: &Kernel<E>,
    contact: &Contact,
    at: &mut State<V>,
    impact: &mut ImpactState<V>,
) -> Outcome {
    let touches = impact.approach == 0.0;
    let approach =
        if touches { length(at.tangential[0], at.tangential[1]) } else { impact.approach };
    let demand = Demand::of(contact, &impact.restitution, approach);
    let mut slip: Slip<COLUMNS> = Slip::start(contact, at, demand);
    let mut line = no_rates();
    let order = kernel.control.order;
    let mut step = Step { rows: [[0.0; COLUMNS]; ROWS], order, width: 0.0, end: [0.0; COLUMNS] };
    for _ in 0..MOST_STEPS {
        let reached = reaches_line(contact, &slip, &kernel.control, at, &mut line);
        if reached == Reached::Rest {
            return Outcome::Halted;
        }
        if reached == Reached::Line {
            return go_straight(&line, at, impact);
        }
        impact.steps += 1;
        expand_step(kernel, contact, &slip, &mut step);
        let rising = contact.always_separates || rises(contact, &slip, &step.end);
        let stray = if rising { 0.0 } else { normal_span(&step) };
        if is_eventful(&slip, &step.end, stray, impact, rising) {
            let outcome = pass_events(&slip, &mut step, impact, rising, at);
            if outcome != Outcome::GoesOn {
                return outcome;
            }
        }
        slip.arrive(contact, &step.end);
        if !finite(slip.speed) {
            return Outcome::Endless;
        }
    }
    Outcome::Endless
}

/// Expands the series at the start of a step, and finds its length and its end.
fn expand_step<E: Expand<ROWS, COLUMNS>, const ROWS: usize, const COLUMNS: usize>(
    kernel: &Kernel<E>,
    contact: &Contact,
    slip: &Slip<COLUMNS>,
    step: &mut Step<ROWS, COLUMNS>,
) {
    kernel.expansion.expand(contact, &slip.unknowns, &mut step.rows);
    let order = bounded::<ROWS>(step.order);
    let before = if order > 0 { order - 1 } else { 0 };
    let first = if before > 0 { before - 1 } else { 0 };
    let scale = error_scale(contact, slip, &kernel.control);
    let weights = weights(contact, slip);
    let sizes = [
        size(&step.rows[order], &weights),
        size(&step.rows[before], &weights),
        size(&step.rows[first], &weights),
    ];
    step.width = step_width(&kernel.control, &sizes, slip.speed, scale, &slip.flow, contact.rate);
    values(&step.rows, order, step.width, &mut step.end);
}

/// Whether the normal velocity only rises in a step. `a - mu h.sigma` is least where
/// `sigma` is nearest to `h`: at one of the step's ends, unless the direction turns past
/// `h`.
pub fn rises<const COLUMNS: usize>(
    contact: &Contact,
    slip: &Slip<COLUMNS>,
    end: &[Real; COLUMNS],
) -> bool {
    let [h1, h2] = contact.h;
    let x0 = slip.unknowns[0];
    let y0 = slip.unknowns[1];
    let x1 = end[0];
    let y1 = end[1];
    let way = x0 * y1 - y0 * x1;
    let past = (x0 * h2 - y0 * h1) * way > 0.0 && (h1 * y1 - h2 * x1) * way > 0.0;
    let forward = x0 * x1 + y0 * y1 > 0.0;
    forward && !past && separates(contact, x0, y0) && separates(contact, x1, y1)
}

/// Whether sliding in a direction separates the bodies beyond doubt.
fn separates(contact: &Contact, x: Real, y: Real) -> bool {
    let push = contact.mu * (contact.h[0] * x + contact.h[1] * y);
    push < CLEARLY * contact.a * length(x, y)
}

/// How far the normal velocity can stray from its start in a step.
pub fn normal_span<const ROWS: usize, const COLUMNS: usize>(step: &Step<ROWS, COLUMNS>) -> Real {
    let mut normal = [0.0; ROWS];
    column(&step.rows, NORMAL, &mut normal);
    span(&normal, step.order, step.width)
}

/// Whether a step to an end may have events on the way, given how far the normal velocity
/// can stray if it does not only rise.
pub fn is_eventful<V: Varies, const COLUMNS: usize>(
    slip: &Slip<COLUMNS>,
    end: &[Real; COLUMNS],
    stray: Real,
    impact: &ImpactState<V>,
    rising: bool,
) -> bool {
    if !rising {
        return impact.restoring || stray >= absolute(slip.unknowns[NORMAL]);
    }
    if !impact.restoring {
        return end[NORMAL] >= 0.0;
    }
    let now = state(&slip.unknowns);
    let more = impact.owed(&now);
    match impact.restitution.law {
        Law::Newton => end[NORMAL] >= more,
        Law::Poisson => end[IMPULSE] - now.impulse >= more,
        Law::Energetic => end[NORMAL_WORK] - now.normal_work >= more,
    }
}

/// Goes through the events of a step; if the impact ends there, `at` is where it does. A
/// step that restitution should not begin inside ends where it would.
pub fn pass_events<V: Varies, const ROWS: usize, const COLUMNS: usize>(
    slip: &Slip<COLUMNS>,
    step: &mut Step<ROWS, COLUMNS>,
    impact: &mut ImpactState<V>,
    rising: bool,
    at: &mut State<V>,
) -> Outcome {
    let mut normal = [0.0; ROWS];
    column(&step.rows, NORMAL, &mut normal);
    let mut from = 0.0;
    *at = state(&slip.unknowns);
    let mut at_zero = at.normal == 0.0;
    for _ in 0..MOST_EVENTS + 1 {
        let mut next = None;
        if rising && !impact.restoring {
            next = rise(&normal, step.order, -at.normal, from, step.width);
        } else if !rising {
            let upward = !impact.restoring;
            next = first_crossing(&normal, step.order, 0.0, from, step.width, upward, at_zero);
        }
        if impact.restoring {
            let until = next.unwrap_or(step.width);
            if let Some(end) = restored(step, &normal, from, until, impact, at, rising) {
                *at = inside(step, end);
                return Outcome::Ended;
            }
        }
        let Some(event) = next else {
            return Outcome::GoesOn;
        };
        *at = inside(step, event);
        at.normal = 0.0;
        if !impact.turn(at) {
            return Outcome::Endless;
        }
        if impact.is_over() {
            return Outcome::Ended;
        }
        if impact.restores_little() {
            step.width = event;
            values(&step.rows, step.order, event, &mut step.end);
            step.end[NORMAL] = 0.0;
            return Outcome::GoesOn;
        }
        from = event;
        at_zero = true;
    }
    Outcome::Endless
}

/// All quantities of an impact inside a step.
fn inside<V: Varies, const ROWS: usize, const COLUMNS: usize>(
    step: &Step<ROWS, COLUMNS>,
    t: Real,
) -> State<V> {
    let mut unknowns = [0.0; COLUMNS];
    values(&step.rows, step.order, t, &mut unknowns);
    let mut at = state(&unknowns);
    V::vary_rates(&step.rows, step.order, t, &mut at);
    at
}

/// Where in a range of a step of restitution the impact ends, from a state.
fn restored<V: Varies, const ROWS: usize, const COLUMNS: usize>(
    step: &Step<ROWS, COLUMNS>,
    normal: &[Real; ROWS],
    from: Real,
    to: Real,
    impact: &ImpactState<V>,
    at: &State<V>,
    rising: bool,
) -> Option<Real> {
    let law = impact.restitution.law;
    let more = impact.owed(at);
    if law != Law::Newton {
        let unknown = if law == Law::Poisson { IMPULSE } else { NORMAL_WORK };
        let mut series = [0.0; ROWS];
        column(&step.rows, unknown, &mut series);
        return rise(&series, step.order, more, from, to);
    }
    if rising {
        let already = value(normal, step.order, from);
        return rise(normal, step.order, more - already, from, to);
    }
    first_crossing(normal, step.order, more, from, to, true, false)
}
