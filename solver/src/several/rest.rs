//! Contacts at rest, decided together: their friction minimises `½ fᵀ D f + fᵀ c` over the
//! discs `|f_i| ≤ μ λ_i`, with `c` the acceleration that everything else causes. What the
//! least leaves at rest sticks; the others slide off along their accelerations.

use super::discs::{Discs, Least};
use super::instant::{beginning_loads, forces_by};
use super::modes::{Mode, Point, Tangent, unit};
use super::reaction::Reaction;
use super::system::{ROWS, System};
use crate::elementary::sqrt;

/// Newton steps that settle the directions.
const ROUNDS: usize = 40;

/// Changes of friction below this part of all of it are rounding.
const SETTLED: f64 = 1e-12;

/// Accelerations below this part of those that friction prevents are none.
const STILL: f64 = 1e-9;

/// Redundant contacts hold until accelerations are larger than this part.
const LOOSE: f64 = 1e-6;

/// A disc is left where more than this part of its radius is asked for beyond it.
const BEYOND: f64 = 1e-9;

/// What resting contacts do.
#[derive(Clone, Debug)]
pub(super) struct Decision<const K: usize> {
    /// The direction in which a contact slides off; none, if it sticks.
    pub(super) leaves: [Option<[f64; 2]>; K],
    /// Whether contacts that stick need no more than kinetic friction.
    pub(super) unique: bool,
}

/// Whether friction can hold all contacts that stick.
pub(super) fn holds<const K: usize, const N: usize>(
    system: &System<K, N>,
    points: &[Point; K],
    modes: &[Mode; K],
    reaction: &Reaction<N>,
) -> bool {
    if within(system, points, modes, reaction, 1.0) {
        return true;
    }
    let (least, stuck) = least(system, points, modes, false);
    let moves = |i: usize| stuck[i] && least.moves[i] && least.accelerations[i] > LOOSE;
    !(0..system.count).any(moves)
}

/// Whether these reactions are within this part of the discs of contacts that stick.
pub(super) fn within<const K: usize, const N: usize>(
    system: &System<K, N>,
    points: &[Point; K],
    modes: &[Mode; K],
    reaction: &Reaction<N>,
    part: f64,
) -> bool {
    let loads = beginning_loads(system, points, modes);
    let forces = forces_by(system, points, modes, reaction, &loads);
    (0..system.count).all(|i| {
        let most = part * system.laws[i].static_friction * forces[ROWS * i];
        let size = length([forces[ROWS * i + 1], forces[ROWS * i + 2]]);
        modes[i].tangent != Tangent::Stuck || size <= most
    })
}

/// Shares of contacts that stick with which their reactions are well within their discs.
pub(super) fn shares<const K: usize, const N: usize>(
    system: &System<K, N>,
    points: &[Point; K],
    modes: &[Mode; K],
) -> [f64; K] {
    let (least, stuck) = least(system, points, modes, true);
    let most =
        (0..system.count).filter(|&i| stuck[i]).fold(0.0, |most, i| least.radius[i].max(most));
    core::array::from_fn(|i| match stuck[i] && least.radius[i] > 0.0 {
        true => sqrt(2.0 * least.left[i] * (most / least.radius[i])),
        false => 1.0,
    })
}

/// The static friction of least energy of contacts that stick, and which they are.
fn least<const K: usize, const N: usize>(
    system: &System<K, N>,
    points: &[Point; K],
    modes: &[Mode; K],
    inside: bool,
) -> (Least<K>, [bool; K]) {
    let stuck = modes.map(|mode| mode.tangent == Tangent::Stuck);
    let mut system = system.clone();
    for (law, stuck) in system.laws.iter_mut().zip(&stuck) {
        if *stuck {
            law.kinetic_friction = law.static_friction;
        }
    }
    let loads = beginning_loads(&system, points, modes);
    let rest = Rest::new(&system, points, modes, &stuck, loads);
    (rest.about(rest.fastest(), inside), stuck)
}

/// Decides contacts at rest. Those that `leave` slide in any case. Friction counts as so
/// much less than it is: where redundant contacts just begin to slide, only what they do
/// next tells which do, and where to.
pub(super) fn decide<const K: usize, const N: usize>(
    system: &System<K, N>,
    points: &[Point; K],
    modes: &[Mode; K],
    resting: &[bool; K],
    leave: &[bool; K],
    less: f64,
) -> Decision<K> {
    let mut decision = Decision { leaves: [None; K], unique: true };
    let loads = beginning_loads(system, points, modes);
    if less == 0.0 && !leave.iter().any(|leaves| *leaves) {
        let sticking = with(modes, resting, Tangent::Stuck);
        let reaction = Reaction::of(system, points, &sticking);
        let forces = forces_by(system, points, &sticking, &reaction, &loads);
        let scale = forces.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let mut inside = [true; 2];
        for i in (0..system.count).filter(|&i| resting[i]) {
            let law = &system.laws[i];
            let size = length([forces[ROWS * i + 1], forces[ROWS * i + 2]]);
            for (fits, mu) in inside.iter_mut().zip([law.static_friction, law.kinetic_friction]) {
                *fits &= size <= mu * forces[ROWS * i] * (1.0 + BEYOND) + 1e-14 * scale;
            }
        }
        if inside[0] {
            decision.unique = inside[1];
            return decision;
        }
    }
    let (original, mut sliding) = (system, *leave);
    // One more contact slides after each round but the last.
    for _ in 0..=system.count {
        let mut system = original.clone();
        for (i, law) in system.laws.iter_mut().enumerate() {
            if resting[i] && !sliding[i] {
                law.kinetic_friction = law.static_friction;
            }
            if resting[i] {
                law.kinetic_friction *= 1.0 - less;
            }
        }
        let rest = Rest::new(&system, points, modes, resting, loads);
        decision.leaves = rest.least(&sliding);
        let mut weaker = false;
        for ((slides, leaves), law) in sliding.iter_mut().zip(&decision.leaves).zip(&original.laws)
        {
            if leaves.is_some() && !*slides {
                *slides = true;
                weaker |= law.static_friction > law.kinetic_friction;
            }
        }
        if !weaker {
            break;
        }
    }
    decision
}

