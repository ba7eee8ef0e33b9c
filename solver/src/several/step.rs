//! One step: power series of all contacts, built order by order from generated parts.

use super::instant::forces;
use super::modes::{Mode, Normal, Point, Tangent};
use super::reaction::{Reaction, Unknown};
use super::system::{ROWS, System};
use crate::elementary::sqrt;
use crate::impact::Accuracy;
use crate::kernels::{Indent, LinearLoad, Load, Root, RootLoad, Rub, Slide, Speed};
use routh_runtime::double::number::{rough_exp2, rough_log2};
use routh_runtime::double::roots::value;

/// Coefficients in a row, enough for the highest order.
pub(super) const LENGTH: usize = 33;

/// Among this many consecutive coefficients at least one is not zero: where a contact
/// closes, and elsewhere.
const CLOSING_GAP: usize = 5;
const GAP: usize = 2;

/// The longest step; only exact polynomials would allow a longer one.
const LONGEST: f64 = 1e12;

/// The speed of a clock that comes to rest needs no more digits than these.
const SPEED_DIGITS: f64 = 1e-4;

/// Coefficients of a series.
pub(super) type Row = [f64; LENGTH];

const ZERO: Row = [0.0; LENGTH];
const ONE: Row = {
    let mut row = ZERO;
    row[0] = 1.0;
    row
};

/// What sets the pace of a step, `q = dt/dζ`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Clock {
    /// `q = 1`
    Time,
    /// `q = √x` of a contact.
    Root(usize),
    /// `q = |v_t|` of a contact.
    Speed(usize),
}

/// The series of one contact.
#[derive(Clone, Debug)]
pub(super) struct Series {
    pub(super) x: Row,
    pub(super) v: [Row; 3],
    /// `dp/dζ`
    pub(super) rate: [Row; 3],
    /// `|v_t|`, where it slides.
    pub(super) speed: Row,
    /// The direction of a contact that leaves, along the one it begins with and across, or
    /// of one that is held and turns.
    course: [Row; 2],
    friction_work: Row,
}

/// A step in `ζ`.
#[derive(Clone, Debug)]
pub(super) struct Step<const K: usize> {
    pub(super) order: usize,
    pub(super) width: f64,
    pub(super) clock: Clock,
    pub(super) pace: Row,
    /// `√x` of a clock that is one.
    pub(super) root: Row,
    pub(super) series: [Series; K],
}

/// The generated parts of one contact.
struct Parts {
    indent: Indent<f64, LENGTH>,
    source: Source,
    load: Load<f64, LENGTH>,
    root_load: RootLoad<f64, LENGTH>,
    linear_load: LinearLoad<f64, LENGTH>,
    /// The power of `ζ` with which its indentation begins.
    lead: usize,
    speed: Speed<f64, LENGTH>,
    slide: Slide<f64, LENGTH>,
    rub: Rub<f64, LENGTH>,
}

/// What a contact's force comes from.
#[derive(Clone, Copy)]
enum Source {
    Nothing,
    /// The clock's root of its indentation.
    Root,
    Indentation,
    /// The same, by the linear law.
    Linear,
}

/// Builds a step, order by order.
struct Making<'a, const K: usize, const N: usize> {
    system: &'a System<K, N>,
    modes: &'a [Mode; K],
    reaction: &'a mut Reaction<N>,
    root: Root<f64, LENGTH>,
    parts: [Parts; K],
}

fn first(x: f64) -> Row {
    let mut row = ZERO;
    row[0] = x;
    row
}

fn length([x, y, z]: [f64; 3]) -> f64 {
    sqrt(x * x + y * y + z * z)
}

/// Coefficient `k` of a product, but for the terms with the first coefficients of either.
fn inner(x: &Row, y: &Row, from: usize, to: usize, k: usize) -> f64 {
    (from..to).fold(0.0, |sum, j| sum + x[j] * y[k - j])
}

