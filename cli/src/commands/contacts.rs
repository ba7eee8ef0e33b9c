//! `routh contacts`: several contacts of one system at once.

mod family;

pub(crate) use family::Family;

use std::path::PathBuf;

use clap::Args;
use routh::contacts::{Impacts, Tangential};
use routh::several::{Event, Landing};
use serde::Serialize;

use crate::input::{Document, Falling, Rejection, Simultaneous, has_contacts};
use crate::output::{Failure, answer_each, object, write_file};
use crate::plot;

/// Solve impacts at several contacts of one system at once
///
/// FILE holds one system as a JSON object, or one object a line. With "contacts" these
/// are contacts in space, compliant in the limit of rigidity:
///
///   {"M": [[1, 0, 0], [0, 1, 0], [0, 0, 0.1]],
///    "J": [[0, 1, -0.5], [1, 0, 0], [0, 1, 0.5], [1, 0, 0]], "qd": [1, -1, 0],
///    "contacts": [{"friction": 0.2, "restitution": 0.5, "tangents": 1},
///                 {"friction": 0.2, "restitution": 0, "tangents": 1}]}
///
/// M is the mass matrix, qd are the joint velocities before impact. J has for each contact
/// a row along its normal, pointing so that a negative velocity approaches, and one for
/// each of its "tangents" (2, 1 or 0; 2 unless given). "D" (which is J M^-1 J') and
/// "velocity" may stand in place of M, J and qd. "friction" is a number or
/// {"static", "kinetic"}. Optional are the "stiffness" of a contact relative to the others
/// (1), its "kind" ("unilateral", "plastic" or "held"), the "law" of unloading
/// ("bistiffness" or "michalczyk") and the "exponent" of the force (1.5 or 1).
///
/// The result, one line each, has "qd", for each contact "velocity" and "impulse" (normal
/// first), works, "mode", all "events" in order, and whether the model allows no other
/// answer ("unique").
///
/// Without "contacts" the impact has two phases, for the whole of which laws hold:
///
///   {"M": [[1, 0], [0, 0.5]], "J": [[1, -0.5], [1, 0.5]], "qd": [-0.75, -1.5],
///    "restitution": {"law": "poisson", "e": [0.5, 0.5]}}
///
/// J has a row for each normal. The law is "poisson" or "newton", e one number or one for
/// each contact. Optional are "Jt", a row for the tangent of each contact, and "friction",
/// one number or one for each. The result has the normal "velocity" and "impulse" of each
/// contact, both at the end of compression too, whether it is
/// "separated_in_compression", the results along tangents, and the "energy_change"; where
/// the law gains energy, it says so ("gains_energy").
///
/// A system that cannot be solved yields {"error": {"kind", "message"}} in its place, and
/// the exit status is 1.
///
/// With --plot impulses and velocities are also drawn as bars, for one system. With
/// --family the contacts of a system of two phases are made compliant, with restitution
/// R = e: the normal velocities after impact are drawn over the stiffness of the contacts
/// relative to the one that approaches fastest, together with the rigid answer. Where they
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
  routh contacts examples/box_landing.json
  routh contacts examples/landings.json
  routh contacts examples/triple_contact.json
  routh contacts examples/triple_contact.json --plot /tmp/triple_contact.svg
  routh contacts examples/triple_contact.json --family /tmp/family.svg";

impl Contacts {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let mut first = None;
        let answered = answer_each(&self.file, |document| {
            let solved = Solved::of(document)?;
            if first.is_none() {
                let family = self.family.as_ref().map(|_| solved.family());
                first = Some((solved.clone(), family.transpose()?));
            }
            Ok(solved.printed())
        });
        if let Some((solved, family)) = &first {
            if let Some(path) = &self.plot {
                write_file(path, &solved.bars()?)?;
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
    Ok(Solved::of(document)?.printed())
}

/// A system, and what its contacts do.
#[derive(Clone)]
enum Solved {
    Phases(Box<Simultaneous>, Impacts),
    Landing(Falling, Landing),
}

/// What is printed of either.
#[derive(Serialize)]
#[serde(untagged)]
enum Printed<P: Serialize, L: Serialize> {
    Phases(P),
    Landing(L),
}

impl Solved {
    fn of(document: Document) -> Result<Self, Rejection> {
        if has_contacts(document) {
            let system = Falling::read(document)?;
            let landing = system.solve()?;
            return Ok(Self::Landing(system, landing));
        }
        let system = Simultaneous::read(document)?;
        let impacts = system.solve()?;
        Ok(Self::Phases(Box::new(system), impacts))
    }

    fn family(&self) -> Result<Family, Rejection> {
        match self {
            Self::Phases(system, impacts) => Ok(Family::of(system, impacts)?),
            Self::Landing(..) => {
                let reason =
                    "contacts: have their stiffness already; --family draws systems without";
                Err(Rejection::Malformed(reason.to_owned()))
            }
        }
    }

    fn bars(&self) -> Result<String, Failure> {
        match self {
            Self::Phases(_, impacts) => plot::bars(impacts),
            Self::Landing(_, landing) => plot::landing(landing),
        }
    }

    fn printed(self) -> impl Serialize {
        match self {
            Self::Phases(_, impacts) => Printed::Phases(printed(impacts)),
            Self::Landing(system, landing) => Printed::Landing(printed_landing(system, landing)),
        }
    }
}

/// A landing as it is printed.
fn printed_landing(system: Falling, landing: Landing) -> impl Serialize {
    let rows = |rows: &[[f64; 3]]| -> Vec<Vec<f64>> {
        let each = rows.iter().enumerate();
        each.map(|(i, row)| row[..=system.tangents(i)].to_vec()).collect()
    };
    let event = |Event { contact, kind }: &Event| {
        object! { contact: *contact, kind: kind.name() }
    };
    let qd = landing.qd.as_slice().to_vec();
    object! {
        #[serde(flatten)]
        joints: (!qd.is_empty()).then(|| object! { qd: qd }),
        velocity: rows(&landing.velocity),
        impulse: rows(&landing.impulse),
        normal_work: landing.normal_work.clone(),
        friction_work: landing.friction_work.clone(),
        energy_change: landing.energy_change,
        mode: (0..landing.velocity.len()).map(|i| landing.mode(i).name()).collect::<Vec<_>>(),
        events: landing.events.iter().map(event).collect::<Vec<_>>(),
        steps: landing.steps,
        unique: landing.unique,
    }
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
        #[serde(flatten)]
        gain: impacts.gains_energy.then_some(object! { gains_energy: true }),
    }
}
