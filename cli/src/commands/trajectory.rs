//! `routh trajectory`: sliding velocity at given normal impulses.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use crate::input::{Document, Rejection, Sliding};
use crate::output::{Failure, answer_each, object, write_file};
use crate::plot::{self, Orbit};

/// Follow a sliding motion: its velocity at given normal impulses
///
/// FILE holds one motion as a JSON object, or one object a line:
///
///   {"D": [[1.3, 0.4, -0.2], [0.4, 2.1, 0.5], [-0.2, 0.5, 0.9]],
///    "mu": 0.15, "v0": [0.7, -1.1], "impulse": [0.5, 1, 4]}
///
/// D is the contact's inertia, normal first, mu the friction, v0 the tangential
/// velocity at impulse 0. Optional are "tolerance" (1e-16 to 0.01, by default
/// 1e-15) and "order" of the power series (2 to 64, by default the fastest for the
/// tolerance); "stretched": true makes a third to a half fewer steps, of order 24.
/// An impulse after a halt yields the velocity of the sticking or restarted
/// motion.
///
/// The result, one line each, has the velocities in the order of the impulses,
/// the steps made, the order, and the largest drift of the motion from the closed
/// form of its first integral. A motion that cannot be followed yields
/// {"error": {"kind", "message"}} in its place, and the exit status is 1.
///
/// With --plot the orbits are also drawn in the plane of velocities, with a mark
/// where each step begins.
#[derive(Args)]
#[command(verbatim_doc_comment, after_help = EXAMPLES)]
pub(crate) struct Trajectory {
    /// File of motions; `-` is standard input
    file: PathBuf,
    /// Draw the motions in the plane of velocities
    #[arg(long, value_name = "OUT.svg")]
    plot: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples, from the root of the repository:
  routh trajectory examples/sliding.json
  routh trajectory examples/starts.json --plot /tmp/starts.svg";

impl Trajectory {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let mut orbits = Vec::new();
        let answered = answer_each(&self.file, |document| {
            let sliding = Sliding::read(document)?;
            let followed = follow(&sliding)?;
            if self.plot.is_some() {
                orbits.push(Orbit::follow(&sliding)?);
            }
            Ok(followed)
        });
        if let (Some(path), false) = (&self.plot, orbits.is_empty()) {
            write_file(path, &plot::hodograph(&orbits)?)?;
        }
        answered
    }
}

/// The answer to one motion.
pub(crate) fn answer(document: Document) -> Result<impl Serialize, Rejection> {
    follow(&Sliding::read(document)?)
}

/// A motion as it is printed.
fn follow(sliding: &Sliding) -> Result<impl Serialize + use<>, Rejection> {
    let mut motion = sliding.motion(sliding.accuracy)?.checked();
    let impulse = &sliding.impulse;
    let mut rising: Vec<usize> = (0..impulse.len()).collect();
    rising.sort_by(|&i, &j| impulse[i].total_cmp(&impulse[j]));
    let mut velocity = vec![[0.0; 2]; impulse.len()];
    for i in rising {
        velocity[i] = motion.advance(impulse[i])?;
    }
    Ok(object! {
        velocity: velocity,
        steps: motion.steps(),
        order: motion.accuracy().order(),
        first_integral_drift: motion.first_integral_drift(),
    })
}
