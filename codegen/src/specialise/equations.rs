//! The equations that impacts are solved by, with or without their derivatives: those of a
//! slip in space, and the closed forms in the plane.

use super::differentiate::{Direction, differentiated, varied, without_roots_of_squares};
use super::transform::restrict;
use crate::Error;
use crate::program::{ScalarProgram, SeriesProgram};

/// The unknowns of a slip, and those that are varied, in the order of the runtime.
const UNKNOWNS: [&str; 8] = ["vt1", "vt2", "p", "it1", "it2", "vn", "wn", "wt"];
const VARIED_UNKNOWNS: [&str; 5] = ["vt1", "vt2", "p", "vn", "wn"];

/// How a slip varies: by the two tangential velocities, and by friction.
const DIRECTIONS: [Direction; 3] = [
    Direction { suffix: "by1", parameter: None },
    Direction { suffix: "by2", parameter: None },
    Direction { suffix: "by_mu", parameter: Some("mu") },
];

/// How many unknowns a slip has.
#[cfg(feature = "robots")]
pub(crate) fn slip_unknowns(derivatives: bool) -> usize {
    let varied = if derivatives { VARIED_UNKNOWNS.len() * DIRECTIONS.len() } else { 0 };
    UNKNOWNS.len() + varied
}

/// The system of a slip, its unknowns in the order of the runtime.
pub(crate) fn slip(motion: &SeriesProgram, derivatives: bool) -> Result<SeriesProgram, Error> {
    if !derivatives {
        return restrict(motion, &UNKNOWNS);
    }
    let mut unknowns = UNKNOWNS.map(str::to_owned).to_vec();
    for Direction { suffix, .. } in DIRECTIONS {
        unknowns.extend(VARIED_UNKNOWNS.map(|name| format!("{name}_{suffix}")));
    }
    let unknowns: Vec<_> = unknowns.iter().map(String::as_str).collect();
    restrict(&varied(motion, &DIRECTIONS)?, &unknowns)
}

/// What varies in the plane, in the order of the Jacobian's rows.
pub(crate) const PLANAR_VARIED: [&str; 2] = ["normal_velocity", "tangential_velocity"];

/// What it varies by, in the order of the Jacobian's columns.
pub(crate) const PLANAR_VARIED_BY: [&str; 4] = ["vn", "vt", "mu", "e"];

/// Inputs of an ordinary impact, in the order of the forms': the factors under
/// their roots have the same signs in every impact.
const ORDINARY: [f64; 8] = [1.0, 1.0, 0.125, 0.5, 1.0, 0.5, -1.0, 0.5];

/// A closed form.
pub(crate) fn planar(form: &ScalarProgram, derivatives: bool) -> Result<ScalarProgram, Error> {
    if !derivatives {
        return Ok(form.clone());
    }
    let form = without_roots_of_squares(form, &ORDINARY)?;
    differentiated(&form, &PLANAR_VARIED, &PLANAR_VARIED_BY)
}

#[cfg(all(test, feature = "robots"))]
mod tests {
    use routh_runtime::double::{derivatives, step};

    #[test]
    fn the_runtime_has_the_same_order() {
        assert_eq!(super::UNKNOWNS, step::UNKNOWNS);
        assert_eq!(super::VARIED_UNKNOWNS, derivatives::VARIED_UNKNOWNS);
        assert_eq!(super::PLANAR_VARIED_BY, derivatives::PLANAR_VARIED_BY);
    }
}
