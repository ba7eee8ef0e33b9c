//! One step: power series of all contacts, built order by order from generated parts.

use alloc::vec;
use alloc::vec::Vec;

use nalgebra::{DMatrix, DVector};

use super::modes::{Mode, Point, Tangent};
use super::problem::Problem;
use super::reaction::Reaction;
use crate::elementary::sqrt;
use crate::impact::Accuracy;
use crate::kernels::{Approach, Clock, Press, RootPress, Rub};
use routh_runtime::double::number::{rough_exp2, rough_log2};
use routh_runtime::double::roots::{first_crossing, value};

/// The order of a step in which a contact wakes: its force begins with the 21st
/// power.
const WAKING_ORDER: usize = 48;

/// Coefficients in a row, enough for the highest order.
pub(super) const LENGTH: usize = WAKING_ORDER + 1;

/// Among this many consecutive coefficients at least one is not zero: where a contact
/// closes, where one wakes, and elsewhere.
const CLOSING_GAP: usize = 5;
const WAKING_GAP: usize = 10;
const GAP: usize = 2;

/// The leading power of `ξ` in `√σ ~ t^(1/4)` where a contact at rest is driven by
/// one that closes: its neighbour's force grows as `t^(3/2)`, so `ξ ~ t^(7/2)`.
const WAKING_LEAD: usize = 14;

/// The longest step; only exact polynomials would allow a longer one.
const LONGEST: f64 = 1e12;

/// Coefficients of a series.
pub(super) type Row = [f64; LENGTH];

const ZERO: Row = [0.0; LENGTH];

/// The series of one contact.
#[derive(Clone, Debug)]
pub(super) struct Series {
    pub(super) xi: Row,
    pub(super) u: Row,
    pub(super) w: Row,
    pub(super) p: Row,
    pub(super) z: Row,
    /// `dp/dζ`
    pub(super) pressing: Row,
    /// `dz/dζ`
    pub(super) rubbing: Row,
    normal_work: Row,
    friction_work: Row,
}

impl Series {
    fn from(point: &Point) -> Self {
        let first = |x: f64| {
            let mut row = ZERO;
            row[0] = x;
            row
        };
        Self {
            xi: first(point.xi),
            u: first(point.u),
            w: first(point.w),
            p: first(point.p),
            z: first(point.z),
            pressing: ZERO,
            rubbing: ZERO,
            normal_work: first(point.normal_work),
            friction_work: first(point.friction_work),
        }
    }
}

/// A step in `ζ`.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) order: usize,
    pub(super) width: f64,
    pub(super) clock: usize,
    /// The clock's root `s = √ξ`.
    pub(super) root: Row,
    /// Time since the step began.
    time: Row,
    /// `dt/dζ`
    pub(super) pace: Row,
    pub(super) contacts: Vec<Series>,
}

/// The generated parts of one contact: its approach, the source of its force, and its
/// friction work if it slides.
struct Parts {
    approach: Approach<f64, LENGTH>,
    pressing: Pressing,
    rub: Option<Rub<f64, LENGTH>>,
}

/// The source of a contact's force.
enum Pressing {
    /// None of its own.
    No,
    /// The root of the clock's indentation.
    Root(RootPress<f64, LENGTH>),
    /// An indentation that begins with this power.
    Hertz(Press<f64, LENGTH>, usize),
}

/// Builds a step, order by order.
struct Making<'a> {
    problem: &'a Problem,
    modes: &'a [Mode],
    reaction: &'a Reaction,
    /// `dσ/dζ`: σ = ζ, or σ = ζ² where a contact wakes.
    grain: Row,
    clockwork: Clock<f64, LENGTH>,
    parts: Vec<Parts>,
    /// Rates of the impulses due to indentation.
    pressing: Vec<f64>,
}

