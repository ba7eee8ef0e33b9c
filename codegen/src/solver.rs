//! Writes a solver for one robot from the runtime, the derived programs and the robot's
//! numbers.

mod c;
mod code;
mod flow;
mod head;
mod plane;
mod report;
mod robot;
mod rust;
mod space;
mod tables;
mod trial;

use crate::Error;
use crate::derivations::Derivations;
use crate::output::{File, Generated};
use crate::robot::{Language, Plan};
use code::Code;
use trial::samples::Samples;

/// Writes the solver of a robot, its tests and a report on both.
pub(crate) fn write(
    plan: &Plan,
    language: Language,
    progress: &dyn Fn(&'static str),
) -> Result<Generated, Error> {
    progress("putting the solver together");
    let derivations = Derivations::committed()?;
    let code = Code::new(plan, &derivations)?;
    progress("solving sampled impacts");
    let samples = Samples::new(plan, &code, &derivations.regularised)?;
    progress("printing");
    let (main, beside) = match language {
        Language::Rust => (rust::file(plan, &code, &samples)?, Vec::new()),
        Language::C => c::files(plan, &code, &samples)?,
    };
    let text = report::report(plan, &code, &samples, language);
    let report = File { name: "REPORT.md".to_owned(), text };
    let summary = report::summary(plan, &code, &samples);
    Ok(Generated::with_files(main, beside).reported(report, summary))
}
