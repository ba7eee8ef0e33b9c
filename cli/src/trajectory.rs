//! `routh trajectory`: sliding velocity at given normal impulses.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use crate::answers::answer_each;
use crate::documents::Document;
use crate::failure::Failure;
use crate::input::Sliding;
use crate::rejection::Rejection;

/// Follow a sliding motion: its velocity at given normal impulses
///
/// FILE holds one motion as a JSON object, or one object a line:
///
///   {"D": [[1.3, 0.4, -0.2], [0.4, 2.1, 0.5], [-0.2, 0.5, 0.9]],
///    "mu": 0.15, "v0": [0.7, -1.1], "impulse": [0.5, 1, 4]}
///
/// D is the contact's inertia, normal first, mu the friction, v0 the tangential
/// velocity at impulse 0. Optional are "tolerance" (1e-16 to 0.01, by default
/// 1e-13) and "order" of the power series (2 to 64, by default 20). An impulse
/// after a halt yields the velocity of the sticking or restarted motion.
///
/// The result, one line each, has the velocities in the order of the impulses,
/// the steps made, the order, and how far the motion strayed from the closed
/// form of its first integral. A motion that cannot be followed yields
/// {"error": {"kind", "message"}} in its place, and the exit status is 1.
#[derive(Args)]
#[command(verbatim_doc_comment, after_help = EXAMPLES)]
pub(crate) struct Trajectory {
    /// File of motions; `-` is standard input
    file: PathBuf,
}

const EXAMPLES: &str = "\
Example, from the root of the repository:
  routh trajectory examples/sliding.json";

impl Trajectory {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        answer_each(&self.file, follow)
    }
}

/// A motion as it is printed.
#[derive(Serialize)]
struct Followed {
    velocity: Vec<[f64; 2]>,
    steps: usize,
    order: usize,
    first_integral_drift: Option<f64>,
}

fn follow(document: Document) -> Result<Followed, Rejection> {
    let Sliding { mut motion, impulse } = Sliding::read(document)?;
    let mut rising: Vec<usize> = (0..impulse.len()).collect();
    rising.sort_by(|&i, &j| impulse[i].total_cmp(&impulse[j]));
    let mut velocity = vec![[0.0; 2]; impulse.len()];
    for i in rising {
        velocity[i] = motion.advance(impulse[i])?;
    }
    Ok(Followed {
        velocity,
        steps: motion.steps(),
        order: motion.accuracy().order(),
        first_integral_drift: motion.first_integral_drift(),
    })
}
