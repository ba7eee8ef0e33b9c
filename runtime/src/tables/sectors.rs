//! Slips by tables: from sector to sector of the contact's flow.

use super::check::energy_change;
use super::follow::{Outcome, go_straight};
use super::inertia::Contact;
use super::instances::{Map, Varies};
use super::number::{absolute, larger, length, smaller};
use super::orbit::{Goal, Orbit, Passage, Place, Sector, enter, lacking, leaves, seek};
use super::real::{EPSILON, FADED, FAINT, INDEFINITE, INEXACT, NEGLIGIBLE, Real, VANISHING};
use super::restitution::ImpactState;
use super::result::Law;
use super::straight::State;

/// What slips are followed by: the compiled flow of the contact.
#[derive(Clone, Copy, Debug)]
pub struct Tables<
    const SECTORS: usize,
    const BORDERS: usize,
    const BUCKETS: usize,
    const TERMS: usize,
> {
    pub sectors: [Sector<TERMS>; SECTORS],
    /// Where sectors begin, in their order; the first at no more than zero.
    pub borders: [Border; BORDERS],
    /// The last border before each of the buckets begins.
    pub buckets: [u32; BUCKETS],
}

/// Where a sector begins.
#[derive(Clone, Copy, Debug)]
pub struct Border {
    /// As a number from 0 to 4 that grows with the direction's angle.
    pub begins: Real,
    pub sector: u32,
}

/// What became of a slip in a sector: it goes on, or the impact ends, or is lost.
#[derive(Clone, Copy, PartialEq)]
pub enum Passed {
    On,
    Ended,
    Lost,
}

/// The sector of a direction.
pub fn find_sector<
    const SECTORS: usize,
    const BORDERS: usize,
    const BUCKETS: usize,
    const TERMS: usize,
>(
    kernel: &Tables<SECTORS, BORDERS, BUCKETS, TERMS>,
    c: Real,
    d: Real,
) -> u32 {
    let ratio = c / (absolute(c) + absolute(d));
    let angle = if d >= 0.0 { 1.0 - ratio } else { 3.0 + ratio };
    let bucket = (angle * (0.25 * BUCKETS as Real)) as usize;
    let first = kernel.buckets[if bucket < BUCKETS { bucket } else { BUCKETS - 1 }] as usize;
    let mut found: u32 = 0;
    for border in first..BORDERS {
        if kernel.borders[border].begins > angle {
            break;
        }
        found = kernel.borders[border].sector;
    }
    found
}

/// Follows a slip to the end of the impact or to a halt. It goes through every
/// sector once at most.
pub fn slide<V: Varies, M: Map<TERMS>, const TERMS: usize>(
    kernel: &M,
    contact: &Contact,
    at: &mut State<V>,
    impact: &mut ImpactState<V>,
) -> Outcome {
    let speed = length(at.tangential[0], at.tangential[1]);
    if speed <= VANISHING {
        return Outcome::Halted;
    }
    let sigma = [at.tangential[0] / speed, at.tangential[1] / speed];
    let flow = contact.rates_at(sigma);
    let across = absolute(flow.across);
    let still = NEGLIGIBLE * larger(absolute(flow.along), absolute(flow.slope));
    if across <= still || across <= 32.0 * EPSILON * contact.rate {
        let line = contact.on_line(sigma, speed);
        return go_straight(&line, at, impact);
    }
    let count = kernel.count();
    let mut now = within(kernel.find(sigma[0], sigma[1]), count);
    let mut orbit = begin(&kernel[now], at, speed);
    let mut exit = orbit.from;
    let mut fastest = speed;
    for _ in 0..count {
        if kernel[now].passage == Passage::Refused {
            return Outcome::Endless;
        }
        let exits = leaves(contact, &kernel[now], &orbit, &mut exit);
        let passed = pass_sector(contact, &kernel[now], &mut orbit, &exit, exits, impact);
        if passed == Passed::Ended {
            complete(contact, at, &orbit.at, impact);
            return Outcome::Ended;
        }
        if passed == Passed::Lost || !exits {
            return Outcome::Endless;
        }
        fastest = larger(fastest, exit.speed);
        if exit.speed <= FADED * fastest {
            complete(contact, at, &exit, impact);
            return Outcome::Halted;
        }
        let side = if orbit.from.x < 0.0 { 0 } else { 1 };
        let next = within(kernel[now].next[side], count);
        let inward = kernel[next].passage == Passage::Inward;
        exit.x = if inward && kernel[now].width < 0.0 { 1.0 } else { -1.0 };
        enter(&kernel[next], &exit, &mut orbit);
        now = next;
    }
    Outcome::Endless
}

