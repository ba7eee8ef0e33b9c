//! Where a robot's contact inertia comes from, checked.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use nalgebra::DMatrix;

use super::mechanism::{Base, ContactFrame, Mechanism};
use crate::Error;
use crate::program::ScalarProgram;

/// The data that a robot was given by.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    Inertia(Vec<Vec<f64>>),
    Masses { mass: Vec<Vec<f64>>, jacobian: Vec<Vec<f64>> },
    Urdf { text: String, contact: ContactFrame, base: Base },
}

/// Whether contacts are in the plane or in space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dimension {
    Plane,
    Space,
}

impl Dimension {
    pub(crate) fn size(self) -> usize {
        match self {
            Self::Plane => 2,
            Self::Space => 3,
        }
    }
}

/// The data of a robot that its solver needs.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    /// `D`, by rows.
    Inertia(Vec<f64>),
    /// `D`, `J` and `M⁻¹ Jᵀ`, each by rows.
    Masses { inertia: Vec<f64>, jacobian: Vec<f64>, response: Vec<f64>, velocities: usize },
    /// All that as a program of the joints' positions.
    Model {
        program: ScalarProgram,
        positions: usize,
        velocities: usize,
        joints: Vec<String>,
        base: Base,
        contact: ContactFrame,
    },
}

/// The largest file that a robot is read from.
const LARGEST: u64 = 64 << 20;

pub(super) fn read(path: &Path) -> Result<String, Error> {
    let failed = |source| Error::Read { path: path.to_owned(), source };
    let mut text = String::new();
    // A device or pipe may be endless and reports no size.
    let file = File::open(path).map_err(failed)?;
    let size = file.take(LARGEST + 1).read_to_string(&mut text).map_err(failed)?;
    if size as u64 > LARGEST {
        let reason = format!("there are more than {LARGEST} bytes");
        return Err(failed(io::Error::new(io::ErrorKind::FileTooLarge, reason)));
    }
    Ok(text)
}

impl Source {
    pub(crate) fn dimension(&self) -> Result<Dimension, Error> {
        let (field, rows) = match self {
            Self::Inertia(rows) => ("contact.D", rows.len()),
            Self::Masses { jacobian, .. } => ("contact.J", jacobian.len()),
            Self::Urdf { contact, .. } => ("robot.tangents", contact.tangents.len() + 1),
        };
        match rows {
            2 => Ok(Dimension::Plane),
            3 => Ok(Dimension::Space),
            _ => Err(specification(
                field,
                &format!("{rows} directions"),
                "there must be 2 in the plane or 3 in space, normal first",
            )),
        }
    }

    /// The checked robot.
    pub(crate) fn body(&self) -> Result<Body, Error> {
        match self {
            Self::Inertia(rows) => {
                let inertia = matrix("contact.D", rows, rows.len(), rows.len())?;
                definite("contact.D", &inertia)?;
                Ok(Body::Inertia(by_rows(&inertia)))
            }
            Self::Masses { mass, jacobian } => {
                let dof = mass.len();
                let mass = matrix("contact.M", mass, dof, dof)?;
                let jacobian = matrix("contact.J", jacobian, jacobian.len(), dof)?;
                definite("contact.M", &mass)?;
                let factor = mass.cholesky().ok_or_else(|| {
                    specification("contact.M", "a matrix", "it must be positive definite")
                })?;
                let response = factor.solve(&jacobian.transpose());
                let inertia = &jacobian * &response;
                let inertia = (&inertia + inertia.transpose()) * 0.5;
                definite("J M^-1 J^T", &inertia)?;
                Ok(Body::Masses {
                    inertia: by_rows(&inertia),
                    jacobian: by_rows(&jacobian),
                    response: by_rows(&response),
                    velocities: dof,
                })
            }
            Self::Urdf { text, contact, base } => {
                let mechanism = Mechanism::from_urdf(text, *base)?;
                Ok(Body::Model {
                    program: mechanism.dynamics(contact)?,
                    positions: mechanism.positions(),
                    velocities: mechanism.velocities(),
                    joints: mechanism.joint_names().map(str::to_owned).collect(),
                    base: *base,
                    contact: contact.clone(),
                })
            }
        }
    }
}

fn specification(field: &str, value: &str, reason: &str) -> Error {
    Error::Specification {
        field: field.to_owned(),
        value: value.to_owned(),
        reason: reason.to_owned(),
    }
}

/// A matrix of the given size, all of it finite.
fn matrix(
    field: &str,
    rows: &[Vec<f64>],
    height: usize,
    width: usize,
) -> Result<DMatrix<f64>, Error> {
    if height == 0 || width == 0 {
        return Err(specification(field, "nothing", "it has no entries"));
    }
    for (i, row) in rows.iter().enumerate() {
        if row.len() != width {
            let value = format!("{} entries", row.len());
            let reason = format!("there must be {width}");
            return Err(specification(&format!("{field}[{i}]"), &value, &reason));
        }
        if let Some(j) = row.iter().position(|x| !x.is_finite()) {
            let entry = format!("{field}[{i}][{j}]");
            return Err(specification(&entry, &format!("{:?}", row[j]), "it must be finite"));
        }
    }
    Ok(DMatrix::from_fn(height, width, |i, j| rows[i][j]))
}

/// Entries across the diagonal may differ by this much of the geometric mean of
/// the diagonal entries beside them.
const ASYMMETRY: f64 = 1e-9;

/// The least a pivot may be, relative to its diagonal entry.
const PIVOT: f64 = 64.0 * f64::EPSILON;

/// Checks that a matrix is symmetric and positive definite, for any units of its rows.
fn definite(field: &str, matrix: &DMatrix<f64>) -> Result<(), Error> {
    let size = matrix.nrows();
    for i in 0..size {
        for j in 0..i {
            let (x, mirror) = (matrix[(i, j)], matrix[(j, i)]);
            let scale = matrix[(i, i)].abs().sqrt() * matrix[(j, j)].abs().sqrt();
            if (x - mirror).abs() > ASYMMETRY * scale {
                let reason = format!("it differs from its mirror entry {mirror:?}");
                let entry = format!("{field}[{i}][{j}]");
                return Err(specification(&entry, &format!("{x:?}"), &reason));
            }
        }
    }
    let mut rest = matrix.clone();
    for k in (0..size).rev() {
        let (value, left) = (matrix[(k, k)], rest[(k, k)]);
        if value <= 0.0 || left <= PIVOT * value {
            let reason = "the matrix is not positive definite there";
            return Err(specification(
                &format!("{field}[{k}][{k}]"),
                &format!("{value:?}"),
                reason,
            ));
        }
        for i in 0..k {
            let factor = rest[(i, k)] / left;
            for j in 0..k {
                let known = factor * rest[(k, j)];
                rest[(i, j)] -= known;
            }
        }
    }
    Ok(())
}

fn by_rows(matrix: &DMatrix<f64>) -> Vec<f64> {
    matrix.transpose().iter().copied().collect()
}