impl<const K: usize> Step<K> {
    /// The series from the given points on, and the width within which they meet the
    /// tolerance.
    pub(super) fn new<const N: usize>(
        system: &System<K, N>,
        points: &[Point; K],
        modes: &[Mode; K],
        reaction: &mut Reaction<N>,
        accuracy: Accuracy,
    ) -> Self {
        let clock = clock(system, points, modes, reaction, accuracy);
        let order = accuracy.order().min(LENGTH - 1);
        let mut step = Self {
            order,
            width: 0.0,
            clock,
            pace: ZERO,
            root: ZERO,
            series: core::array::from_fn(|i| Series {
                x: first(points[i].x),
                v: points[i].v.map(first),
                rate: [ZERO; 3],
                speed: ZERO,
                course: [first(1.0), ZERO],
                friction_work: first(points[i].friction_work),
            }),
        };
        if let Clock::Root(i) = clock {
            step.root[0] = sqrt(points[i].x);
        }
        let closing = matches!(clock, Clock::Root(i) if points[i].x == 0.0);
        let parts = core::array::from_fn(|i| Parts {
            indent: Indent::new(),
            source: match clock {
                _ if !modes[i].is_elastic() => Source::Nothing,
                _ if !system.hertz => Source::Linear,
                Clock::Root(j) if i == j => Source::Root,
                _ => Source::Indentation,
            },
            load: Load::new(),
            root_load: RootLoad::new(),
            linear_load: LinearLoad::new(),
            lead: if system.hertz && points[i].x == 0.0 { 2 } else { 0 },
            speed: Speed::new(),
            slide: Slide::new(),
            rub: Rub::new(),
        });
        let mut making = Making { system, modes, reaction, root: Root::new(), parts };
        (0..order).for_each(|k| making.advance(&mut step, k));
        step.width =
            step.reach(system, points, modes, accuracy, if closing { CLOSING_GAP } else { GAP });
        step
    }

    /// The width that the `last` coefficients allow.
    fn reach<const N: usize>(
        &self,
        system: &System<K, N>,
        points: &[Point; K],
        modes: &[Mode; K],
        accuracy: Accuracy,
        last: usize,
    ) -> f64 {
        let tolerance = rough_log2(accuracy.tolerance());
        let reach = |k: usize| {
            let mut size = 0.0_f64;
            for i in 0..system.count {
                let series = &self.series[i];
                let own = system.inertia[ROWS * i][ROWS * i];
                let velocity = length(series.v.each_ref().map(|row| row[k]));
                let force = length(series.rate.each_ref().map(|row| row[k - 1]));
                size = size.max(velocity).max(force / k as f64 * own);
                if self.clock == Clock::Speed(i) {
                    let part = accuracy.tolerance() / SPEED_DIGITS / points[i].speed();
                    size = size.max(length([0.0, series.v[1][k], series.v[2][k]]) * part);
                }
                if !matches!(modes[i].normal, Normal::Held) {
                    size = size.max(series.x[k].abs() / system.indentation(i));
                }
            }
            rough_exp2((tolerance - rough_log2(size)) / k as f64)
        };
        (self.order + 1 - last..=self.order).map(reach).fold(LONGEST, f64::min)
    }

    /// A series' value.
    pub(super) fn at(&self, row: &Row, zeta: f64) -> f64 {
        value(row, self.order, zeta)
    }

    /// The integral of a rate.
    pub(super) fn sum(&self, rate: &Row, zeta: f64) -> f64 {
        let integral: Row = core::array::from_fn(|k| rate[k] / (k + 1) as f64);
        zeta * value(&integral, self.order - 1, zeta)
    }

