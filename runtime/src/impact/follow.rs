//! An impact in space from start to end: a slip, then at most one straight line to a halt,
//! then sticking or a slip out of rest.

use super::check::{balances, energy_change, imbalance};
use super::inertia::Contact;
use super::instances::{Slide, Varies};
use super::number::{absolute, exponent, finite, larger, scale};
use super::real::{RESOLVED, Real};
use super::restitution::ImpactState;
use super::result::{EventKind, Impact, MOST_EVENTS, Mode, Restitution, Status};
use super::straight::{ConstantRates, State};

/// What impulses from tables may be off, as a multiple of the tables' tolerance.
const MOST_DEVIATION: Real = 200.0;

/// Where a phase led: on, to the end of the impact, to a halt, or nowhere in the steps that
/// it may take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    GoesOn,
    Ended,
    Halted,
    Endless,
}

/// Whether a velocity, normal first, approaches, or the contact jams, and a coefficient of
/// restitution is one.
pub fn check_approach<const DIMENSION: usize>(
    velocity: &[Real; DIMENSION],
    restitution: &Restitution,
    jams: bool,
) -> Status {
    for i in 0..DIMENSION {
        if !finite(velocity[i]) {
            return Status::NotFinite;
        }
    }
    // What touches and jams is the limit of slower and slower approach.
    if !(velocity[0] < 0.0 || velocity[0] == 0.0 && jams) {
        return Status::NotApproaching;
    }
    if !(restitution.e >= 0.0 && restitution.e <= 1.0) {
        return Status::RestitutionOutOfRange;
    }
    Status::Solved
}

/// The unit of velocity, as a power of two: the largest velocity is of order one in it.
pub fn velocity_unit<const DIMENSION: usize>(velocity: &[Real; DIMENSION]) -> i32 {
    let mut largest = 0.0;
    for i in 0..DIMENSION {
        largest = larger(largest, absolute(velocity[i]));
    }
    exponent(largest)
}

/// The impact of a contact that approaches with a velocity, normal first, under a law of
/// restitution, with its slip followed by a kernel to a tolerance.
pub fn collide<V: Varies, K: Slide<V>>(
    contact: &Contact,
    velocity: &[Real; 3],
    restitution: &Restitution,
    kernel: &K,
    tolerance: Real,
    out: &mut Impact<3>,
    jacobian: &mut V::Jacobian,
) -> Status {
    let unit = velocity_unit(velocity);
    let before = before_impact_state(contact, velocity, unit);
    let checked = check_approach(velocity, restitution, contact.jams(&before.tangential));
    if checked != Status::Solved {
        return checked;
    }
    let mut impact = ImpactState::begin(restitution, -before.normal);
    let mut at = before;
    if !follow(contact, kernel, &mut at, &mut impact, &mut out.mode) {
        return Status::StepLimit;
    }
    if !V::differentiate(contact, &at, &impact, scale(1.0, unit), jacobian) {
        return Status::NotFinite;
    }
    report(contact, &before, &at, &impact, unit, tolerance, out)
}

/// The state before an impact, in the contact's axes and in a unit of velocity.
pub fn before_impact_state<V: Varies>(
    contact: &Contact,
    velocity: &[Real; 3],
    unit: i32,
) -> State<V> {
    State {
        impulse: 0.0,
        tangential_impulse: [0.0, 0.0],
        normal: scale(velocity[0], -unit),
        tangential: contact.inward([scale(velocity[1], -unit), scale(velocity[2], -unit)]),
        normal_work: 0.0,
        friction_work: 0.0,
        variation: V::before_impact(),
    }
}

/// Follows an impact from its start to its end; whether it has one.
pub fn follow<V: Varies, K: Slide<V>>(
    contact: &Contact,
    kernel: &K,
    at: &mut State<V>,
    impact: &mut ImpactState<V>,
    mode: &mut Mode,
) -> bool {
    let slides = at.tangential[0] != 0.0 || at.tangential[1] != 0.0;
    let mut outcome = Outcome::Halted;
    if slides {
        outcome = kernel.slide(contact, at, impact);
    }
    conclude(contact, outcome, slides, at, impact, mode)
}

/// Follows an impact to its end from where its slip led, or from a start at rest; whether
/// it has one.
pub fn conclude<V: Varies>(
    contact: &Contact,
    slipped: Outcome,
    slides: bool,
    at: &mut State<V>,
    impact: &mut ImpactState<V>,
    mode: &mut Mode,
) -> bool {
    *mode = Mode::PermanentSliding;
    if slipped != Outcome::Halted {
        return slipped == Outcome::Ended;
    }
    *mode = mode_from_rest(contact.sticks, slides, impact.restoring);
    leave_rest(contact, at, impact, slides) == Outcome::Ended
}

