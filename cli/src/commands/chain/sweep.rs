//! A chain for all pairs of values of two of its numbers.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::Path;
use std::str::FromStr;

use rayon::prelude::*;
use routh::Accuracy;
use routh::compliant::{Scenario, Touch};
use serde_json::Value;

use crate::input::{Document, Documents, NamedChain, Rejection};
use crate::output::{Failure, Progress, unreadable, write_file};

/// The most values of one number, and of pairs.
const MOST: usize = 10_000;
const MOST_CELLS: usize = 1_000_000;

/// The name of the eccentricity.
const BETA: &str = "beta";

/// A number of a chain and the values it takes.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    pub(crate) path: String,
    from: f64,
    to: f64,
    count: usize,
}

impl FromStr for Axis {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = "expected PATH=FROM:TO:COUNT, as contacts.0.friction=0:1:41";
        let (path, range) = text.split_once('=').ok_or(expected)?;
        let [from, to, count] = range.split(':').collect::<Vec<_>>()[..] else {
            return Err(expected.to_owned());
        };
        let number = |text: &str| {
            let value = text.parse::<f64>().ok().filter(|value| value.is_finite());
            value.ok_or_else(|| format!("{text} is not a finite number; {expected}"))
        };
        let (from, to) = (number(from)?, number(to)?);
        let count = count.parse().ok().filter(|count| (2..=MOST).contains(count));
        let count = count.ok_or_else(|| format!("COUNT must lie between 2 and {MOST}"))?;
        Ok(Self { path: path.to_owned(), from, to, count })
    }
}

impl Axis {
    /// The values, evenly spaced.
    pub(crate) fn values(&self) -> Vec<f64> {
        let part = |i: usize| i as f64 / (self.count - 1) as f64;
        (0..self.count).map(|i| self.from + (self.to - self.from) * part(i)).collect()
    }

    /// Where the number stands in the document.
    fn pointer(&self) -> String {
        match self.path.as_str() {
            BETA => "/contacts/0/arms/0/1".to_owned(),
            path => format!("/{}", path.replace('.', "/")),
        }
    }

    /// Gives the number a value.
    fn set(&self, chain: &mut Value, value: f64) -> Result<(), Rejection> {
        let value = if self.path == BETA { across(chain, value)? } else { value };
        let place = chain.pointer_mut(&self.pointer()).filter(|place| place.is_number());
        let missing = || Rejection::Malformed(format!("{}: no number in the chain", self.path));
        *place.ok_or_else(missing)? = Value::from(value);
        Ok(())
    }
}

/// How far across the first body its contact must lie for an eccentricity
/// `β = m r_x r_y / J₁`, `1/m = 1/m₁ + 1/m₂` (the chain paper's Eq. 17).
fn across(chain: &Value, beta: f64) -> Result<f64, Rejection> {
    let number = |pointer: &str| {
        let value = chain.pointer(pointer).and_then(Value::as_f64);
        let path = pointer.trim_start_matches('/').replace('/', ".");
        value.ok_or_else(|| Rejection::Malformed(format!("{path}: beta needs a number here")))
    };
    let softness = 1.0 / number("/bodies/0/mass")? + 1.0 / number("/bodies/1/mass")?;
    let along = number("/contacts/0/arms/0/0")?;
    if along == 0.0 {
        let reason = "contacts.0.arms.0.0 = 0: beta needs an arm along x";
        return Err(Rejection::Malformed(reason.to_owned()));
    }
    Ok(beta * number("/bodies/0/inertia")? * softness / along)
}

/// One pair of values, and what the first contact went through and in how many steps.
type Cell = ([f64; 2], Result<(Touch, usize), Rejection>);

/// The results over a plane of two numbers.
pub(crate) struct Map {
    axes: [Axis; 2],
    cells: Vec<Cell>,
}

