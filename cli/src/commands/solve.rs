//! `routh solve`: impacts in, the motion after them out.

mod kernel;

use std::path::PathBuf;

use clap::Args;
use rayon::prelude::*;
use routh::{Accuracy, Impact};
use serde::Serialize;

use self::kernel::{Kernel, Name};
use crate::input::{self, Collision, Document, Rejection};
use crate::output::{Failure, answer_together};

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
/// Impacts in the plane are solved by closed forms, those in space by a kernel:
///
///   series  adaptive power series to the tolerance T
///   flow    tables of the flow, made in some 0.3 ms for each D and friction, so
///           that it pays where many impacts share them; velocities and impulses
///           to some 1e-11 of the largest for any T. Impacts for which tables are
///           not that exact are solved by series at 1e-15; only these report steps
///   rk4     classic Runge-Kutta in steps of at most a part 1/n of the impulse
///           without friction, n = 2 T^(-1/4) rounded up, and shorter towards
///           a halt, which is where the speed falls to 1e-10 of the first
///
/// An impact that cannot be solved yields {"error": {"kind", "message"}} in its
/// place, the others are still solved, and the exit status is 1.
#[derive(Args)]
#[command(verbatim_doc_comment, after_help = EXAMPLES)]
pub(crate) struct Solve {
    /// File of impacts; `-` is standard input
    file: PathBuf,
    /// Method for impacts in space
    #[arg(long, value_name = "NAME", value_enum, default_value_t = Name::Series)]
    kernel: Name,
    /// Tolerance of series and rk4, 1e-16 to 0.01; the plane needs none
    #[arg(long, value_name = "T", value_parser = accuracy, default_value = "1e-15")]
    tolerance: Accuracy,
}

const EXAMPLES: &str = "\
Examples, from the root of the repository:
  routh solve examples/seed_robot.json
  routh solve --kernel flow examples/seed_robot.json
  routh solve examples/rod.json
  head -n 1 examples/seed_robot.json | routh solve --tolerance 1e-9 -";

fn accuracy(tolerance: &str) -> Result<Accuracy, String> {
    let tolerance = tolerance.parse().map_err(|_| "expected a number".to_owned())?;
    Accuracy::new(tolerance).map_err(|error| error.to_string())
}

impl Solve {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let mut kernel = Kernel::new(self.kernel, self.tolerance);
        answer_together(&self.file, |documents| solve(documents, &mut kernel))
    }
}

/// Reads impacts on all cores, has those in space solved together, and solves
/// those in the plane where they stand.
fn solve(documents: &[Document], kernel: &mut Kernel) -> Vec<Result<Solution, Rejection>> {
    let inputs: Vec<_> = documents.par_iter().map(|&d| input::Impact::read(d)).collect();
    let spatial: Vec<_> = inputs
        .iter()
        .filter_map(|input| match input {
            Ok(input::Impact::Spatial(collision)) => Some(collision),
            _ => None,
        })
        .collect();
    let mut impacts = kernel.solve(&spatial).into_iter();
    let answer = |input| match input? {
        input::Impact::Planar(collision) => closed_form(&collision),
        input::Impact::Spatial(collision) => {
            let impact = impacts.next().expect("there is one for each impact in space")?;
            Solution::new(&impact, collision.robot.as_ref())
        }
    };
    inputs.into_iter().map(answer).collect()
}

/// The answer to one impact.
pub(crate) fn answer(document: Document, accuracy: Accuracy) -> Result<impl Serialize, Rejection> {
    match input::Impact::read(document)? {
        input::Impact::Planar(collision) => closed_form(&collision),
        input::Impact::Spatial(collision) => {
            let impact = collision.bare().solve(accuracy)?;
            Solution::new(&impact, collision.robot.as_ref())
        }
    }
}

fn closed_form(collision: &Collision<2>) -> Result<Solution, Rejection> {
    let Collision { contact, velocity, friction, restitution, robot } = collision;
    let impact = contact.solve(*velocity, *friction, *restitution)?;
    Solution::new(&impact, robot.as_ref())
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
    events: Vec<EventLine>,
    steps: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    qd: Option<Vec<f64>>,
}

#[derive(Serialize)]
struct EventLine {
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
            events: impact
                .events
                .iter()
                .map(|event| EventLine { kind: event.kind.name(), impulse: event.impulse })
                .collect(),
            steps: impact.steps,
            qd: robot.map(|robot| robot.velocity_after(impact)).transpose()?,
        })
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
