//! A slip on a sector of a contact's tables: where it is, where it leads to, and where on
//! the way a quantity has a given value.

use super::directions::DirectionRates;
use super::elementary::{exp_m1, ln, ln_1p};
use super::inertia::Contact;
use super::number::{absolute, larger};
use super::real::{BRIEF, CONVERGED, HIDDEN, LEFT_OUT, Real, SMALL};
use super::result::Law;
use super::seam::sqrt;

/// How the flow passes a sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passage {
    /// From -1 to 1.
    Through,
    /// Out of its invariant direction.
    Outward,
    /// Into its invariant direction.
    Inward,
    /// In a way that its functions do not tell.
    Refused,
}

/// Functions of a sector.
pub const FUNCTIONS: usize = 6;

/// A range of directions about a reference, and functions on it that tell every slip: `p`
/// grows by `-D(w pi)`, the normal velocity by `rate Dp - D(w chi)`, its work by
/// `(v + w chi) Dp + rate Dp^2 / 2 + D(w^2 omega)`, and the integral of the direction over
/// `p` by `limit Dp - D(w kappa)`.
///
/// The weight `w` is the speed, whose logarithm grows as the first function; or,
/// about an invariant direction, `|x|^(along / slope)`, by which the first
/// function gives the speed. There two parts of the functions are left out and follow in
/// closed form: `p` grows by `Dw / along` besides, and `kappa` across the direction is
/// `2 width x / (mu b)` more, with `mu b = -(along + slope)`.
#[derive(Clone, Copy, Debug)]
pub struct Sector<const TERMS: usize> {
    /// The reference direction, and the invariant one that slips lead to.
    pub direction: [Real; 2],
    pub limit: [Real; 2],
    /// The tangent of half the angle from it at `x = 1`.
    pub width: Real,
    /// How an invariant direction turns its neighbours and changes the speed.
    pub slope: Real,
    pub along: Real,
    pub rate: Real,
    /// Coefficients of `x`, lowest power first: a row has one of each function, `L` or `A`,
    /// `pi`, `chi`, `omega` and both of `kappa`.
    pub rows: [[Real; FUNCTIONS]; TERMS],
    pub passage: Passage,
    /// Whether the normal velocity rises.
    pub rises: bool,
    /// The sector after it, or those beside -1 and 1.
    pub next: [u32; 2],
}

/// Somewhere on a slip.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// In the sector.
    pub x: Real,
    /// `x` or, about an invariant direction, `ln|x|`, since the sector was entered.
    pub u: Real,
    pub speed: Real,
    pub impulse: Real,
    pub normal: Real,
    pub work: Real,
    /// Where a root has been found.
    pub direction: [Real; 2],
    /// The integral of the direction over the impulse, where a sector was entered.
    pub swept: [Real; 2],
}

/// A slip on a sector.
#[derive(Clone, Copy, Debug)]
pub struct Orbit<const TERMS: usize> {
    /// Where it entered the sector, the weight there, and how far `u` has come since until it
    /// was entered anew.
    pub entry: Place,
    pub entry_weight: Real,
    pub passed: Real,
    /// Where it entered the sector last, and the weight and the first functions there.
    pub from: Place,
    pub weight: Real,
    pub functions: [Real; 4],
    /// What functions grow by from there, over how far `x` has come: rows of one
    /// degree less. So nothing is lost where that is little.
    pub growth: [[Real; 4]; TERMS],
    /// Where it is.
    pub at: Place,
}

/// What is to have a value: normal velocity, impulse or normal work, as the laws
/// compare them.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    pub law: Law,
    pub level: Real,
}

/// How the flow acts at a place.
#[derive(Clone, Copy, Debug)]
pub struct Action {
    pub direction: [Real; 2],
    pub turning: DirectionRates<Real>,
    /// How the turning's `along` changes with the direction's angle.
    pub along_slope: Real,
    /// How the normal velocity grows, and how that changes.
    pub normal_rate: Real,
    pub normal_bend: Real,
    /// The tangent of half the angle from the sector's reference.
    pub tangent: Real,
}

