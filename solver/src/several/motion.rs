//! The motion through an impact: steps from kink to kink.

use alloc::vec::Vec;

use super::instant::{forces, forces_by};
use super::kinks::{Kink, Search};
use super::modes::{Mode, Normal, Point, Tangent};
use super::outcome::{Event, Kind};
use super::reaction::Reaction;
use super::rest;
use super::step::Step;
use super::system::{ROWS, System};
use crate::error::Error;
use crate::impact::Accuracy;

/// Steps that no impact needs.
const LIMIT: usize = 20_000;

/// So many events at one instant have no end.
const STALLED: usize = 200;

/// Steps below this part of what the series allow are no progress.
const NOTHING: f64 = 1e-13;

/// Velocities below this are zero.
pub(super) const REST: f64 = 1e-13;

/// Where one contact turns or comes to rest, others that are as slow as this do so too.
pub(super) const ALIKE: f64 = 1e-12;

/// Slips that are slower and do not speed up have come to rest: of several that halt together
/// rounding leaves so much.
pub(super) const HALTED: f64 = 5e-12;

/// Contacts that close more slowly do not.
pub(super) const NEGLIGIBLE: f64 = 1e-13;

/// Contacts that close within this part of an indentation close together.
pub(super) const TOGETHER: f64 = 1e-13;

/// How fast a contact that jams is taken to approach: faster than what no longer counts.
const JAMMED: f64 = 3e-11;

/// How long the direction of friction is kept where a slip begins without a force.
pub(super) const BRIEF: f64 = 1e-7;

/// The same where redundant contacts begin to slide.
pub(super) const LOOSE: f64 = 1e-4;

/// Parts of a step in which redundant contacts are not decided again.
const SOON: f64 = 1e-6;

/// How often a step is halved at most for a slip that begins.
const SHORTER: usize = 20;

/// The state of an impact while it is solved.
pub(super) struct Motion<'a, const K: usize, const N: usize> {
    pub(super) system: &'a System<K, N>,
    pub(super) accuracy: Accuracy,
    pub(super) points: [Point; K],
    pub(super) modes: [Mode; K],
    /// Those whose sliding is undecided.
    pub(super) resting: [bool; K],
    /// Those that friction no longer holds.
    pub(super) yielding: [bool; K],
    /// What those that turn did along their normals.
    pub(super) was: [Option<Normal>; K],
    /// Those that touch without a force, and have not slid.
    pub(super) stuck: [bool; K],
    /// Those that have opened before.
    pub(super) opened: [bool; K],
    /// Whether what sticks must be decided again.
    pub(super) shaken: bool,
    /// Whether no forces hold redundant contacts any more.
    pub(super) loose: bool,
    /// Whether they stick all the same.
    pub(super) sticky: bool,
    /// How long the direction of friction is kept where a slip begins.
    pub(super) brief: f64,
    /// Steps without progress.
    pub(super) stalled: usize,
    pub(super) events: Vec<Event>,
    pub(super) steps: usize,
    pub(super) unique: bool,
}

