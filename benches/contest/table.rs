//! Tables of what was measured: the fastest run of each group that reaches an error, in
//! times of the series' own.

use std::fmt::Write;

use super::Kind;
use super::row::{Group, Row, fastest};

/// Errors that are compared at.
pub const ERRORS: [f64; 5] = [1e-3, 1e-6, 1e-9, 1e-12, 1e-14];

/// A table's columns after the series: their head, and whose fastest run they show.
const IMPACTS: [(&str, &[Group]); 7] = [
    ("flow", &[Group::Flow]),
    ("batch", &[Group::Batch]),
    ("heyoka", &[Group::Heyoka]),
    ("heyoka, batch", &[Group::HeyokaBatch]),
    ("best crate", &[Group::Crates]),
    ("in `p`, RK4", &[Group::Papers]),
    ("SciPy", &[Group::Scipy]),
];
const SLIPS: [(&str, &[Group]); 4] = [
    ("heyoka", &[Group::Heyoka]),
    ("best crate", &[Group::Crates]),
    ("in `p`, RK4", &[Group::Papers]),
    ("SciPy", &[Group::Scipy]),
];

/// A table of impacts or slips at some errors.
pub fn markdown(rows: &[Row], kind: Kind, cases: &[&str], errors: &[f64]) -> String {
    let columns = match kind {
        Kind::Impact => &IMPACTS[..],
        Kind::Slip => &SLIPS[..],
    };
    let mut text = String::new();
    let columns: Vec<_> = columns
        .iter()
        .filter(|(_, groups)| rows.iter().any(|row| groups.contains(&row.group)))
        .collect();
    let heads: String = columns.iter().map(|(head, _)| format!(" {head} |")).collect();
    let _ = writeln!(text, "| {} | error ≤ | series, ns |{heads}", kind.name());
    let _ = writeln!(text, "|---|---|---|{}", "---|".repeat(columns.len()));
    for case in cases {
        for (i, &error) in errors.iter().enumerate() {
            let name = if i == 0 { case } else { "" };
            let among = |groups: &[Group]| fastest(rows, kind, case, groups, error);
            let series = among(&[Group::Series]);
            let _ = write!(text, "| {name} | {error:e} | {} |", nanoseconds(series));
            for (_, groups) in &columns {
                let cell = cell(series, among(groups));
                let _ = write!(text, " {cell} |");
            }
            text.push('\n');
        }
    }
    text
}

fn nanoseconds(row: Option<&Row>) -> String {
    row.map_or("not reached".to_owned(), |row| format!("{:.0}", row.nanoseconds))
}

/// A time in times of the series', with what it is including the overhead of calls,
/// and the method where there are several.
fn cell(series: Option<&Row>, row: Option<&Row>) -> String {
    let (Some(series), Some(row)) = (series, row) else { return "–".to_owned() };
    let net = ratio(row.net() / series.net());
    let raw = if row.overhead > 0.0 {
        format!(" ({})", ratio(row.nanoseconds / series.net()))
    } else {
        String::new()
    };
    match row.group {
        Group::Crates | Group::Papers | Group::Scipy => format!("{net}{raw}, {}", row.method),
        _ => format!("{net}{raw}"),
    }
}

pub(super) fn ratio(x: f64) -> String {
    if x < 10.0 { format!("{x:.2}") } else { format!("{x:.0}") }
}
