//! Kinks of the motion: first roots of a step's polynomials.

use super::modes::{Mode, Normal, Point, Tangent};
use super::problem::{Law, Problem};
use super::step::{LENGTH, Row, Step};
use crate::crossing::crossing;
use crate::elementary::sqrt;
use crate::impact::Accuracy;

/// Leading coefficients below this ratio to the largest, at the step's end, count as
/// zero: rounding, or the truncation error of so many tolerances.
const NOISE: f64 = 1e-11;
const TOLERANCES: f64 = 100.0;

/// The kinds of kinks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Event {
    /// The indentation rises to the level at which the contact has a force.
    Closes,
    /// The indentation falls to zero.
    Opens,
    /// The indentation turns.
    Turns,
    /// A damped force falls to zero.
    Slackens,
    /// A damped force rises from zero again.
    Tightens,
    /// Sliding comes to rest.
    Halts,
    /// Friction no longer holds; sliding begins in the direction of this sign.
    BreaksLoose(f64),
    /// A held contact goes on to load or unload.
    Goes(Normal),
}

/// The first event of a step: its place, its contact and its kind.
pub(super) fn first(
    step: &Step,
    problem: &Problem,
    points: &[Point],
    modes: &[Mode],
    accuracy: Accuracy,
) -> Option<(f64, usize, Event)> {
    let noise = NOISE.max(TOLERANCES * accuracy.tolerance());
    let mut search = Search { step, noise, end: step.width, found: None };
    for (j, (mode, point)) in modes.iter().zip(points).enumerate() {
        search.along_normal(j, mode, &problem.laws[j], point);
        if !mode.is_open() {
            search.along_tangent(j, mode, &problem.laws[j]);
        }
    }
    search.found
}

fn combined(x: &Row, by: f64, y: &Row, and: f64) -> Row {
    core::array::from_fn(|k| by * x[k] + and * y[k])
}

struct Search<'a> {
    step: &'a Step,
    noise: f64,
    /// Later roots are ignored.
    end: f64,
    found: Option<(f64, usize, Event)>,
}

impl Search<'_> {
    fn along_normal(&mut self, j: usize, mode: &Mode, law: &Law, point: &Point) {
        let (step, series) = (self.step, &self.step.contacts[j]);
        match mode.normal {
            Normal::Open => self.up(j, Event::Closes, &series.xi, mode.level),
            Normal::Held => {
                let whole = law.stiffness * point.xi * sqrt(point.xi);
                let excess = |level: f64, sign: f64| {
                    combined(&series.pressing, sign, &step.pace, -sign * level)
                };
                let less = excess(law.unloading * whole, 1.0);
                self.down(j, Event::Goes(Normal::Unloading), &less);
                self.down(j, Event::Goes(Normal::Loading), &excess(whole, -1.0));
            }
            Normal::Loading | Normal::Unloading | Normal::Slack => {
                let opening = if j == step.clock { &step.root } else { &series.xi };
                self.down(j, Event::Opens, opening);
            }
        }
        match mode.normal {
            Normal::Loading if law.jumps() => self.down(j, Event::Turns, &series.u),
            Normal::Unloading => self.up(j, Event::Turns, &series.u, 0.0),
            Normal::Loading if mode.damping > 0.0 => {
                let mut factor = series.u;
                factor[0] += 1.0 / mode.damping;
                self.down(j, Event::Slackens, &factor);
            }
            Normal::Slack => self.up(j, Event::Tightens, &series.u, -1.0 / mode.damping),
            Normal::Open | Normal::Held | Normal::Loading => {}
        }
    }

    fn along_tangent(&mut self, j: usize, mode: &Mode, law: &Law) {
        let series = &self.step.contacts[j];
        match mode.tangent {
            Tangent::Smooth => {}
            Tangent::Slips(sign) => {
                self.down(j, Event::Halts, &combined(&series.w, sign, &series.w, 0.0));
            }
            Tangent::Stuck => {
                for sign in [1.0, -1.0] {
                    let left =
                        combined(&series.pressing, law.fixed_friction, &series.rubbing, -sign);
                    self.down(j, Event::BreaksLoose(sign), &left);
                }
            }
        }
    }

    fn down(&mut self, j: usize, event: Event, row: &Row) {
        self.cross(j, event, row, 0.0, false);
    }

    fn up(&mut self, j: usize, event: Event, row: &Row, level: f64) {
        self.cross(j, event, row, level, true);
    }

    /// Notes the event if it comes first.
    fn cross(&mut self, j: usize, event: Event, row: &Row, level: f64, upward: bool) {
        // A level above zero is never rounding, however small.
        let noise = if level > 0.0 && row[0] < level { 0.0 } else { self.noise };
        let order = self.step.order.min(LENGTH - 1);
        if let Some(place) = crossing(row, order, self.end, level, upward, noise) {
            self.end = place;
            self.found = Some((self.end, j, event));
        }
    }
}
