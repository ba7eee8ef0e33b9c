//! Contacts at rest, decided together: their friction minimises `½ fᵀ D f + fᵀ c` over the
//! discs `|f_i| ≤ μ λ_i`, with `c` the acceleration that everything else causes. What the
//! least leaves at rest sticks; the others slide off along their accelerations.

use super::instant::{beginning_loads, forces_by};
use super::modes::{Mode, Point, Tangent, unit};
use super::reaction::Reaction;
use super::system::{ROWS, System};
use crate::elementary::sqrt;

/// Sweeps over the discs that find out which contacts slide.
const FEW: usize = 40;
const MANY: usize = 4000;

/// Newton steps that settle the directions.
const ROUNDS: usize = 200;

/// Changes of friction below this part of all of it are rounding.
const SETTLED: f64 = 1e-12;

/// Accelerations below this part of those that friction prevents are none.
const STILL: f64 = 1e-9;

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
        let free = with(modes, resting, Tangent::Smooth);
        let held = Reaction::of(&system, points, &free);
        let rest = Rest { system: &system, points, modes: free, resting, loads, held };
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

impl<const K: usize, const N: usize> Rest<'_, K, N> {
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

    /// How the tangential rates of one contact respond to its own friction.
    fn own(&self, i: usize) -> [[f64; 2]; 2] {
        let column = |d: usize| {
            let mut forces = [0.0; N];
            forces[ROWS * i + 1 + d] = 1.0;
            self.held.answer(self.system, &mut forces, &[0.0; N]);
            let rates = self.system.accelerations(&forces);
            [rates[ROWS * i + 1], rates[ROWS * i + 2]]
        };
        let [[a, b], [c, d]] = [column(0), column(1)];
        [[a, 0.5 * (b + c)], [0.5 * (b + c), d]]
    }

    /// The directions in which contacts leave with the friction of least energy: about, by
    /// sweeps over the discs, then by Newton's method.
    fn least(&self, sliding: &[bool; K]) -> [Option<[f64; 2]>; K] {
        let rates = self.system.accelerations(&self.forces(&[[0.0; 2]; K]));
        let most = self.contacts().fold(0.0, |most: f64, i| {
            most.max(rates[ROWS * i + 1].abs()).max(rates[ROWS * i + 2].abs())
        });
        let swept = self.sweep(FEW);
        let (mut edge, mut rates) = self.settle(self.edge(&swept, sliding), sliding, most);
        if self.resists(&edge, &rates, most) {
            // Newton's method went astray: closer, then.
            let swept = self.sweep(MANY);
            (edge, rates) = self.settle(self.edge(&swept, sliding), sliding, most);
            if self.resists(&edge, &rates, most) {
                (edge, rates) = (self.edge(&swept, sliding), self.system.accelerations(&swept));
            }
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

    /// The contacts that sweeps left on the edges of their discs, and the directions that
    /// their friction is against.
    fn edge(&self, forces: &[f64; N], sliding: &[bool; K]) -> [Option<[f64; 2]>; K] {
        const NEAR: f64 = 1e-9;
        let rates = self.system.accelerations(forces);
        core::array::from_fn(|i| {
            if i >= self.system.count || !self.resting[i] {
                return None;
            }
            let friction = [forces[ROWS * i + 1], forces[ROWS * i + 2]];
            let radius = self.system.laws[i].kinetic_friction * forces[ROWS * i];
            let inside = length(friction) < radius * (1.0 - NEAR);
            match length(friction) > 0.0 {
                _ if inside && !sliding[i] => None,
                true => Some(unit(friction.map(|x| -x))),
                false => Some(unit([rates[ROWS * i + 1], rates[ROWS * i + 2]])),
            }
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

    /// The friction of least energy, about, with all other forces.
    fn sweep(&self, sweeps: usize) -> [f64; N] {
        let mut friction = [[0.0; 2]; K];
        let own: [[[f64; 2]; 2]; K] = core::array::from_fn(|i| match self.resting[i] {
            true => self.own(i),
            false => [[0.0; 2]; 2],
        });
        let mut forces = self.forces(&friction);
        for _ in 0..sweeps {
            for i in self.contacts() {
                let law = &self.system.laws[i];
                let radius = law.kinetic_friction * forces[ROWS * i].max(0.0);
                let rates = self.system.accelerations(&forces);
                let [f1, f2] = friction[i];
                let [[a, b], [_, c]] = own[i];
                let rest =
                    [rates[ROWS * i + 1] - a * f1 - b * f2, rates[ROWS * i + 2] - b * f1 - c * f2];
                friction[i] = within(own[i], rest, radius, law.tangents);
                forces = self.forces(&friction);
            }
        }
        forces
    }
}

/// The least of `½ fᵀ A f + fᵀ c` with `|f| ≤ r`.
fn within([[a, b], [_, d]]: [[f64; 2]; 2], c: [f64; 2], radius: f64, tangents: usize) -> [f64; 2] {
    if tangents == 1 {
        let free = if a > 0.0 { -c[0] / a } else { -c[0] * f64::INFINITY };
        return [if free.is_nan() { 0.0 } else { free.clamp(-radius, radius) }, 0.0];
    }
    // In the axes of A.
    let half = 0.5 * (a - d);
    let spread = sqrt(half * half + b * b);
    let values = [0.5 * (a + d) + spread, (0.5 * (a + d) - spread).max(0.0)];
    let axis = match half >= 0.0 {
        true => unit([half + spread, b]),
        false => unit([b, spread - half]),
    };
    let axis = if axis == [0.0; 2] { [1.0, 0.0] } else { axis };
    let turned = [axis[0] * c[0] + axis[1] * c[1], axis[0] * c[1] - axis[1] * c[0]];
    let at = |more: f64| -> [f64; 2] {
        core::array::from_fn(|d| match turned[d] {
            0.0 => 0.0,
            x => -x / (values[d] + more),
        })
    };
    let size = length(turned);
    let mut found = at(0.0);
    if length(found) > radius {
        if radius == 0.0 || size == 0.0 {
            return [0.0; 2];
        }
        // |f| falls with what is added to A: Newton's method on 1/|f| from below the root.
        let mut more = (size / radius - values[0]).max(0.0);
        for _ in 0..100 {
            found = at(more);
            let now = length(found);
            let slope = (0..2).fold(0.0, |sum, d| sum + found[d] * found[d] / (values[d] + more));
            let step = (now / radius - 1.0) * now * now / slope;
            more += step;
            if step.abs() <= 1e-15 * more {
                break;
            }
        }
        found = at(more);
        let scale = radius / length(found);
        found = found.map(|x| x * scale);
    }
    [axis[0] * found[0] - axis[1] * found[1], axis[1] * found[0] + axis[0] * found[1]]
}
