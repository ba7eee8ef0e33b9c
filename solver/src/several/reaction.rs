//! Forces that keep velocities at zero: of what sticks and what is held.
//!
//! Each unknown force acts along a column and keeps the velocity along a row. Where the
//! inertia is singular many forces do the same; of these the ones with least
//! `Σ (f / weight)²` are taken.

use super::system::{ROWS, System};
use crate::elementary::sqrt;

/// Singular values below this part of the largest count as zero.
const RANK: f64 = 1e-10;

/// Products of columns below this part of the largest are rounding: those of columns that are
/// nothing but rounding themselves would never vanish.
const ROUNDING: f64 = 1e-30;

/// Sweeps of rotations that make the columns of any matrix orthogonal.
const SWEEPS: usize = 60;

/// An unknown force.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Unknown {
    pub(super) contact: usize,
    /// The velocity that it keeps at zero.
    pub(super) row: [f64; 3],
    /// The force of one unit.
    pub(super) column: [f64; 3],
    pub(super) weight: f64,
    /// Whether it acts across the direction of a contact that leaves.
    pub(super) leaves: bool,
}

/// Unknown forces, and the inverse of their influence on the velocities they keep.
#[derive(Clone, Debug)]
pub(super) struct Reaction<const N: usize> {
    pub(super) unknowns: [Unknown; N],
    pub(super) count: usize,
    /// How the velocities kept respond to the unknowns.
    response: [[f64; N]; N],
    inverse: [[f64; N]; N],
    /// Whether other forces would do as well.
    pub(super) redundant: bool,
}

impl<const N: usize> Reaction<N> {
    pub(super) fn none() -> Self {
        Self {
            unknowns: [Unknown::default(); N],
            count: 0,
            response: [[0.0; N]; N],
            inverse: [[0.0; N]; N],
            redundant: false,
        }
    }

    pub(super) fn add(&mut self, unknown: Unknown) {
        self.unknowns[self.count] = unknown;
        self.count += 1;
    }

    /// Finds the inverse, once all unknowns are known.
    pub(super) fn prepare<const K: usize>(&mut self, system: &System<K, N>) {
        for u in 0..self.count {
            let forces = self.along(u, 1.0);
            let rates = system.accelerations(&forces);
            for w in 0..self.count {
                self.response[w][u] = self.unknowns[w].of(&rates);
            }
        }
        self.invert(&[0.0; N]);
    }

    /// The inverse with so much more on the diagonal.
    pub(super) fn invert(&mut self, shift: &[f64; N]) {
        let mut weighted = self.response;
        for u in 0..self.count {
            weighted[u][u] += shift[u];
            for row in &mut weighted[..self.count] {
                row[u] *= self.unknowns[u].weight;
            }
        }
        self.redundant = pseudo_inverse(&weighted, self.count, &mut self.inverse);
        for (row, unknown) in self.inverse.iter_mut().zip(&self.unknowns[..self.count]) {
            row.iter_mut().for_each(|x| *x *= unknown.weight);
        }
    }

    /// The forces of one unknown.
    fn along(&self, u: usize, size: f64) -> [f64; N] {
        let mut forces = [0.0; N];
        let Unknown { contact, column, .. } = self.unknowns[u];
        for (force, part) in forces[ROWS * contact..].iter_mut().zip(column) {
            *force = part * size;
        }
        forces
    }

    /// Adds the unknown forces that, with those given, let the velocities that are kept change
    /// at these rates, and returns their sizes.
    pub(super) fn answer<const K: usize>(
        &self,
        system: &System<K, N>,
        forces: &mut [f64; N],
        rates: &[f64; N],
    ) -> [f64; N] {
        let mut sizes = [0.0; N];
        if self.count == 0 {
            return sizes;
        }
        let made = system.accelerations(forces);
        let lacking: [f64; N] = core::array::from_fn(|u| match u < self.count {
            true => rates[u] - self.unknowns[u].of(&made),
            false => 0.0,
        });
        for (u, size) in sizes.iter_mut().enumerate().take(self.count) {
            *size = (0..self.count).fold(0.0, |sum, w| sum + self.inverse[u][w] * lacking[w]);
            let Unknown { contact, column, .. } = self.unknowns[u];
            for (force, part) in forces[ROWS * contact..].iter_mut().zip(column) {
                *force += part * *size;
            }
        }
        sizes
    }
}

impl Unknown {
    /// The velocity along its row.
    pub(super) fn of<const N: usize>(&self, velocities: &[f64; N]) -> f64 {
        let own = &velocities[ROWS * self.contact..];
        self.row.iter().zip(own).fold(0.0, |sum, (x, y)| sum + x * y)
    }
}

/// The pseudo-inverse of the first rows and columns of a matrix; whether its rank is not
/// full. One-sided Jacobi: rotations make its columns orthogonal, `A V = U S`.
fn pseudo_inverse<const N: usize>(
    matrix: &[[f64; N]; N],
    count: usize,
    inverse: &mut [[f64; N]; N],
) -> bool {
    let mut turned = *matrix;
    let mut turns = [[0.0; N]; N];
    for (i, row) in turns.iter_mut().enumerate().take(count) {
        row[i] = 1.0;
    }
    let all = turned[..count].iter().flatten().fold(0.0, |sum, x| sum + x * x);
    for _ in 0..SWEEPS {
        let mut rotated = false;
        for i in 0..count {
            for j in i + 1..count {
                rotated |= rotate(&mut turned, &mut turns, count, [i, j], ROUNDING * all);
            }
        }
        if !rotated {
            break;
        }
    }
    let square = |j: usize| (0..count).fold(0.0, |sum, i| sum + turned[i][j] * turned[i][j]);
    let squares: [f64; N] = core::array::from_fn(|j| if j < count { square(j) } else { 0.0 });
    let most = squares.iter().fold(0.0, |most: f64, x| most.max(*x));
    let mut deficient = false;
    for row in inverse.iter_mut().take(count) {
        row[..count].fill(0.0);
    }
    for (j, square) in squares.iter().enumerate().take(count) {
        if *square <= RANK * RANK * most {
            deficient = true;
            continue;
        }
        for u in 0..count {
            for w in 0..count {
                inverse[u][w] += turns[u][j] * turned[w][j] / square;
            }
        }
    }
    deficient
}

/// Makes two columns orthogonal, but for so much; whether they were not.
fn rotate<const N: usize>(
    turned: &mut [[f64; N]; N],
    turns: &mut [[f64; N]; N],
    count: usize,
    [i, j]: [usize; 2],
    little: f64,
) -> bool {
    let (mut ii, mut jj, mut ij) = (0.0, 0.0, 0.0);
    for row in turned.iter().take(count) {
        ii += row[i] * row[i];
        jj += row[j] * row[j];
        ij += row[i] * row[j];
    }
    if ij.abs() <= little.max(1e-15 * sqrt(ii) * sqrt(jj)) {
        return false;
    }
    let ratio = (jj - ii) / (2.0 * ij);
    let tangent = ratio.signum() / (ratio.abs() + sqrt(1.0 + ratio * ratio));
    let cosine = 1.0 / sqrt(1.0 + tangent * tangent);
    let sine = cosine * tangent;
    for rows in [turned, turns] {
        for row in rows.iter_mut().take(count) {
            let (x, y) = (row[i], row[j]);
            row[i] = cosine * x - sine * y;
            row[j] = sine * x + cosine * y;
        }
    }
    true
}
