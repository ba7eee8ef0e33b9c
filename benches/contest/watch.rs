//! What is looked for in the steps of an integrator, by its own dense output.

use std::convert::Infallible;

use routh_integrators::Failure;
use routh_integrators::impact::{Crossing, SlidingImpact, State, locate};

use super::field::{Field, Point, Sliding};

/// How closely events are located, as a part of what their step changes.
const LOCATED: f64 = 4e-15;

/// Something that is shown every step.
pub(super) trait Watch {
    /// A step from `from` to `to`, where it has come, and what lies between: whether
    /// it was the last that is needed.
    fn step(&mut self, from: f64, to: f64, end: Point, at: impl FnMut(f64) -> Point) -> bool;

    /// Where the last step has come.
    fn reached(&self) -> f64;
}

/// A field whose steps are watched.
pub(super) struct Watched<'a, const OVER_TAU: bool, const N: usize, W> {
    pub(super) field: &'a Field<OVER_TAU, N>,
    /// The relative tolerance that it is followed with.
    pub(super) tolerance: f64,
    pub(super) watch: &'a mut W,
    pub(super) done: bool,
}

impl<const OVER_TAU: bool, const N: usize, W: Watch> Watched<'_, OVER_TAU, N, W> {
    /// The relative tolerance and the absolute one.
    pub(super) fn tolerances(&self) -> [f64; 2] {
        [self.tolerance, self.tolerance * self.field.scale()]
    }

    /// Beyond where it is to be followed.
    pub(super) fn end(&self) -> f64 {
        1e3 * self.field.span()
    }

    /// Shows a step: whether it was the last that is needed.
    pub(super) fn step(
        &mut self,
        [from, to]: [f64; 2],
        end: &[f64; N],
        mut at: impl FnMut(f64) -> [f64; N],
    ) -> bool {
        let end = self.field.point(to, end);
        self.done = self.watch.step(from, to, end, |t| self.field.point(t, &at(t)));
        self.done
    }

    /// The steps that it took, if they have shown all.
    pub(super) fn steps(&self, steps: usize) -> Result<usize, Failure> {
        self.done.then_some(steps).ok_or(Failure::Stuck { impulse: self.watch.reached() })
    }
}

/// How a slip ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Impact,
    Halt,
}

/// Watches for the events of an impact.
#[derive(Clone, Debug)]
pub(super) struct Events<'a> {
    sliding: &'a Sliding,
    pub(super) impact: SlidingImpact,
    pub(super) end: Option<End>,
    slowest: f64,
}

impl<'a> Events<'a> {
    /// Events up to the end or to a halt: that part of the first speed that is left at it
    /// is the tolerance.
    pub(super) fn new(sliding: &'a Sliding, impact: SlidingImpact, tolerance: f64) -> Self {
        let [x, y] = sliding.start();
        Self { sliding, impact, end: None, slowest: tolerance * x.hypot(y) }
    }

    fn state(&self, point: &Point) -> State {
        let Point { p, v: [x, y], work } = *point;
        [x, y, self.impact.normal(p, [x, y]), work]
    }

    fn halt(&mut self, end: &Point) {
        let left = self.sliding.left_to_halt(end.v);
        let normal = self.impact.normal(end.p + left, [0.0; 2]);
        let work = end.work + 0.5 * (self.state(end)[2] + normal) * left;
        self.impact.go_to(end.p + left, [0.0, 0.0, normal, work]);
        self.end = Some(End::Halt);
    }
}

impl Watch for Events<'_> {
    fn step(
        &mut self,
        mut from: f64,
        to: f64,
        end: Point,
        mut at: impl FnMut(f64) -> Point,
    ) -> bool {
        loop {
            let state = |_, point: &Point| (point.p, self.state(point));
            let mut at = |t| Ok::<_, Infallible>(at(t));
            let Ok((t, point, crossing)) =
                self.impact.first_crossing(from, (to, end), LOCATED, state, &mut at);
            let Some(crossing) = crossing else { break };
            self.impact.go_to(point.p, self.state(&point));
            if crossing == Crossing::End {
                self.end = Some(End::Impact);
                return true;
            }
            self.impact.turn();
            from = t;
        }
        if end.speed() <= self.slowest {
            self.halt(&end);
            return true;
        }
        self.impact.go_to(end.p, self.state(&end));
        false
    }

    fn reached(&self) -> f64 {
        self.impact.impulse()
    }
}

/// Samples the velocity at impulses.
#[derive(Clone, Debug)]
pub(super) struct Samples<'a> {
    sliding: &'a Sliding,
    impulse: &'a [f64],
    pub(super) velocity: Vec<[f64; 2]>,
    rate_from_rest: [f64; 2],
    slowest: f64,
    last: f64,
}

impl<'a> Samples<'a> {
    /// Samples up to a halt, and beyond.
    pub(super) fn new(
        sliding: &'a Sliding,
        impulse: &'a [f64],
        rate_from_rest: [f64; 2],
        tolerance: f64,
    ) -> Self {
        let [x, y] = sliding.start();
        let velocity = Vec::with_capacity(impulse.len());
        let slowest = tolerance * x.hypot(y);
        Self { sliding, impulse, velocity, rate_from_rest, slowest, last: 0.0 }
    }
}

impl Watch for Samples<'_> {
    fn step(&mut self, from: f64, to: f64, end: Point, mut at: impl FnMut(f64) -> Point) -> bool {
        let mut low = (from, self.last);
        while let Some(&p) = self.impulse.get(self.velocity.len()).filter(|&&p| p <= end.p) {
            let bounds = ((low.0, low.1 - p), (to, end.p - p));
            let Ok((t, point)) = locate(bounds.0, bounds.1, LOCATED * p, |t| {
                let point = at(t);
                Ok::<_, Infallible>((point.p - p, point))
            });
            low = (t, point.p);
            self.velocity.push(point.v);
        }
        self.last = end.p;
        if end.speed() <= self.slowest {
            let halt = end.p + self.sliding.left_to_halt(end.v);
            let after = |p: &f64| self.rate_from_rest.map(|rate| rate * (p - halt).max(0.0));
            self.velocity.extend(self.impulse[self.velocity.len()..].iter().map(after));
        }
        self.velocity.len() == self.impulse.len()
    }

    fn reached(&self) -> f64 {
        self.last
    }
}
