//! Kinks of the motion: first roots of a step's polynomials.

use super::modes::{Mode, Normal, Point, Tangent};
use super::step::{Clock, LENGTH, Row, Series, Step};
use super::system::{Pressing, ROWS, System};
use crate::crossing::crossing;

/// Leading coefficients below this part of the largest, at the step's end, are rounding.
const NOISE: f64 = 1e-11;

/// Forces below this part of the largest of the step decide nothing: the contact is
/// about to open.
const FORCELESS: f64 = 1e-9;

/// The kinds of kinks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kink {
    /// The indentation rises to the level at which the contact has a force.
    Closes,
    /// The indentation falls to zero.
    Opens,
    /// The indentation is largest, or least.
    Turns,
    /// Sliding comes to rest.
    Halts,
    /// Friction no longer holds.
    Yields,
    /// A held contact goes on.
    Goes(Normal),
}

/// Where a step ends, and the kink there.
pub(super) struct Search<'a, const K: usize> {
    step: &'a Step<K>,
    pub(super) end: f64,
    pub(super) found: Option<(usize, Kink)>,
}

/// Coefficients of a product.
fn product(x: &Row, y: &Row, order: usize) -> Row {
    let mut row = [0.0; LENGTH];
    for (k, to) in row.iter_mut().enumerate().take(order + 1) {
        *to = (0..=k).fold(0.0, |sum, j| sum + x[j] * y[k - j]);
    }
    row
}

/// A number that is nothing but the rounding of so much is none.
fn settle(x: &mut f64, scale: f64) {
    const ROUNDING: f64 = 1e-10;
    if x.abs() <= ROUNDING * scale {
        *x = 0.0;
    }
}

impl<'a, const K: usize> Search<'a, K> {
    /// The first kink of a step. Those that are `firm` do not yield in it.
    pub(super) fn first<const N: usize>(
        system: &System<K, N>,
        step: &'a Step<K>,
        points: &[Point; K],
        modes: &[Mode; K],
        firm: &[bool; K],
    ) -> Self {
        let mut search = Self { step, end: step.width, found: None };
        for i in 0..system.count {
            search.along_normal(system, i, &modes[i], &points[i]);
            if !modes[i].is_open() {
                search.along_tangent(system, i, &modes[i], firm[i]);
            }
        }
        search
    }

    fn along_normal<const N: usize>(
        &mut self,
        system: &System<K, N>,
        i: usize,
        mode: &Mode,
        point: &Point,
    ) {
        let (step, series, law) = (self.step, &self.step.series[i], &system.laws[i]);
        // Where it has just turned, rounding decides nothing.
        let turning = || {
            let mut row = series.v[0];
            if point.v[0] == 0.0 {
                let made = (0..ROWS * system.count).fold(0.0, |sum: f64, j| {
                    let rate = step.series[j / ROWS].rate[j % ROWS][0];
                    sum + (system.inertia[ROWS * i][j] * rate).abs()
                });
                settle(&mut row[1], made);
            }
            row
        };
        match mode.normal {
            Normal::Open(level) => {
                let noise = if point.x < level { 0.0 } else { NOISE };
                self.cross(i, Kink::Closes, &series.x, level, true, noise);
            }
            Normal::Loading => self.cross(i, Kink::Turns, &turning(), 0.0, true, NOISE),
            Normal::Unloading => {
                let opening = if step.clock == Clock::Root(i) { &step.root } else { &series.x };
                self.cross(i, Kink::Opens, opening, 0.0, false, NOISE);
                self.cross(i, Kink::Turns, &turning(), 0.0, false, NOISE);
            }
            Normal::Held => {
                let whole = law.stiffness * system.power(point.x);
                let rate = &series.rate[0];
                let excess = |level: f64| -> Row {
                    let mut row: Row = core::array::from_fn(|k| rate[k] - level * step.pace[k]);
                    settle(&mut row[0], rate[0].abs());
                    row
                };
                if law.pressing == Pressing::Plastic || !system.jumps {
                    self.strong(i, Kink::Goes(Normal::Open(0.0)), &excess(0.0));
                } else {
                    let part = law.returned * whole;
                    let unloads = Kink::Goes(Normal::Unloading);
                    if part == 0.0 {
                        self.strong(i, unloads, &excess(part));
                    } else {
                        self.cross(i, unloads, &excess(part), 0.0, false, NOISE);
                    }
                    self.cross(i, Kink::Goes(Normal::Loading), &excess(whole), 0.0, true, NOISE);
                }
                if law.pressing == Pressing::Elastic && !system.jumps {
                    // Its force, r/q, rises again.
                    let slope = |x: &Row| -> Row {
                        core::array::from_fn(|k| match k + 1 < LENGTH {
                            true => (k + 1) as f64 * x[k + 1],
                            false => 0.0,
                        })
                    };
                    let up = product(&slope(rate), &step.pace, step.order);
                    let down = product(rate, &slope(&step.pace), step.order);
                    let rise = core::array::from_fn(|k| up[k] - down[k]);
                    self.cross(i, Kink::Goes(Normal::Loading), &rise, 0.0, true, NOISE);
                }
            }
        }
    }

    fn along_tangent<const N: usize>(
        &mut self,
        system: &System<K, N>,
        i: usize,
        mode: &Mode,
        firm: bool,
    ) {
        let (step, series, law) = (self.step, &self.step.series[i], &system.laws[i]);
        match mode.tangent {
            // One that turns passes rest, if not through it, where its series hardly turn.
            Tangent::Turning | Tangent::Straight(_)
                if mode.tangent == Tangent::Turning || law.tangents == 1 =>
            {
                self.cross(i, Kink::Halts, &series.speed, 0.0, false, NOISE);
            }
            Tangent::Stuck if !firm => {
                let [r, f1, f2] = series.rate.each_ref().map(|row| product(row, row, step.order));
                let mu = law.static_friction * law.static_friction;
                let left: Row = core::array::from_fn(|k| mu * r[k] - f1[k] - f2[k]);
                self.strong(i, Kink::Yields, &left);
            }
            _ => {}
        }
    }

    /// Notes the kink at which a quantity falls to zero if it comes first, but not where hardly
    /// any force is left.
    fn strong(&mut self, i: usize, kink: Kink, row: &Row) {
        let before = (self.end, self.found);
        self.cross(i, kink, row, 0.0, false, NOISE);
        let force = |series: &Series, place: f64| self.step.at(&series.rate[0], place).abs();
        let (step, own) = (self.step, &self.step.series[i]);
        let most = step.series.iter().map(|series| force(series, self.end)).fold(0.0, f64::max);
        let peak = force(own, 0.0).max(force(own, 0.5 * self.end));
        let least = if kink == Kink::Yields { force(own, self.end) } else { most };
        if least < FORCELESS * most.max(peak) {
            (self.end, self.found) = before;
        }
    }

    /// Notes the kink if it comes first.
    fn cross(&mut self, i: usize, kink: Kink, row: &Row, level: f64, upward: bool, noise: f64) {
        let order = self.step.order.min(LENGTH - 1);
        if let Some(place) = crossing(row, order, self.end, level, upward, noise) {
            self.end = place;
            self.found = Some((i, kink));
        }
    }
}
