//! `routh flow`: what a contact's sliding flow is compiled into.

mod orbits;
mod sectors;

pub(crate) use orbits::Orbit;
pub(crate) use sectors::{Direction, Sectors};

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use crate::input::{Rejection, SlidingContact};
use crate::output::{Failure, answer_each, object, write_file};
use crate::plot;

/// Show the tables of a contact's sliding flow
///
/// FILE holds one contact under friction as a JSON object, or one object a line:
///
///   {"D": [[1.3, 0.4, -0.2], [0.4, 2.1, 0.5], [-0.2, 0.5, 0.9]], "mu": 0.15}
///
/// The result, one line each, has the invariant directions of sliding, which
/// attract or repel the others, with the rate at which the speed changes along
/// each, or that every direction is one; the angles in degrees at which the sectors
/// of the tables begin; why some sectors, if any, have no table; and the size of the
/// tables in bytes. A contact that is refused yields
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

impl Flow {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let mut drawn = None;
        let answered = answer_each(&self.file, |document| {
            let sliding = SlidingContact::read(document)?;
            let sectors = Sectors::of(&sliding);
            let compiled = printed(&sectors);
            if self.plot.is_some() {
                drawn = Some((Orbit::of_arcs(&sliding, &sectors)?, sectors));
            }
            Ok::<_, Rejection>(compiled)
        });
        if let (Some(path), Some((orbits, sectors))) = (&self.plot, &drawn) {
            write_file(path, &plot::portrait(sectors, orbits)?)?;
        }
        answered
    }
}

/// A compiled flow as it is printed.
fn printed(sectors: &Sectors) -> impl Serialize + use<> {
    let direction = |direction: &Direction| {
        object! {
            direction: direction.unit(),
            degrees: direction.angle.to_degrees(),
            kind: if direction.attracts { "attracting" } else { "repelling" },
            speed_rate: direction.along,
        }
    };
    object! {
        directions: sectors.directions.iter().map(direction).collect::<Vec<_>>(),
        every_direction: sectors.borders.is_empty(),
        sectors: sectors.borders.iter().map(|angle| angle.to_degrees()).collect::<Vec<_>>(),
        refusals: sectors.refusals.iter().map(ToString::to_string).collect::<Vec<_>>(),
        bytes: sectors.bytes,
    }
}
