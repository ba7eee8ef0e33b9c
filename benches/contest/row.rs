//! What was measured.

use serde::{Deserialize, Serialize};

use super::Kind;

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
