//! Linear complementarity: `w = q + M z` with `0 ≤ w ⟂ z ≥ 0`, by Lemke's
//! algorithm.
//!
//! An artificial `z₀` is added to every row, large enough to make all `w`
//! positive. Then variables change places: the one that enters is always the
//! partner of the one that left, until `z₀` has left. For copositive `M` this ends
//! at a solution if there is one, for any rank of `M`. Positive semi-definite matrices
//! and those of Coulomb friction are copositive.
//!
//! Contacts at rest make ties, in which the variable that leaves is not determined.
//! They are resolved as if `q` were `q + (ε, ε², …)`, so that no basis repeats.

use alloc::vec::Vec;

use nalgebra::{DMatrix, DVector};

/// Tolerances for a tie, relative to the largest value, and for a pivot, relative to the
/// largest entry of its column. They are tried in order: where columns are nearly
/// dependent, ties and zeros have larger rounding errors.
const TOLERANCES: [(f64, f64); 8] = [
    (1e-14, 1e-11),
    (1e-13, 1e-12),
    (1e-12, 1e-10),
    (1e-14, 1e-9),
    (1e-13, 1e-13),
    (1e-11, 1e-8),
    (1e-10, 1e-10),
    (1e-8, 1e-11),
];
/// Further tries repeat the tolerances on another path.
const TRIES: usize = 16;
/// A solution holds to this part of the largest entry of `q`; or of `z`, if no try
/// yields a better one.
const GOOD: f64 = 1e-13;
/// The basis is factorised afresh after so many changes.
const REFRESH: usize = 8;

/// A solution: `w` and `z`, of which one is exactly zero in every row.
#[derive(Clone, Debug)]
pub(crate) struct Solution {
    pub(crate) w: DVector<f64>,
    pub(crate) z: DVector<f64>,
    /// Changes made.
    pub(crate) pivots: usize,
}

/// Why no solution was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unsolved {
    /// Whether the path ends in a ray: where `M` is semi-definite, there is no solution
    /// then.
    pub(crate) ray: bool,
    pub(crate) pivots: usize,
}

/// A variable of a row, or the artificial one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Variable {
    W(usize),
    Z(usize),
    Artificial,
}

/// Solves for `w` and `z`. Entries of `M` and `q` should be of order one.
pub(crate) fn solve(m: &DMatrix<f64>, q: &DVector<f64>) -> Result<Solution, Unsolved> {
    let mut unsolved = Unsolved { ray: false, pivots: 0 };
    let mut best = None;
    let mut least = f64::INFINITY;
    for attempt in 0..TRIES {
        let solution = match follow(Basis::new(m, q, attempt)) {
            Ok(solution) => solution,
            Err(reason) => {
                unsolved = reason;
                continue;
            }
        };
        let error = (q + m * &solution.z - &solution.w).amax();
        if error <= GOOD * q.amax() {
            return Ok(solution);
        }
        unsolved = Unsolved { ray: false, pivots: solution.pivots };
        if error < least && error <= GOOD * solution.z.amax() {
            least = error;
            best = Some(solution);
        }
    }
    best.ok_or(unsolved)
}

fn follow(mut basis: Basis) -> Result<Solution, Unsolved> {
    let rows = basis.q.len();
    let Some(mut leaving) = basis.most_negative() else {
        return Ok(Solution { w: basis.q.clone(), z: DVector::zeros(rows), pivots: 0 });
    };
    let mut entering = Variable::Artificial;
    let most = 64 * (rows + 4);
    for pivots in 1..=most {
        let unsolved = |ray| Unsolved { ray, pivots };
        let left = basis.exchange(leaving, entering, pivots).ok_or(unsolved(false))?;
        entering = match left {
            Variable::W(i) => Variable::Z(i),
            Variable::Z(i) => Variable::W(i),
            Variable::Artificial => return basis.solution(pivots).ok_or(unsolved(false)),
        };
        leaving = basis.leaving(entering).ok_or(unsolved(true))?;
    }
    Err(Unsolved { ray: false, pivots: most })
}