/// Between a place where something holds and one where it does not, the last and the first
/// such.
pub(super) fn border([mut lo, mut hi]: [f64; 2], holds: impl Fn(f64) -> bool) -> [f64; 2] {
    const HALVINGS: usize = 50;
    for _ in 0..HALVINGS {
        let middle = 0.5 * (lo + hi);
        if holds(middle) { lo = middle } else { hi = middle }
    }
    [lo, hi]
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
            points: velocities.map(Point::new),
            modes: [open; K],
            resting: [false; K],
            yielding: [false; K],
            was: [None; K],
            stuck: [false; K],
            opened: [false; K],
            shaken: false,
            loose: false,
            sticky: false,
            brief: BRIEF,
            stalled: 0,
            events: Vec::new(),
            steps: 0,
            unique: true,
        };
        for i in 0..system.count {
            match motion.points[i].v[0] {
                v if v < -NEGLIGIBLE => motion.load(i),
                v if v > NEGLIGIBLE => {}
                _ if motion.jams(i) => {
                    motion.points[i].v[0] = -JAMMED;
                    motion.load(i);
                }
                _ => motion.wait(i),
            }
        }
        motion.settle();
        motion.begin();
        motion
    }

    pub(super) fn run(&mut self) -> Result<(), Error> {
        while self.steps < LIMIT {
            if self.spent() {
                return Ok(());
            }
            self.open_spent();
            self.settle();
            if !self.presses() {
                if !self.fly() {
                    return Ok(());
                }
                continue;
            }
            self.advance()?;
        }
        Err(self.accuracy.exceeded(self.steps))
    }

    pub(super) fn note(&mut self, contact: usize, kind: Kind) {
        self.events.push(Event { contact, kind });
    }

    /// All forces, now.
    pub(super) fn forces(&self) -> [f64; N] {
        let reaction = Reaction::of(self.system, &self.points, &self.modes);
        forces(self.system, &self.points, &self.modes, &reaction)
    }

    /// The accelerations that these normal forces cause, with friction and reactions.
    pub(super) fn rates_by(&self, loads: &[f64; K]) -> [f64; N] {
        let reaction = Reaction::of(self.system, &self.points, &self.modes);
        let forces = forces_by(self.system, &self.points, &self.modes, &reaction, loads);
        self.system.accelerations(&forces)
    }

    /// Whether the direction of a contact's friction is kept only for a while.
    pub(super) fn begins(&self, i: usize) -> bool {
        self.system.laws[i].tangents == 2 && matches!(self.modes[i].tangent, Tangent::Straight(_))
    }

    /// Makes a step, to its end or its first kink.
    fn advance(&mut self) -> Result<(), Error> {
        let mut reaction = self.shared();
        let redundant = reaction.redundant;
        let step = Step::new(self.system, &self.points, &self.modes, &mut reaction, self.accuracy);
        self.steps += 1;
        let (mut end, mut found) = self.kink(&step, redundant);
        let within = |zeta: f64| step.sum(&step.pace, zeta) <= self.brief;
        if (0..self.system.count).any(|i| self.begins(i)) && !within(end) {
            let [place, _] = border([0.0, end], within);
            (end, found) = (place, None);
        }
        for _ in 0..SHORTER {
            if step.is_faithful(&self.modes, end) && step.is_faithful(&self.modes, 0.5 * end) {
                break;
            }
            (end, found) = (0.5 * end, None);
        }
        if let Some(place) = redundant.then(|| self.loosens(&step, &reaction, end)).flatten() {
            (end, found) = (place, None);
            (self.shaken, self.loose) = (true, true);
            self.brief = LOOSE;
        }
        if let Some(place) = redundant.then(|| self.shifts(&step, &reaction, end)).flatten() {
            (end, found) = (place, None);
            (self.shaken, self.loose) = (false, false);
        }
        let before = self.points.map(|point| point.speed());
        self.points = self.reached(&step, end);
        let hardly = (0..self.system.count).any(|i| self.hardly_leaves(i));
        let moves = end > NOTHING * step.width && !hardly;
        self.stalled = if moves { 0 } else { self.stalled + 1 };
        if self.stalled > STALLED {
            return Err(Error::NoContinuation { steps: self.steps });
        }
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
        self.turn(&before);
        if let Some((i, kink)) = found {
            self.meet(i, kink);
        }
        Ok(())
    }

    /// The reactions; redundant contacts that stick take no more friction than they can where
    /// others can take it.
    fn shared(&mut self) -> Reaction<N> {
        const FULL: f64 = 0.99;
        let reaction = Reaction::of(self.system, &self.points, &self.modes);
        let (system, modes) = (self.system, &self.modes);
        if !reaction.redundant || rest::within(system, &self.points, modes, &reaction, FULL) {
            return reaction;
        }
        let shares = rest::shares(system, &self.points, modes);
        for (point, share) in self.points.iter_mut().zip(shares) {
            point.share = share;
        }
        Reaction::of(system, &self.points, modes)
    }

    /// Where a step is at a place.
    fn reached(&self, step: &Step<K>, zeta: f64) -> [Point; K] {
        core::array::from_fn(|i| match i < self.system.count {
            true => step.point(self.system, &self.modes[i], i, &self.points[i], zeta),
            false => self.points[i],
        })
    }

    /// Where in a step no forces hold all contacts that stick, if many do at first.
    fn loosens(&self, step: &Step<K>, reaction: &Reaction<N>, end: f64) -> Option<f64> {
        let holds =
            |zeta: f64| rest::holds(self.system, &self.reached(step, zeta), &self.modes, reaction);
        if holds(end) {
            return None;
        }
        let [_, place] = border([0.0, end], holds);
        let least = if self.sticky { SOON * step.width } else { 0.0 };
        Some(place.max(least).min(end))
    }

    /// Where in a step redundant contacts must share their friction in another way.
    fn shifts(&self, step: &Step<K>, reaction: &Reaction<N>, end: f64) -> Option<f64> {
        let within = |zeta: f64| {
            rest::within(self.system, &self.reached(step, zeta), &self.modes, reaction, 1.0)
        };
        let beyond = [0.5, 1.0].map(|part| part * end).into_iter().find(|&place| !within(place))?;
        let [place, _] = border([0.0, beyond], within);
        (place > SOON * step.width).then_some(place)
    }

    /// The place of a step's first kink, and the kink. Where friction yields, the last digits of
    /// the series are not enough, and where hardly any force is left they may be wrong.
    fn kink(&self, step: &Step<K>, redundant: bool) -> (f64, Option<(usize, Kink)>) {
        const NEAR: f64 = 1e-7;
        let reaction = Reaction::of(self.system, &self.points, &self.modes);
        let holds = |i: usize, zeta: f64| {
            let forces = forces(self.system, &self.reached(step, zeta), &self.modes, &reaction);
            let [normal, f1, f2] = [0, 1, 2].map(|d| forces[ROWS * i + d]);
            let most = self.system.laws[i].static_friction * normal;
            f1 * f1 + f2 * f2 <= most * most
        };
        let mut firm = [redundant; K];
        let (end, found) = loop {
            let (points, modes) = (&self.points, &self.modes);
            let Search { end, found, .. } = Search::first(self.system, step, points, modes, &firm);
            let Some((i, Kink::Yields)) = found else { break (end, found) };
            let width = NEAR * end.max(NEAR * step.width);
            let [lo, hi] = [(end - width).max(0.0), end + width];
            if !holds(i, lo) {
                return (lo, found);
            }
            if !holds(i, hi) {
                let [_, place] = border([lo, hi], |zeta| holds(i, zeta));
                return (place, found);
            }
            firm[i] = true;
        };
        // Those of which the series were wrong must hold to the end.
        let yields = (0..self.system.count).find(|&i| !redundant && firm[i] && !holds(i, end));
        match yields {
            None => (end, found),
            Some(i) => {
                let [_, place] = border([0.0, end], |zeta| holds(i, zeta));
                (place, Some((i, Kink::Yields)))
            }
        }
    }
}
