//! The motion through an impact: steps from kink to kink.

use alloc::vec::Vec;

use super::instant::{beginning_loads, forces, forces_by, loads};
use super::kinks::{Kink, Search};
use super::modes::{Mode, Normal, Point, Tangent};
use super::outcome::{Event, Kind};
use super::reaction::Reaction;
use super::rest;
use super::step::Step;
use super::system::{Pressing, ROWS, System};
use crate::error::Error;
use crate::impact::Accuracy;

/// Steps that no impact needs.
const LIMIT: usize = 20_000;

/// So many events at one instant have no end.
const STALLED: usize = 60;

/// Velocities below this are zero.
const REST: f64 = 1e-14;

/// Where one contact comes to rest, others that are as slow as this do so too.
const ALIKE: f64 = 1e-12;

/// Contacts that close more slowly do not.
const NEGLIGIBLE: f64 = 1e-13;

/// The impact ends where velocities that could still change it are less than this.
const LEFT: f64 = 1e-11;

/// Below this part of the energy of the impact a contact that rises from rest has no force.
const WAKING: f64 = 1e-27;

/// Contacts that close within this part of an indentation close together.
const TOGETHER: f64 = 1e-13;

/// A contact without restitution that would drop by no more than this part of its
/// indentation, again and again, has the force that the others require as long as it falls.
const CHATTER: f64 = 1e-5;

/// How long the direction of friction is kept where a slip begins without a force, and how
/// fast it must be then.
const BRIEF: f64 = 1e-7;
const MOVING: f64 = 1e-12;

/// The same where redundant contacts begin to slide, and by how much less friction shows
/// where to.
const LOOSE: f64 = 1e-4;
const LESS: f64 = 1e-6;

pub(super) struct Motion<'a, const K: usize, const N: usize> {
    system: &'a System<K, N>,
    accuracy: Accuracy,
    pub(super) points: [Point; K],
    modes: [Mode; K],
    /// Those whose sliding is undecided.
    resting: [bool; K],
    /// Those that friction no longer holds.
    yielding: [bool; K],
    /// What those that turn did along their normals.
    was: [Option<Normal>; K],
    /// Those that touch without a force, and have not slid.
    stuck: [bool; K],
    /// Those that have opened before.
    opened: [bool; K],
    /// Whether what sticks must be decided again.
    shaken: bool,
    /// Whether no forces hold redundant contacts any more.
    loose: bool,
    brief: f64,
    /// Steps without progress.
    stalled: usize,
    pub(super) events: Vec<Event>,
    pub(super) steps: usize,
    pub(super) unique: bool,
    pub(super) endless: bool,
}

impl<'a, const K: usize, const N: usize> Motion<'a, K, N> {
    pub(super) fn new(
        system: &'a System<K, N>,
        velocities: [[f64; 3]; K],
        accuracy: Accuracy,
    ) -> Self {
        let open = Mode { normal: Normal::Open(0.0), tangent: Tangent::Smooth };
        let mut motion = Self {
            system,
            accuracy,
            points: velocities.map(|v| Point { v, ..Point::default() }),
            modes: [open; K],
            resting: [false; K],
            yielding: [false; K],
            was: [None; K],
            stuck: [false; K],
            opened: [false; K],
            shaken: false,
            loose: false,
            brief: BRIEF,
            stalled: 0,
            events: Vec::new(),
            steps: 0,
            unique: true,
            endless: false,
        };
        for i in 0..system.count {
            match motion.points[i].v[0] {
                v if v < -NEGLIGIBLE => motion.load(i),
                v if v > NEGLIGIBLE => {}
                _ => motion.wait(i),
            }
        }
        motion.settle();
        motion.begin();
        motion
    }

