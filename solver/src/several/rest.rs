//! Contacts at rest, decided together: their friction minimises `½ fᵀ D f + fᵀ c` over the
//! discs `|f_i| ≤ μ λ_i`, with `c` the acceleration that everything else causes. What the
//! least leaves at rest sticks; the others slide off along their accelerations.

use super::instant::{beginning_loads, forces_by};
use super::modes::{Mode, Point, Tangent, unit};
use super::reaction::Reaction;
use super::system::{ROWS, System};
use crate::elementary::sqrt;

/// Sweeps over the discs.
const SWEEPS: usize = 4000;

/// Changes of friction below this part of all of it are rounding.
const SETTLED: f64 = 1e-15;

/// Accelerations below this part of those that friction prevents are none.
const STILL: f64 = 1e-7;

/// A disc is left where more than this part of its radius is asked for beyond it.
const BEYOND: f64 = 1e-9;

/// What resting contacts do.
#[derive(Clone, Debug)]
pub(super) struct Decision<const K: usize> {
    /// The direction in which a contact slides off; none, if it sticks.
    pub(super) leaves: [Option<[f64; 2]>; K],
    /// Whether contacts that stick need more than kinetic friction.
    pub(super) unique: bool,
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

/// Decides contacts at rest. Those that `leave` slide in any case.
pub(super) fn decide<const K: usize, const N: usize>(
    system: &System<K, N>,
    points: &[Point; K],
    modes: &[Mode; K],
    resting: &[bool; K],
    leave: &[bool; K],
) -> Decision<K> {
    let mut decision = Decision { leaves: [None; K], unique: true };
    let loads = beginning_loads(system, points, modes);
    if !leave.iter().any(|leaves| *leaves) {
        let sticking: [Mode; K] = core::array::from_fn(|i| match resting[i] {
            true => Mode { tangent: Tangent::Stuck, ..modes[i] },
            false => modes[i],
        });
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
        decision.unique = inside[1];
        if inside[0] {
            return decision;
        }
    }
    let mut free = *modes;
    for i in (0..K).filter(|&i| resting[i]) {
        free[i].tangent = Tangent::Smooth;
    }
    let held = Reaction::of(system, points, &free);
    let rest = Rest { system, points, modes: free, resting, loads, held };
    let mut sliding = *leave;
    // One more contact slides after each round but the last.
    for _ in 0..=system.count {
        let (friction, rates) = rest.least(&sliding);
        let most = rest.prevented();
        let mut more = false;
        decision.leaves = [None; K];
        for i in (0..system.count).filter(|&i| resting[i]) {
            let rate = [rates[ROWS * i + 1], rates[ROWS * i + 2]];
            let moving = length(rate) > STILL * most;
            if sliding[i] || moving {
                more |= !sliding[i];
                sliding[i] = true;
                let against = friction[i].map(|x| -x);
                let along = if length(against) > 0.0 { against } else { rate };
                decision.leaves[i] = Some(unit(along));
            }
        }
        let weaker = |i: usize| system.laws[i].static_friction > system.laws[i].kinetic_friction;
        if !more || !(0..system.count).any(|i| sliding[i] && weaker(i)) {
            break;
        }
    }
    decision
}

fn length([x, y]: [f64; 2]) -> f64 {
    sqrt(x * x + y * y)
}

impl<const K: usize, const N: usize> Rest<'_, K, N> {
    /// All forces with this friction.
    fn forces(&self, friction: &[[f64; 2]; K]) -> [f64; N] {
        let mut forces =
            forces_by(self.system, self.points, &self.modes, &Reaction::none(), &self.loads);
        for i in (0..self.system.count).filter(|&i| self.resting[i]) {
            for (force, part) in forces[ROWS * i + 1..].iter_mut().zip(friction[i]) {
                *force = part;
            }
        }
        self.held.answer(self.system, &mut forces, &[0.0; N]);
        forces
    }

    /// The largest acceleration without friction at rest.
    fn prevented(&self) -> f64 {
        let rates = self.system.accelerations(&self.forces(&[[0.0; 2]; K]));
        (0..self.system.count).filter(|&i| self.resting[i]).fold(0.0, |most: f64, i| {
            most.max(rates[ROWS * i + 1].abs()).max(rates[ROWS * i + 2].abs())
        })
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

    /// The friction of least energy, and the accelerations that it leaves.
    fn least(&self, sliding: &[bool; K]) -> ([[f64; 2]; K], [f64; N]) {
        let mut friction = [[0.0; 2]; K];
        let own: [[[f64; 2]; 2]; K] = core::array::from_fn(|i| match self.resting[i] {
            true => self.own(i),
            false => [[0.0; 2]; 2],
        });
        let mut forces = self.forces(&friction);
        for _ in 0..SWEEPS {
            let mut change = 0.0_f64;
            let mut most = 0.0_f64;
            for i in (0..self.system.count).filter(|&i| self.resting[i]) {
                let law = &self.system.laws[i];
                let mu = if sliding[i] { law.kinetic_friction } else { law.static_friction };
                let radius = mu * forces[ROWS * i].max(0.0);
                let rates = self.system.accelerations(&forces);
                let [f1, f2] = friction[i];
                let [[a, b], [_, c]] = own[i];
                let rest = [
                    rates[ROWS * i + 1] - a * f1 - b * f2,
                    rates[ROWS * i + 2] - b * f1 - c * f2,
                ];
                friction[i] = within(own[i], rest, radius, law.tangents);
                change = change.max((friction[i][0] - f1).abs()).max((friction[i][1] - f2).abs());
                most = most.max(radius);
                forces = self.forces(&friction);
            }
            if change <= SETTLED * most {
                break;
            }
        }
        (friction, self.system.accelerations(&forces))
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
    if !(length(found) <= radius) {
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
            if !(step.abs() > 1e-15 * more) {
                break;
            }
        }
        found = at(more);
        let scale = radius / length(found);
        found = found.map(|x| x * scale);
    }
    [axis[0] * found[0] - axis[1] * found[1], axis[1] * found[0] + axis[0] * found[1]]
}
