/// What slips are followed by: the compiled flow of the contact.
#[derive(Clone, Copy)]
struct Kernel {
    sectors: [Sector; SECTORS],
    /// Where sectors begin, in their order; the first at no more than zero.
    borders: [Border; BORDERS],
    /// The last border before each of the cells begins.
    cells: [u32; CELLS],
}

/// Where a sector begins.
#[derive(Clone, Copy, Debug)]
struct Border {
    /// As a number from 0 to 4 that grows with the direction's angle.
    begins: Real,
    sector: u32,
}

/// What became of a slip in a sector: it goes on, or the impact ends, or is lost.
#[derive(Clone, Copy, PartialEq)]
enum Passed {
    On,
    Ended,
    Lost,
}

/// The sector of that number.
fn sector_of(number: u32) -> usize {
    let sector = number as usize;
    if sector < SECTORS { sector } else { 0 }
}

/// The sector of a direction.
fn find_sector(kernel: &Kernel, c: Real, d: Real) -> usize {
    let ratio = c / (absolute(c) + absolute(d));
    let angle = if d >= 0.0 { 1.0 - ratio } else { 3.0 + ratio };
    let cell = (angle * (0.25 * CELLS as Real)) as usize;
    let first = kernel.cells[if cell < CELLS { cell } else { CELLS - 1 }] as usize;
    let mut found: u32 = 0;
    for border in first..BORDERS {
        if kernel.borders[border].begins > angle {
            break;
        }
        found = kernel.borders[border].sector;
    }
    sector_of(found)
}

/// Follows a slip to the end of the impact or to a halt. It goes through every
/// sector once at most.
fn slide(
    contact: &Contact,
    kernel: &Kernel,
    at: &mut Moment,
    ledger: &mut Ledger,
    steps: &mut usize,
) -> Outcome {
    *steps = 0;
    let speed = length(at.tangential[0], at.tangential[1]);
    if speed <= VANISHING {
        return Outcome::Halted;
    }
    let sigma = [at.tangential[0] / speed, at.tangential[1] / speed];
    let flow = turning(contact, sigma[0], sigma[1]);
    let across = absolute(flow.across);
    let still = NEGLIGIBLE * larger(absolute(flow.along), absolute(flow.slope));
    if across <= still || across <= contact.noise {
        let line = on_line(contact, &sigma, speed);
        return go_straight(&line, at, ledger);
    }
    let mut now = find_sector(kernel, sigma[0], sigma[1]);
    let mut orbit = begin(&kernel.sectors[now], at, speed);
    let mut exit = orbit.from;
    let mut fastest = speed;
    for _ in 0..SECTORS {
        let exits = leaves(contact, &kernel.sectors[now], &orbit, &mut exit);
        let passed = pass_events(contact, &kernel.sectors[now], &mut orbit, &exit, exits, ledger);
        if passed == Passed::Ended {
            complete(contact, at, &orbit.at);
            return Outcome::Ended;
        }
        if passed == Passed::Lost || !exits {
            return Outcome::Endless;
        }
        fastest = larger(fastest, exit.speed);
        if exit.speed <= FADED * fastest {
            complete(contact, at, &exit);
            return Outcome::Halted;
        }
        let next = sector_of(kernel.sectors[now].next[if orbit.from.x < 0.0 { 0 } else { 1 }]);
        let inward = kernel.sectors[next].passage == Passage::Inward;
        exit.x = if inward && kernel.sectors[now].width < 0.0 { 1.0 } else { -1.0 };
        enter(&kernel.sectors[next], &exit, &mut orbit);
        now = next;
    }
    Outcome::Endless
}

/// A slip that begins in a sector.
fn begin(sector: &Sector, at: &Moment, speed: Real) -> Orbit {
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
fn tally(at: &Place) -> Moment {
    Moment {
        impulse: at.impulse,
        tangential_impulse: [0.0, 0.0],
        normal: at.normal,
        tangential: [at.speed * at.direction[0], at.speed * at.direction[1]],
        normal_work: at.work,
        friction_work: 0.0,
    }
}

/// Takes the start of a slip to a place on it: velocities and the normal impulse
/// tell the tangential impulse and its work.
fn complete(contact: &Contact, at: &mut Moment, end: &Place) {
    let before = *at;
    *at = tally(end);
    for i in 0..2 {
        let change = at.tangential[i] - before.tangential[i] - contact.h[i] * at.impulse;
        at.tangential_impulse[i] = change / contact.b[i];
    }
    let [i1, i2] = at.tangential_impulse;
    let energy = 0.5
        * (at.impulse * (before.normal + at.normal)
            + i1 * (before.tangential[0] + at.tangential[0])
            + i2 * (before.tangential[1] + at.tangential[1]));
    at.friction_work = energy - at.normal_work;
}

/// Goes through the events of a sector, which the slip leaves at `exit` if it
/// does.
fn pass_events(
    contact: &Contact,
    sector: &Sector,
    orbit: &mut Orbit,
    exit: &Place,
    exits: bool,
    ledger: &mut Ledger,
) -> Passed {
    let zero = Goal { law: Law::Newton, level: 0.0 };
    if !ledger.restoring {
        if !sector.rises || (exits && lacking(&zero, exit) > 0.0) {
            return Passed::On;
        }
        let missing = -orbit.at.normal;
        if !seek(contact, sector, orbit, &zero, missing, false) {
            return Passed::Lost;
        }
        let now = tally(&orbit.at);
        turn(ledger, &now);
        if over(ledger) {
            return Passed::Ended;
        }
    }
    let start = orbit.at;
    let mut last = *exit;
    let turns = exits && !sector.rises && exit.normal < 0.0;
    if turns {
        if !seek(contact, sector, orbit, &zero, -start.normal, true) {
            return Passed::Lost;
        }
        last = orbit.at;
        orbit.at = start;
    }
    let law = ledger.restitution.law;
    let now = tally(&start);
    let more = owed(ledger, &now);
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
        return if found { Passed::Ended } else { Passed::Lost };
    }
    if turns {
        orbit.at = last;
        let turned = tally(&last);
        turn(ledger, &turned);
    }
    Passed::On
}