    /// Says which of the contacts that touch at rest stay so at first.
    fn begin(&mut self) {
        let reaction = Reaction::of(self.system, &self.points, &self.modes);
        let loads = beginning_loads(self.system, &self.points, &self.modes);
        let forces = forces_by(self.system, &self.points, &self.modes, &reaction, &loads);
        let rates = self.system.accelerations(&forces);
        let slack = REST * rates.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        for i in 0..self.system.count {
            let rough = self.system.laws[i].static_friction > 0.0;
            let still = self.points[i].x == 0.0 && self.points[i].speed() <= REST;
            let waits = matches!(self.modes[i].normal, Normal::Open(level) if level > 0.0);
            let [normal, r1, r2] = [0, 1, 2].map(|d| rates[ROWS * i + d]);
            if !(rough && still && waits) || normal > slack || self.system.laws[i].tangents == 0 {
                continue;
            }
            self.stuck[i] = r1.abs().max(r2.abs()) <= slack;
            self.note(i, if self.stuck[i] { Kind::Stick } else { Kind::SlipRestart });
        }
    }

    pub(super) fn run(&mut self) -> Result<(), Error> {
        while self.steps < LIMIT {
            if self.spent() {
                return Ok(());
            }
            self.open_spent();
            self.settle();
            if !(0..self.system.count).any(|i| self.presses(i)) {
                if !self.fly() {
                    return Ok(());
                }
                continue;
            }
            self.advance()?;
        }
        Err(self.accuracy.exceeded(self.steps))
    }

    fn note(&mut self, contact: usize, kind: Kind) {
        self.events.push(Event { contact, kind });
    }

    /// A contact touches and presses from now on.
    fn load(&mut self, i: usize) {
        self.modes[i].normal = Normal::Loading;
        let law = &self.system.laws[i];
        if core::mem::take(&mut self.stuck[i]) && self.points[i].speed() > REST {
            self.note(i, Kind::SlipRestart);
        }
        let point = &mut self.points[i];
        self.modes[i].tangent = match law.tangents {
            0 => Tangent::Smooth,
            _ if law.static_friction == 0.0 => Tangent::Smooth,
            _ if point.speed() <= REST => {
                (point.v[1], point.v[2]) = (0.0, 0.0);
                self.resting[i] = true;
                Tangent::Stuck
            }
            1 => Tangent::Straight([point.v[1].signum(), 0.0]),
            _ => Tangent::Turning,
        };
    }

    /// A contact touches, but does not approach.
    fn wait(&mut self, i: usize) {
        self.points[i].x = 0.0;
        self.release(i);
        self.modes[i].normal = Normal::Open(self.system.level(i, WAKING));
    }

    /// A contact has no force from now on.
    fn release(&mut self, i: usize) {
        self.modes[i] = Mode { normal: Normal::Open(0.0), tangent: Tangent::Smooth };
        self.resting[i] = false;
    }

    fn opens(&mut self, i: usize) {
        self.points[i].x = 0.0;
        self.release(i);
        self.opened[i] = true;
        self.note(i, Kind::Open);
    }

    /// Whether all that is left of the impact is less than counts: contacts that press each
    /// other may go on for ever.
    fn spent(&self) -> bool {
        (0..self.system.count).all(|i| {
            let own = self.system.inertia[ROWS * i][ROWS * i];
            let Point { x, v: [speed, ..], .. } = self.points[i];
            let pressing = self.modes[i].is_elastic();
            let stored = if pressing { own * self.system.stored(i, x.max(0.0)) } else { 0.0 };
            let moving = if pressing { speed.abs() } else { -speed };
            stored < LEFT * LEFT && moving < LEFT
        })
    }

    /// Opens contacts whose remaining impulse is nothing.
    fn open_spent(&mut self) {
        for i in 0..self.system.count {
            let (mode, point) = (self.modes[i], self.points[i]);
            if mode.normal != Normal::Unloading {
                continue;
            }
            let own = self.system.inertia[ROWS * i][ROWS * i];
            let left = self.system.laws[i].returned * self.system.stored(i, point.x.max(0.0)) * own;
            if point.x <= 0.0 || (point.v[0] > NEGLIGIBLE && left < 1e-17 * point.v[0]) {
                self.opens(i);
            }
        }
    }

