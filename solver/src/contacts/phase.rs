//! A phase of simultaneous impacts as one complementarity problem.
//!
//! Without friction it is `w = q + D z` itself. With friction the rows are, for each
//! contact, the normal velocity, the slip either way with the speed `γ` of sliding
//! added, and the slack of the friction cone (Anitescu and Potra's form of
//! Glocker and Pfeiffer's):
//!
//! ```text
//! v = q + D_nn Λ + D_nt (β⁺ − β⁻)      ⟂ Λ
//! γ ± (q_t + D_tn Λ + D_tt (β⁺ − β⁻))  ⟂ β±
//! μ (Λ + held) − β⁺ − β⁻               ⟂ γ
//! ```
//!
//! Its matrix is copositive, and the impulses in its null directions change no
//! velocity. So every phase without a target velocity has a solution.

use alloc::vec::Vec;

use nalgebra::{DMatrix, DVector};

use super::Contacts;
use super::complementarity::{Unsolved, solve};
use super::directions::Directions;
use super::sharing::shared;
use crate::contact::at_least;
use crate::error::{Error, Field};

/// Velocities below this part of the system's velocity, or of the largest impulse,
/// are rest.
const REST: f64 = 1e-13;

/// The tolerance of velocities, relative to the same.
const CLOSE: f64 = 1e-12;

/// Velocities along the unit directions; without friction there is no slip.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) velocity: DVector<f64>,
    pub(super) slip: DVector<f64>,
}

/// The state at the end of a phase, and its impulses.
#[derive(Clone, Debug)]
pub(super) struct Reached {
    pub(super) state: State,
    pub(super) impulse: DVector<f64>,
    pub(super) friction: DVector<f64>,
}

/// Friction along a tangent at each contact.
#[derive(Clone, Debug)]
pub(super) struct Friction {
    pub(super) tangents: Directions,
    /// Coefficients between impulses along the unit directions.
    coefficients: Vec<f64>,
    /// Slips from normal impulses.
    coupling: DMatrix<f64>,
    /// Slips from impulses along the tangents.
    inertia: DMatrix<f64>,
    /// The matrix of the complementarity problem.
    matrix: DMatrix<f64>,
}

impl Friction {
    pub(super) fn new(
        normals: &Directions,
        tangents: Directions,
        friction: &[f64],
    ) -> Result<Self, Error> {
        let mut coefficients = Vec::with_capacity(friction.len());
        for (i, &mu) in friction.iter().enumerate() {
            let mu = at_least(Field::entry("friction", i), mu, 0.0)?;
            coefficients.push(mu * (tangents.length(i) / normals.length(i)));
        }
        let coupling = tangents.inertia(normals);
        let inertia = tangents.inertia(&tangents);
        let matrix = matrix(&normals.inertia(normals), &coupling, &inertia, &coefficients);
        Ok(Self { tangents, coefficients, coupling, inertia, matrix })
    }
}

/// Rows of cones are divided by their coefficient where it is large.
fn matrix(
    normal: &DMatrix<f64>,
    coupling: &DMatrix<f64>,
    tangential: &DMatrix<f64>,
    coefficients: &[f64],
) -> DMatrix<f64> {
    let k = coefficients.len();
    let mut matrix = DMatrix::zeros(4 * k, 4 * k);
    matrix.view_mut((0, 0), (k, k)).copy_from(normal);
    for (to, sign) in [(k, 1.0), (2 * k, -1.0)] {
        matrix.view_mut((0, to), (k, k)).copy_from(&(coupling.transpose() * sign));
        matrix.view_mut((to, 0), (k, k)).copy_from(&(coupling * sign));
        for (from, other) in [(k, 1.0), (2 * k, -1.0)] {
            matrix.view_mut((to, from), (k, k)).copy_from(&(tangential * (sign * other)));
        }
        for (i, mu) in coefficients.iter().enumerate() {
            matrix[(to + i, 3 * k + i)] = 1.0;
            matrix[(3 * k + i, to + i)] = -1.0 / mu.max(1.0);
        }
    }
    for (i, mu) in coefficients.iter().enumerate() {
        matrix[(3 * k + i, i)] = mu.min(1.0);
    }
    matrix
}