/// The number of a sector, of so many.
fn within(number: u32, count: usize) -> usize {
    let sector = number as usize;
    if sector < count { sector } else { 0 }
}

/// A slip that begins in a sector.
pub fn begin<V: Varies, const TERMS: usize>(
    sector: &Sector<TERMS>,
    at: &State<V>,
    speed: Real,
) -> Orbit<TERMS> {
    let [c, d] = sector.direction;
    let [v1, v2] = at.tangential;
    let from = Place {
        x: (c * v2 - d * v1) / ((speed + (c * v1 + d * v2)) * sector.width),
        u: 0.0,
        speed,
        impulse: at.impulse,
        normal: at.normal,
        work: at.normal_work,
        direction: [0.0, 0.0],
    };
    let mut orbit =
        Orbit { from, weight: 0.0, functions: [0.0; 4], growth: [[0.0; 4]; TERMS], at: from };
    enter(sector, &from, &mut orbit);
    orbit
}

/// What the laws compare at a place.
pub fn place_state<V: Varies>(at: &Place) -> State<V> {
    State {
        impulse: at.impulse,
        tangential_impulse: [0.0, 0.0],
        normal: at.normal,
        tangential: [at.speed * at.direction[0], at.speed * at.direction[1]],
        normal_work: at.work,
        friction_work: 0.0,
        variation: V::before_impact(),
    }
}

/// Takes the start of a slip to a place on it: velocities and the normal impulse tell the
/// tangential impulse and its work.
pub fn complete<V: Varies>(
    contact: &Contact,
    at: &mut State<V>,
    end: &Place,
    impact: &mut ImpactState<V>,
) {
    let before = *at;
    *at = place_state(end);
    if !slip_impulse(contact, &before, at) {
        impact.inexact = true;
    }
    let energy = energy_change(&before, at);
    // Friction takes energy, if rounding does not.
    at.normal_work = larger(at.normal_work, energy);
    at.friction_work = energy - at.normal_work;
}

/// The part of its speed by which a slip may change for its impulse to follow from how it
/// turns at both ends.
const SHORT: Real = 0.05;

/// The tangential impulse of a slip from a state to another, which gets it; whether it is
/// exact.
fn slip_impulse<V: Varies>(contact: &Contact, before: &State<V>, after: &mut State<V>) -> bool {
    let [s1, s2] = before.tangential;
    let [t1, t2] = after.tangential;
    let p = after.impulse;
    let slowest = smaller(length(s1, s2), length(t1, t2));
    if contact.mu == 0.0 {
        after.tangential_impulse = [0.0, 0.0];
        return true;
    }
    if contact.rate * p < SHORT * slowest {
        let begins = turning(contact, before.tangential, p);
        let ends = turning(contact, after.tangential, p);
        for i in 0..2 {
            let mean = 0.5 * (begins.direction[i] + ends.direction[i])
                + 0.1 * (begins.first[i] - ends.first[i])
                + (1.0 / 120.0) * (begins.second[i] + ends.second[i]);
            after.tangential_impulse[i] = -contact.mu * p * mean;
        }
        return true;
    }
    let change = [after.normal - before.normal, t1 - s1, t2 - s2];
    after.tangential_impulse = reaction(contact, &change, p);
    let speed = larger(length(s1, s2), length(t1, t2));
    let [b1, b2] = contact.b;
    let lighter = if b1 >= b2 { length(b2, contact.h[1]) } else { length(b1, contact.h[0]) };
    let heavy = smaller(larger(b1, b2), lighter);
    contact.mu >= FAINT && INEXACT * speed <= heavy * p * smaller(FRICTION_LEVER * contact.mu, 1.0)
}

/// How much less exact a tangential impulse may be beside friction than beside the normal
/// impulse.
const FRICTION_LEVER: Real = 25.0;

/// A sliding direction, and how it changes with the impulse and how that does, over a given
/// impulse.
struct Turning {
    direction: [Real; 2],
    first: [Real; 2],
    second: [Real; 2],
}