/// The variables that need not be zero, and the inverse of their columns in
/// `w − M z − z₀ cover = q`.
struct Basis<'a> {
    m: &'a DMatrix<f64>,
    q: &'a DVector<f64>,
    variables: Vec<Variable>,
    inverse: DMatrix<f64>,
    /// How much of `z₀` each row has.
    cover: DVector<f64>,
    tie: f64,
    pivot: f64,
}

impl<'a> Basis<'a> {
    fn new(m: &'a DMatrix<f64>, q: &'a DVector<f64>, attempt: usize) -> Self {
        let rows = q.len();
        let (tie, pivot) = TOLERANCES[attempt % TOLERANCES.len()];
        let cover = DVector::from_fn(rows, |i, _| 1.0 + ((i * attempt) % 7) as f64 / 8.0);
        let variables = (0..rows).map(Variable::W).collect();
        Self { m, q, variables, inverse: DMatrix::identity(rows, rows), cover, tie, pivot }
    }

    fn column(&self, variable: Variable) -> DVector<f64> {
        let rows = self.q.len();
        match variable {
            Variable::W(i) => DVector::from_fn(rows, |row, _| if row == i { 1.0 } else { 0.0 }),
            Variable::Z(i) => -self.m.column(i),
            Variable::Artificial => -&self.cover,
        }
    }

    fn columns(&self) -> DMatrix<f64> {
        let columns: Vec<_> = self.variables.iter().map(|&v| self.column(v)).collect();
        DMatrix::from_columns(&columns)
    }

    /// The row that needs `z₀` most; the last of those that tie.
    fn most_negative(&self) -> Option<usize> {
        let needs = self.q.component_div(&self.cover);
        let least = needs.iter().enumerate().reduce(|a, b| if b.1 <= a.1 { b } else { a });
        least.filter(|(_, need)| **need < 0.0).map(|(row, _)| row)
    }

    /// The row whose variable falls to zero first as another rises; the
    /// artificial one wherever it does.
    fn leaving(&self, entering: Variable) -> Option<usize> {
        let values = &self.inverse * self.q;
        let rates = &self.inverse * self.column(entering);
        let least = self.pivot * rates.amax();
        let mut tied: Vec<usize> = (0..rates.len()).filter(|&i| rates[i] > least).collect();
        keep_least(&mut tied, &rates, |i| values[i].max(0.0), self.tie * values.amax());
        let artificial = |i: &&usize| self.variables[**i] == Variable::Artificial;
        if let Some(&row) = tied.iter().find(artificial) {
            return Some(row);
        }
        for column in 0..rates.len() {
            if tied.len() < 2 {
                break;
            }
            let values = self.inverse.column(column);
            keep_least(&mut tied, &rates, |i| values[i], self.tie * values.amax());
        }
        tied.first().copied()
    }

    /// Puts a variable in the place of another, which it returns; `None` if
    /// rounding has left the columns dependent.
    fn exchange(&mut self, row: usize, entering: Variable, pivots: usize) -> Option<Variable> {
        let rates = &self.inverse * self.column(entering);
        let left = core::mem::replace(&mut self.variables[row], entering);
        if pivots.is_multiple_of(REFRESH) {
            self.inverse = self.columns().try_inverse()?;
            return Some(left);
        }
        let pivot = self.inverse.row(row) / rates[row];
        for (i, &rate) in rates.iter().enumerate() {
            if i == row {
                self.inverse.set_row(i, &pivot);
            } else {
                let mut other = self.inverse.row_mut(i);
                other -= rate * &pivot;
            }
        }
        Some(left)
    }

    /// The values of all variables, from fresh columns and refined once, with negative
    /// rounding errors set to zero; `None` if the columns are dependent.
    fn solution(&self, pivots: usize) -> Option<Solution> {
        let columns = self.columns();
        let factors = columns.clone().lu();
        let mut values = factors.solve(self.q)?;
        values += factors.solve(&(self.q - columns * &values))?;
        let rows = values.len();
        let mut solution = Solution { w: DVector::zeros(rows), z: DVector::zeros(rows), pivots };
        for (&variable, &value) in self.variables.iter().zip(values.iter()) {
            match variable {
                Variable::W(i) => solution.w[i] = value.max(0.0),
                Variable::Z(i) => solution.z[i] = value.max(0.0),
                Variable::Artificial => {}
            }
        }
        Some(solution)
    }
}

