//! Modes of contacts between kinks, and the choice of the next modes at a kink.

use alloc::vec::Vec;

use nalgebra::DVector;

use super::problem::{Law, Problem};
use super::reaction::Reaction;
use crate::elementary::sqrt;
use crate::error::Error;
use crate::impact::Accuracy;

/// A force or an acceleration below this ratio to its terms counts as zero: rounding,
/// or the truncation error of so many tolerances.
const NOISE: f64 = 1e-12;
const TOLERANCES: f64 = 100.0;

/// The mode of a contact along its normal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Normal {
    /// It has no force, and closes where its indentation rises to its level.
    Open,
    /// It has the whole of its force.
    Loading,
    /// It has the part of its force that restitution leaves.
    Unloading,
    /// It is indented without force: it separates too fast for a damped force.
    Slack,
    /// Its indentation stands still. Its force lies between that of unloading, which
    /// would let it grow, and that of loading, which would let it shrink.
    Held,
}

/// The mode of a closed contact along its tangent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Tangent {
    /// It has no friction.
    Smooth,
    /// It has the friction that keeps it from sliding.
    Stuck,
    /// It slides, in the direction of this sign.
    Slips(f64),
}

/// The mode of a contact, with the `λ` of its force and the indentation at which it
/// closes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mode {
    pub(super) normal: Normal,
    pub(super) tangent: Tangent,
    pub(super) damping: f64,
    pub(super) level: f64,
}

/// The state of a contact: indentation and velocities, impulses and works since the
/// first touch.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Point {
    pub(super) xi: f64,
    pub(super) u: f64,
    pub(super) w: f64,
    pub(super) p: f64,
    pub(super) z: f64,
    pub(super) normal_work: f64,
    pub(super) friction_work: f64,
}

impl Mode {
    /// Whether the contact has a force of its own, made by its indentation.
    pub(super) fn is_free(&self) -> bool {
        !matches!(self.normal, Normal::Open | Normal::Held)
    }

    pub(super) fn is_open(&self) -> bool {
        self.normal == Normal::Open
    }

    /// Its stiffness in the present mode.
    pub(super) fn stiffness(&self, law: &Law) -> f64 {
        match self.normal {
            Normal::Loading => law.stiffness,
            Normal::Unloading => law.unloading * law.stiffness,
            Normal::Open | Normal::Slack | Normal::Held => 0.0,
        }
    }

    /// The normal force for an indentation and its rate.
    pub(super) fn force(&self, law: &Law, xi: f64, u: f64) -> f64 {
        let xi = xi.max(0.0);
        self.stiffness(law) * xi * sqrt(xi) * (1.0 + self.damping * u)
    }
}

/// The weight of a force that begins now, relative to one that already acts.
const BEGINNING: f64 = 1e-30;

/// Normal forces of the free contacts; where all of them begin at this instant, their
/// proportions just after it.
pub(super) fn weights(problem: &Problem, points: &[Point], modes: &[Mode]) -> DVector<f64> {
    let free: Vec<usize> = (0..modes.len()).filter(|&j| modes[j].is_free()).collect();
    let forces = DVector::from_iterator(
        free.len(),
        free.iter().map(|&j| modes[j].force(&problem.laws[j], points[j].xi, points[j].u)),
    );
    if forces.iter().any(|force| *force != 0.0) {
        return forces;
    }
    DVector::from_iterator(
        free.len(),
        free.iter().map(|&j| BEGINNING * modes[j].force(&problem.laws[j], points[j].u, 0.0)),
    )
}

/// Finds the next modes of contacts that stand still, along the normal or the tangent.
/// Starting from `modes`, it changes one contact at a time until forces and
/// accelerations are consistent with all of them (Murty's least-index pivoting).
pub(super) fn settle(
    problem: &Problem,
    points: &[Point],
    modes: &mut [Mode],
    accuracy: Accuracy,
) -> Result<Reaction, Error> {
    let part = NOISE.max(TOLERANCES * accuracy.tolerance());
    let most = 64 * (modes.len() + 1);
    let mut reaction = Reaction::new(problem, modes)?;
    for _ in 0..most {
        let weights = weights(problem, points, modes);
        let forces = &reaction.forces * &weights;
        let rates = &reaction.rates * &weights;
        let scale = forces.amax();
        let mut indices = 0..modes.len();
        let changed = indices.find_map(|j| {
            let (mode, law, point) = (modes[j], &problem.laws[j], &points[j]);
            let [force, friction] = [forces[2 * j], forces[2 * j + 1]];
            let own = |row: usize| problem.response[(row, row)];
            let rate = Weighed { value: rates[2 * j], noise: part * scale * own(2 * j) };
            let force = Weighed { value: force, noise: part * scale };
            let normal = match law.jumps() && point.u == 0.0 && point.xi > 0.0 {
                true => next_normal(mode, law, point, force, rate, reaction.yields(j)),
                false => mode.normal,
            };
            let rate = Weighed { value: rates[2 * j + 1], noise: part * scale * own(2 * j + 1) };
            let tangent = next_tangent(mode, law, point, force, friction, rate);
            let changed = (normal, tangent) != (mode.normal, mode.tangent);
            changed.then_some((j, Mode { normal, tangent, ..mode }))
        });
        let Some((j, mode)) = changed else { break };
        modes[j] = mode;
        reaction = Reaction::new(problem, modes)?;
    }
    Ok(reaction)
}

/// A value and its rounding error.
#[derive(Clone, Copy)]
struct Weighed {
    value: f64,
    noise: f64,
}

/// A contact whose indentation stands still loads, unloads, or goes on so.
fn next_normal(
    mode: Mode,
    law: &Law,
    point: &Point,
    force: Weighed,
    rate: Weighed,
    yields: bool,
) -> Normal {
    let whole = law.stiffness * point.xi * sqrt(point.xi);
    match mode.normal {
        Normal::Held if !yields => Normal::Unloading,
        Normal::Held if force.value > whole + force.noise => Normal::Loading,
        Normal::Held if force.value < law.unloading * whole - force.noise => Normal::Unloading,
        Normal::Loading if rate.value < -rate.noise => {
            if yields {
                Normal::Held
            } else {
                Normal::Unloading
            }
        }
        Normal::Unloading if rate.value > rate.noise => {
            if yields {
                Normal::Held
            } else {
                Normal::Loading
            }
        }
        same => same,
    }
}

/// A contact that does not slide sticks, or begins to slide the way it is driven.
fn next_tangent(
    mode: Mode,
    law: &Law,
    point: &Point,
    force: Weighed,
    friction: f64,
    rate: Weighed,
) -> Tangent {
    if mode.is_open() || point.w != 0.0 {
        return mode.tangent;
    }
    match mode.tangent {
        Tangent::Stuck if friction.abs() > law.fixed_friction * force.value + force.noise => {
            Tangent::Slips(friction.signum())
        }
        Tangent::Slips(sign) if sign * rate.value < -rate.noise => Tangent::Stuck,
        same => same,
    }
}
