//! `routh chain`: impacts in chains of planar bodies with compliant contacts.

mod forces;
mod sweep;

pub(crate) use forces::{Forces, Trace};
pub(crate) use sweep::{Axis, Map};

use std::path::PathBuf;

use clap::Args;
use routh::Accuracy;
use routh::chain::ChainImpact;
use routh::compliant::Touch;
use serde::Serialize;

use crate::input::{Document, NamedChain, Rejection};
use crate::output::{Failure, answer_each, object, write_file};
use crate::plot;

/// Follow an impact through a chain of planar bodies with compliant contacts
///
/// FILE holds one chain as a JSON object, or one object a line:
///
///   {"bodies": [{"mass": 4.1, "inertia": 0.004, "velocity": [1, 0, 0]},
///               {"mass": 4.1, "inertia": 0.004, "velocity": [0, 0, 0]}],
///    "contacts": [{"angle": 0, "arms": [[0.05, 0], [-0.05, 0]],
///                  "stiffness": 2.37e10, "restitution": 0.8, "friction": 0.3}],
///    "model": "michalczyk"}
///
/// Contact j lies between bodies j and j+1, and all touch before the impact; angle
/// (radians) is that of its normal, which points to body j+1, arms lead from the two
/// mass centres to the contact point. Instead of stiffness (N/m^1.5) there may be
/// "material": [{"youngs_modulus", "poisson_ratio"}, {...}] and "radii": [r1, r2];
/// friction is a number or {"static", "kinetic"}, by default 0. Models are
/// michalczyk (by default), flores, hunt_crossley, lankarani_nikravesh, elastic. A
/// "name" is shown in plots.
///
/// The result, one line each, has the velocities [vx, vy, omega] after the impact; of
/// each contact the peak force, the time it was indented, its impulse on body j+1
/// along normal and tangent, and how it slid; the energy lost to restitution and
/// friction; steps made, the largest number of contacts with at least 1 % of the
/// largest force at once, and how well energy and momentum were conserved.
/// A chain that cannot be followed yields {"error": {"kind", "message"}} in its
/// place, and the exit status is 1.
///
/// --plot draws the normal forces over time: of all contacts of one chain, or of the
/// first contact of each chain. --csv writes normal and tangential forces over time.
///
/// With two --sweep PATH=FROM:TO:COUNT the first chain is solved for all pairs of
/// values of two of its numbers, on all cores. PATH names a number in the document,
/// as contacts.0.friction; beta is the chain paper's eccentricity of the first
/// contact, by moving its point across the first body. The results are printed as
/// CSV, and --plot draws the map of how the first contact slides.
#[derive(Args)]
#[command(verbatim_doc_comment, after_help = EXAMPLES)]
pub(crate) struct Chain {
    /// File of chains; `-` is standard input
    file: PathBuf,
    /// Draw forces over time, or with --sweep the map of sliding
    #[arg(long, value_name = "OUT.svg")]
    plot: Option<PathBuf>,
    /// Write forces over time, or with --sweep the results
    #[arg(long, value_name = "OUT.csv")]
    csv: Option<PathBuf>,
    /// Tolerance of the power series, 1e-16 to 0.01
    #[arg(long, value_name = "T")]
    tolerance: Option<f64>,
    /// Vary a number of the chain; give it twice
    #[arg(long, value_name = "PATH=FROM:TO:COUNT")]
    sweep: Vec<Axis>,
}

const EXAMPLES: &str = "\
Examples, from the root of the repository:
  routh chain examples/chain.json
  routh chain examples/chain.json --plot /tmp/forces.svg --csv /tmp/forces.csv
  routh chain examples/chain_sliding.json --sweep beta=-1:1:41 \\
    --sweep contacts.0.friction=0.01:1:41 --plot /tmp/map.svg";

/// Instants of each step at which forces are shown.
pub(crate) const POINTS: usize = 12;

impl Chain {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let accuracy = self.tolerance.map_or(Ok(Accuracy::default()), Accuracy::new);
        let accuracy = accuracy.map_err(|error| Failure::Usage(error.to_string()))?;
        match &self.sweep[..] {
            [] => self.follow(accuracy),
            [one, other] => {
                let map = Map::solve(&self.file, [one, other], accuracy)?;
                map.write(self.csv.as_deref())?;
                self.plot
                    .as_ref()
                    .map_or(Ok(()), |path| write_file(path, &plot::regions(&map)?))?;
                map.finish()
            }
            _ => Err(Failure::Usage("give --sweep twice, for two parameters".to_owned())),
        }
    }

    fn follow(&self, accuracy: Accuracy) -> Result<(), Failure> {
        let shown = self.plot.is_some() || self.csv.is_some();
        let mut traces = Vec::new();
        let mut number = 0;
        let answered = answer_each(&self.file, |document| {
            number += 1;
            let chain = NamedChain::read(document)?;
            let points = if shown { POINTS } else { 0 };
            let (trace, impact) = Trace::follow(number, chain, accuracy, points)?;
            if shown {
                traces.push(trace);
            }
            Ok(printed(&impact))
        });
        if !traces.is_empty() {
            let forces = Forces(traces);
            if let Some(path) = &self.csv {
                forces.write(path)?;
            }
            if let Some(path) = &self.plot {
                write_file(path, &plot::forces(&forces)?)?;
            }
        }
        answered
    }
}

/// The answer to one chain.
pub(crate) fn answer(document: Document, accuracy: Accuracy) -> Result<impl Serialize, Rejection> {
    let chain = NamedChain::read(document)?.chain;
    Ok(printed(&chain.solve(accuracy)?))
}

/// An impact as it is printed.
fn printed(impact: &ChainImpact) -> impl Serialize + use<> {
    let outcome = &impact.outcome;
    let contact = |touch: &Touch| {
        object! {
            peak_force: touch.peak_force,
            duration: touch.duration,
            impulse: touch.impulse,
            restitution_loss: touch.normal_work,
            friction_loss: touch.friction_work,
            scenario: touch.scenario.name(),
        }
    };
    object! {
        velocities: impact.velocities.clone(),
        contacts: outcome.contacts.iter().map(contact).collect::<Vec<_>>(),
        duration: outcome.duration,
        kinetic_energy: impact.kinetic_energy,
        steps: outcome.steps,
        max_active_contacts: outcome.max_active_contacts,
        energy_error: outcome.energy_error,
        momentum_error: impact.momentum_error,
    }
}
