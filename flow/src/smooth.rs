//! The smooth solution of `turn y' + growth y = right` on −1..1, by collocation.
//!
//! Other solutions differ from it by multiples of `1/s` or `1/s²`, exponentials
//! that a step-by-step solution would have to follow.

use crate::chebyshev::{Chebyshev, FINE, POINTS, Values};

/// What a linear equation has at each point.
pub(crate) struct Equation {
    pub(crate) turn: Values,
    pub(crate) growth: Values,
    pub(crate) right: Values,
    /// What is given: a value at 1, or in the middle, where `turn` vanishes.
    pub(crate) given: Given,
}

/// Where a solution is given, and what it is there.
#[derive(Clone, Copy)]
pub(crate) enum Given {
    End(f64),
    Middle(f64),
}

/// The solution at the points; `None` if there is none.
pub(crate) fn solve(chebyshev: &Chebyshev, equation: &Equation) -> Option<Values> {
    let mut rows = [[0.0; POINTS + 1]; POINTS];
    for (i, row) in rows.iter_mut().enumerate() {
        for (x, d) in row.iter_mut().zip(chebyshev.derivative[i]) {
            *x = equation.turn[i] * d;
        }
        row[i] += equation.growth[i];
        row[POINTS] = equation.right[i];
    }
    let (place, value) = match equation.given {
        Given::End(value) => (0, value),
        Given::Middle(value) => (FINE / 2, value),
    };
    rows[place] = [0.0; POINTS + 1];
    rows[place][place] = 1.0;
    rows[place][POINTS] = value;
    for row in &mut rows {
        let largest = row[..POINTS].iter().fold(0.0_f64, |x, y| x.max(y.abs()));
        row.iter_mut().for_each(|x| *x /= largest);
    }
    eliminate(&mut rows)
}

/// Gauss elimination with pivots by columns.
fn eliminate(rows: &mut [[f64; POINTS + 1]; POINTS]) -> Option<Values> {
    for k in 0..POINTS {
        let pivot = (k..POINTS).max_by(|&i, &j| rows[i][k].abs().total_cmp(&rows[j][k].abs()))?;
        rows.swap(k, pivot);
        let eliminated = rows[k];
        if eliminated[k] == 0.0 || !eliminated[k].is_finite() {
            return None;
        }
        for row in &mut rows[k + 1..] {
            let factor = row[k] / eliminated[k];
            for j in k..=POINTS {
                row[j] -= factor * eliminated[j];
            }
        }
    }
    let mut solution = [0.0; POINTS];
    for i in (0..=FINE).rev() {
        let known: f64 = (i + 1..POINTS).map(|j| rows[i][j] * solution[j]).sum();
        solution[i] = (rows[i][POINTS] - known) / rows[i][i];
    }
    solution.iter().all(|x| x.is_finite()).then_some(solution)
}
