//! Divides an impulse among contacts where the motion does not determine the shares.
//!
//! Closed contacts whose directions depend on each other can exchange impulses
//! along the null space of their `D` without moving anything. With `P` the projector
//! onto it, the shortest of the impulses `Λ + P u` that are not negative is
//!
//! ```text
//! w = (1 − P) Λ + P u,  0 ≤ w ⟂ u ≥ 0,
//! ```
//!
//! again a complementarity problem with a semi-definite matrix.

use alloc::vec::Vec;

use nalgebra::{DMatrix, DVector, SymmetricEigen};

use super::complementarity::{Unsolved, solve};

/// Eigenvalues of a `D` with ones on its diagonal are zero below this.
const NOTHING: f64 = 1e-13;

/// The shortest impulses that lead to the same velocities.
pub(super) fn shared(
    inertia: &DMatrix<f64>,
    impulse: DVector<f64>,
    velocity: &DVector<f64>,
) -> Result<DVector<f64>, Unsolved> {
    let closed: Vec<usize> = (0..impulse.len()).filter(|&i| velocity[i] == 0.0).collect();
    let among = inertia.select_rows(&closed).select_columns(&closed);
    let Some(projector) = null_space(among) else { return Ok(impulse) };
    let carried = impulse.select_rows(&closed);
    let fixed = &carried - &projector * &carried;
    let shortest = solve(&projector, &fixed)?.w;
    let mut shared = impulse;
    closed.iter().zip(shortest.iter()).for_each(|(&i, &p)| shared[i] = p);
    Ok(shared)
}

/// The projector onto the null space, if there is one.
fn null_space(inertia: DMatrix<f64>) -> Option<DMatrix<f64>> {
    let size = inertia.nrows();
    if size < 2 {
        return None;
    }
    let SymmetricEigen { eigenvalues, eigenvectors } =
        SymmetricEigen::try_new(inertia, f64::EPSILON, 64 * size)?;
    let mut projector = DMatrix::zeros(size, size);
    for (value, vector) in eigenvalues.iter().zip(eigenvectors.column_iter()) {
        if *value < NOTHING * size as f64 {
            projector += vector * vector.transpose();
        }
    }
    (projector.amax() > 0.0).then_some(projector)
}
