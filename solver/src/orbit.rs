//! A slip on a sector of a compiled flow: where it is, where it leads to, and
//! where on the way a quantity has a given value. What the sector's functions
//! are is told in `routh_flow`.

use routh_flow::{Passage, Row, Sector};

use crate::elementary::{exp, exp_m1, ln, ln_1p, sqrt};
use crate::invariant::Turning;
use crate::principal::Principal;
use crate::straight::Moment;

/// A step that changes direction and speed by less than this part leads to the
/// root but for its cube.
const CONVERGED: f64 = 3e-5;

/// Slips that change by less than this part are brief.
const BRIEF: f64 = 0.03;

/// Next to an invariant direction rounding hides how fast the flow turns.
const NEAR: f64 = 1e-7;

/// Changes below this part are told by a few terms of their series.
const SMALL: f64 = 1e-4;

/// More than any root takes; most take two or three.
const MOST_STEPS: usize = 200;

/// Somewhere on a slip.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// In the sector.
    x: f64,
    /// `x` or, in a chart, `ln|x|`, since the slip was where it is.
    u: f64,
    pub(crate) speed: f64,
    pub(crate) impulse: f64,
    pub(crate) normal: f64,
    pub(crate) work: f64,
    /// Where a root has been found.
    direction: [f64; 2],
}

impl Place {
    /// The same as a moment, but for the tangential impulse.
    pub(crate) fn moment(&self) -> Moment {
        Moment {
            impulse: self.impulse,
            tangential_impulse: [0.0; 2],
            normal: self.normal,
            tangential: self.direction.map(|x| self.speed * x),
            normal_work: self.work,
            friction_work: 0.0,
        }
    }
}

/// A quantity that is to have a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Goal {
    Normal(f64),
    Impulse(f64),
    Work(f64),
}

impl Goal {
    /// How much a place lacks of it.
    fn missing(self, at: &Place) -> f64 {
        match self {
            Self::Normal(level) => level - at.normal,
            Self::Impulse(level) => level - at.impulse,
            Self::Work(level) => level - at.work,
        }
    }

    /// Whether a place is at it or beyond.
    pub(crate) fn is_reached(self, at: &Place) -> bool {
        self.missing(at) <= 0.0
    }

    /// The impulse to it over the speed, given what is missing, with rates that
    /// change as they do here.
    fn distance(self, missing: f64, falls: bool, at: &Place, action: &Action) -> f64 {
        let Action { normal_rate, normal_bend, .. } = *action;
        let missing = missing / at.speed;
        match self {
            Self::Impulse(_) => missing,
            Self::Normal(_) => {
                let square = normal_rate * normal_rate + 2.0 * normal_bend * missing;
                let root = if falls { -sqrt(square) } else { sqrt(square) };
                if square >= 0.0 {
                    2.0 * missing / (normal_rate + root)
                } else {
                    missing / normal_rate
                }
            }
            Self::Work(_) => {
                let (missing, normal) = (missing / at.speed, at.normal / at.speed);
                let square = normal * normal + 2.0 * normal_rate * missing;
                let root = sqrt(square.max(0.0));
                let straight = 2.0 * missing / (normal + root);
                let bent = normal_bend * straight * straight * straight / (6.0 * root);
                if bent.abs() < 0.5 * straight.abs() { straight - bent } else { straight }
            }
        }
    }
}

/// A slip on a sector.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Orbit<'a> {
    contact: &'a Principal,
    sector: &'a Sector,
    /// Where it is, and the weight and the functions there.
    pub(crate) at: Place,
    weight: f64,
    functions: Row,
}

/// How the flow acts at a place.
struct Action {
    direction: [f64; 2],
    turning: Turning,
    /// `dg/dφ`
    along_slope: f64,
    /// `dv_n/dp`
    normal_rate: f64,
    /// How that changes with `τ`.
    normal_bend: f64,
    /// `t`
    tangent: f64,
}

/// A direction turned by an angle, given the tangent of its half.
pub(crate) fn turned([c, d]: [f64; 2], tangent: f64) -> [f64; 2] {
    let square = tangent * tangent;
    let inverse = 1.0 / (1.0 + square);
    let [n, m] = [(1.0 - square) * inverse, 2.0 * tangent * inverse];
    [c * n - d * m, d * n + c * m]
}

/// Whether a sector is about an invariant direction.
fn is_chart(sector: &Sector) -> bool {
    !matches!(sector.passage, Passage::Through { .. })
}

impl<'a> Orbit<'a> {
    fn new(contact: &'a Principal, sector: &'a Sector, at: Place) -> Self {
        let functions = sector.functions(at.x);
        let weight = if is_chart(sector) { at.speed / functions[0] } else { at.speed };
        Self { contact, sector, at, weight, functions }
    }

    /// A slip with a speed of one at a place of a sector.
    pub(crate) fn unit(contact: &'a Principal, sector: &'a Sector, x: f64) -> Self {
        let [u, speed, impulse, normal, work] = [0.0, 1.0, 0.0, 0.0, 0.0];
        let direction = [0.0; 2];
        Self::new(contact, sector, Place { x, u, speed, impulse, normal, work, direction })
    }