/// These modes, with those at rest along their tangents so.
fn with<const K: usize>(modes: &[Mode; K], resting: &[bool; K], tangent: Tangent) -> [Mode; K] {
    core::array::from_fn(|i| if resting[i] { Mode { tangent, ..modes[i] } } else { modes[i] })
}

fn length([x, y]: [f64; 2]) -> f64 {
    sqrt(x * x + y * y)
}

/// The problem of the contacts at rest.
struct Rest<'a, const K: usize, const N: usize> {
    system: &'a System<K, N>,
    points: &'a [Point; K],
    /// With those at rest free along their tangents.
    modes: [Mode; K],
    resting: &'a [bool; K],
    loads: [f64; K],
    /// Of what is held along its normal.
    held: Reaction<N>,
}

impl<'a, const K: usize, const N: usize> Rest<'a, K, N> {
    fn new(
        system: &'a System<K, N>,
        points: &'a [Point; K],
        modes: &[Mode; K],
        resting: &'a [bool; K],
        loads: [f64; K],
    ) -> Self {
        let modes = with(modes, resting, Tangent::Smooth);
        let held = Reaction::of(system, points, &modes);
        Self { system, points, modes, resting, loads, held }
    }

    /// The largest acceleration without friction.
    fn fastest(&self) -> f64 {
        let rates = self.system.accelerations(&self.forces(&[[0.0; 2]; K]));
        self.contacts()
            .fold(0.0, |most: f64, i| most.max(length([rates[ROWS * i + 1], rates[ROWS * i + 2]])))
    }

    fn contacts(&self) -> impl Iterator<Item = usize> {
        (0..self.system.count).filter(|&i| self.resting[i])
    }

    /// All forces with this friction.
    fn forces(&self, friction: &[[f64; 2]; K]) -> [f64; N] {
        let none = Reaction::none();
        let mut forces = forces_by(self.system, self.points, &self.modes, &none, &self.loads);
        for i in self.contacts() {
            forces[ROWS * i + 1..ROWS * i + 3].copy_from_slice(&friction[i]);
        }
        self.held.answer(self.system, &mut forces, &[0.0; N]);
        forces
    }

    /// The directions in which contacts leave with the friction of least energy: about, then
    /// by Newton's method.
    fn least(&self, sliding: &[bool; K]) -> [Option<[f64; 2]>; K] {
        let most = self.fastest();
        let about = self.about(most, false);
        let begun = core::array::from_fn(|i| {
            let slides = self.resting[i] && (about.moves[i] || sliding[i]);
            slides.then_some(about.along[i])
        });
        let (mut edge, mut rates) = self.settle(begun, sliding, most);
        if self.resists(&edge, &rates, most) {
            (edge, rates) = (begun, self.system.accelerations(&self.forces(&about.friction)));
        }
        core::array::from_fn(|i| {
            let rate = [rates[(ROWS * i + 1).min(N - 1)], rates[(ROWS * i + 2).min(N - 1)]];
            edge[i].filter(|_| sliding[i] || length(rate) > STILL * most)
        })
    }

    /// Whether a contact would move with its friction.
    fn resists(&self, edge: &[Option<[f64; 2]>; K], rates: &[f64; N], most: f64) -> bool {
        self.contacts().any(|i| {
            let [x, y] = edge[i].unwrap_or_default();
            rates[ROWS * i + 1] * x + rates[ROWS * i + 2] * y < -STILL * most
        })
    }