/// How a slip turns at a velocity.
fn turning(contact: &Contact, velocity: [Real; 2], impulse: Real) -> Turning {
    let speed = length(velocity[0], velocity[1]);
    let [c, d] = [velocity[0] / speed, velocity[1] / speed];
    let flow = contact.rates_at([c, d]);
    let q = impulse / speed;
    let turn = flow.across * q;
    let bend = turn * (flow.slope - flow.along) * q;
    Turning {
        direction: [c, d],
        first: [-d * turn, c * turn],
        second: [-d * bend - c * turn * turn, c * bend - d * turn * turn],
    }
}

/// The tangential impulse that makes a change of velocity, normal first, together with a
/// normal impulse: three equations for two components. The one along the larger inertia
/// is told best by its own velocity; the other follows from its own and from the normal
/// one by least squares.
fn reaction(contact: &Contact, change: &[Real; 3], normal: Real) -> [Real; 2] {
    let [h1, h2] = contact.h;
    let [b1, b2] = contact.b;
    let push = change[0] - contact.a * normal;
    let rest1 = change[1] - h1 * normal;
    let rest2 = change[2] - h2 * normal;
    if b1 >= b2 {
        let first = rest1 / b1;
        [first, (b2 * rest2 + h2 * (push - h1 * first)) / (b2 * b2 + h2 * h2)]
    } else {
        let second = rest2 / b2;
        [(b1 * rest1 + h1 * (push - h2 * second)) / (b1 * b1 + h1 * h1), second]
    }
}

/// Notes an impact as inexact if the normal velocity changes so slowly at a place that small
/// errors of it move the impulse at which it has a value.
fn note_exactness<V: Varies>(contact: &Contact, at: &Place, impact: &mut ImpactState<V>) {
    let [c, d] = at.direction;
    let rate = contact.a - contact.mu * (contact.h[0] * c + contact.h[1] * d);
    if absolute(rate) < INDEFINITE * contact.push() {
        impact.inexact = true;
    }
}

/// Goes through the events of a sector, which the slip leaves at `exit` if it
/// does.
pub fn pass_sector<V: Varies, const TERMS: usize>(
    contact: &Contact,
    sector: &Sector<TERMS>,
    orbit: &mut Orbit<TERMS>,
    exit: &Place,
    exits: bool,
    impact: &mut ImpactState<V>,
) -> Passed {
    let zero = Goal { law: Law::Newton, level: 0.0 };
    if !impact.restoring {
        if !sector.rises || (exits && lacking(&zero, exit) > 0.0) {
            return Passed::On;
        }
        let missing = -orbit.at.normal;
        if !seek(contact, sector, orbit, &zero, missing, false) {
            return Passed::Lost;
        }
        note_exactness(contact, &orbit.at, impact);
        let now = place_state(&orbit.at);
        if !impact.turn(&now) {
            return Passed::Lost;
        }
        if impact.is_over() {
            return Passed::Ended;
        }
        // From here on little work is told by what it began with.
        let here = orbit.at;
        enter(sector, &here, orbit);
    }
    let start = orbit.at;
    let mut last = *exit;
    let turns = exits && !sector.rises && exit.normal < 0.0;
    if turns {
        if !seek(contact, sector, orbit, &zero, -start.normal, true) {
            return Passed::Lost;
        }
        note_exactness(contact, &orbit.at, impact);
        last = orbit.at;
        orbit.at = start;
    }
    let law = impact.restitution.law;
    let now = place_state(&start);
    let more = impact.owed(&now);
    let mut goal = Goal { law, level: more };
    let mut missing = more;
    match law {
        Law::Newton => missing = more - start.normal,
        Law::Poisson => goal.level = start.impulse + more,
        Law::Energetic => goal.level = start.work + more,
    }
    let mut ends = !exits || !(lacking(&goal, &last) > 0.0);
    if law == Law::Newton && !sector.rises {
        ends = false;
    }
    if ends || missing <= 0.0 {
        let found = seek(contact, sector, orbit, &goal, missing, false);
        if law == Law::Newton {
            note_exactness(contact, &orbit.at, impact);
        }
        return if found { Passed::Ended } else { Passed::Lost };
    }
    if turns {
        orbit.at = last;
        let turned = place_state(&last);
        if !impact.turn(&turned) {
            return Passed::Lost;
        }
    }
    Passed::On
}