    /// Whether contacts that begin to slide along their friction's series really slide against
    /// it at a place: these series hold for a short while only.
    pub(super) fn is_faithful(&self, modes: &[Mode; K], zeta: f64) -> bool {
        const ASIDE: f64 = 1e-8;
        const ROUNDING: f64 = 1e-13;
        self.series.iter().zip(modes).all(|(series, mode)| {
            let Tangent::Leaving([x, y]) = mode.tangent else { return true };
            let [ahead, across] = series.course.each_ref().map(|row| self.at(row, zeta));
            let [v1, v2] = [1, 2].map(|d| self.at(&series.v[d], zeta));
            let speed = length([0.0, v1, v2]);
            let aside =
                [v1 - speed * (ahead * x - across * y), v2 - speed * (ahead * y + across * x)];
            length([0.0, aside[0], aside[1]]) <= ASIDE * speed + ROUNDING
        })
    }

    /// The state of a contact.
    pub(super) fn point<const N: usize>(
        &self,
        system: &System<K, N>,
        mode: &Mode,
        i: usize,
        from: &Point,
        zeta: f64,
    ) -> Point {
        let series = &self.series[i];
        let x = self.at(&series.x, zeta);
        let released = system.stored(i, from.x.max(0.0)) - system.stored(i, x.max(0.0));
        let part = match mode.normal {
            Normal::Loading => 1.0,
            Normal::Unloading => system.laws[i].returned,
            Normal::Open(_) | Normal::Held => 0.0,
        };
        Point {
            x,
            v: core::array::from_fn(|d| self.at(&series.v[d], zeta)),
            p: core::array::from_fn(|d| from.p[d] + self.sum(&series.rate[d], zeta)),
            normal_work: from.normal_work + part * released,
            friction_work: self.at(&series.friction_work, zeta),
            share: from.share,
        }
    }
}

