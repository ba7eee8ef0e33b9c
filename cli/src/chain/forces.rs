//! Forces over time, for plots and tables.

use std::fmt::Write;
use std::path::Path;

use routh_solver::compliant::Sample;

use crate::failure::Failure;
use crate::output::write_file;

/// The forces of one chain.
pub(crate) struct Trace {
    /// Which of the chains it is, counted from 1.
    number: usize,
    name: Option<String>,
    samples: Vec<Sample>,
}

impl Trace {
    pub(crate) fn new(number: usize, name: Option<String>) -> Self {
        Self { number, name, samples: Vec::new() }
    }

    pub(crate) fn note(&mut self, sample: &Sample) {
        self.samples.push(sample.clone());
    }
}

/// The forces of some chains.
pub(crate) struct Forces {
    traces: Vec<Trace>,
}

impl Forces {
    pub(crate) fn new(traces: Vec<Trace>) -> Self {
        Self { traces }
    }

    /// Curves of normal force in kN over time in ms: of every contact of a chain
    /// that is alone, else of the first contact of each.
    pub(crate) fn curves(&self) -> Vec<(String, Vec<(f64, f64)>)> {
        let curve = |trace: &Trace, contact: usize| {
            let samples = trace.samples.iter();
            let point = |sample: &Sample| (1e3 * sample.time, 1e-3 * sample.force[contact][0]);
            samples.map(point).collect::<Vec<_>>()
        };
        match &self.traces[..] {
            [trace] => {
                let contacts = trace.samples.first().map_or(0, |sample| sample.force.len());
                (0..contacts).map(|j| (format!("contact {}", j + 1), curve(trace, j))).collect()
            }
            traces => traces
                .iter()
                .map(|trace| {
                    let number = || format!("chain {}", trace.number);
                    (trace.name.clone().unwrap_or_else(number), curve(trace, 0))
                })
                .collect(),
        }
    }

    /// Writes one line for each instant: the chain's number, the time, and normal
    /// and tangential force of each contact.
    pub(crate) fn write(&self, path: &Path) -> Result<(), Failure> {
        let most = self.traces.iter().flat_map(|trace| trace.samples.first());
        let most = most.map(|sample| sample.force.len()).max().unwrap_or(0);
        let mut text = "chain,time".to_owned();
        (1..=most).for_each(|j| text += &format!(",normal_{j},tangential_{j}"));
        text.push('\n');
        for trace in &self.traces {
            for sample in &trace.samples {
                // Writing to a string does not fail.
                let _ = write!(text, "{},{:e}", trace.number, sample.time);
                for [normal, tangential] in &sample.force {
                    let _ = write!(text, ",{normal:e},{tangential:e}");
                }
                text += &",,".repeat(most - sample.force.len());
                text.push('\n');
            }
        }
        write_file(path, &text)
    }
}