    /// Newton's method for the directions of contacts on the edges of their discs: each step
    /// finds the forces across them that the others and they need.
    fn settle(
        &self,
        mut edge: [Option<[f64; 2]>; K],
        sliding: &[bool; K],
        most: f64,
    ) -> ([Option<[f64; 2]>; K], [f64; N]) {
        let mut rates = [0.0; N];
        for _ in 0..ROUNDS {
            let going = |leaving: fn([f64; 2]) -> Tangent| -> [Mode; K] {
                core::array::from_fn(|i| {
                    let tangent = match edge[i] {
                        _ if !self.resting[i] => self.modes[i].tangent,
                        None => Tangent::Stuck,
                        Some(along) => leaving(along),
                    };
                    Mode { tangent, ..self.modes[i] }
                })
            };
            let (straight, modes) = (going(Tangent::Straight), going(Tangent::Leaving));
            let kept = Reaction::of(self.system, self.points, &straight);
            let forces = forces_by(self.system, self.points, &straight, &kept, &self.loads);
            rates = self.system.accelerations(&forces);
            let mut reaction = Reaction::of(self.system, self.points, &modes);
            // Across a direction the acceleration turns with it.
            let mut shift = [0.0; N];
            for (to, unknown) in shift.iter_mut().zip(&reaction.unknowns[..reaction.count]) {
                let i = unknown.contact;
                if let Some([x, y]) = edge[i].filter(|_| unknown.leaves) {
                    let radius = self.system.laws[i].kinetic_friction * forces[ROWS * i];
                    let along = rates[ROWS * i + 1] * x + rates[ROWS * i + 2] * y;
                    *to = if radius > 0.0 { along.max(0.0) / radius } else { 0.0 };
                }
            }
            reaction.invert(&shift);
            let forces = forces_by(self.system, self.points, &modes, &reaction, &self.loads);
            rates = self.system.accelerations(&forces);
            let (mut settled, mut holds) = (true, true);
            for i in self.contacts() {
                let friction = [forces[ROWS * i + 1], forces[ROWS * i + 2]];
                let radius = self.system.laws[i].kinetic_friction * forces[ROWS * i];
                let two = self.system.laws[i].tangents == 2;
                let rate = [rates[ROWS * i + 1], rates[ROWS * i + 2]];
                holds &= !sliding[i] && length(rate) <= STILL * most;
                holds &= length(friction) <= radius * (1.0 + BEYOND);
                match edge[i] {
                    None if length(friction) > radius * (1.0 + BEYOND) => {
                        edge[i] = Some(unit(friction.map(|x| -x)));
                        settled = false;
                    }
                    None => {}
                    Some([x, y]) => {
                        let across = friction[1] * x - friction[0] * y;
                        let along = rate[0] * x + rate[1] * y;
                        if along < -STILL * most && !sliding[i] {
                            edge[i] = None;
                            settled = false;
                        } else if two && radius > 0.0 {
                            settled &= across.abs() <= SETTLED * radius;
                            edge[i] = Some(unit(friction.map(|x| -x)));
                        }
                    }
                }
            }
            if settled || holds {
                break;
            }
        }
        (edge, rates)
    }

    /// The friction of least energy, about.
    fn about(&self, most: f64, inside: bool) -> Least<K> {
        let mut forces = self.forces(&[[0.0; 2]; K]);
        let without = self.system.accelerations(&forces);
        let held = self.contacts().any(|i| self.modes[i].is_held());
        // Where the normal force answers friction, so do the discs.
        for _ in 1..if held { ROUNDS } else { 1 } {
            let least = self.discs(&forces, &without).least(most, inside);
            let before = core::mem::replace(&mut forces, self.forces(&least.friction));
            let changes = forces.iter().zip(&before).map(|(x, y)| (x - y).abs());
            let scale = forces.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            if changes.fold(0.0, f64::max) <= SETTLED * scale {
                break;
            }
        }
        let mut least = self.discs(&forces, &without).least(most, inside);
        let rates = self.system.accelerations(&self.forces(&least.friction));
        for i in self.contacts().filter(|&i| least.radius[i] == 0.0) {
            let rate = [rates[ROWS * i + 1], rates[ROWS * i + 2]];
            least.along[i] = unit(rate);
            least.accelerations[i] = if most > 0.0 { length(rate) / most } else { 0.0 };
            least.moves[i] = least.accelerations[i] > STILL;
        }
        least
    }

    /// The discs of those that press, with these forces, and the accelerations without friction.
    fn discs(&self, forces: &[f64; N], without: &[f64; N]) -> Discs<K, N> {
        let mut discs = Discs {
            rows: [0; N],
            count: 0,
            response: [[0.0; N]; N],
            without: [0.0; N],
            radius: [0.0; K],
        };
        for i in self.contacts() {
            let law = &self.system.laws[i];
            discs.radius[i] = law.kinetic_friction * forces[ROWS * i].max(0.0);
            for d in (1..=law.tangents).filter(|_| discs.radius[i] > 0.0) {
                discs.rows[discs.count] = ROWS * i + d;
                discs.count += 1;
            }
        }
        let rows = discs.rows;
        for w in 0..discs.count {
            discs.without[w] = without[rows[w]];
            let response = self.response(rows[w]);
            for u in 0..discs.count {
                discs.response[u][w] = response[rows[u]];
            }
        }
        discs
    }

    /// How all rates respond to a force along one row.
    fn response(&self, row: usize) -> [f64; N] {
        let mut forces = [0.0; N];
        forces[row] = 1.0;
        self.held.answer(self.system, &mut forces, &[0.0; N]);
        self.system.accelerations(&forces)
    }
}