    /// Whether it is next to an invariant direction.
    pub(crate) fn is_in_chart(&self) -> bool {
        is_chart(self.sector)
    }

    /// What `u` is at a place of the sector.
    pub(crate) fn coordinate(&self, x: f64) -> f64 {
        if is_chart(self.sector) { ln(x / self.at.x) } else { x - self.at.x }
    }

    /// The same slip at a later place.
    pub(crate) fn at(&self, place: &Place) -> Self {
        Self::new(self.contact, self.sector, Place { u: 0.0, ..*place })
    }

    /// A slip that starts with a normal and a tangential velocity in a sector.
    pub(crate) fn start(
        contact: &'a Principal,
        sector: &'a Sector,
        normal: f64,
        [v1, v2]: [f64; 2],
        speed: f64,
    ) -> Self {
        let [c, d] = sector.direction;
        let x = (c * v2 - d * v1) / ((speed + (c * v1 + d * v2)) * sector.width);
        let direction = [0.0; 2];
        let at = Place { x, u: 0.0, speed, impulse: 0.0, normal, work: 0.0, direction };
        Self::new(contact, sector, at)
    }

    /// The same slip where it has come to the border of another sector.
    pub(crate) fn enter(&self, exit: &Place, sector: &'a Sector) -> Self {
        let x = match sector.passage {
            Passage::Inward => -1.0_f64.copysign(self.sector.width),
            _ => -1.0,
        };
        Self::new(self.contact, sector, Place { x, u: 0.0, ..*exit })
    }

    /// Whether it is on the side of −1.
    pub(crate) fn is_below(&self) -> bool {
        self.at.x < 0.0
    }

    /// What is `u` from here. If that is near, the tables' work is the small
    /// difference of two; better it follows from the normal velocities and their
    /// rates at both ends.
    pub(crate) fn place(&self, u: f64) -> Place {
        let mut there = if is_chart(self.sector) {
            self.chart_place(u, self.at.x * exp(u))
        } else {
            self.piece_place(u, self.at.x + u)
        };
        let more = there.impulse - self.at.impulse;
        if self.contact.rate * more < BRIEF * self.at.speed {
            let [begins, ends] = [&self.at, &there].map(|at| self.action(at));
            let bends = begins.normal_bend / self.at.speed + ends.normal_bend / there.speed;
            let rates = begins.normal_rate - ends.normal_rate + more * bends * (1.0 / 12.0);
            let mean = 0.5 * (self.at.normal + there.normal) + more * rates * 0.1;
            there.work = self.at.work + mean * more;
        }
        there
    }

    fn piece_place(&self, u: f64, x: f64) -> Place {
        let functions = self.sector.functions(x);
        let speed = self.weight * exp(functions[0] - self.functions[0]);
        self.follow(u, x, speed, speed, 0.0, functions)
    }

    fn chart_place(&self, u: f64, x: f64) -> Place {
        let functions = self.sector.functions(x);
        let Sector { slope, along, .. } = *self.sector;
        let time = u / slope;
        let growth = along * time;
        let (change, lever) = if growth.abs() < SMALL {
            let lever = time * (1.0 + growth * (0.5 + growth * (1.0 / 6.0)));
            (along * lever, lever)
        } else {
            let change = exp_m1(growth);
            (change, change / along)
        };
        let weight = self.weight * (1.0 + change);
        self.follow(u, x, weight * functions[0], weight, self.weight * lever, functions)
    }

    /// A place of given speed, weight and functions.
    fn follow(&self, u: f64, x: f64, speed: f64, weight: f64, lever: f64, functions: Row) -> Place {
        let ([_, pi0, chi0, omega0], [_, pi, chi, omega]) = (self.functions, functions);
        let (rate, weight0) = (self.sector.rate, self.weight);
        let more = lever + (weight0 * pi0 - weight * pi);
        let bias = self.at.normal + weight0 * chi0;
        let energy = weight * weight * omega - weight0 * weight0 * omega0;
        Place {
            x,
            u,
            speed,
            impulse: self.at.impulse + more,
            normal: bias + rate * more - weight * chi,
            work: self.at.work + (bias + 0.5 * rate * more) * more + energy,
            direction: [0.0; 2],
        }
    }

    /// Where it leaves the sector; `None` if it does not.
    pub(crate) fn exit(&self) -> Option<Place> {
        let end = self.last();
        match self.sector.passage {
            Passage::Through { .. } => Some(self.piece_place(end, 1.0)),
            Passage::Outward { .. } => Some(self.chart_place(end, 1.0_f64.copysign(self.at.x))),
            Passage::Inward if self.sector.along < 0.0 => {
                let halt = -self.weight / self.sector.along;
                Some(self.follow(end, 0.0, 0.0, 0.0, halt, [0.0; 4]))
            }
            Passage::Inward | Passage::Refused(_) => None,
        }
    }