/// Keeps the rows whose ratio of value to rate is least, but for rounding.
fn keep_least(
    rows: &mut Vec<usize>,
    rates: &DVector<f64>,
    value: impl Fn(usize) -> f64,
    tolerance: f64,
) {
    let least = rows.iter().map(|&i| value(i) / rates[i]).fold(f64::INFINITY, f64::min);
    rows.retain(|&i| value(i) - least * rates[i] <= tolerance);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same numbers every time, between −1 and 1.
    struct Noise(u64);

    impl Noise {
        fn next(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        }

        fn matrix(&mut self, rows: usize, columns: usize) -> DMatrix<f64> {
            DMatrix::from_fn(rows, columns, |_, _| self.next())
        }
    }

    fn assert_solved(m: &DMatrix<f64>, q: &DVector<f64>, solution: &Solution) {
        let Solution { w, z, .. } = solution;
        let scale = q.amax().max(z.amax() * m.amax()).max(f64::MIN_POSITIVE);
        let residual = (q + m * z - w).amax() / scale;
        assert!(residual < 1e-12, "{residual:e}\n{m}{q}{z}");
        assert!(w.iter().chain(z.iter()).all(|x| *x >= 0.0));
        assert!(w.iter().zip(z.iter()).all(|(w, z)| *w == 0.0 || *z == 0.0), "{w}{z}");
    }

    /// In one of a few thousand problems the only solution lies in a wedge so narrow
    /// that rounding of `M` hides it.
    #[test]
    fn semidefinite_matrices_of_every_rank() {
        let mut noise = Noise(1);
        let [mut tried, mut unsolved] = [0; 2];
        for size in 1..=8 {
            for rank in 1..=size {
                for _ in 0..500 {
                    let y = noise.matrix(rank, size);
                    let x = noise.matrix(rank, 1);
                    let (m, q) = (y.tr_mul(&y), DVector::from(y.tr_mul(&x).column(0)));
                    tried += 1;
                    match solve(&m, &q) {
                        Ok(solution) => assert_solved(&m, &q, &solution),
                        Err(_) => unsolved += 1,
                    }
                }
            }
        }
        assert!(2_000 * unsolved <= tried, "{unsolved} of {tried}");
    }

    /// Copies of one contact, and contacts at rest: ties in every ratio.
    #[test]
    fn ties_do_not_cycle() {
        let mut noise = Noise(2);
        for size in 2..=12 {
            for _ in 0..200 {
                let y = noise.matrix(3, 3);
                let y = DMatrix::from_fn(3, size, |i, j| y[(i, j % 3)]);
                let x = noise.matrix(3, 1);
                let m = y.tr_mul(&y);
                let mut q = DVector::from(y.tr_mul(&x).column(0));
                assert_solved(&m, &q, &solve(&m, &q).unwrap());
                q.iter_mut().step_by(2).for_each(|q| *q = 0.0);
                let alike = DMatrix::from_element(size, size, 1.0);
                assert_solved(&alike, &q, &solve(&alike, &q).unwrap());
            }
        }
    }

    #[test]
    fn all_solutions_of_two_rows_are_found() {
        let m = DMatrix::from_row_slice(2, 2, &[2.0, 1.0, 1.0, 2.0]);
        for (q, z) in [
            ([1.0, 1.0], [0.0, 0.0]),
            ([-2.0, 1.0], [1.0, 0.0]),
            ([1.0, -2.0], [0.0, 1.0]),
            ([-3.0, -3.0], [1.0, 1.0]),
            ([-2.0, -1.0], [1.0, 0.0]),
        ] {
            let solution = solve(&m, &DVector::from_row_slice(&q)).unwrap();
            assert!((solution.z - DVector::from_row_slice(&z)).amax() < 1e-15, "{q:?}");
        }
    }

    #[test]
    fn without_a_solution_there_is_a_ray() {
        let m = DMatrix::from_row_slice(2, 2, &[1.0, -1.0, -1.0, 1.0]);
        let q = DVector::from_row_slice(&[-1.0, -1.0]);
        assert!(solve(&m, &q).unwrap_err().ray);
    }
}
