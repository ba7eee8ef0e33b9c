//! `routh solve`: impacts in, the motion after them out.

use std::path::PathBuf;

use clap::Args;
use rayon::prelude::*;
use routh_solver::{Accuracy, Event, Impact, solve_batch};
use serde::Serialize;

use crate::answers::answer_together;
use crate::documents::Document;
use crate::failure::Failure;
use crate::input::{self, Collision};
use crate::progress::Progress;
use crate::rejection::Rejection;

/// Solve impacts: one JSON result a line, in the order of the input
///
/// FILE holds one impact as a JSON object, or one object a line. An impact has
/// the contact's inertia D = J M⁻¹ Jᵀ and the contact point's velocity before
/// impact, normal first: 3×3 and three in space, 2×2 and two in the plane.
///
///   {"D": [[2.5, -1.5], [-1.5, 2.5]], "velocity": [-1, 0.6],
///    "friction": {"static": 0.73, "kinetic": 0.7},
///    "restitution": {"law": "energetic", "e": 0.82}}
///
/// "friction" may be one number. The laws are "newton", "poisson" and
/// "energetic". Instead of "D" and "velocity" an impact may have a robot's mass
/// matrix "M", contact Jacobian "J" and joint velocities "qd"; then the result
/// has "qd" too.
///
/// The result has the velocity after impact and the impulse, then
/// compression_impulse, normal_impulse, normal_work, friction_work,
/// energy_change, critical_friction, mode, events and steps.
///
/// An impact that cannot be solved yields {"error": {"kind", "message"}} in its
/// place, the others are still solved, and the exit status is 1.
#[derive(Args)]
#[command(verbatim_doc_comment, after_help = EXAMPLES)]
pub(crate) struct Solve {
    /// File of impacts; `-` is standard input
    file: PathBuf,
    /// Tolerance of the power series, 1e-16 to 0.01; the plane needs none
    #[arg(long, value_name = "T", value_parser = accuracy, default_value = "1e-15")]
    tolerance: Accuracy,
}

const EXAMPLES: &str = "\
Examples, from the root of the repository:
  routh solve examples/seed_robot.json
  routh solve examples/rod.json
  head -n 1 examples/seed_robot.json | routh solve --tolerance 1e-9 -";

fn accuracy(tolerance: &str) -> Result<Accuracy, String> {
    let tolerance = tolerance.parse().map_err(|_| "expected a number".to_owned())?;
    Accuracy::new(tolerance).map_err(|error| error.to_string())
}

impl Solve {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let progress = Progress::of_reading(&self.file);
        answer_together(&self.file, &progress, |documents| self.solve(documents))
    }

    /// Reads impacts on all cores, solves those in space as a batch, and those
    /// in the plane where they stand.
    fn solve(&self, documents: &[Document]) -> Vec<Result<Solution, Rejection>> {
        let inputs: Vec<_> = documents.par_iter().map(|&d| input::Impact::read(d)).collect();
        let spatial = inputs.iter().filter_map(|input| match input {
            Ok(input::Impact::Spatial(collision)) => Some(collision.bare()),
            _ => None,
        });
        let impacts = solve_batch(&spatial.collect::<Vec<_>>(), self.tolerance);
        let mut impacts = impacts.into_iter();
        let solved = inputs.into_iter().map(|input| match input? {
            input::Impact::Planar(Collision {
                contact,
                velocity,
                friction,
                restitution,
                robot,
            }) => {
                let impact = contact.solve(velocity, friction, restitution)?;
                Solution::new(&impact, robot.as_ref())
            }
            input::Impact::Spatial(Collision { robot, .. }) => {
                let impact = impacts.next().expect("a result for each impact in space")?;
                Solution::new(&impact, robot.as_ref())
            }
        });
        solved.collect()
    }
}

/// A solved impact as it is printed.
#[derive(Serialize)]
struct Solution {
    velocity: Vec<f64>,
    impulse: Vec<f64>,
    compression_impulse: f64,
    normal_impulse: f64,
    normal_work: f64,
    friction_work: f64,
    energy_change: f64,
    critical_friction: f64,
    mode: &'static str,
    events: Vec<Happening>,
    steps: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    qd: Option<Vec<f64>>,
}

#[derive(Serialize)]
struct Happening {
    kind: &'static str,
    impulse: f64,
}

impl Solution {
    fn new<const N: usize>(
        impact: &Impact<N>,
        robot: Option<&input::Robot<N>>,
    ) -> Result<Self, Rejection> {
        Ok(Self {
            velocity: impact.velocity.to_vec(),
            impulse: impact.impulse.to_vec(),
            compression_impulse: impact.compression_impulse,
            normal_impulse: impact.normal_impulse(),
            normal_work: impact.normal_work,
            friction_work: impact.friction_work,
            energy_change: impact.energy_change,
            critical_friction: impact.critical_friction,
            mode: impact.mode.name(),
            events: impact.events.iter().map(Happening::from).collect(),
            steps: impact.steps,
            qd: robot.map(|robot| robot.velocity_after(impact)).transpose()?,
        })
    }
}

impl From<&Event> for Happening {
    fn from(event: &Event) -> Self {
        Self { kind: event.kind.name(), impulse: event.impulse }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_tolerance_is_the_solvers() {
        assert_eq!(accuracy("1e-15"), Ok(Accuracy::default()));
    }
}