/// More than any root takes; most take two or three.
pub const MOST_TRIES: usize = 200;

/// How much a place lacks of a goal; it has reached it if that is not above zero.
pub fn lacking(goal: &Goal, at: &Place) -> Real {
    match goal.law {
        Law::Newton => goal.level - at.normal,
        Law::Poisson => goal.level - at.impulse,
        Law::Energetic => goal.level - at.work,
    }
}

/// Lets a slip into a sector at a place.
pub fn enter<const TERMS: usize>(sector: &Sector<TERMS>, from: &Place, orbit: &mut Orbit<TERMS>) {
    orbit.from = *from;
    orbit.from.u = 0.0;
    orbit.at = orbit.from;
    orbit.functions = [0.0; 4];
    for k in (0..TERMS).rev() {
        for i in 0..4 {
            orbit.growth[k][i] = orbit.functions[i];
            orbit.functions[i] = orbit.functions[i] * from.x + sector.rows[k][i];
        }
    }
    let through = sector.passage == Passage::Through;
    orbit.weight = if through { from.speed } else { from.speed / orbit.functions[0] };
    orbit.entry = orbit.from;
    orbit.entry_weight = orbit.weight;
    orbit.passed = 0.0;
}

/// Lets a slip go on from where it is as if it entered its sector there.
pub fn enter_anew<const TERMS: usize>(sector: &Sector<TERMS>, orbit: &mut Orbit<TERMS>) {
    let entry = orbit.entry;
    let weight = orbit.entry_weight;
    let passed = orbit.passed + orbit.at.u;
    let here = orbit.at;
    enter(sector, &here, orbit);
    orbit.entry = entry;
    orbit.entry_weight = weight;
    orbit.passed = passed;
}

/// What has grown since the sector was entered: the weight by a part, functions,
/// and the impulse besides.
#[derive(Clone, Copy, Debug)]
pub struct Growth {
    pub weight: Real,
    pub functions: [Real; 4],
    pub lever: Real,
}

/// The place that growth leads to.
pub fn followed<const TERMS: usize>(
    sector: &Sector<TERMS>,
    orbit: &Orbit<TERMS>,
    u: Real,
    x: Real,
    more: &Growth,
) -> Place {
    let [f, pi, chi, omega] = more.functions;
    let [f0, pi0, chi0, omega0] = orbit.functions;
    let w = orbit.weight;
    let part = more.weight;
    let impulse = more.lever - w * (part * (pi0 + pi) + pi);
    let bias = orbit.from.normal + w * chi0;
    let energy = w * w * (part * (2.0 + part) * (omega0 + omega) + omega);
    let weight = w * (1.0 + part);
    let through = sector.passage == Passage::Through;
    Place {
        x,
        u,
        speed: if through { weight } else { weight * (f0 + f) },
        impulse: orbit.from.impulse + impulse,
        normal: orbit.from.normal + (sector.rate * impulse - w * (part * (chi0 + chi) + chi)),
        work: orbit.from.work + ((bias + 0.5 * sector.rate * impulse) * impulse + energy),
        direction: [0.0, 0.0],
        swept: orbit.from.swept,
    }
}

/// What the part of `kappa` that is left out about an invariant direction adds to the
/// integral of the direction, across it and over the weight at `x`.
fn left_out_across<const TERMS: usize>(sector: &Sector<TERMS>, x: Real, u: Real) -> Real {
    let power = 1.0 + sector.along / sector.slope;
    let fall = power * u;
    let few = u * (1.0 + fall * (0.5 + fall * (1.0 / 6.0)));
    let time = if absolute(fall) < SMALL { few } else { exp_m1(fall) / power };
    2.0 * sector.width / sector.slope * x * time
}