impl Contacts {
    /// Compression: stops the approach.
    pub(super) fn compress(&self, before: &State) -> Result<Reached, Unsolved> {
        self.phase(before, &DVector::zeros(self.count()))
    }

    /// Poisson's restitution, on top of compression.
    pub(super) fn expand(&self, from: &Reached, e: &DVector<f64>) -> Result<Reached, Unsolved> {
        let held = from.impulse.component_mul(e);
        let mut start = from.state.clone();
        start.velocity += &self.inertia * &held;
        if let Some(friction) = &self.friction {
            start.slip += &friction.coupling * &held;
        }
        let Reached { state, impulse, friction } = self.phase(&start, &held)?;
        let impulse = impulse + held + &from.impulse;
        Ok(Reached { state, impulse, friction: friction + &from.friction })
    }

    /// Newton's restitution, of compression and expansion at once.
    pub(super) fn rebound(&self, before: &State, e: &DVector<f64>) -> Result<Reached, Unsolved> {
        let target = before.velocity.zip_map(e, |v, e| e * (-v).max(0.0));
        let start = State { velocity: &before.velocity - &target, slip: before.slip.clone() };
        let mut reached = self.phase(&start, &DVector::zeros(self.count()))?;
        reached.state.velocity += target;
        Ok(reached)
    }

    /// Solves a phase from the velocities after the held impulses alone.
    fn phase(&self, start: &State, held: &DVector<f64>) -> Result<Reached, Unsolved> {
        match &self.friction {
            None => self.frictionless(start),
            Some(friction) => self.frictional(friction, start, held),
        }
    }

    fn frictionless(&self, start: &State) -> Result<Reached, Unsolved> {
        let solution = solve(&self.inertia, &start.velocity)?;
        let velocity = at_rest(solution.w, &solution.z);
        let impulse = shared(&self.inertia, solution.z, &velocity)?;
        // Nearly dependent contacts can have impulses so large that they hide an error.
        let error = (&start.velocity + &self.inertia * &impulse - &velocity).amax();
        if error > CLOSE * impulse.amax().max(1.0) {
            return Err(Unsolved { ray: false, pivots: solution.pivots });
        }
        let none = DVector::zeros(0);
        Ok(Reached { state: State { velocity, slip: none.clone() }, impulse, friction: none })
    }

    fn frictional(
        &self,
        friction: &Friction,
        start: &State,
        held: &DVector<f64>,
    ) -> Result<Reached, Unsolved> {
        let k = self.count();
        let q = DVector::from_fn(4 * k, |row, _| match (row / k, row % k) {
            (0, i) => start.velocity[i],
            (1, i) => start.slip[i],
            (2, i) => -start.slip[i],
            (_, i) => friction.coefficients[i].min(1.0) * held[i],
        });
        let solution = solve(&friction.matrix, &q)?;
        let part = |from: usize| solution.z.rows(from * k, k);
        let impulse = part(0).into_owned();
        let rubbing = part(1) - part(2);
        let velocity = at_rest(solution.w.rows(0, k).into_owned(), &solution.z);
        // Where friction acts, the speed of sliding is a variable.
        let speed = part(3);
        let free = &start.slip + &friction.coupling * &impulse + &friction.inertia * &rubbing;
        let slip = DVector::from_fn(k, |i, _| {
            if rubbing[i] == 0.0 { free[i] } else { -speed[i] * rubbing[i].signum() }
        });
        Ok(Reached { state: State { velocity, slip }, impulse, friction: rubbing })
    }
}

fn at_rest(velocity: DVector<f64>, impulse: &DVector<f64>) -> DVector<f64> {
    let least = REST * impulse.amax().max(1.0);
    velocity.map(|v| if v > least { v } else { 0.0 })
}
