//! Contacts that open, close and wait.

use super::instant::beginning_loads;
use super::modes::{Mode, Normal, Point, Tangent};
use super::motion::{Motion, NEGLIGIBLE, REST, TOGETHER};
use super::outcome::Kind;
use super::system::{Law, ROWS};

/// The impact ends where velocities that could still change it are less than this.
const LEFT: f64 = 1e-11;

/// A contact opens where the velocity that it could still give is less than this.
const SPENT: f64 = 1e-17;

/// Below this part of the energy of the impact a contact that rises from rest has no force.
const WAKING: f64 = 1e-27;

impl<const K: usize, const N: usize> Motion<'_, K, N> {
    /// Says which of the contacts that touch at rest stay so at first.
    pub(super) fn begin(&mut self) {
        let loads = beginning_loads(self.system, &self.points, &self.modes);
        let rates = self.rates_by(&loads);
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

    /// A contact touches and presses from now on.
    pub(super) fn load(&mut self, i: usize) {
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
    pub(super) fn wait(&mut self, i: usize) {
        self.points[i].x = 0.0;
        self.release(i);
        self.modes[i].normal = Normal::Open(self.system.level(i, WAKING));
    }

    /// A contact has no force from now on.
    fn release(&mut self, i: usize) {
        self.modes[i] = Mode { normal: Normal::Open(0.0), tangent: Tangent::Smooth };
        self.resting[i] = false;
    }

    pub(super) fn opens(&mut self, i: usize) {
        self.points[i].x = 0.0;
        self.release(i);
        self.opened[i] = true;
        self.note(i, Kind::Open);
    }

    /// A contact closes, and those with it that are about to.
    pub(super) fn closes(&mut self, first: usize) {
        // Where no contact had a force, what sticks has not been tried yet.
        self.shaken |= !self.presses();
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

    /// Whether a contact has a force of its own.
    pub(super) fn presses(&self) -> bool {
        let stiffness = |(mode, law): (&Mode, &Law)| mode.stiffness(law, self.system.jumps);
        let mut each = self.modes.iter().zip(&self.system.laws).take(self.system.count);
        each.any(|pair| stiffness(pair) > 0.0)
    }

    /// Whether a contact that touches without approaching jams: friction at its slip presses it
    /// down more than its own force lifts it. Rest along the normal is then the limit of slow
    /// approach, but no finite force keeps the contact from sinking in.
    pub(super) fn jams(&self, i: usize) -> bool {
        let [x, y] = self.points[i].direction();
        let row = &self.system.inertia[ROWS * i][ROWS * i..];
        row[0] < self.system.laws[i].kinetic_friction * (row[1] * x + row[2] * y)
    }

    /// Opens contacts whose remaining impulse is nothing.
    pub(super) fn open_spent(&mut self) {
        for i in 0..self.system.count {
            let (mode, point) = (self.modes[i], self.points[i]);
            if mode.normal != Normal::Unloading {
                continue;
            }
            let own = self.system.inertia[ROWS * i][ROWS * i];
            let left = self.system.laws[i].returned * self.system.stored(i, point.x.max(0.0)) * own;
            // By the law `michalczyk` it may load again before its indentation has gone.
            let spent = match self.system.jumps {
                true => point.x <= TOGETHER * self.system.indentation(i),
                false => left < SPENT * point.v[0],
            };
            if point.x <= 0.0 || (point.v[0] > NEGLIGIBLE && spent) {
                self.opens(i);
            }
        }
    }

    /// Whether all that is left of the impact is less than counts: contacts that press each
    /// other may go on for ever.
    pub(super) fn spent(&self) -> bool {
        (0..self.system.count).all(|i| {
            let own = self.system.inertia[ROWS * i][ROWS * i];
            let Point { x, v: [speed, ..], .. } = self.points[i];
            let pressing = self.modes[i].is_elastic();
            let stored = if pressing { own * self.system.stored(i, x.max(0.0)) } else { 0.0 };
            let moving = if pressing { speed.abs() } else { -speed };
            stored < LEFT * LEFT && moving < LEFT
        })
    }

    /// No contact presses: on to where the next one closes, if any does.
    pub(super) fn fly(&mut self) -> bool {
        let closing = |i: usize| -> Option<f64> {
            let Point { x, v: [speed, ..], .. } = self.points[i];
            match self.modes[i].normal {
                Normal::Open(level) if speed < -NEGLIGIBLE => Some(((level - x) / -speed).max(0.0)),
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
}