impl<'a> Making<'a> {
    fn new(
        problem: &'a Problem,
        points: &[Point],
        modes: &'a [Mode],
        reaction: &'a Reaction,
        clock: usize,
        stretch: usize,
    ) -> Self {
        let mut grain = ZERO;
        grain[stretch - 1] = stretch as f64;
        let lead = |point: &Point| match (point.xi == 0.0, point.u == 0.0) {
            (false, _) => 0,
            (true, false) => 2 * stretch,
            (true, true) => WAKING_LEAD,
        };
        let parts = modes.iter().zip(points).enumerate().map(|(j, (mode, point))| Parts {
            approach: Approach::new(),
            pressing: match mode.is_free() {
                false => Pressing::No,
                true if j == clock => Pressing::Root(RootPress::new()),
                true => Pressing::Hertz(Press::new(), lead(point)),
            },
            rub: matches!(mode.tangent, Tangent::Slips(_)).then(Rub::new),
        });
        Self {
            problem,
            modes,
            reaction,
            grain,
            clockwork: Clock::new(),
            parts: parts.collect(),
            pressing: vec![0.0; reaction.free.len()],
        }
    }

    /// Coefficients `k + 1` of all unknowns, from those up to `k`.
    fn advance(&mut self, step: &mut Step, k: usize) {
        let next = 1.0 / (k + 1) as f64;
        let u = &step.contacts[step.clock].u;
        let [root, time] = self.clockwork.rates([u, &self.grain], [&step.root], k);
        step.root[k + 1] = root * next;
        step.time[k + 1] = time * next;
        step.pace[k] = time;
        for (part, series) in self.parts.iter_mut().zip(&mut step.contacts) {
            let [approach] = part.approach.rates([&series.u, &step.pace], k);
            series.xi[k + 1] = approach * next;
        }
        for (force, &j) in self.pressing.iter_mut().zip(&self.reaction.free) {
            let (mode, law) = (&self.modes[j], &self.problem.laws[j]);
            let (pressing, series) = (&mut self.parts[j].pressing, &mut step.contacts[j]);
            let constants = [mode.stiffness(law), mode.damping];
            let [rate, work] = pressing.rates(&constants, &step.root, series, &step.pace, k);
            *force = rate;
            series.normal_work[k + 1] = work * next;
        }
        self.couple(step, k);
    }

    /// Coefficient `k` of all forces and `k + 1` of all velocities, from those of
    /// the forces due to indentation.
    fn couple(&mut self, step: &mut Step, k: usize) {
        let next = 1.0 / (k + 1) as f64;
        let (pressing, reaction) = (&self.pressing, self.reaction);
        let sum = |matrix: &DMatrix<f64>, row: usize| -> f64 {
            pressing.iter().enumerate().map(|(i, force)| matrix[(row, i)] * force).sum()
        };
        for (j, series) in step.contacts.iter_mut().enumerate() {
            series.u[k + 1] = sum(&reaction.rates, 2 * j) * next;
            series.w[k + 1] = sum(&reaction.rates, 2 * j + 1) * next;
            if self.modes[j].is_open() {
                continue;
            }
            series.pressing[k] = sum(&reaction.forces, 2 * j);
            series.rubbing[k] = sum(&reaction.forces, 2 * j + 1);
            series.p[k + 1] = series.pressing[k] * next;
            series.z[k + 1] = series.rubbing[k] * next;
            if let Some(rub) = &mut self.parts[j].rub {
                let [work] = rub.rates([&series.w, &series.rubbing], k);
                series.friction_work[k + 1] = work * next;
            }
        }
    }
}

impl Step {
    /// The series from the given points on, and the width within which they meet the
    /// tolerance. At least one contact must be free.
    pub(super) fn new(
        problem: &Problem,
        points: &[Point],
        modes: &[Mode],
        reaction: &Reaction,
        accuracy: Accuracy,
    ) -> Self {
        let wakes = |&j: &usize| points[j].xi == 0.0 && points[j].u == 0.0;
        let waking = reaction.free.iter().any(wakes);
        let (order, stretch) = if waking { (WAKING_ORDER, 2) } else { (accuracy.order(), 1) };
        let clock = clock(problem, points, modes, &reaction.free, accuracy);
        let mut step = Self {
            order,
            width: 0.0,
            clock,
            root: ZERO,
            time: ZERO,
            pace: ZERO,
            contacts: points.iter().map(Series::from).collect(),
        };
        step.root[0] = sqrt(points[clock].xi);
        let mut making = Making::new(problem, points, modes, reaction, clock, stretch);
        (0..order).for_each(|k| making.advance(&mut step, k));
        let gap = match step.root[0] {
            _ if waking => WAKING_GAP,
            0.0 => CLOSING_GAP,
            _ => GAP,
        };
        step.width = step.reach(accuracy, gap);
        step
    }

