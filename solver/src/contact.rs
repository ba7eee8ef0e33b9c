//! A contact is its inertia `D = J M⁻¹ Jᵀ = [a hᵀ; h b]`, checked once.

use crate::elementary::{hypot, sqrt};
use crate::error::{Error, Field, finite};

/// Entries across the diagonal may differ by this much of the geometric mean of
/// the diagonal entries beside them.
const ASYMMETRY: f64 = 1e-9;

/// The least a pivot may be, relative to its diagonal entry.
const PIVOT: f64 = 64.0 * f64::EPSILON;

/// A contact's inertia `D = J M⁻¹ Jᵀ`, normal first: `N = 2` in the plane,
/// `N = 3` in space. Symmetric and positive definite by construction.
///
/// ```
/// use routh_solver::Contact;
/// let rod = Contact::new([[2.5, -1.5], [-1.5, 2.5]])?;
/// assert_eq!(rod.critical_friction(), 0.6);
/// assert!(Contact::new([[1.0, 2.0], [2.0, 1.0]]).is_err());
/// # Ok::<(), routh_solver::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact<const N: usize> {
    inertia: [[f64; N]; N],
    sticking_rate: f64,
}

impl<const N: usize> Contact<N> {
    /// A contact from its inertia matrix.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::NotSymmetric`],
    /// [`Error::NotPositiveDefinite`].
    pub fn new(inertia: [[f64; N]; N]) -> Result<Self, Error> {
        const { assert!(N == 2 || N == 3, "a contact is planar or spatial") };
        let inertia = symmetric("D", inertia)?;
        Ok(Self { sticking_rate: last_pivot("D", &inertia)?, inertia })
    }

    /// `a − hᵀb⁻¹h`, above zero: `dv_n/dp` while the contact point sticks.
    ///
    /// ```
    /// let rod = routh_solver::Contact::new([[2.5, -1.5], [-1.5, 2.5]])?;
    /// assert!((rod.sticking_rate() - 1.6).abs() < 1e-15);
    /// # Ok::<(), routh_solver::Error>(())
    /// ```
    pub fn sticking_rate(&self) -> f64 {
        self.sticking_rate
    }

    /// The inertia matrix, exactly symmetric.
    pub fn inertia(&self) -> &[[f64; N]; N] {
        &self.inertia
    }
}

impl Contact<2> {
    /// `|c|/b`: sticking holds if the static friction is at least this.
    pub fn critical_friction(&self) -> f64 {
        let [[_, c], [_, b]] = self.inertia;
        c.abs() / b
    }
}

impl Contact<3> {
    /// `|b⁻¹h|`: sticking holds if the static friction is at least this.
    pub fn critical_friction(&self) -> f64 {
        let [x, y] = self.holding_friction();
        hypot(x, y)
    }

    /// `b⁻¹h`: minus the friction, per unit of normal impulse, that keeps the
    /// contact point from sliding.
    pub(crate) fn holding_friction(&self) -> [f64; 2] {
        let [[_, h1, h2], [_, b11, b12], [_, _, b22]] = self.inertia;
        solve_symmetric([b11, b12, b22], [h1, h2])
    }
}

/// Solves `[b11 b12; b12 b22] (x, y) = (h1, h2)`, eliminating from the larger
/// pivot, which loses least.
pub(crate) fn solve_symmetric([b11, b12, b22]: [f64; 3], [h1, h2]: [f64; 2]) -> [f64; 2] {
    if b11 >= b22 {
        let ratio = b12 / b11;
        let y = (h2 - ratio * h1) / (b22 - ratio * b12);
        [(h1 - b12 * y) / b11, y]
    } else {
        let ratio = b12 / b22;
        let x = (h1 - ratio * h2) / (b11 - ratio * b12);
        [x, (h2 - b12 * x) / b22]
    }
}

/// The mean of two entries that mirror each other, if they agree, given the
/// diagonal entries beside them.
pub(crate) fn mirrored(
    field: Field,
    value: f64,
    mirror: f64,
    [x, y]: [f64; 2],
) -> Result<f64, Error> {
    if (value - mirror).abs() > ASYMMETRY * sqrt(x.abs()) * sqrt(y.abs()) {
        return Err(Error::NotSymmetric { field, value, mirror });
    }
    Ok(0.5 * value + 0.5 * mirror)
}

/// Checks a matrix and returns it exactly symmetric.
fn symmetric<const N: usize>(
    name: &'static str,
    matrix: [[f64; N]; N],
) -> Result<[[f64; N]; N], Error> {
    for (i, row) in matrix.iter().enumerate() {
        for (j, &x) in row.iter().enumerate() {
            finite(Field::matrix(name, i, j), x)?;
        }
    }
    let mut symmetric = matrix;
    for i in 0..N {
        for j in 0..i {
            let (field, diagonal) = (Field::matrix(name, i, j), [matrix[i][i], matrix[j][j]]);
            let mean = mirrored(field, matrix[i][j], matrix[j][i], diagonal)?;
            symmetric[i][j] = mean;
            symmetric[j][i] = mean;
        }
    }
    Ok(symmetric)
}

/// Eliminates from the last row up to the normal. Each pivot is compared with
/// its diagonal entry, which tells definiteness whatever the units of the rows;
/// the last one is what the others leave of the normal inertia.
fn last_pivot<const N: usize>(name: &'static str, matrix: &[[f64; N]; N]) -> Result<f64, Error> {
    let mut rest = *matrix;
    for k in (0..N).rev() {
        let (value, left) = (matrix[k][k], rest[k][k]);
        if value <= 0.0 || left <= PIVOT * value {
            let field = Field::matrix(name, k, k);
            return Err(Error::NotPositiveDefinite { field, value, pivot: left / value });
        }
        let eliminated = rest[k];
        for row in &mut rest[..k] {
            let factor = row[k] / left;
            row.iter_mut().zip(eliminated).for_each(|(x, y)| *x -= factor * y);
        }
    }
    Ok(rest[0][0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definiteness_does_not_depend_on_units() {
        for scale in [1e-150, 1.0, 1e150] {
            let d = [[scale, 0.5], [0.5, 1.0 / scale]];
            assert!(Contact::new(d).is_ok(), "{scale}");
            let d = [[scale, 1.5], [1.5, 1.0 / scale]];
            let error = Contact::new(d).unwrap_err();
            let Error::NotPositiveDefinite { pivot, .. } = error else { panic!("{error}") };
            assert!((pivot + 1.25).abs() < 1e-12, "{error}");
        }
        let error = Contact::new([[0.0, 0.0], [0.0, 1.0]]).unwrap_err();
        assert_eq!(error.kind(), "not_positive_definite");
    }

    #[test]
    fn asymmetry_is_measured_in_units_of_the_diagonal() {
        for scale in [1e-6, 1.0, 1e6] {
            let skew = |part: f64| [[scale, 0.5 * scale], [(0.5 + part) * scale, scale]];
            assert!(Contact::new(skew(1e-10)).is_ok(), "{scale}");
            assert_eq!(Contact::new(skew(1e-8)).unwrap_err().kind(), "not_symmetric");
        }
    }

    #[test]
    fn small_asymmetry_is_averaged() {
        let contact = Contact::new([[1.0, 0.5], [0.5 + 1e-12, 1.0]]).unwrap();
        let [[_, x], [y, _]] = *contact.inertia();
        assert_eq!(x, y);
        let error = Contact::new([[1.0, 0.5], [0.4, 1.0]]).unwrap_err();
        assert_eq!(
            error,
            Error::NotSymmetric { field: Field::matrix("D", 1, 0), value: 0.4, mirror: 0.5 }
        );
    }
}
