//! What happens at a kink: contacts turn, drop, halt, and go on.

use super::instant::loads;
use super::kinks::Kink;
use super::modes::{Normal, Tangent};
use super::motion::{ALIKE, BRIEF, HALTED, LOOSE, Motion, NEGLIGIBLE, REST, border};
use super::outcome::Kind;
use super::reaction::Reaction;
use super::system::{Pressing, ROWS};

/// A contact without restitution that would drop by no more than this part of its
/// indentation, again and again, has the force that the others require as long as it falls.
const CHATTER: f64 = 1e-5;

/// How fast a slip must be for its own direction to count.
const MOVING: f64 = 1e-12;

/// Where one slip comes to rest, others that are as slow as this do so too.
const NEAR: f64 = 1e-11;

/// By how much a slip that begins becomes faster in a step.
const FASTER: f64 = 1.5;

/// The same where redundant contacts begin to slide: a slower slip turns too fast to follow.
const SURE: f64 = 3e-8;

impl<const K: usize, const N: usize> Motion<'_, K, N> {
    /// What happens at a kink.
    pub(super) fn meet(&mut self, i: usize, kink: Kink) {
        match kink {
            Kink::Closes => self.closes(i),
            Kink::Opens => self.opens(i),
            Kink::Turns => self.turns(i),
            Kink::Halts if !matches!(self.modes[i].tangent, Tangent::Straight(_)) => {}
            Kink::Halts => {
                self.note(i, Kind::Halt);
                self.modes[i].tangent = Tangent::Stuck;
                self.stop(&core::array::from_fn(|j| j == i));
            }
            Kink::Yields => {
                self.yielding[i] = true;
                self.shaken = true;
            }
            Kink::Goes(normal) => self.goes(i, normal),
        }
    }

    /// Slips that began turn, and those that have come to rest halt, from the speeds before.
    pub(super) fn turn(&mut self, before: &[f64; K]) {
        let (mut halts, mut stays) = (false, [false; K]);
        for i in 0..self.system.count {
            let speed = self.points[i].speed();
            match self.modes[i].tangent {
                Tangent::Straight(_) if self.begins(i) => {
                    if speed > if self.brief < LOOSE { MOVING } else { SURE } {
                        self.modes[i].tangent = Tangent::Turning;
                        self.brief = BRIEF;
                    } else {
                        self.brief *= 10.0;
                    }
                }
                // It is tried again.
                Tangent::Leaving(_) if self.hardly_leaves(i) => stays[i] = true,
                Tangent::Leaving(_) => self.modes[i].tangent = Tangent::Turning,
                Tangent::Turning => {
                    let lasts = speed < HALTED && speed < FASTER * before[i];
                    halts |= speed < REST || lasts;
                }
                _ => {}
            }
        }
        for i in (0..self.system.count).filter(|_| halts) {
            if self.modes[i].tangent == Tangent::Turning && self.points[i].speed() < NEAR {
                self.note(i, Kind::Halt);
                self.modes[i].tangent = Tangent::Stuck;
                stays[i] = true;
            }
        }
        self.stop(&stays);
    }

    /// Whether a contact that began to slide is still next to rest.
    pub(super) fn hardly_leaves(&self, i: usize) -> bool {
        matches!(self.modes[i].tangent, Tangent::Leaving(_)) && self.points[i].speed() <= MOVING
    }

    /// Brings slips to rest that are next to it, with the impulses that this takes: otherwise
    /// the others that the bodies connect with them would never come to rest.
    fn stop(&mut self, stays: &[bool; K]) {
        if !stays.contains(&true) {
            return;
        }
        let mut modes = self.modes;
        for i in (0..self.system.count).filter(|&i| stays[i]) {
            modes[i].tangent = Tangent::Stuck;
            self.resting[i] = true;
        }
        let reaction = Reaction::of(self.system, &self.points, &modes);
        let mut velocities = [0.0; N];
        for (row, own) in velocities.chunks_exact_mut(ROWS).zip(&self.points) {
            row.copy_from_slice(&own.v);
        }
        let mut rates = [0.0; N];
        for (rate, unknown) in rates.iter_mut().zip(&reaction.unknowns[..reaction.count]) {
            *rate = -unknown.of(&velocities);
        }
        let mut impulse = [0.0; N];
        reaction.answer(self.system, &mut impulse, &rates);
        let change = self.system.accelerations(&impulse);
        for (i, point) in self.points.iter_mut().enumerate().take(self.system.count) {
            for d in 0..ROWS {
                point.v[d] += change[ROWS * i + d];
                point.p[d] += impulse[ROWS * i + d];
            }
            if modes[i].tangent == Tangent::Stuck && !modes[i].is_open() {
                (point.v[1], point.v[2]) = (0.0, 0.0);
            }
            if modes[i].is_held() {
                point.v[0] = 0.0;
            }
        }
    }

    /// A contact turns, and those with it whose velocities are as near to zero and change alike.
    fn turns(&mut self, first: usize) {
        let was = self.modes[first].normal;
        let rates = self.system.accelerations(&self.forces());
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
            let mut pressing = loads(self.system, &self.points, &self.modes);
            some.clone().for_each(|i| pressing[i] = 0.0);
            let rates = self.rates_by(&pressing);
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

    /// A contact without restitution has ended loading: its indentation drops, at once, past
    /// where the acceleration is zero to where the work of the others is spent.
    fn drops(&mut self, i: usize) {
        self.settle();
        let x = self.points[i].x;
        let mut pressing = loads(self.system, &self.points, &self.modes);
        let mut rate = |part: f64| {
            pressing[i] = part;
            self.rates_by(&pressing)[ROWS * i]
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
            let [_, place] = border([0.0, least.min(x)], |place| energy(place) > energy(x));
            self.points[i].x = place;
            if x - place < CHATTER * x {
                self.was[i] = Some(Normal::Loading);
                self.modes[i].normal = Normal::Held;
            }
        }
    }

    /// A held contact goes on.
    fn goes(&mut self, i: usize, normal: Normal) {
        if normal == Normal::Loading && !self.system.jumps {
            let forces = self.forces();
            self.points[i].x = self.system.indented(i, forces[ROWS * i]);
        }
        self.was[i] = Some(Normal::Held);
        self.modes[i].normal = normal;
        self.shaken = true;
    }
}
