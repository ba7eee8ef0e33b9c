//! `routh contacts`: simultaneous rigid contacts.

mod family;

pub(crate) use family::Family;

use std::path::PathBuf;

use clap::Args;
use routh::contacts::{Impacts, Tangential};
use serde::Serialize;

use crate::input::{Document, Rejection, Simultaneous};
use crate::output::{Failure, answer_each, object, write_file};
use crate::plot;

/// Solve impacts at several contacts of one system at once
///
/// FILE holds one system as a JSON object, or one object a line:
///
///   {"M": [[1, 0], [0, 0.5]], "J": [[1, -0.5], [1, 0.5]], "qd": [-0.75, -1.5],
///    "restitution": {"law": "poisson", "e": [0.5, 0.5]}}
///
/// M is the mass matrix, J has a row for the normal of each contact, pointing so that
/// a negative velocity approaches, qd are the joint velocities before impact. The
/// law is "poisson" or "newton", e one number or one for each contact. Optional are
/// "Jt", a row for the tangent of each contact, and "friction", one number or one
/// for each.
///
/// The result, one line each, has the joint velocities "qd", for each contact the
/// normal "velocity" and "impulse", both at the end of compression too, whether it
/// is "separated_in_compression", the results along tangents, and the
/// "energy_change". A system that cannot be solved yields
/// {"error": {"kind", "message"}} in its place, and the exit status is 1.
///
/// With --plot impulses and velocities are also drawn as bars, for one system. With
/// --family its contacts are made compliant, with restitution R = e: the normal
/// velocities after impact are drawn over the stiffness of the contacts relative to
/// the one that approaches fastest, together with the rigid answer. Where they
/// differ, the rigid answer is a choice among them.
#[derive(Args)]
#[command(verbatim_doc_comment, after_help = EXAMPLES)]
pub(crate) struct Contacts {
    /// File of systems; `-` is standard input
    file: PathBuf,
    /// Draw impulses and velocities of the first system that is solved
    #[arg(long, value_name = "OUT.svg")]
    plot: Option<PathBuf>,
    /// Draw the answers of compliant contacts for that system
    #[arg(long, value_name = "OUT.svg")]
    family: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples, from the root of the repository:
  routh contacts examples/triple_contact.json
  routh contacts examples/triple_contact.json --plot /tmp/triple_contact.svg
  routh contacts examples/triple_contact.json --family /tmp/family.svg";

impl Contacts {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let mut first = None;
        let answered = answer_each(&self.file, |document| {
            let system = Simultaneous::read(document)?;
            let impacts = system.solve()?;
            if first.is_none() {
                let family = self.family.as_ref().map(|_| Family::of(&system, &impacts));
                first = Some((impacts.clone(), family.transpose()?));
            }
            Ok(printed(impacts))
        });
        if let Some((impacts, family)) = &first {
            if let Some(path) = &self.plot {
                write_file(path, &plot::bars(impacts)?)?;
            }
            if let (Some(path), Some(family)) = (&self.family, family) {
                write_file(path, &plot::family(family)?)?;
            }
        }
        answered
    }
}

/// The answer to one system.
pub(crate) fn answer(document: Document) -> Result<impl Serialize, Rejection> {
    Ok(printed(Simultaneous::read(document)?.solve()?))
}

/// Impacts as they are printed.
fn printed(impacts: Impacts) -> impl Serialize {
    let separated = impacts.separated_in_compression();
    let tangential = |tangential: Tangential| {
        object! {
            tangential_velocity: tangential.velocity,
            tangential_impulse: tangential.impulse,
        }
    };
    object! {
        qd: impacts.qd.as_slice().to_vec(),
        velocity: impacts.velocity,
        impulse: impacts.impulse,
        compression_velocity: impacts.compression_velocity,
        compression_impulse: impacts.compression_impulse,
        separated_in_compression: separated,
        #[serde(flatten)]
        tangential: impacts.tangential.map(tangential),
        energy_change: impacts.energy_change,
    }
}
