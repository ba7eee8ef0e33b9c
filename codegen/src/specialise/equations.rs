//! The equations that impacts are solved by, with or without their derivatives: those of a
//! slip in space, and the closed forms in the plane.

use routh_runtime::double::derivatives::{PLANAR_VARIED_BY, VARIED_UNKNOWNS};
use routh_runtime::double::step::UNKNOWNS;

use super::differentiate::{Direction, differentiated, varied, without_roots_of_squares};
use super::transform::restrict;
use crate::Error;
use crate::program::{ScalarProgram, SeriesProgram};

/// How a slip varies: by the two tangential velocities, and by friction.
const DIRECTIONS: [Direction; 3] = [
    Direction { suffix: "by1", parameter: None },
    Direction { suffix: "by2", parameter: None },
    Direction { suffix: "by_mu", parameter: Some("mu") },
];

/// How many unknowns a slip has.
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
