//! Contacts of a robot with mass matrix `M` and contact Jacobian `J`.

#[cfg(any(feature = "compliant", feature = "contacts"))]
use nalgebra::DMatrix;
use nalgebra::{Cholesky, Const};
use nalgebra::{DefaultAllocator, Dim, OMatrix, OVector, U1, allocator::Allocator};

use crate::contact::Contact;
use crate::error::{Error, Field, finite};
use routh_runtime::double::result::Impact;

/// A contact of a robot: `D = J M⁻¹ Jᵀ`, and the response `M⁻¹ Jᵀ` of the joint
/// velocities to an impulse.
///
/// ```
/// use nalgebra::{SMatrix, SVector};
/// use routh::{Friction, Law, Multibody, Restitution};
/// let m = SMatrix::<f64, 3, 3>::from_diagonal(&SVector::from([1.0, 1.0, 1.0 / 12.0]));
/// let j = SMatrix::<f64, 2, 3>::from([[0.0, 1.0], [1.0, 0.0], [-0.353553, 0.353553]]);
/// let rod = Multibody::new(&m, &j)?;
/// let qd = SVector::from([0.6, -1.0, 0.0]);
/// let v = rod.contact_velocity(&qd);
/// let impact = rod.contact().solve(v, Friction::uniform(0.7)?, Restitution::new(Law::Newton, 0.5)?)?;
/// let qd = rod.velocity_after(&qd, &impact);
/// assert!((rod.contact_velocity(&qd)[0] - 0.5).abs() < 1e-12);
/// # Ok::<(), routh::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Multibody<const N: usize, Dof: Dim>
where
    DefaultAllocator: Allocator<Dof, Const<N>> + Allocator<Const<N>, Dof>,
{
    contact: Contact<N>,
    jacobian: OMatrix<f64, Const<N>, Dof>,
    response: OMatrix<f64, Dof, Const<N>>,
}

impl<const N: usize, Dof: Dim> Multibody<N, Dof>
where
    DefaultAllocator: Allocator<Dof, Const<N>>
        + Allocator<Const<N>, Dof>
        + Allocator<Dof, Dof>
        + Allocator<Dof>
        + Allocator<Const<N>, Const<N>>,
{
    /// A contact from mass matrix and contact Jacobian, normal row first.
    ///
    /// # Errors
    /// As [`Contact::new`], for `M` and for `D`; [`Error::WrongDimension`] if
    /// `J` has not as many columns as `M`.
    pub fn new(
        mass: &OMatrix<f64, Dof, Dof>,
        jacobian: &OMatrix<f64, Const<N>, Dof>,
    ) -> Result<Self, Error> {
        let dof = mass.nrows();
        if jacobian.ncols() != dof {
            let field = Field::new("J");
            return Err(Error::WrongDimension { field, expected: dof, found: jacobian.ncols() });
        }
        finite_entries("J", jacobian)?;
        let response = factorised(mass)?.solve(&jacobian.transpose());
        let inertia = jacobian * &response;
        let rows = core::array::from_fn(|i| core::array::from_fn(|j| inertia[(i, j)]));
        Ok(Self { contact: Contact::new(rows)?, jacobian: jacobian.clone(), response })
    }

    /// The contact.
    pub fn contact(&self) -> &Contact<N> {
        &self.contact
    }

    /// The contact point's velocity `J q̇`.
    pub fn contact_velocity(&self, qd: &OVector<f64, Dof>) -> [f64; N] {
        core::array::from_fn(|i| {
            self.jacobian.row(i).iter().zip(qd.iter()).map(|(j, q)| j * q).sum()
        })
    }

    /// The joint velocities after an impact: `q̇ + M⁻¹ Jᵀ I`.
    pub fn velocity_after(&self, qd: &OVector<f64, Dof>, impact: &Impact<N>) -> OVector<f64, Dof> {
        let mut after = qd.clone();
        for (i, impulse) in impact.impulse.iter().enumerate() {
            after.axpy(*impulse, &self.response.column(i), 1.0);
        }
        after
    }
}