impl<const K: usize, const N: usize> Making<'_, K, N> {
    /// Coefficients `k + 1` of all unknowns, from those up to `k`.
    fn advance(&mut self, step: &mut Step<K>, k: usize) {
        let next = 1.0 / (k + 1) as f64;
        let count = self.system.count;
        for i in 0..count {
            let Series { v, speed, course, .. } = &mut step.series[i];
            match self.modes[i].tangent {
                Tangent::Turning => [speed[k]] = self.parts[i].speed.rates([&v[1], &v[2]], k),
                Tangent::Straight(along) => {
                    speed[k] = along[0] * v[1][k] + along[1] * v[2][k];
                }
                // Of v_t = ρ σ: the length of σ is 1, and ρ follows from what is along.
                Tangent::Leaving(along) if k > 0 => {
                    let [ahead, across] = course;
                    let square = inner(ahead, ahead, 1, k, k) + inner(across, across, 1, k, k);
                    ahead[k] = -0.5 * square;
                    let forward = along[0] * v[1][k] + along[1] * v[2][k];
                    speed[k] = forward - inner(ahead, speed, 1, k, k);
                }
                _ => {}
            }
        }
        step.pace[k] = match step.clock {
            Clock::Time if k == 0 => 1.0,
            Clock::Time => 0.0,
            Clock::Root(_) => step.root[k],
            Clock::Speed(i) => step.series[i].speed[k],
        };
        if let Clock::Root(i) = step.clock {
            let quick = self.modes[i].quickness(&self.system.laws[i], self.system.jumps);
            let [rate] = self.root.rates(&[-0.5 * quick], [&step.series[i].v[0]], k);
            step.root[k + 1] = rate * next;
        }
        let mut forces = [0.0; N];
        for i in 0..count {
            let (mode, law) = (&self.modes[i], &self.system.laws[i]);
            if !mode.is_held() {
                let quick = mode.quickness(law, self.system.jumps);
                let given = [&step.series[i].v[0][..], &step.pace];
                let [rate] = self.parts[i].indent.rates(&[-quick], given, k);
                step.series[i].x[k + 1] = rate * next;
            }
            let stiffness = mode.stiffness(law, self.system.jumps);
            let pressed =
                self.parts[i].press(stiffness, &step.root, &step.series[i], &step.pace, k);
            forces[ROWS * i] = pressed;
            step.series[i].rate[0][k] = pressed;
        }
        self.couple(step, forces, k);
    }

    /// Friction and reactions of order `k`, and velocities of order `k + 1`.
    fn couple(&mut self, step: &mut Step<K>, mut forces: [f64; N], k: usize) {
        let next = 1.0 / (k + 1) as f64;
        let count = self.system.count;
        for i in 0..count {
            let friction = self.friction(step, i, k);
            for (force, part) in forces[ROWS * i + 1..].iter_mut().zip(friction) {
                *force = part;
            }
        }
        let rates = self.required(step, k);
        let sizes = self.reaction.answer(self.system, &mut forces, &rates);
        let made = self.system.accelerations(&forces);
        for (unknown, size) in self.reaction.unknowns.iter().zip(sizes).take(self.reaction.count) {
            let Unknown { contact: i, leaves, .. } = *unknown;
            if leaves && k > 0 {
                let mu = self.system.laws[i].kinetic_friction;
                let Series { course, rate, .. } = &mut step.series[i];
                let known = inner(&rate[0], &course[1], 1, k, k);
                course[1][k] = (-size / mu - known) / rate[0][0];
            }
        }
        for i in 0..count {
            let series = &mut step.series[i];
            for d in 0..ROWS {
                series.rate[d][k] = forces[ROWS * i + d];
                let kept = match self.modes[i] {
                    Mode { normal: Normal::Held, .. } if d == 0 => true,
                    Mode { tangent: Tangent::Stuck, normal, .. } if d > 0 => {
                        !matches!(normal, Normal::Open(_))
                    }
                    _ => false,
                };
                series.v[d][k + 1] = if kept { 0.0 } else { made[ROWS * i + d] * next };
            }
        }
        for i in 0..count {
            self.rub(step, i, k);
        }
    }

    /// The friction of order `k` of a contact whose normal force is known so far.
    fn friction(&mut self, step: &mut Step<K>, i: usize, k: usize) -> [f64; 2] {
        let mode = &self.modes[i];
        let mu = self.system.laws[i].kinetic_friction;
        if mode.is_open() {
            return [0.0; 2];
        }
        let Series { v, rate, speed, course, friction_work, .. } = &mut step.series[i];
        match mode.tangent {
            Tangent::Smooth | Tangent::Stuck => [0.0; 2],
            Tangent::Straight(along) => along.map(|x| -mu * rate[0][k] * x),
            Tangent::Turning if mode.is_held() => {
                let [f1, f2, _] =
                    self.parts[i].slide.rates(&[-1.0], [&ONE, speed, &v[1], &v[2]], k);
                course[0][k] = -f1;
                course[1][k] = -f2;
                [0, 1].map(|d| -mu * inner(&rate[0], &course[d], 0, k, k))
            }
            Tangent::Turning => {
                let given = [&rate[0][..], speed, &v[1], &v[2]];
                let [f1, f2, work] = self.parts[i].slide.rates(&[-mu], given, k);
                friction_work[k + 1] = work / (k + 1) as f64;
                [f1, f2]
            }
            Tangent::Leaving(along) => {
                let ahead = -mu * inner(&rate[0], &course[0], 0, k + 1, k);
                along.map(|x| ahead * x)
            }
        }
    }

    /// The rates of order `k` that reactions must leave: none, but across the direction of a
    /// contact that leaves.
    fn required(&mut self, step: &Step<K>, k: usize) -> [f64; N] {
        let (mut rates, mut shift) = ([0.0; N], [0.0; N]);
        let mut shifted = false;
        for u in 0..self.reaction.count {
            let Unknown { contact: i, leaves, .. } = self.reaction.unknowns[u];
            if !leaves || k == 0 {
                continue;
            }
            let Series { rate, speed, course, .. } = &step.series[i];
            let order = (k + 1) as f64;
            let known = inner(&rate[0], &course[1], 1, k, k);
            let begun = speed[1] / rate[0][0];
            rates[u] = order
                * ((1..k).fold(0.0, |sum, j| sum + speed[k + 1 - j] * course[1][j])
                    - begun * known);
            shift[u] = order * begun / self.system.laws[i].kinetic_friction;
            shifted |= shift[u] != 0.0;
        }
        if shifted {
            self.reaction.invert(&shift);
        }
        rates
    }

    /// The friction work, where friction did not give it.
    fn rub(&mut self, step: &mut Step<K>, i: usize, k: usize) {
        let mode = &self.modes[i];
        let rubs = match mode.tangent {
            Tangent::Straight(_) | Tangent::Leaving(_) => !mode.is_open(),
            Tangent::Turning => mode.is_held(),
            Tangent::Smooth | Tangent::Stuck => false,
        };
        if !rubs {
            return;
        }
        let mu = self.system.laws[i].kinetic_friction;
        let Series { rate, speed, friction_work, .. } = &mut step.series[i];
        let [work] = self.parts[i].rub.rates([&speed[..], &rate[0]], k);
        friction_work[k + 1] = -mu * work / (k + 1) as f64;
    }
}