/// What follows a halt, or a start at rest.
fn leave_rest<V: Varies>(
    contact: &Contact,
    at: &mut State<V>,
    impact: &mut ImpactState<V>,
    halted: bool,
) -> Outcome {
    at.tangential = [0.0, 0.0];
    V::vary_rest(contact, halted, at);
    if halted && !impact.events.note(EventKind::Halt, at.impulse) {
        return Outcome::Endless;
    }
    let next = if contact.sticks { EventKind::Stick } else { EventKind::SlipRestart };
    if !impact.events.note(next, at.impulse) {
        return Outcome::Endless;
    }
    let phase = contact.from_rest();
    go_straight(&phase, at, impact)
}

/// The mode of an impact that has come to rest, or begins there.
pub fn mode_from_rest(sticks: bool, slid: bool, restoring: bool) -> Mode {
    if !slid {
        return if sticks { Mode::Sticking } else { Mode::SlipFromRest };
    }
    if restoring {
        return if sticks { Mode::StickingInRestitution } else { Mode::ReverseInRestitution };
    }
    if sticks { Mode::StickingInCompression } else { Mode::ReverseInCompression }
}

/// Writes a result out of the units and axes that it was found in, if it balances.
pub fn report<V: Varies>(
    contact: &Contact,
    before: &State<V>,
    at: &State<V>,
    impact: &ImpactState<V>,
    unit: i32,
    tolerance: Real,
    out: &mut Impact<3>,
) -> Status {
    if impact.inexact || impact.deviation > larger(RESOLVED, MOST_DEVIATION * tolerance) {
        return Status::Inexact;
    }
    let off = imbalance(contact, before, at, impact);
    if !balances(&off, tolerance) {
        return Status::NotConserved;
    }
    let tangential = contact.outward(at.tangential);
    out.velocity = [scale(at.normal, unit), scale(tangential[0], unit), scale(tangential[1], unit)];
    let friction = contact.outward(at.tangential_impulse);
    let impulse = unit - contact.unit;
    out.impulse =
        [scale(at.impulse, impulse), scale(friction[0], impulse), scale(friction[1], impulse)];
    out.compression_impulse = scale(impact.compressed_impulse, impulse);
    let work = impulse + unit;
    out.normal_work = scale(at.normal_work, work);
    out.friction_work = scale(at.friction_work, work);
    out.energy_change = scale(energy_change(before, at), work);
    out.critical_friction = contact.critical_friction;
    out.steps = impact.steps;
    out.events = impact.events;
    for i in 0..MOST_EVENTS {
        if i < out.events.count {
            out.events.list[i].impulse = scale(out.events.list[i].impulse, impulse);
        }
    }
    is_finite(out)
}

/// Whether all of a result is finite.
pub fn is_finite<const DIMENSION: usize>(out: &Impact<DIMENSION>) -> Status {
    for i in 0..DIMENSION {
        if !finite(out.velocity[i]) || !finite(out.impulse[i]) {
            return Status::NotFinite;
        }
    }
    let works = finite(out.normal_work) && finite(out.friction_work);
    if works && finite(out.energy_change) && finite(out.critical_friction) {
        Status::Solved
    } else {
        Status::NotFinite
    }
}

/// Follows constant rates to the end of the impact or to a halt.
pub fn go_straight<V: Varies>(
    phase: &ConstantRates<V>,
    at: &mut State<V>,
    impact: &mut ImpactState<V>,
) -> Outcome {
    let halt = at.impulse + phase.halt;
    for _ in 0..MOST_EVENTS {
        let to_halt = halt - at.impulse;
        let to_turn = phase.impulse_to_turn(at, impact.restoring);
        if impact.restoring {
            let q = phase.impulse_owed(at, impact.restitution.law, impact.owed(at));
            if q < Real::INFINITY && q <= to_turn && q <= to_halt {
                *at = phase.advance(at, q);
                return Outcome::Ended;
            }
        }
        if to_halt < Real::INFINITY && to_halt <= to_turn {
            *at = phase.advance(at, to_halt);
            V::vary_halt(phase, at);
            return Outcome::Halted;
        }
        if to_turn == Real::INFINITY {
            return Outcome::Endless;
        }
        *at = phase.advance(at, to_turn);
        at.normal = 0.0;
        if !impact.turn(at) {
            return Outcome::Endless;
        }
        if impact.is_over() {
            return Outcome::Ended;
        }
    }
    Outcome::Endless
}
