//! Slips by tables: from sector to sector of the contact's flow.

use super::check::energy_change;
use super::follow::{Outcome, go_straight};
use super::inertia::Contact;
use super::instances::{Map, Varies};
use super::number::{absolute, larger, length, smaller};
use super::orbit::{
    Goal, Orbit, Passage, Place, Sector, enter, enter_anew, lacking, leaves, seek, swept, to_exit,
};
use super::real::{EPSILON, FADED, NEGLIGIBLE, RESOLVED, ROUNDED, Real, TABULATED, VANISHING};
use super::restitution::ImpactState;
use super::result::Law;
use super::straight::State;

/// Units in the last place by which the direction of a slip may be off where it starts.
const ROUNDED_DIRECTION: Real = 8.0;

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
    if impact.approach == 0.0 {
        // Orbits are measured by the approach.
        impact.inexact = true;
        return Outcome::Ended;
    }
    let sigma = [at.tangential[0] / speed, at.tangential[1] / speed];
    let flow = contact.rates_at(sigma);
    let across = absolute(flow.across);
    let still = NEGLIGIBLE * larger(absolute(flow.along), absolute(flow.slope));
    if across <= still || across <= 32.0 * EPSILON * contact.rate {
        let line = contact.on_line(sigma, speed);
        let outcome = go_straight(&line, at, impact);
        if flow.slope > 0.0 {
            let aside = across / larger(absolute(flow.along), flow.slope);
            note_deviation(contact, aside * speed, at.impulse, impact);
        }
        return outcome;
    }
    let count = kernel.count();
    let mut now = within(kernel.find(sigma[0], sigma[1]), count);
    let mut orbit = begin(&kernel[now], at, speed);
    // Deviations grow as much as the direction's turning does.
    let repels = kernel[now].passage != Passage::Inward;
    let rounded = ROUNDED_DIRECTION * EPSILON;
    let deviates = repels && across * RESOLVED < rounded * contact.rate;
    let deviation = if deviates { rounded * speed } else { 0.0 };
    let mut exit = orbit.from;
    let mut fastest = speed;
    for _ in 0..count {
        if kernel[now].passage == Passage::Refused {
            return Outcome::Endless;
        }
        let exits = leaves(contact, &kernel[now], &orbit, &mut exit);
        let passed = pass_sector(contact, &kernel[now], &mut orbit, &exit, exits, fastest, impact);
        if passed == Passed::Ended {
            let mut end = orbit.at;
            end.swept = swept(&kernel[now], &orbit, end.u, end.impulse);
            complete(contact, at, &end, fastest, impact);
            note_deviation(contact, deviation, at.impulse, impact);
            return Outcome::Ended;
        }
        if passed == Passed::Lost || !exits {
            return Outcome::Endless;
        }
        let u = to_exit(&kernel[now], &orbit);
        exit.swept = swept(&kernel[now], &orbit, u, exit.impulse);
        fastest = larger(fastest, exit.speed);
        if exit.speed <= FADED * fastest {
            let before = *at;
            complete(contact, at, &exit, fastest, impact);
            note_deviation(contact, deviation, at.impulse, impact);
            check_halt(contact, &before, at, impact);
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
        swept: [0.0, 0.0],
    };
    let mut orbit = Orbit {
        entry: from,
        entry_weight: 0.0,
        passed: 0.0,
        from,
        weight: 0.0,
        functions: [0.0; 4],
        growth: [[0.0; 4]; TERMS],
        at: from,
    };
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

/// Takes the start of a slip, whose largest speed is given, to a place on it. The work of
/// friction follows from velocities and impulses.
pub fn complete<V: Varies>(
    contact: &Contact,
    at: &mut State<V>,
    end: &Place,
    fastest: Real,
    impact: &mut ImpactState<V>,
) {
    let before = *at;
    note_exactness(contact, end.impulse, fastest, impact.approach, impact);
    *at = place_state(end);
    at.tangential_impulse = [-contact.mu * end.swept[0], -contact.mu * end.swept[1]];
    let energy = energy_change(&before, at);
    // Friction takes energy, if rounding does not.
    at.normal_work = larger(at.normal_work, energy);
    at.friction_work = energy - at.normal_work;
}

/// Notes an impact as inexact if errors of the normal velocity, which are a part of how much
/// it may change in a slip whose largest speed is given, are felt beside a normal velocity.
fn note_exactness<V: Varies>(
    contact: &Contact,
    impulse: Real,
    fastest: Real,
    normal: Real,
    impact: &mut ImpactState<V>,
) {
    let rounded = contact.push() * impulse;
    let tabulated = smaller(fastest * contact.lever(), rounded);
    if tabulated > TABULATED * normal || rounded > ROUNDED * normal {
        impact.inexact = true;
    }
}

/// Notes by which part impulses may be off where the tangential velocity is off by a
/// deviation. Friction lets no deviation grow, as measured by `b⁻¹`: so that of the impulses
/// is at most twice it over the lesser inertia.
fn note_deviation<V: Varies>(
    contact: &Contact,
    deviation: Real,
    impulse: Real,
    impact: &mut ImpactState<V>,
) {
    let part = 2.0 * deviation / (smaller(contact.b[0], contact.b[1]) * impulse);
    impact.deviation = larger(impact.deviation, part);
}

/// Notes by which part the tangential impulse up to a halt differs from the one that stops
/// the slip.
fn check_halt<V: Varies>(
    contact: &Contact,
    before: &State<V>,
    at: &State<V>,
    impact: &mut ImpactState<V>,
) {
    let p = at.impulse;
    let [i1, i2] = at.tangential_impulse;
    let size = larger(p, larger(absolute(i1), absolute(i2)));
    for i in 0..2 {
        let b = contact.b[i];
        let left = before.tangential[i] + contact.h[i] * p + b * at.tangential_impulse[i];
        impact.deviation = larger(impact.deviation, absolute(left) / (b * size));
    }
}

/// The normal velocity that the slip would have at a place if it had always changed as it
/// does there: errors of it move the impulse there in proportion.
fn rise(contact: &Contact, at: &Place) -> Real {
    let [c, d] = at.direction;
    absolute(contact.a - contact.mu * (contact.h[0] * c + contact.h[1] * d)) * at.impulse
}

/// Goes through the events of a sector, which the slip leaves at `exit` if it
/// does.
pub fn pass_sector<V: Varies, const TERMS: usize>(
    contact: &Contact,
    sector: &Sector<TERMS>,
    orbit: &mut Orbit<TERMS>,
    exit: &Place,
    exits: bool,
    fastest: Real,
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
        let at = orbit.at;
        note_exactness(contact, at.impulse, fastest, rise(contact, &at), impact);
        let now = place_state(&orbit.at);
        if !impact.turn(&now) {
            return Passed::Lost;
        }
        if impact.is_over() {
            return Passed::Ended;
        }
        // From here on little work is told by what it began with.
        enter_anew(sector, orbit);
    }
    let start = orbit.at;
    let mut last = *exit;
    let turns = exits && !sector.rises && exit.normal < 0.0;
    if turns {
        if !seek(contact, sector, orbit, &zero, -start.normal, true) {
            return Passed::Lost;
        }
        last = orbit.at;
        note_exactness(contact, last.impulse, fastest, rise(contact, &last), impact);
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
        if law != Law::Poisson {
            let end = orbit.at;
            note_exactness(contact, end.impulse, fastest, rise(contact, &end), impact);
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