    /// Whether a contact has a force of its own.
    fn presses(&self, i: usize) -> bool {
        self.modes[i].stiffness(&self.system.laws[i], self.system.jumps) > 0.0
    }

    /// No contact presses: on to where the next one closes, if any does.
    fn fly(&mut self) -> bool {
        let closing = |i: usize| -> Option<f64> {
            let Point { x, v: [speed, ..], .. } = self.points[i];
            match self.modes[i].normal {
                Normal::Open(level) if speed < -NEGLIGIBLE => {
                    Some(((level - x) / -speed).max(0.0))
                }
                // It unloads without a force.
                Normal::Unloading if speed > NEGLIGIBLE => Some(x / speed),
                _ => None,
            }
        };
        let times: [Option<f64>; K] =
            core::array::from_fn(|i| if i < self.system.count { closing(i) } else { None });
        let Some(next) = times.iter().flatten().copied().min_by(f64::total_cmp) else {
            return false;
        };
        for i in 0..self.system.count {
            self.points[i].x -= self.points[i].v[0] * next;
        }
        let first = times.iter().position(|time| *time == Some(next)).unwrap_or_default();
        if self.modes[first].is_open() {
            self.closes(first);
        } else {
            self.opens(first);
        }
        true
    }

    /// A contact closes, and those with it that are about to.
    fn closes(&mut self, first: usize) {
        for i in 0..self.system.count {
            let (Normal::Open(level), point) = (self.modes[i].normal, self.points[i]) else {
                continue;
            };
            let near = (point.x - level).abs() <= TOGETHER * self.system.indentation(i);
            if i != first && !(level == 0.0 && near && point.v[0] < -NEGLIGIBLE) {
                continue;
            }
            if level == 0.0 && point.v[0] >= -NEGLIGIBLE {
                self.wait(i);
                continue;
            }
            self.points[i].x = level;
            self.load(i);
            if level == 0.0 || self.opened[i] {
                self.note(i, Kind::Close);
            }
        }
    }

    /// Decides together what contacts at rest do, along their tangents and, where they are held,
    /// along their normals.
    fn settle(&mut self) {
        if !self.shaken && !self.resting.iter().any(|resting| *resting) {
            return;
        }
        let (before, mut normals) = (self.modes, self.modes.map(|mode| mode.normal));
        // Each contact changes a few times at most.
        for _ in 0..8 * (self.system.count + 1) {
            let forces = self.rest(&before, &normals);
            let Some((i, normal)) = self.misfit(&forces) else { break };
            normals[i] = normal;
        }
        for i in 0..self.system.count {
            let (was, is) = (self.was[i].take().unwrap_or(before[i].normal), self.modes[i]);
            let plastic = self.system.laws[i].pressing == Pressing::Plastic;
            match (was, is.normal) {
                (Normal::Loading | Normal::Unloading, Normal::Held) if !plastic => {
                    self.note(i, Kind::Hold);
                }
                (Normal::Unloading | Normal::Held, Normal::Loading) if was != is.normal => {
                    self.note(i, Kind::Recompression);
                }
                (Normal::Held, Normal::Unloading) => self.note(i, Kind::Release),
                (Normal::Held, Normal::Open(_)) => {
                    self.note(i, Kind::Open);
                    self.wait(i);
                    continue;
                }
                _ => {}
            }
            match (before[i].tangent, is.tangent) {
                (_, Tangent::Stuck) if self.resting[i] => self.note(i, Kind::Stick),
                (Tangent::Stuck, Tangent::Straight(_) | Tangent::Leaving(_)) => {
                    self.note(i, Kind::SlipRestart);
                }
                _ => {}
            }
        }
        self.resting = [false; K];
        self.yielding = [false; K];
        self.shaken = false;
        self.loose = false;
    }

