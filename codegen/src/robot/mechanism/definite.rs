//! Checks that the inertia matrix and the contact inertia are positive definite in
//! general position.

use nalgebra::DMatrix;

use super::dynamics::{Dynamics, inputs};
use super::frames::Frames;
use super::tree::{Inertia, Motion, Tree};
use super::{Base, Mechanism};
use crate::Error;
use crate::program::ScalarProgram;

/// Positions tried; one regular position is enough.
const SAMPLES: u64 = 5;

/// The least inertia about a joint, relative to a bound from the bodies behind it.
const NO_INERTIA: f64 = 1e-13;

/// The least pivot, relative to its diagonal entry.
const SINGULAR: f64 = 1e-11;

/// Fixed pseudo-random numbers in ±1.5.
pub(super) fn position(length: usize, seed: u64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5bf0_3635_dea1_e2c9;
    (0..length)
        .map(|_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) as f64 / (1u64 << 31) as f64 - 0.5) * 3.0
        })
        .collect()
}

/// Checks that every motion has inertia.
///
/// # Errors
/// [`Error::Massless`] for the joint, or the base, that moves without any.
pub(super) fn check_inertia(tree: &Tree) -> Result<(), Error> {
    if tree.base == Base::Floating && tree.root.mass == 0.0 {
        return Err(massless(tree, 0));
    }
    let mut dynamics = Dynamics::new(tree.base, &Frames::new(tree, None, &[]), &[]);
    let freedom = dynamics.inertia.len();
    let rows = std::mem::take(&mut dynamics.inertia);
    let mut outputs = Vec::new();
    for (i, row) in rows.into_iter().enumerate() {
        for term in row {
            let id = dynamics.arithmetic.id(term).ok_or_else(|| massless(tree, i))?;
            outputs.push((String::new(), id));
        }
    }
    let graph = dynamics.arithmetic.finish();
    let program = ScalarProgram { name: String::new(), graph, outputs };
    let possible = possible_inertia(tree);
    let mut best = vec![0.0_f64; freedom];
    for seed in 0..SAMPLES {
        let q = position(inputs(tree.base, tree.bodies.len()).len(), seed);
        let ratios = pivots(freedom, &program.evaluate(&q), &possible);
        best.iter_mut().zip(ratios).for_each(|(best, ratio)| *best = best.max(ratio));
    }
    match best.iter().rposition(|&ratio| ratio < SINGULAR) {
        Some(velocity) => Err(massless(tree, velocity)),
        None => Ok(()),
    }
}

/// The pivots of `M = Lᵀ Δ L` relative to the diagonal; zero where that is zero.
fn pivots(n: usize, lower: &[f64], possible: &[f64]) -> Vec<f64> {
    let mut m = DMatrix::zeros(n, n);
    let mut entries = lower.iter();
    for i in 0..n {
        for j in 0..=i {
            m[(i, j)] = *entries.next().unwrap_or(&f64::NAN);
        }
    }
    let diagonal = m.diagonal();
    let mut ratios = vec![0.0; n];
    for k in (0..n).rev() {
        let pivot = m[(k, k)];
        if !(diagonal[k] > NO_INERTIA * possible[k] && pivot > SINGULAR * diagonal[k]) {
            break;
        }
        ratios[k] = pivot / diagonal[k];
        for i in 0..k {
            for j in 0..=i {
                m[(i, j)] -= m[(k, i)] * m[(k, j)] / pivot;
            }
        }
    }
    ratios
}

/// A bound on the inertia that each velocity can have.
fn possible_inertia(tree: &Tree) -> Vec<f64> {
    let about = |body: &Inertia, reach: f64| {
        body.inertia.trace() + body.mass * reach * reach + 2.0 * body.moment.norm() * reach
    };
    let mut joints = vec![0.0; tree.bodies.len()];
    for (i, body) in tree.bodies.iter().enumerate() {
        let mut reach = 0.0;
        for carrier in tree.path(Some(i)) {
            joints[carrier] += match tree.bodies[carrier].motion {
                Motion::Revolute => about(&body.inertia, reach),
                Motion::Prismatic => body.inertia.mass,
            };
            reach += tree.bodies[carrier].placement.translation.norm();
        }
    }
    let base = match tree.base {
        Base::Fixed => Vec::new(),
        Base::Floating => {
            [tree.root.mass, tree.root.inertia.trace()].into_iter().flat_map(|x| [x; 3]).collect()
        }
    };
    base.into_iter().chain(joints).collect()
}

/// The error for a velocity without inertia.
pub(super) fn massless(tree: &Tree, velocity: usize) -> Error {
    let joint = match tree.base {
        Base::Fixed => Some(velocity),
        Base::Floating => velocity.checked_sub(6),
    };
    match joint.and_then(|joint| tree.bodies.get(joint)) {
        Some(body) => Error::Massless { joint: body.joint.clone(), link: body.link.clone() },
        None => Error::MasslessBase {
            link: tree.links.first().map_or(String::new(), |link| link.name.clone()),
        },
    }
}

/// Checks that an impulse in any direction of the contact has an effect.
///
/// # Errors
/// [`Error::SingularContact`] if none of several positions is a regular one.
pub(super) fn check_contact(
    mechanism: &Mechanism,
    frame: &str,
    program: &ScalarProgram,
    directions: usize,
) -> Result<(), Error> {
    let regular = (0..SAMPLES).any(|seed| {
        let values = program.evaluate(&position(mechanism.positions(), seed));
        let mut d = DMatrix::zeros(directions, directions);
        let mut entries = values.iter();
        for i in 0..directions {
            for j in i..directions {
                d[(i, j)] = *entries.next().unwrap_or(&f64::NAN);
                d[(j, i)] = d[(i, j)];
            }
        }
        let finite = d.iter().all(|x| x.is_finite());
        finite && {
            let spectrum = d.symmetric_eigenvalues();
            spectrum.min() > SINGULAR * spectrum.max()
        }
    });
    match regular {
        true => Ok(()),
        false => Err(Error::SingularContact {
            frame: frame.to_owned(),
            hint: match directions {
                3 => "give one tangent if it moves in a plane",
                _ => "the normal and the tangent must lie in the plane in which it moves",
            },
        }),
    }
}
