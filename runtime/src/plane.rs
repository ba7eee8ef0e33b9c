//! The impact in the plane: find the mode, then evaluate its closed form.

use super::follow::{check_approach, is_finite, velocity_unit};
use super::inertia::{Inertia, SPARE, in_range};
use super::instances::Forms;
use super::number::{absolute, exponent, finite, larger, scale};
use super::real::{Real, UNLIMITED, VANISHING};
use super::result::{EventKind, Events, Friction, Impact, Law, Mode, Restitution, Status};

/// A planar contact in units of order one, with the friction that it slides and sticks by:
/// inertia `[a c; c b]`.
#[derive(Clone, Copy, Debug)]
pub struct PlanarContact {
    pub a: Real,
    pub b: Real,
    pub c: Real,
    /// Kinetic friction.
    pub mu: Real,
    /// The least static friction that holds it.
    pub critical_friction: Real,
    /// Whether it sticks once it is at rest.
    pub sticks: bool,
    /// The unit of inertia, as a power of two.
    pub unit: i32,
}

impl PlanarContact {
    /// A planar contact without inertia.
    pub const NONE: Self =
        Self { a: 0.0, b: 0.0, c: 0.0, mu: 0.0, critical_friction: 0.0, sticks: false, unit: 0 };
}

/// A planar contact before impact.
#[derive(Clone, Copy, Debug)]
pub struct Approach {
    pub a: Real,
    pub b: Real,
    pub c: Real,
    pub mu: Real,
    /// The direction of sliding.
    pub sigma: Real,
    pub e: Real,
    pub vn: Real,
    pub vt: Real,
}

/// What a closed form tells, in units of order one.
#[derive(Clone, Copy, Debug)]
pub struct Closed {
    pub velocity: [Real; 2],
    pub impulse: [Real; 2],
    pub compression_impulse: Real,
    pub normal_work: Real,
    pub friction_work: Real,
    /// Where sliding halts, in modes in which it does.
    pub halt_impulse: Real,
}

/// A contact from a checked inertia and its friction.
#[inline]
pub fn prepare_planar(
    inertia: &Inertia<2>,
    friction: &Friction,
    contact: &mut PlanarContact,
) -> Status {
    if !in_range(friction) {
        return Status::FrictionOutOfRange;
    }
    let [a, c] = inertia.entries[0];
    let b = inertia.entries[1][1];
    let unit = exponent(a);
    contact.unit = unit;
    contact.a = scale(a, -unit);
    contact.b = scale(b, -unit);
    contact.c = scale(c, -unit);
    contact.mu = friction.kinetic;
    let product = contact.mu * larger(contact.b, absolute(contact.c));
    if contact.mu > 1.0 && !(product * SPARE < UNLIMITED) {
        return Status::FrictionOutOfRange;
    }
    contact.critical_friction = absolute(c) / b;
    contact.sticks = contact.critical_friction <= friction.static_friction;
    Status::Solved
}

/// The impact of a contact that approaches with a velocity, normal first, under a law of
/// restitution.
pub fn collide_planar<F: Forms>(
    contact: &PlanarContact,
    velocity: &[Real; 2],
    restitution: &Restitution,
    forms: &F,
    out: &mut Impact<2>,
    jacobian: &mut F::Jacobian,
) -> Status {
    let jams = contact.mu * contact.c * velocity[1] > contact.a * absolute(velocity[1]);
    let checked = check_approach(velocity, restitution, jams);
    if checked != Status::Solved {
        return checked;
    }
    let unit = velocity_unit(velocity);
    let vn = scale(velocity[0], -unit);
    let given = scale(velocity[1], -unit);
    let vt = if absolute(given) <= VANISHING { 0.0 } else { given };
    // Out of rest, sliding can only begin the way the coupling pushes.
    let way = if vt == 0.0 { contact.c } else { vt };
    let approach = Approach {
        a: contact.a,
        b: contact.b,
        c: contact.c,
        mu: contact.mu,
        sigma: if way < 0.0 { -1.0 } else { 1.0 },
        e: restitution.e,
        vn,
        vt,
    };
    let mode = planar_mode(&approach, contact.sticks);
    let mut closed = Closed {
        velocity: [0.0, 0.0],
        impulse: [0.0, 0.0],
        compression_impulse: 0.0,
        normal_work: 0.0,
        friction_work: 0.0,
        halt_impulse: 0.0,
    };
    forms.evaluate(&approach, mode, restitution.law, &mut closed, jacobian);
    let impulse = unit - contact.unit;
    let work = impulse + unit;
    let energy = 0.5 * closed.impulse[0] * (vn + closed.velocity[0])
        + 0.5 * closed.impulse[1] * (vt + closed.velocity[1]);
    out.mode = mode;
    out.steps = 0;
    out.velocity = [scale(closed.velocity[0], unit), scale(closed.velocity[1], unit)];
    out.impulse = [scale(closed.impulse[0], impulse), scale(closed.impulse[1], impulse)];
    out.compression_impulse = scale(closed.compression_impulse, impulse);
    out.normal_work = scale(closed.normal_work, work);
    out.friction_work = scale(closed.friction_work, work);
    out.energy_change = scale(energy, work);
    out.critical_friction = contact.critical_friction;
    let halt = scale(closed.halt_impulse, impulse);
    note_planar_events(mode, halt, out.compression_impulse, &mut out.events);
    if !forms.finish(
        jacobian,
        scale(1.0, unit),
        vt == 0.0,
        slope_at_rest(contact, restitution, mode),
    ) {
        return Status::NotFinite;
    }
    is_finite(out)
}