impl Parts {
    /// The rate of the normal impulse of order `k`. Where an indentation begins as `ζ² y`,
    /// its force is that of `y` times `ζ³`.
    fn press(&mut self, stiffness: f64, root: &Row, series: &Series, pace: &Row, k: usize) -> f64 {
        let constants = [stiffness];
        let [rate] = match self.source {
            Source::Nothing => [0.0],
            Source::Root => self.root_load.rates(&constants, [root], k),
            Source::Linear => self.linear_load.rates(&constants, [&series.x, pace], k),
            Source::Indentation => match k.checked_sub(3 * self.lead / 2) {
                None => [0.0],
                Some(k) => self.load.rates(&constants, [&series.x[self.lead..], pace], k),
            },
        };
        rate
    }
}

/// What would limit a step most if it did not set the pace: the indentation that is next to
/// zero, or the slip that is next to rest, each by the time until then and by what hangs
/// on it.
fn clock<const K: usize, const N: usize>(
    system: &System<K, N>,
    points: &[Point; K],
    modes: &[Mode; K],
    reaction: &Reaction<N>,
    accuracy: Accuracy,
) -> Clock {
    let tolerance = rough_log2(accuracy.tolerance());
    let part = |size: f64| rough_exp2((tolerance - rough_log2(size)) / accuracy.order() as f64);
    let mut best = (LONGEST, Clock::Time);
    let mut consider = |limit: f64, clock: Clock| {
        if limit < best.0 {
            best = (limit, clock);
        }
    };
    let rates = system.accelerations(&forces(system, points, modes, reaction));
    for i in 0..system.count {
        let (mode, point, law) = (&modes[i], &points[i], &system.laws[i]);
        if mode.is_elastic() && system.hertz {
            let quick = mode.quickness(law, system.jumps) * point.v[0].abs();
            if point.x == 0.0 {
                consider(-mode.stiffness(law, system.jumps) * system.power(quick), Clock::Root(i));
                continue;
            }
            let time = point.x / quick.max(f64::MIN_POSITIVE);
            let own = system.inertia[ROWS * i][ROWS * i];
            consider(time * part(system.load(i, mode, point.x) * own * time), Clock::Root(i));
        }
        if mode.tangent == Tangent::Turning && !mode.is_open() {
            let speed = point.speed();
            let [r1, r2] = [rates[ROWS * i + 1], rates[ROWS * i + 2]];
            let change = sqrt(r1 * r1 + r2 * r2).max(f64::MIN_POSITIVE);
            let time = speed / change;
            consider(time * part(speed), Clock::Speed(i));
        }
    }
    best.1
}
