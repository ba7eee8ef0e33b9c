//! The page of the bundled examples: a section for each paper and each part of the project.

mod chain;
mod contacts;
mod examples;
mod flow;
mod live;
mod machine;
mod page;
mod planar;
mod precision;
mod printed;
mod spatial;

pub(crate) use page::{Section, page};

use crate::output::Failure;

/// A section's name while it is made, and what makes it.
type Part = (&'static str, fn() -> Result<Section, Failure>);

pub(crate) const PARTS: [Part; 8] = [
    ("live", live::section),
    ("spatial paper", spatial::section),
    ("planar paper", planar::section),
    ("other integrators", precision::section),
    ("flow", flow::section),
    ("chains", chain::section),
    ("contacts", contacts::section),
    ("machine", machine::section),
];