/// Checks that all entries are finite.
pub(crate) fn finite_entries<R: Dim, C: Dim>(
    name: &'static str,
    matrix: &OMatrix<f64, R, C>,
) -> Result<(), Error>
where
    DefaultAllocator: Allocator<R, C>,
{
    for i in 0..matrix.nrows() {
        for j in 0..matrix.ncols() {
            finite(Field::matrix(name, i, j), matrix[(i, j)])?;
        }
    }
    Ok(())
}

/// Checks a mass matrix and factorises it.
pub(crate) fn factorised<Dof: Dim>(
    mass: &OMatrix<f64, Dof, Dof>,
) -> Result<Cholesky<f64, Dof>, Error>
where
    DefaultAllocator: Allocator<Dof, Dof> + Allocator<Dof, U1>,
{
    finite_entries("M", mass)?;
    let dof = mass.nrows();
    let mut symmetric = mass.clone();
    for i in 0..dof {
        for j in 0..i {
            let (field, diagonal) = (Field::matrix("M", i, j), [mass[(i, i)], mass[(j, j)]]);
            let mean = mirrored(field, mass[(i, j)], mass[(j, i)], diagonal)?;
            symmetric[(i, j)] = mean;
            symmetric[(j, i)] = mean;
        }
    }
    Cholesky::new(symmetric.clone()).ok_or_else(|| {
        let (i, pivot) = failing_pivot(symmetric);
        let value = mass.get((i, i)).copied().unwrap_or_default();
        Error::NotPositiveDefinite { field: Field::matrix("M", i, i), value, pivot: pivot / value }
    })
}

/// The first diagonal entry whose pivot is not positive, and that pivot relative to the
/// entry.
fn failing_pivot<Dof: Dim>(mut rest: OMatrix<f64, Dof, Dof>) -> (usize, f64)
where
    DefaultAllocator: Allocator<Dof, Dof>,
{
    let dof = rest.nrows();
    for k in 0..dof {
        let pivot = rest[(k, k)];
        if pivot.is_nan() || pivot <= 0.0 {
            return (k, pivot);
        }
        for i in k + 1..dof {
            let factor = rest[(i, k)] / pivot;
            for j in k + 1..dof {
                let known = factor * rest[(k, j)];
                rest[(i, j)] -= known;
            }
        }
    }
    (dof.saturating_sub(1), 0.0)
}

/// The mean of two entries that mirror each other, if they agree, given the
/// diagonal entries beside them.
pub(crate) fn mirrored(
    field: Field,
    value: f64,
    mirror: f64,
    [x, y]: [f64; 2],
) -> Result<f64, Error> {
    if !routh_runtime::double::inertia::mirrored(value, mirror, x, y) {
        return Err(Error::NotSymmetric { field, value, mirror });
    }
    Ok(0.5 * value + 0.5 * mirror)
}

/// Checks that forces cannot gain energy: with its diagonal raised by 1e-12 the matrix
/// must be positive definite.
#[cfg(any(feature = "compliant", feature = "contacts"))]
pub(crate) fn semidefinite(name: &'static str, response: &DMatrix<f64>) -> Result<(), Error> {
    const ROUNDING: f64 = 1e-12;
    let mut rest = response.clone();
    for i in 0..rest.nrows() {
        // A tangent along which no body moves has a row of zeros.
        rest[(i, i)] = match rest[(i, i)] {
            0.0 => 1.0,
            x => x * (1.0 + ROUNDING),
        };
    }
    match Cholesky::new(rest) {
        Some(_) => Ok(()),
        None => {
            let (field, value) = (Field::new(name), response.diagonal().amax());
            Err(Error::NotPositiveDefinite { field, value, pivot: 0.0 })
        }
    }
}
