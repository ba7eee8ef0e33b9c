//! What was measured.

use std::hint::black_box;

use serde::{Deserialize, Serialize};

use super::{Case, Kind, Method};
use crate::timed::Timed;

/// Rounds that long runs take part in.
const OF_LONG: usize = 3;

/// Who wrote a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    /// This project's series, one by one.
    Series,
    /// Its tables.
    Flow,
    /// Its series in lanes.
    Batch,
    /// What the papers compare, in Rust: the series in the impulse and Runge-Kutta.
    Papers,
    /// Other crates.
    Crates,
    /// heyoka, one by one.
    Heyoka,
    /// heyoka's batch mode.
    HeyokaBatch,
    /// SciPy.
    Scipy,
}

/// One method with one setting on one case.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// The case's name.
    pub case: String,
    /// What is followed.
    pub kind: Kind,
    /// Who wrote the method.
    pub group: Group,
    /// Its name.
    pub method: String,
    /// The tolerance that it is given, or its number of steps; zero if it has none.
    pub tolerance: f64,
    /// Its error against the reference; none if it fails or misses an event.
    pub error: Option<f64>,
    /// Steps, rejected ones included.
    pub steps: usize,
    /// The shortest time of one impact or slip.
    pub nanoseconds: f64,
    /// That of the same calls with nothing to integrate.
    pub overhead: f64,
}

impl Row {
    /// The time without what calling it costs.
    pub fn net(&self) -> f64 {
        (self.nanoseconds - self.overhead).max(1.0)
    }
}

/// Every method that gets through every case, at some tolerances: with what is to be
/// timed.
pub fn entries<'a>(cases: &'a [Case], tolerances: &[f64]) -> Vec<(Row, Timed<'a>)> {
    let mut entries = Vec::new();
    for case in cases {
        for kind in Kind::ALL {
            for method in Method::all() {
                for setting in method.settings(kind, tolerances) {
                    let Ok(found) = method.follow(kind, case, setting) else { continue };
                    let error = found.error(case);
                    if !error.is_finite() {
                        continue;
                    }
                    let row = Row {
                        case: case.name.to_owned(),
                        kind,
                        group: method.group(),
                        method: method.name(),
                        tolerance: setting,
                        error: Some(error),
                        steps: found.steps(),
                        nanoseconds: f64::INFINITY,
                        overhead: 0.0,
                    };
                    let run = move || method.follow(kind, black_box(case), setting);
                    entries.push((row, Timed::new(run).per(method.many(case))));
                }
            }
        }
    }
    entries
}

/// The rows of entries as they were timed.
pub fn rows(entries: Vec<(Row, Timed)>) -> Vec<Row> {
    let timed = |(row, timed): (Row, Timed)| Row { nanoseconds: timed.least, ..row };
    entries.into_iter().map(timed).collect()
}

/// Times every entry once more; long runs in the first few rounds alone.
pub fn sample(entries: &mut [(Row, Timed)], round: usize) {
    for (_, timed) in entries {
        if round < OF_LONG || !timed.is_long() {
            timed.sample();
        }
    }
}

/// The fastest row of some groups that comes as near to a case's reference as is asked.
pub fn fastest<'a>(
    rows: &'a [Row],
    kind: Kind,
    case: &str,
    groups: &[Group],
    error: f64,
) -> Option<&'a Row> {
    rows.iter()
        .filter(|row| row.kind == kind && row.case == case && groups.contains(&row.group))
        .filter(|row| row.error.is_some_and(|found| found <= error))
        .min_by(|x, y| x.net().total_cmp(&y.net()))
}