/// The integral of the direction over the impulse, up to a place; `u` is from where the
/// sector was entered last.
pub fn swept<const TERMS: usize>(
    sector: &Sector<TERMS>,
    orbit: &Orbit<TERMS>,
    u: Real,
    impulse: Real,
) -> [Real; 2] {
    let from = orbit.entry;
    let w = orbit.entry_weight;
    let u = orbit.passed + u;
    let through = sector.passage == Passage::Through;
    let ahead = if through { u } else { from.x * exp_m1(u) };
    let mut here = [0.0; 3];
    let mut more = [0.0; 3];
    for k in (0..TERMS).rev() {
        let terms = [sector.rows[k][0], sector.rows[k][4], sector.rows[k][5]];
        for i in 0..3 {
            more[i] = more[i] * (from.x + ahead) + here[i];
            here[i] = here[i] * from.x + terms[i];
        }
    }
    let [c, d] = sector.limit;
    let impulse = impulse - from.impulse;
    let growth = if through { more[0] * ahead } else { sector.along / sector.slope * u };
    let part = exp_m1(growth);
    let across = if through { 0.0 } else { w * left_out_across(sector, from.x, u) };
    let [k1, k2] = [more[1] * ahead, more[2] * ahead];
    [
        from.swept[0] + (c * impulse - d * across - w * (part * (here[1] + k1) + k1)),
        from.swept[1] + (d * impulse + c * across - w * (part * (here[2] + k2) + k2)),
    ]
}

/// What is `u` from where the slip entered.
pub fn place<const TERMS: usize>(
    contact: &Contact,
    sector: &Sector<TERMS>,
    orbit: &Orbit<TERMS>,
    u: Real,
) -> Place {
    let mut at = sum(sector, orbit, u);
    let impulse = at.impulse - orbit.from.impulse;
    if contact.rate * impulse < BRIEF * orbit.from.speed {
        let begins = act(contact, sector, &orbit.from);
        let ends = act(contact, sector, &at);
        let bends = begins.normal_bend / orbit.from.speed + ends.normal_bend / at.speed;
        let rates = begins.normal_rate - ends.normal_rate + impulse * bends * (1.0 / 12.0);
        let mean = 0.5 * (orbit.from.normal + at.normal) + impulse * rates * 0.1;
        at.work = orbit.from.work + mean * impulse;
    }
    at
}

/// The same by the functions alone: where that is near, what they give for the
/// work is the small difference of two sums.
pub fn sum<const TERMS: usize>(sector: &Sector<TERMS>, orbit: &Orbit<TERMS>, u: Real) -> Place {
    let through = sector.passage == Passage::Through;
    let ahead = if through { u } else { orbit.from.x * exp_m1(u) };
    let x = orbit.from.x + ahead;
    let mut more = Growth { weight: 0.0, functions: [0.0; 4], lever: 0.0 };
    for k in (0..TERMS - 1).rev() {
        for i in 0..4 {
            more.functions[i] = more.functions[i] * x + orbit.growth[k][i];
        }
    }
    for i in 0..4 {
        more.functions[i] *= ahead;
    }
    if through {
        more.weight = exp_m1(more.functions[0]);
        return followed(sector, orbit, u, x, &more);
    }
    let time = u / sector.slope;
    let growth = sector.along * time;
    let small = absolute(growth) < SMALL;
    let few = time * (1.0 + growth * (0.5 + growth * (1.0 / 6.0)));
    more.weight = if small { sector.along * few } else { exp_m1(growth) };
    more.lever = orbit.weight * if small { few } else { more.weight / sector.along };
    followed(sector, orbit, u, x, &more)
}

/// Where `u` ends.
pub fn to_exit<const TERMS: usize>(sector: &Sector<TERMS>, orbit: &Orbit<TERMS>) -> Real {
    match sector.passage {
        Passage::Through => 1.0 - orbit.from.x,
        Passage::Outward => -ln(absolute(orbit.from.x)),
        Passage::Inward => -Real::INFINITY,
        Passage::Refused => 0.0,
    }
}

