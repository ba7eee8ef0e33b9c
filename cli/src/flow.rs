//! `routh flow`: what a contact's sliding flow is compiled into.

mod orbits;
mod sectors;

pub(crate) use orbits::Orbit;
pub(crate) use sectors::{Direction, Sectors};

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use crate::answers::answer_each;
use crate::failure::Failure;
use crate::input::Rubbing;
use crate::plot;
use crate::progress::Progress;
use crate::rejection::Rejection;

/// Show what a contact's sliding flow is compiled into
///
/// FILE holds one contact under friction as a JSON object, or one object a line:
///
///   {"D": [[1.3, 0.4, -0.2], [0.4, 2.1, 0.5], [-0.2, 0.5, 0.9]], "mu": 0.15}
///
/// The result, one line each, has the invariant directions of sliding, which
/// attract or repel the others, with the rate at which the speed changes along
/// each, or that every direction is one; the angles in degrees at which the sectors
/// of the tables begin; why some sectors, if any, have none; and how many bytes the
/// tables take. A contact that is refused yields
/// {"error": {"kind", "message"}} in its place, and the exit status is 1.
///
/// With --plot the flow of the last contact is also drawn in the plane of sliding
/// velocities: between neighbouring invariant directions there is one orbit, up to
/// its scale and where it starts. On the circle, the sectors about invariant
/// directions have their colours.
#[derive(Args)]
#[command(verbatim_doc_comment, after_help = EXAMPLES)]
pub(crate) struct Flow {
    /// File of contacts; `-` is standard input
    file: PathBuf,
    /// Draw the flow
    #[arg(long, value_name = "OUT.svg")]
    plot: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples, from the root of the repository:
  routh flow examples/flow.json
  routh flow examples/flow.json --plot /tmp/flow.svg";

/// A compiled flow as it is printed.
#[derive(Serialize)]
struct Compiled {
    directions: Vec<Printed>,
    every_direction: bool,
    sectors: Vec<f64>,
    refusals: Vec<String>,
    bytes: usize,
}

/// An invariant direction as it is printed.
#[derive(Serialize)]
struct Printed {
    direction: [f64; 2],
    degrees: f64,
    kind: &'static str,
    speed_rate: f64,
}

impl Flow {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let progress = Progress::of_reading(&self.file);
        let mut drawn = None;
        let answered = answer_each(&self.file, &progress, |document| {
            let rubbing = Rubbing::read(document)?;
            let sectors = Sectors::of(&rubbing);
            let compiled = Compiled::from(&sectors);
            if self.plot.is_some() {
                drawn = Some((Orbit::of_arcs(&rubbing, &sectors)?, sectors));
            }
            Ok::<_, Rejection>(compiled)
        });
        if let (Some(path), Some((orbits, sectors))) = (&self.plot, &drawn) {
            plot::portrait(sectors, orbits)?.write(path)?;
        }
        answered
    }
}

impl From<&Sectors> for Compiled {
    fn from(sectors: &Sectors) -> Self {
        Self {
            directions: sectors.directions.iter().map(Printed::from).collect(),
            every_direction: sectors.borders.is_empty(),
            sectors: sectors.borders.iter().map(|angle| angle.to_degrees()).collect(),
            refusals: sectors.refusals.iter().map(ToString::to_string).collect(),
            bytes: sectors.bytes,
        }
    }
}

impl From<&Direction> for Printed {
    fn from(direction: &Direction) -> Self {
        Self {
            direction: direction.unit(),
            degrees: direction.angle.to_degrees(),
            kind: if direction.attracts { "attracting" } else { "repelling" },
            speed_rate: direction.along,
        }
    }
}
