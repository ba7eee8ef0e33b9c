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

/// The tables of impacts and of slips.
pub fn markdown(rows: &[Row], cases: &[&str]) -> String {
    let mut text = String::new();
    for (kind, columns) in [(Kind::Impact, &IMPACTS[..]), (Kind::Slip, &SLIPS[..])] {
        let columns: Vec<_> = columns
            .iter()
            .filter(|(_, groups)| rows.iter().any(|row| groups.contains(&row.group)))
            .collect();
        let heads: String = columns.iter().map(|(head, _)| format!(" {head} |")).collect();
        let _ = writeln!(text, "| {} | error ≤ | series, ns |{heads}", kind.name());
        let _ = writeln!(text, "|---|---|---|{}", "---|".repeat(columns.len()));
        for case in cases {
            for (i, &error) in ERRORS.iter().enumerate() {
                let name = if i == 0 { case } else { "" };
                let among = |groups: &[Group]| {
                    let matching = rows.iter().filter(|row| {
                        row.case == *case && row.kind == kind && groups.contains(&row.group)
                    });
                    fastest(matching, error)
                };
                let series = among(&[Group::Series]);
                let _ = write!(text, "| {name} | {error:e} | {} |", nanoseconds(series));
                for (_, groups) in &columns {
                    let cell = cell(series, among(groups));
                    let _ = write!(text, " {cell} |");
                }
                text.push('\n');
            }
        }
        text.push('\n');
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

fn ratio(x: f64) -> String {
    if x < 10.0 { format!("{x:.2}") } else { format!("{x:.0}") }
}

/// Whether the project keeps what it aims at: a line for each aim, with its worst case.
pub fn aims(rows: &[Row], cases: &[&str]) -> String {
    let peers = [Group::Heyoka, Group::HeyokaBatch, Group::Scipy, Group::Crates, Group::Papers];
    let aims: [(&str, Kind, Group, &[Group], f64, &[f64]); 6] = [
        ("heyoka / series, impacts", Kind::Impact, Group::Series, &[Group::Heyoka], 2.0, &ERRORS),
        ("heyoka / series, slips", Kind::Slip, Group::Series, &[Group::Heyoka], 2.0, &ERRORS),
        ("heyoka batch / batch", Kind::Impact, Group::Batch, &[Group::HeyokaBatch], 2.0, &ERRORS),
        ("heyoka / flow at 1e-12", Kind::Impact, Group::Flow, &[Group::Heyoka], 20.0, &[1e-12]),
        ("every peer / series, slips", Kind::Slip, Group::Series, &peers, 1.0, &ERRORS),
        ("every peer / series, impacts", Kind::Impact, Group::Series, &peers, 1.0, &ERRORS),
    ];
    let mut text =
        "| aim | at least | least measured | where | median |\n|---|---|---|---|---|\n".to_owned();
    for (name, kind, own, others, least, errors) in aims {
        let mut ratios = Vec::new();
        for case in cases {
            for &error in errors {
                let among = |groups: &[Group]| {
                    let matching = rows.iter().filter(|row| {
                        row.case == *case && row.kind == kind && groups.contains(&row.group)
                    });
                    fastest(matching, error)
                };
                if let (Some(own), Some(other)) = (among(&[own]), among(others)) {
                    ratios.push((
                        other.net() / own.net(),
                        format!("{case}, {error:e}: {}", other.method),
                    ));
                }
            }
        }
        ratios.sort_by(|x, y| x.0.total_cmp(&y.0));
        let (Some(first), Some(middle)) = (ratios.first(), ratios.get(ratios.len() / 2)) else {
            continue;
        };
        let _ = writeln!(
            text,
            "| {name} | {least} | {} | {} | {} |",
            ratio(first.0),
            first.1,
            ratio(middle.0)
        );
    }
    text
}
