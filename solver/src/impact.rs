//! One impact: in the plane by closed forms, in space by power series.

mod accuracy;
mod plane;
mod series;
mod space;
mod stretch;

pub use accuracy::Accuracy;
use routh_runtime::double::result::Status;
pub use routh_runtime::double::result::{Event, EventKind, Events, Impact, Law, Mode};
pub(crate) use series::ROWS;
#[cfg(feature = "batch")]
pub(crate) use series::Works;
pub(crate) use stretch::Stretch;

use crate::error::{Error, Field};

/// How the velocity after impact varies: a row for each velocity, a column for each number
/// that it varies with.
pub type Jacobian<const ROWS: usize, const COLUMNS: usize> = [[f64; COLUMNS]; ROWS];

/// The error of an impact that the algorithm refused: because of its velocity, or of
/// something in the result that is not finite.
fn refused<const N: usize>(status: Status, velocity: &[f64; N], out: &Impact<N>) -> Error {
    let approach = (Field::entry("velocity", 0), velocity[0]);
    if status == Status::NotApproaching {
        let (field, value) = approach;
        return Error::NotApproaching { field, value };
    }
    let vectors = [("velocity", velocity), ("velocity", &out.velocity), ("impulse", &out.impulse)];
    let entries = vectors
        .iter()
        .flat_map(|(name, x)| x.iter().enumerate().map(|(i, &x)| (Field::entry(name, i), x)));
    let numbers = [
        ("normal_work", out.normal_work),
        ("friction_work", out.friction_work),
        ("energy_change", out.energy_change),
        ("critical_friction", out.critical_friction),
    ];
    let numbers = numbers.map(|(name, x)| (Field::new(name), x));
    let (field, value) = entries.chain(numbers).find(|(_, x)| !x.is_finite()).unwrap_or(approach);
    Error::NotFinite { field, value }
}

/// The error of an impact with a derivative that is not finite, if it is for that.
fn refused_slope<const ROWS: usize, const COLUMNS: usize>(
    error: Error,
    jacobian: &Jacobian<ROWS, COLUMNS>,
) -> Error {
    let entries = (0..ROWS).flat_map(|i| (0..COLUMNS).map(move |j| (i, j)));
    let infinite = entries.map(|(i, j)| (Field::matrix("jacobian", i, j), jacobian[i][j]));
    let found = infinite.into_iter().find(|(_, slope)| !slope.is_finite());
    found.map_or(error, |(field, value)| Error::NotFinite { field, value })
}
