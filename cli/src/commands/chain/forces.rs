//! Forces over time, for plots and tables.

use std::fmt::Write;
use std::path::Path;

use routh::chain::ChainImpact;
use routh::compliant::Sample;
use routh::{Accuracy, Error};

use crate::input::NamedChain;
use crate::output::{Failure, write_file};

/// The forces of one chain.
pub(crate) struct Trace {
    /// Which of the chains it is, counted from 1.
    number: usize,
    name: Option<String>,
    samples: Vec<Sample>,
}

impl Trace {
    /// Follows a chain and notes its forces at so many instants of each step.
    pub(crate) fn follow(
        number: usize,
        NamedChain { name, chain }: NamedChain,
        accuracy: Accuracy,
        points: usize,
    ) -> Result<(Self, ChainImpact), Error> {
        let mut samples = Vec::new();
        let impact = chain.observe(accuracy, points, &mut |sample| samples.push(sample.clone()))?;
        Ok((Self { number, name, samples }, impact))
    }
}

/// The forces of some chains.
pub(crate) struct Forces(pub(crate) Vec<Trace>);

impl Forces {
    /// Curves of normal force in kN over time in ms: of every contact of a chain
    /// that is alone, else of the first contact of each.
    pub(crate) fn curves(&self) -> Vec<(String, Vec<(f64, f64)>)> {
        let curve = |trace: &Trace, contact: usize| {
            let samples = trace.samples.iter();
            let point = |sample: &Sample| (1e3 * sample.time, 1e-3 * sample.force[contact][0]);
            samples.map(point).collect::<Vec<_>>()
        };
        match &self.0[..] {
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
        let most = self.0.iter().flat_map(|trace| trace.samples.first());
        let most = most.map(|sample| sample.force.len()).max().unwrap_or(0);
        let mut text = "chain,time".to_owned();
        (1..=most).for_each(|j| text += &format!(",normal_{j},tangential_{j}"));
        text.push('\n');
        for trace in &self.0 {
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