/// Where a slip leaves a sector, or halts in it; whether it does.
pub fn leaves<const TERMS: usize>(
    contact: &Contact,
    sector: &Sector<TERMS>,
    orbit: &Orbit<TERMS>,
    exit: &mut Place,
) -> bool {
    let u = to_exit(sector, orbit);
    if sector.passage != Passage::Inward {
        *exit = place(contact, sector, orbit, u);
    } else if sector.along < 0.0 {
        let lever = -orbit.weight / sector.along;
        let halt = Growth { weight: -1.0, functions: [0.0; 4], lever };
        *exit = followed(sector, orbit, u, 0.0, &halt);
    } else {
        return false;
    }
    true
}

/// How the flow acts at a place.
pub fn act<const TERMS: usize>(contact: &Contact, sector: &Sector<TERMS>, at: &Place) -> Action {
    let tangent = sector.width * at.x;
    let square = tangent * tangent;
    let inverse = 1.0 / (1.0 + square);
    let n = (1.0 - square) * inverse;
    let m = 2.0 * tangent * inverse;
    let c = sector.direction[0] * n - sector.direction[1] * m;
    let d = sector.direction[1] * n + sector.direction[0] * m;
    let [h1, h2] = contact.h;
    let [b1, b2] = contact.b;
    let flow = contact.rates_at([c, d]);
    Action {
        direction: [c, d],
        turning: flow,
        along_slope: flow.across - contact.mu * (b2 - b1) * (c * d),
        normal_rate: contact.a - contact.mu * (h1 * c + h2 * d),
        normal_bend: contact.mu * (h1 * d - h2 * c) * flow.across,
        tangent,
    }
}

/// The impulse to a goal over the speed, given how much is missing, with rates
/// that change as they do here; `falls` if the normal velocity falls to it.
pub fn distance(law: Law, missing: Real, falls: bool, at: &Place, action: &Action) -> Real {
    let rate = action.normal_rate;
    let bend = action.normal_bend;
    let near = missing / at.speed;
    match law {
        Law::Poisson => near,
        Law::Newton => {
            let square = rate * rate + 2.0 * bend * near;
            let root = sqrt(larger(square, 0.0));
            if square >= 0.0 {
                2.0 * near / (rate + if falls { -root } else { root })
            } else {
                near / rate
            }
        }
        Law::Energetic => {
            let work = near / at.speed;
            let normal = at.normal / at.speed;
            let root = sqrt(larger(normal * normal + 2.0 * rate * work, 0.0));
            let straight = 2.0 * work / (normal + root);
            let excess = bend * straight * straight * straight / (6.0 * root);
            let small = absolute(excess) < 0.5 * absolute(straight);
            if small { straight - excess } else { straight }
        }
    }
}

/// Whether rates change so little over a distance that two terms tell.
pub fn is_near(contact: &Contact, action: &Action, distance: Real) -> bool {
    let turn = absolute(action.turning.across * distance);
    let time = contact.rate * distance;
    let contracts = absolute(time) < 1.0 || action.turning.slope * distance < 0.0;
    contracts
        && larger(absolute(action.turning.along * distance), turn) <= CONVERGED
        && turn * time * time <= CONVERGED * CONVERGED * CONVERGED
}

/// What a time makes where a rate of one changes at another, if that is little.
pub fn bent(time: Real, rate: Real) -> Real {
    let bend = rate * time;
    if absolute(bend) < 1.0 { time * (1.0 + 0.5 * bend) } else { time }
}