    fn action(&self, at: &Place) -> Action {
        let tangent = self.sector.width * at.x;
        let [c, d] = turned(self.sector.direction, tangent);
        let Principal { a, h: [h1, h2], b: [b1, b2], mu, .. } = *self.contact;
        let turning = Turning::of(self.contact, [c, d]);
        Action {
            direction: [c, d],
            turning,
            along_slope: turning.across - mu * (b2 - b1) * (c * d),
            normal_rate: a - mu * (h1 * c + h2 * d),
            normal_bend: mu * (h1 * d - h2 * c) * turning.across,
            tangent,
        }
    }

    /// Where a goal is met before the slip leaves the sector, given how much is
    /// missing here; `falls` if the quantity falls to it.
    pub(crate) fn seek(&self, goal: Goal, missing: f64, falls: bool) -> Option<Place> {
        let (mut at, mut missing) = (self.at, missing);
        let mut bracket = [0.0, self.last()];
        let ahead = bracket[1] > 0.0;
        for _ in 0..MOST_STEPS {
            let action = self.action(&at);
            let distance = goal.distance(missing, falls, &at, &action);
            if self.is_near(&action, distance) {
                return Some(self.nearby(&at, &action, distance, goal));
            }
            let before = if falls { missing < 0.0 } else { missing > 0.0 };
            bracket[usize::from(!before)] = at.u;
            let next = at.u + self.stride(&action, distance);
            let [lo, hi] = bracket;
            let inside = if ahead { next > lo && next < hi } else { next < lo && next > hi };
            at = self.place(if inside { next } else { middle(lo, hi) });
            missing = goal.missing(&at);
        }
        None
    }

    /// Whether rates change so little over a distance that two terms tell.
    fn is_near(&self, action: &Action, distance: f64) -> bool {
        let Turning { across, along, slope } = action.turning;
        let (turn, time) = (across * distance, self.contact.rate * distance);
        let contracts = time.abs() < 1.0 || slope * distance < 0.0;
        contracts
            && (along * distance).abs().max(turn.abs()) <= CONVERGED
            && turn.abs() * time * time <= CONVERGED * CONVERGED * CONVERGED
    }

    /// What a distance is in `u`: exactly so on a straight line, which is what a
    /// long one in a chart leads to.
    fn stride(&self, action: &Action, distance: f64) -> f64 {
        let Turning { across, along, slope } = action.turning;
        let (t, q) = (action.tangent, 1.0 + action.tangent * action.tangent);
        if is_chart(self.sector) {
            let ends_straight = (self.contact.rate * distance).abs() > 1.0 || t.abs() < NEAR;
            return if ends_straight {
                self.sector.slope * time(self.sector.along, distance)
            } else {
                let (pace, time) = (0.5 * across * q / t, time(along, distance));
                pace * time * (1.0 + 0.5 * time * (slope + t * across - pace))
            };
        }
        let time = time(along, distance);
        let bend = slope * time;
        let turn = across * time * if bend.abs() < 1.0 { 1.0 + 0.5 * bend } else { 1.0 };
        0.5 * q * turn * (1.0 + 0.5 * t * turn) / self.sector.width
    }

    /// Where `u` ends.
    fn last(&self) -> f64 {
        match self.sector.passage {
            Passage::Inward => f64::NEG_INFINITY,
            Passage::Outward { .. } => -ln(self.at.x.abs()),
            _ => 1.0 - self.at.x,
        }
    }

    /// A small distance after a place, where a goal is met.
    fn nearby(&self, at: &Place, action: &Action, distance: f64, goal: Goal) -> Place {
        let Turning { across, along, slope } = action.turning;
        let Action { normal_rate, normal_bend, along_slope, .. } = *action;
        let half = 0.5 * distance;
        let growth = (along + half * along_slope * across) * distance;
        let rise = (normal_rate + half * normal_bend) * distance;
        let turn = across * (1.0 + half * (slope - along)) * distance;
        let work = (normal_rate + normal_bend * distance * (1.0 / 3.0)) * half * distance;
        let stride = self.stride(action, distance);
        let Place { x, u, speed, impulse, normal, .. } = *at;
        let [c, d] = action.direction;
        let bend = 1.0 - 0.5 * turn * turn;
        Place {
            x: if is_chart(self.sector) {
                x * (1.0 + stride * (1.0 + 0.5 * stride))
            } else {
                x + stride
            },
            u: u + stride,
            speed: speed * (1.0 + growth),
            impulse: impulse + speed * distance,
            normal: if let Goal::Normal(level) = goal { level } else { normal + speed * rise },
            work: at.work + speed * (normal * distance + speed * work),
            direction: [c * bend - d * turn, d * bend + c * turn],
        }
    }
}

/// How long a distance takes in `τ` while the speed grows at a rate.
fn time(along: f64, distance: f64) -> f64 {
    let growth = along * distance;
    if growth.abs() < SMALL { distance * (1.0 - 0.5 * growth) } else { ln_1p(growth) / along }
}

/// Between two bounds, of which the second may be infinite.
fn middle(lo: f64, hi: f64) -> f64 {
    if hi.is_finite() { 0.5 * (lo + hi) } else { lo - 1.0 - lo.abs() }
}