/// How the normal velocity after an impact from rest varies with the tangential one before:
/// where sliding halts at once, by what the impulse that stops it adds to the approach. Where
/// it does not, there is no derivative, and this is zero.
pub fn slope_at_rest(contact: &PlanarContact, restitution: &Restitution, mode: Mode) -> Real {
    let halts = mode == Mode::Sticking && contact.critical_friction < contact.mu;
    if !halts || restitution.law == Law::Newton {
        return 0.0;
    }
    restitution.e * (contact.c / contact.b)
}

/// Takes the Jacobian of a closed form out of its unit of velocity; whether it is finite. At
/// rest the derivatives by the tangential velocity are given.
pub fn finish(
    jacobian: &mut [[Real; 4]; 2],
    unit: Real,
    at_rest: bool,
    slope_at_rest: Real,
) -> bool {
    if at_rest {
        jacobian[0][1] = slope_at_rest;
        jacobian[1][1] = 0.0;
    }
    let mut all = true;
    for i in 0..2 {
        jacobian[i][2] *= unit;
        jacobian[i][3] *= unit;
        for j in 0..4 {
            all = all && finite(jacobian[i][j]);
        }
    }
    all
}

/// The most events that a planar impact can have: a halt, what follows it, and the end of
/// compression.
pub const MOST_PLANAR_EVENTS: usize = 3;

/// Notes what happens in a mode, given where it halts and where compression ends.
#[inline]
fn note_planar_events(mode: Mode, halt: Real, compression: Real, events: &mut Events) {
    events.count = 0;
    let slides = mode == Mode::PermanentSliding;
    let at_rest = mode == Mode::Sticking || mode == Mode::SlipFromRest;
    let later = mode == Mode::StickingInRestitution || mode == Mode::ReverseInRestitution;
    let sticks = mode == Mode::Sticking
        || mode == Mode::StickingInCompression
        || mode == Mode::StickingInRestitution;
    if later {
        events.note(EventKind::CompressionEnd, compression);
    }
    if !slides {
        let place = if at_rest { 0.0 } else { halt };
        if !at_rest {
            events.note(EventKind::Halt, place);
        }
        let next = if sticks { EventKind::Stick } else { EventKind::SlipRestart };
        events.note(next, place);
    }
    if !later {
        events.note(EventKind::CompressionEnd, compression);
    }
}

/// The mode, from where the initial slip would halt and end.
#[inline]
pub fn planar_mode(approach: &Approach, sticks: bool) -> Mode {
    if approach.vt == 0.0 {
        return if sticks { Mode::Sticking } else { Mode::SlipFromRest };
    }
    let normal_rate = approach.a - approach.mu * approach.c * approach.sigma;
    let slowing = approach.mu * approach.b - approach.c * approach.sigma;
    if slowing <= 0.0 {
        return Mode::PermanentSliding;
    }
    let halt = absolute(approach.vt) / slowing;
    // A jamming start does not part the bodies and halts before compression ends.
    if approach.vn + normal_rate * halt <= 0.0 {
        return if sticks { Mode::StickingInCompression } else { Mode::ReverseInCompression };
    }
    // While sliding lasts, the three laws agree.
    if normal_rate * halt >= -(1.0 + approach.e) * approach.vn {
        return Mode::PermanentSliding;
    }
    if sticks { Mode::StickingInRestitution } else { Mode::ReverseInRestitution }
}