/// What a distance is in `u`: exactly so on a straight line.
pub fn stride<const TERMS: usize>(sector: &Sector<TERMS>, action: &Action, distance: Real) -> Real {
    let flow = action.turning;
    let growth = flow.along * distance;
    let small = absolute(growth) < SMALL;
    let time = if small { distance * (1.0 - 0.5 * growth) } else { ln_1p(growth) / flow.along };
    let t = action.tangent;
    let q = 1.0 + t * t;
    if sector.passage != Passage::Through {
        let pace = if absolute(t) < HIDDEN { flow.slope } else { 0.5 * flow.across * q / t };
        return pace * bent(time, flow.slope + t * flow.across - pace);
    }
    let turn = flow.across * bent(time, flow.slope);
    0.5 * q * turn * (1.0 + 0.5 * t * turn) / sector.width
}

/// A small distance after a place, where a goal is met.
pub fn nearby<const TERMS: usize>(
    sector: &Sector<TERMS>,
    at: &Place,
    action: &Action,
    distance: Real,
    goal: &Goal,
) -> Place {
    let flow = action.turning;
    let half = 0.5 * distance;
    let growth = (flow.along + half * action.along_slope * flow.across) * distance;
    let rise = (action.normal_rate + half * action.normal_bend) * distance;
    let turn = flow.across * (1.0 + half * (flow.slope - flow.along)) * distance;
    let bend = action.normal_bend * distance * (1.0 / 3.0);
    let work = (action.normal_rate + bend) * half * distance;
    let ahead = stride(sector, action, distance);
    let [c, d] = action.direction;
    let shrunk = 1.0 - 0.5 * turn * turn;
    let through = sector.passage == Passage::Through;
    let velocity = goal.law == Law::Newton;
    Place {
        x: if through { at.x + ahead } else { at.x * (1.0 + ahead * (1.0 + 0.5 * ahead)) },
        u: at.u + ahead,
        speed: at.speed * (1.0 + growth),
        impulse: at.impulse + at.speed * distance,
        normal: if velocity { goal.level } else { at.normal + at.speed * rise },
        work: at.work + at.speed * (at.normal * distance + at.speed * work),
        direction: [c * shrunk - d * turn, d * shrunk + c * turn],
        swept: at.swept,
    }
}

/// Between two bounds, of which the second may be unlimited.
pub fn middle(lo: Real, hi: Real) -> Real {
    if hi > -Real::INFINITY { 0.5 * (lo + hi) } else { lo - 1.0 - absolute(lo) }
}

/// Takes a slip to where a goal is met before it leaves the sector, given how
/// much is missing where it is; `falls` if the quantity falls to it. Whether that
/// was found.
pub fn seek<const TERMS: usize>(
    contact: &Contact,
    sector: &Sector<TERMS>,
    orbit: &mut Orbit<TERMS>,
    goal: &Goal,
    missing: Real,
    falls: bool,
) -> bool {
    let mut at = orbit.at;
    let mut short = missing;
    let mut lo = at.u;
    let mut hi = to_exit(sector, orbit);
    let ahead = hi > lo;
    for _ in 0..MOST_TRIES {
        let action = act(contact, sector, &at);
        let far = distance(goal.law, short, falls, &at, &action);
        // What two terms leave out is little beside the impulse so far, too.
        let rates = contact.rate * far;
        let left_out = rates * rates * absolute(far) * at.speed;
        let exact = left_out <= LEFT_OUT * (at.impulse + at.speed * far);
        if exact && is_near(contact, &action, far) {
            orbit.at = nearby(sector, &at, &action, far, goal);
            return true;
        }
        // Where numbers end is beyond the goal.
        let before = if falls { short <= 0.0 } else { short > 0.0 };
        if !before {
            hi = at.u;
        } else {
            lo = at.u;
        }
        let mut u = at.u + stride(sector, &action, far);
        let inside = if ahead { u > lo && u < hi } else { u < lo && u > hi };
        if !inside {
            u = middle(lo, hi);
        }
        // Between neighbours, or at a halt, rounding hides the goal.
        if u == lo || u == hi || at.speed == 0.0 {
            orbit.at = nearby(sector, &at, &action, 0.0, goal);
            return true;
        }
        at = place(contact, sector, orbit, u);
        short = lacking(goal, &at);
    }
    false
}
