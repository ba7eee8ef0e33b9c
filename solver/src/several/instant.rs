//! Forces and accelerations at an instant.

use super::modes::{Mode, Point, Tangent};
use super::reaction::{Reaction, Unknown};
use super::system::{ROWS, System};

/// The least weight of a reaction beside the largest.
const LEAST_WEIGHT: f64 = 1e-8;

/// The normal forces of indentations.
pub(super) fn loads<const K: usize, const N: usize>(
    system: &System<K, N>,
    points: &[Point; K],
    modes: &[Mode; K],
) -> [f64; K] {
    core::array::from_fn(|i| match i < system.count {
        true => system.load(i, &modes[i], points[i].x),
        false => 0.0,
    })
}

/// The same, or what they are in proportion to at the first instant, when all are zero.
pub(super) fn beginning_loads<const K: usize, const N: usize>(
    system: &System<K, N>,
    points: &[Point; K],
    modes: &[Mode; K],
) -> [f64; K] {
    let now = loads(system, points, modes);
    if now.iter().any(|force| *force > 0.0) {
        return now;
    }
    core::array::from_fn(|i| match i < system.count && modes[i].is_elastic() {
        true => system.laws[i].stiffness * system.power((-points[i].v[0]).max(0.0)),
        false => 0.0,
    })
}

/// The direction against which friction acts.
pub(super) fn sliding(mode: &Mode, point: &Point) -> Option<[f64; 2]> {
    match mode.tangent {
        Tangent::Smooth | Tangent::Stuck => None,
        Tangent::Straight(along) | Tangent::Leaving(along) => Some(along),
        Tangent::Turning => Some(point.direction()),
    }
}

impl<const N: usize> Reaction<N> {
    /// The reactions of contacts in these modes.
    pub(super) fn of<const K: usize>(
        system: &System<K, N>,
        points: &[Point; K],
        modes: &[Mode; K],
    ) -> Self {
        let mut reaction = Self::none();
        let loads = beginning_loads(system, points, modes);
        let most = loads.iter().fold(0.0, |most: f64, x| most.max(*x));
        for i in 0..system.count {
            let (mode, law) = (&modes[i], &system.laws[i]);
            if mode.is_open() {
                continue;
            }
            if mode.is_held() {
                let [s1, s2] = sliding(mode, &points[i])
                    .unwrap_or_default()
                    .map(|part| -law.kinetic_friction * part);
                let weight = if most > 0.0 { most } else { 1.0 };
                let row = [1.0, 0.0, 0.0];
                let column = [1.0, s1, s2];
                reaction.add(Unknown { contact: i, row, column, weight, leaves: false });
            }
            let relative = if mode.is_held() || most == 0.0 { 1.0 } else { loads[i] / most };
            let allowed = (law.static_friction * relative).max(LEAST_WEIGHT) * most.max(1e-300);
            let weight = allowed * points[i].share;
            let leaves = matches!(mode.tangent, Tangent::Leaving(_));
            let mut along = |x: f64, y: f64| {
                let row = [0.0, x, y];
                reaction.add(Unknown { contact: i, row, column: row, weight, leaves });
            };
            match mode.tangent {
                Tangent::Stuck => {
                    along(1.0, 0.0);
                    if law.tangents == 2 {
                        along(0.0, 1.0);
                    }
                }
                Tangent::Leaving([x, y]) => along(-y, x),
                Tangent::Smooth | Tangent::Straight(_) | Tangent::Turning => {}
            }
        }
        reaction.prepare(system);
        reaction
    }
}

/// All forces, with these normal ones.
pub(super) fn forces_by<const K: usize, const N: usize>(
    system: &System<K, N>,
    points: &[Point; K],
    modes: &[Mode; K],
    reaction: &Reaction<N>,
    loads: &[f64; K],
) -> [f64; N] {
    let mut forces = [0.0; N];
    for i in 0..system.count {
        forces[ROWS * i] = loads[i];
        let friction = system.laws[i].kinetic_friction * loads[i];
        let along = sliding(&modes[i], &points[i]).unwrap_or_default();
        for (force, part) in forces[ROWS * i + 1..].iter_mut().zip(along) {
            *force = -friction * part;
        }
    }
    reaction.answer(system, &mut forces, &[0.0; N]);
    forces
}

/// All forces.
pub(super) fn forces<const K: usize, const N: usize>(
    system: &System<K, N>,
    points: &[Point; K],
    modes: &[Mode; K],
    reaction: &Reaction<N>,
) -> [f64; N] {
    forces_by(system, points, modes, reaction, &loads(system, points, modes))
}