    /// Decides the tangents of contacts at rest, given what all do along their normals, and
    /// returns all forces.
    fn rest(&mut self, before: &[Mode; K], normals: &[Normal; K]) -> [f64; N] {
        let modes: [Mode; K] =
            core::array::from_fn(|i| Mode { normal: normals[i], tangent: before[i].tangent });
        let resting: [bool; K] = core::array::from_fn(|i| {
            !modes[i].is_open() && (self.resting[i] || modes[i].tangent == Tangent::Stuck)
        });
        let less = if self.loose { LESS } else { 0.0 };
        let decision =
            rest::decide(self.system, &self.points, &modes, &resting, &self.yielding, less);
        self.unique &= decision.unique;
        self.modes = modes;
        for i in (0..self.system.count).filter(|&i| resting[i]) {
            self.modes[i].tangent = match decision.leaves[i] {
                None => Tangent::Stuck,
                Some([x, _]) if self.system.laws[i].tangents == 1 => {
                    Tangent::Straight([x.signum(), 0.0])
                }
                Some(along) => Tangent::Leaving(along),
            };
        }
        let reaction = Reaction::of(self.system, &self.points, &self.modes);
        let forces = forces(self.system, &self.points, &self.modes, &reaction);
        #[cfg(feature = "std")]
        if std::env::var("TRACE").is_ok() {
            for i in 0..self.system.count {
                if let Tangent::Leaving([x, y]) = self.modes[i].tangent {
                    let a = self.system.accelerations(&forces);
                    let across = forces[3 * i + 2] * x - forces[3 * i + 1] * y;
                    std::eprintln!("LEAVE {i} {:?} across {:.2e} of {:.2e} a {:.2e} {:.2e} {:?}", self.modes[i].normal, across, forces[3 * i], a[3*i+1]*x+a[3*i+2]*y, -a[3*i+1]*y+a[3*i+2]*x, decision.leaves);
                }
            }
        }
        for (i, mode) in self.modes.iter_mut().enumerate().take(self.system.count) {
            match mode.tangent {
                Tangent::Leaving(along) if forces[ROWS * i] <= 0.0 || self.loose => {
                    mode.tangent = Tangent::Straight(along);
                }
                _ => {}
            }
        }
        forces
    }

    /// A contact that cannot go on as it does along its normal, and what it does instead.
    fn misfit(&self, forces: &[f64; N]) -> Option<(usize, Normal)> {
        const ROUNDING: f64 = 1e-12;
        let rates = self.system.accelerations(forces);
        let most = rates.iter().chain(forces).fold(0.0, |most: f64, x| most.max(x.abs()));
        let slack = ROUNDING * most;
        (0..self.system.count).find_map(|i| {
            let (law, point) = (&self.system.laws[i], &self.points[i]);
            let (force, rate) = (forces[ROWS * i], rates[ROWS * i]);
            let whole = law.stiffness * self.system.power(point.x.max(0.0));
            let turning = self.system.jumps && point.v[0] == 0.0;
            match self.modes[i].normal {
                Normal::Held if law.pressing == Pressing::Plastic || !self.system.jumps => {
                    (force < -slack).then_some((i, Normal::Open(0.0)))
                }
                Normal::Held if force < law.returned * whole - slack => {
                    Some((i, Normal::Unloading))
                }
                Normal::Held if force > whole + slack => Some((i, Normal::Loading)),
                Normal::Unloading if turning && rate < -slack => Some((i, Normal::Held)),
                Normal::Loading if turning && rate > slack => Some((i, Normal::Held)),
                _ => None,
            }
        })
    }

