//! The smooth solution of `turn y' + growth y = right` on −1..1, by collocation.
//!
//! Other solutions differ from it by multiples of `1/s` or `1/s²`, exponentials
//! that a step-by-step solution would have to follow.

use crate::chebyshev::Chebyshev;

/// Points on which functions are found.
pub(crate) const POINTS: usize = 19;

/// Values at the points, from 1 down to −1.
pub(crate) type Values = [f64; POINTS];

/// The points at which solutions are given: at 1, or in the middle, where `turn` vanishes.
pub(crate) const END: usize = 0;
pub(crate) const MIDDLE: usize = POINTS / 2;

/// What a linear equation has on the right at each point, and what its solution
/// is where it is given.
#[derive(Clone, Copy)]
pub(crate) struct Right {
    pub(crate) values: Values,
    pub(crate) given: f64,
}

/// Solutions at the points for several right sides; `None` if there are none.
pub(crate) fn solve<const K: usize>(
    chebyshev: &Chebyshev<POINTS>,
    turn: &Values,
    growth: &Values,
    given: usize,
    right: &[Right; K],
) -> Option<[Values; K]> {
    let mut rows = [[0.0; POINTS]; POINTS];
    let mut sides = [[0.0; K]; POINTS];
    for i in 0..POINTS {
        rows[i] = chebyshev.derivative[i].map(|x| turn[i] * x);
        rows[i][i] += growth[i];
        sides[i] = core::array::from_fn(|k| right[k].values[i]);
    }
    rows[given] = [0.0; POINTS];
    rows[given][given] = 1.0;
    sides[given] = core::array::from_fn(|k| right[k].given);
    for (row, side) in rows.iter_mut().zip(&mut sides) {
        let largest = row.iter().fold(0.0_f64, |x, y| x.max(y.abs()));
        row.iter_mut().chain(side).for_each(|x| *x /= largest);
    }
    eliminate(&mut rows, &mut sides)
}

/// Gauss elimination with pivots by columns.
fn eliminate<const K: usize>(
    rows: &mut [[f64; POINTS]; POINTS],
    sides: &mut [[f64; K]; POINTS],
) -> Option<[Values; K]> {
    for k in 0..POINTS {
        let pivot = (k..POINTS).max_by(|&i, &j| rows[i][k].abs().total_cmp(&rows[j][k].abs()))?;
        rows.swap(k, pivot);
        sides.swap(k, pivot);
        let (row, side) = (rows[k], sides[k]);
        if row[k] == 0.0 || !row[k].is_finite() {
            return None;
        }
        for i in k + 1..POINTS {
            let factor = rows[i][k] / row[k];
            rows[i][k..].iter_mut().zip(&row[k..]).for_each(|(x, y)| *x -= factor * y);
            sides[i].iter_mut().zip(side).for_each(|(x, y)| *x -= factor * y);
        }
    }
    let mut solutions = [[0.0; POINTS]; K];
    for (k, solution) in solutions.iter_mut().enumerate() {
        for i in (0..POINTS).rev() {
            let known: f64 = (i + 1..POINTS).map(|j| rows[i][j] * solution[j]).sum();
            solution[i] = (sides[i][k] - known) / rows[i][i];
        }
    }
    solutions.iter().flatten().all(|x| x.is_finite()).then_some(solutions)
}