impl Map {
    /// Solves the first chain of a file for all pairs of values.
    pub(crate) fn solve(
        path: &Path,
        axes: [&Axis; 2],
        accuracy: Accuracy,
    ) -> Result<Self, Failure> {
        let mut documents = Documents::open(path).map_err(unreadable(path))?;
        let document = documents.next().map_err(unreadable(path))?;
        let text = document.map_or(&b""[..], |document| document.text);
        let chain = serde_json::from_slice(text).map_err(io::Error::other);
        Self::of(&chain.map_err(unreadable(path))?, axes, accuracy)
    }

    /// Solves a chain for all pairs of values.
    pub(crate) fn of(chain: &Value, axes: [&Axis; 2], accuracy: Accuracy) -> Result<Self, Failure> {
        let [one, other] = axes.map(Axis::values);
        if axes[0].pointer() == axes[1].pointer() {
            let both = format!("{} and {} are the same number", axes[0].path, axes[1].path);
            return Err(Failure::Usage(both));
        }
        if one.len() * other.len() > MOST_CELLS {
            return Err(Failure::Usage(format!("more than {MOST_CELLS} pairs of values")));
        }
        for (axis, value) in axes.into_iter().zip([one[0], other[0]]) {
            let set = axis.set(&mut chain.clone(), value);
            set.map_err(|rejection| Failure::Usage(rejection.to_string()))?;
        }
        let pairs: Vec<[f64; 2]> =
            other.iter().flat_map(|&y| one.iter().map(move |&x| [x, y])).collect();
        let progress = Progress::of_parts(pairs.len());
        let solve = |values: [f64; 2]| {
            let mut chain = chain.clone();
            // What beta means depends on the other.
            let mut given = [(axes[0], values[0]), (axes[1], values[1])];
            given.sort_by_key(|(axis, _)| axis.path == BETA);
            for (axis, value) in given {
                axis.set(&mut chain, value)?;
            }
            let text = chain.to_string();
            let document = Document { text: text.as_bytes(), line: 1 };
            let impact = NamedChain::read(document)?.chain.solve(accuracy)?;
            Ok((impact.outcome.contacts[0], impact.outcome.steps))
        };
        let cells = pairs.into_par_iter().map(|values| {
            let outcome = solve(values);
            progress.documents(1, 0);
            (values, outcome)
        });
        Ok(Self { cells: cells.collect(), axes: axes.map(Axis::clone) })
    }

    pub(crate) fn axes(&self) -> &[Axis; 2] {
        &self.axes
    }

    /// How the first contact slides, for each pair of values that could be solved.
    pub(crate) fn scenarios(&self) -> impl Iterator<Item = ([f64; 2], Scenario)> {
        let solved = |(values, outcome): &Cell| Some((*values, outcome.as_ref().ok()?.0.scenario));
        self.cells.iter().filter_map(solved)
    }

    /// The results as CSV, to a file or to standard output.
    pub(crate) fn write(&self, path: Option<&Path>) -> Result<(), Failure> {
        let [one, other] = &self.axes;
        let mut text =
            format!("{},{},scenario,peak_force,duration,steps,error\n", one.path, other.path);
        for ([x, y], outcome) in &self.cells {
            // Writing to a string does not fail.
            let _ = match outcome {
                Ok((first, steps)) => {
                    let name = first.scenario.name();
                    let (force, duration) = (first.peak_force, first.duration);
                    writeln!(text, "{x},{y},{name},{force:e},{duration:e},{steps},")
                }
                Err(rejection) => writeln!(text, "{x},{y},,,,,{}", rejection.kind()),
            };
        }
        match path {
            Some(path) => write_file(path, &text),
            None => io::stdout().lock().write_all(text.as_bytes()).map_err(Failure::Write),
        }
    }

    /// Fails if some pairs could not be solved.
    pub(crate) fn finish(&self) -> Result<(), Failure> {
        let rejected = self.cells.iter().filter(|(_, outcome)| outcome.is_err()).count();
        match rejected {
            0 => Ok(()),
            _ => Err(Failure::Rejected { rejected, total: self.cells.len() }),
        }
    }
}