    /// Makes a step, to its end or its first kink.
    fn advance(&mut self) -> Result<(), Error> {
        let mut reaction = Reaction::of(self.system, &self.points, &self.modes);
        let redundant = reaction.redundant;
        let step =
            Step::new(self.system, &self.points, &self.modes, &mut reaction, self.accuracy);
        self.steps += 1;
        let (mut end, mut found) = self.kink(&step, redundant);
        let straight = |mode: &Mode, two: bool| two && matches!(mode.tangent, Tangent::Straight(_));
        let brief = (0..self.system.count)
            .any(|i| straight(&self.modes[i], self.system.laws[i].tangents == 2));
        if brief {
            let time = |zeta: f64| step.sum(&step.pace, zeta);
            if time(end) > self.brief {
                let (mut lo, mut hi) = (0.0, end);
                for _ in 0..60 {
                    let middle = 0.5 * (lo + hi);
                    if time(middle) > self.brief { hi = middle } else { lo = middle }
                }
                (end, found) = (lo, None);
            }
        }
        if redundant {
            if let Some(place) = self.loosens(&step, end) {
                (end, found) = (place, None);
                self.shaken = true;
                self.loose = true;
                self.brief = LOOSE;
            }
        }
        #[cfg(feature = "std")]
        if std::env::var("TRACE").is_ok() {
            std::eprintln!("{} {:?} w {:.3e} end {:.3e} {:?}", self.steps, step.clock, step.width, end, found);
            for i in 0..self.system.count {
                let r = forces(self.system, &self.points, &self.modes, &reaction);
                let a = self.system.accelerations(&r);
                std::eprintln!("   {:?} {:?} ratio {} {:.3e} red {redundant} a {:.2e} {:.2e} {:.2e}", self.modes[i], self.points[i], (r[3*i+1].hypot(r[3*i+2]))/r[3*i], r[3*i], a[3*i], a[3*i+1], a[3*i+2]);
            }
        }
        self.stalled = if end > 0.0 { 0 } else { self.stalled + 1 };
        if self.stalled > STALLED {
            return Err(Error::NoContinuation { steps: self.steps });
        }
        self.points = self.reached(&step, end);
        for i in 0..self.system.count {
            // One that waited at rest has lifted instead.
            let lifted = -TOGETHER * self.system.indentation(i);
            if self.modes[i].is_open() && self.points[i].x < lifted {
                self.modes[i].normal = Normal::Open(0.0);
                self.opened[i] = true;
            }
        }
        if !self.points.iter().flat_map(|point| point.v).all(f64::is_finite) {
            return Err(Error::NoContinuation { steps: self.steps });
        }
        self.turn();
        match found {
            Some((i, kink)) => self.meet(i, kink),
            None => {}
        }
        Ok(())
    }

    /// Where a step is at a place.
    fn reached(&self, step: &Step<K>, zeta: f64) -> [Point; K] {
        core::array::from_fn(|i| match i < self.system.count {
            true => step.point(self.system, &self.modes[i], i, &self.points[i], zeta),
            false => Point::default(),
        })
    }