    /// The width that the `last` coefficients allow.
    fn reach(&self, accuracy: Accuracy, last: usize) -> f64 {
        let tolerance = rough_log2(accuracy.tolerance());
        let orders = self.order + 1 - last..=self.order;
        let reach = |k: usize| {
            let size = self.contacts.iter().fold(0.0, |most: f64, series| {
                let [xi, u, p] = [series.xi[k], series.u[k], series.p[k]].map(f64::abs);
                most.max(xi).max(u).max(p)
            });
            rough_exp2((tolerance - rough_log2(size)) / k as f64)
        };
        orders.map(reach).fold(LONGEST, f64::min)
    }

    /// Where a contact's indentation is largest before a place in the step, if that lies
    /// inside.
    pub(super) fn turn(&self, j: usize, end: f64) -> Option<f64> {
        let u = &self.contacts[j].u;
        if u[0] < 0.0 || self.at(u, end) >= 0.0 {
            return None;
        }
        first_crossing(u, self.order, 0.0, 0.0, end, false, false)
    }

    /// A series' value.
    pub(super) fn at(&self, row: &Row, zeta: f64) -> f64 {
        value(row, self.order, zeta)
    }

    /// Time since the step began.
    pub(super) fn time(&self, zeta: f64) -> f64 {
        self.at(&self.time, zeta)
    }

    /// The state of a contact.
    pub(super) fn point(&self, j: usize, zeta: f64) -> Point {
        let series = &self.contacts[j];
        Point {
            xi: self.at(&series.xi, zeta),
            u: self.at(&series.u, zeta),
            w: self.at(&series.w, zeta),
            p: self.at(&series.p, zeta),
            z: self.at(&series.z, zeta),
            normal_work: self.at(&series.normal_work, zeta),
            friction_work: self.at(&series.friction_work, zeta),
        }
    }

    /// All forces, normal and tangential of one contact after the other.
    pub(super) fn forces(
        &self,
        problem: &Problem,
        modes: &[Mode],
        reaction: &Reaction,
        zeta: f64,
    ) -> DVector<f64> {
        let made = reaction.free.iter().map(|&j| {
            let series = &self.contacts[j];
            let [xi, u] = [&series.xi, &series.u].map(|row| self.at(row, zeta));
            modes[j].force(&problem.laws[j], xi, u)
        });
        &reaction.forces * DVector::from_iterator(reaction.free.len(), made)
    }
}

impl Pressing {
    /// The rates of impulse and work. Where an indentation begins as `ζ^l y`, its
    /// force is that of `y` times `ζ^(3l/2)`.
    fn rates(
        &mut self,
        constants: &[f64; 2],
        root: &Row,
        series: &Series,
        pace: &Row,
        k: usize,
    ) -> [f64; 2] {
        match self {
            Self::No => [0.0; 2],
            Self::Root(press) => press.rates(constants, [root, &series.u, pace], k),
            Self::Hertz(press, lead) => match k.checked_sub(3 * *lead / 2) {
                None => [0.0; 2],
                Some(k) => press.rates(constants, [&series.xi[*lead..], &series.u, pace], k),
            },
        }
    }
}

/// The free contact whose `√ξ` would limit a step most if it were not the clock: by the
/// time until it opens or since it closed, and its impulse until then.
fn clock(
    problem: &Problem,
    points: &[Point],
    modes: &[Mode],
    free: &[usize],
    accuracy: Accuracy,
) -> usize {
    let order = accuracy.order() as f64;
    let limit = |j: usize| {
        let Point { xi, u, .. } = points[j];
        if xi == 0.0 {
            // One that closes comes first; one that wakes has no simple root.
            return if u > 0.0 { 0.0 } else { f64::INFINITY };
        }
        let distance = xi / u.abs().max(f64::MIN_POSITIVE);
        let impulse = modes[j].force(&problem.laws[j], xi, u) * distance;
        let part = (rough_log2(accuracy.tolerance()) - rough_log2(impulse)) / order;
        distance * rough_exp2(part)
    };
    let least = free.iter().copied().min_by(|&i, &j| limit(i).total_cmp(&limit(j)));
    least.unwrap_or_default()
}