    /// Where in a step no forces hold all contacts that stick, if many do at first.
    fn loosens(&self, step: &Step<K>, end: f64) -> Option<f64> {
        const HALVINGS: usize = 45;
        let stuck = self.modes.map(|mode| mode.tangent == Tangent::Stuck);
        let holds = |zeta: f64| {
            let points = self.reached(step, zeta);
            let decision =
                rest::decide(self.system, &points, &self.modes, &stuck, &[false; K], 0.0);
            decision.leaves.iter().all(Option::is_none)
        };
        if holds(end) {
            return None;
        }
        let (mut lo, mut hi) = (0.0, end);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (lo + hi);
            if holds(middle) { lo = middle } else { hi = middle }
        }
        Some(hi)
    }

    /// The place of a step's first kink, and the kink. Where friction yields, the last digits of
    /// the series are not enough, and where hardly any force is left they may be wrong.
    fn kink(&self, step: &Step<K>, redundant: bool) -> (f64, Option<(usize, Kink)>) {
        const NEAR: f64 = 1e-7;
        const HALVINGS: usize = 48;
        let first = |but: Option<usize>| {
            let (points, modes) = (&self.points, &self.modes);
            let search = Search::first(self.system, step, points, modes, redundant, but);
            (search.end, search.found)
        };
        let (mut end, mut found) = first(None);
        let Some((i, Kink::Yields)) = found else { return (end, found) };
        let reaction = Reaction::of(self.system, &self.points, &self.modes);
        let mu = self.system.laws[i].static_friction;
        let holds = |zeta: f64| {
            let forces = forces(self.system, &self.reached(step, zeta), &self.modes, &reaction);
            let [normal, f1, f2] = [0, 1, 2].map(|d| forces[ROWS * i + d]);
            f1 * f1 + f2 * f2 < mu * mu * normal * normal
        };
        let width = NEAR * end.max(NEAR * step.width);
        let (mut lo, mut hi) = ((end - width).max(0.0), end + width);
        if holds(hi) {
            (end, found) = first(Some(i));
            (lo, hi) = (hi, end);
            if holds(end) {
                return (end, found);
            }
        }
        if !holds(lo) {
            return (lo, Some((i, Kink::Yields)));
        }
        for _ in 0..HALVINGS {
            let middle = 0.5 * (lo + hi);
            if holds(middle) { lo = middle } else { hi = middle }
        }
        (hi, Some((i, Kink::Yields)))
    }

    /// Slips that began turn, and those that have come to rest halt.
    fn turn(&mut self) {
        let mut halts = false;
        for i in 0..self.system.count {
            let (law, speed) = (&self.system.laws[i], self.points[i].speed());
            match self.modes[i].tangent {
                Tangent::Straight(_) if law.tangents == 2 => {
                    if speed > MOVING {
                        self.modes[i].tangent = Tangent::Turning;
                        self.brief = BRIEF;
                    } else {
                        self.brief *= 10.0;
                    }
                }
                Tangent::Leaving(_) if speed > MOVING => self.modes[i].tangent = Tangent::Turning,
                Tangent::Turning if speed < REST => halts = true,
                _ => {}
            }
        }
        let near = if halts { ALIKE } else { 0.0 };
        for i in 0..self.system.count {
            if self.modes[i].tangent == Tangent::Turning && self.points[i].speed() < near {
                self.halt(i);
            }
        }
    }

    fn halt(&mut self, i: usize) {
        (self.points[i].v[1], self.points[i].v[2]) = (0.0, 0.0);
        self.note(i, Kind::Halt);
        self.modes[i].tangent = Tangent::Stuck;
        self.resting[i] = true;
    }

    /// What happens at a kink.
    fn meet(&mut self, i: usize, kink: Kink) {
        match kink {
            Kink::Closes => self.closes(i),
            Kink::Opens => self.opens(i),
            Kink::Turns => self.turns(i),
            Kink::Halts if !matches!(self.modes[i].tangent, Tangent::Straight(_)) => {}
            Kink::Halts => self.halt(i),
            Kink::Yields => {
                self.yielding[i] = true;
                self.shaken = true;
            }
            Kink::Goes(normal) => self.goes(i, normal),
        }
    }

    /// A contact turns, and those with it whose velocities are as near to zero and change alike.
    fn turns(&mut self, first: usize) {
        let was = self.modes[first].normal;
        let reaction = Reaction::of(self.system, &self.points, &self.modes);
        let rates = self.system.accelerations(&forces(
            self.system,
            &self.points,
            &self.modes,
            &reaction,
        ));
        let sense = if was == Normal::Loading { 1.0 } else { -1.0 };
        let turning: [bool; K] = core::array::from_fn(|i| {
            let near = i < self.system.count && self.points[i].v[0].abs() < ALIKE;
            i == first || near && self.modes[i].normal == was && sense * rates[ROWS * i] > 0.0
        });
        let mut dropping = [false; K];
        for i in (0..self.system.count).filter(|&i| turning[i]) {
            let law = self.system.laws[i];
            self.points[i].v[0] = 0.0;
            if was == Normal::Loading {
                self.note(i, Kind::CompressionEnd);
            }
            let next = if was == Normal::Loading { Normal::Unloading } else { Normal::Loading };
            if law.pressing == Pressing::Plastic {
                self.was[i] = Some(was);
                self.modes[i].normal = Normal::Held;
                self.shaken = true;
            } else if self.system.jumps {
                self.was[i] = Some(was);
                self.modes[i].normal = next;
                self.shaken = true;
            } else if law.returned == 0.0 {
                dropping[i] = true;
            } else {
                if was == Normal::Unloading {
                    self.note(i, Kind::Recompression);
                }
                self.modes[i].normal = next;
            }
        }
        self.drop_together(&dropping);
    }

    /// Contacts without restitution have ended loading. Those that nothing presses shut once
    /// all their forces are gone open; more than one of which others are pressed depend on
    /// how little restitution they have.
    fn drop_together(&mut self, dropping: &[bool; K]) {
        let some = (0..self.system.count).filter(|&i| dropping[i]);
        let count = some.clone().count();
        if count > 1 {
            let reaction = Reaction::of(self.system, &self.points, &self.modes);
            let mut pressing = loads(self.system, &self.points, &self.modes);
            some.clone().for_each(|i| pressing[i] = 0.0);
            let forces = forces_by(self.system, &self.points, &self.modes, &reaction, &pressing);
            let rates = self.system.accelerations(&forces);
            let most = rates.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            if some.clone().all(|i| rates[ROWS * i] >= -NEGLIGIBLE * most) {
                for i in some {
                    self.note(i, Kind::Drop);
                    self.opens(i);
                }
                self.shaken = true;
                return;
            }
            self.unique = false;
        }
        some.for_each(|i| self.drops(i));
    }

    /// A held contact goes on.
    fn goes(&mut self, i: usize, normal: Normal) {
        if normal == Normal::Loading && !self.system.jumps {
            let reaction = Reaction::of(self.system, &self.points, &self.modes);
            let forces = forces(self.system, &self.points, &self.modes, &reaction);
            self.points[i].x = self.system.indented(i, forces[ROWS * i]);
        }
        self.was[i] = Some(Normal::Held);
        self.modes[i].normal = normal;
        self.shaken = true;
    }

    /// A contact without restitution has ended loading: its indentation drops, at once, past
    /// where the acceleration is zero to where the work of the others is spent.
    fn drops(&mut self, i: usize) {
        self.settle();
        let x = self.points[i].x;
        let reaction = Reaction::of(self.system, &self.points, &self.modes);
        let mut pressing = loads(self.system, &self.points, &self.modes);
        let mut rate = |part: f64| {
            pressing[i] = part;
            let forces = forces_by(self.system, &self.points, &self.modes, &reaction, &pressing);
            self.system.accelerations(&forces)[ROWS * i]
        };
        let without = rate(0.0);
        let gain = rate(1.0) - without;
        let energy = |x: f64| without * x + gain * self.system.stored(i, x);
        self.note(i, Kind::Drop);
        self.shaken = true;
        if without >= 0.0 {
            self.opens(i);
        } else if energy(x) >= 0.0 {
            self.wait(i);
        } else {
            // The least of the energy lies between its two places of equal energy.
            let least = self.system.indented(i, -without / gain);
            let (mut lo, mut hi) = (0.0, least.min(x));
            for _ in 0..200 {
                let middle = 0.5 * (lo + hi);
                if energy(middle) > energy(x) { lo = middle } else { hi = middle }
            }
            self.points[i].x = hi;
            if x - hi < CHATTER * x {
                self.was[i] = Some(Normal::Loading);
                self.modes[i].normal = Normal::Held;
            }
        }
    }
}
