//! What the project aims at, and where it falls short of it.

use std::fmt::Write;

use super::Kind;
use super::row::{Group, Row, fastest};
use super::table::{ERRORS, ratio};

/// Whose fastest run is to be how many times as long as whose.
struct Aim {
    name: &'static str,
    kind: Kind,
    own: &'static [Group],
    others: &'static [Group],
    least: f64,
    errors: &'static [f64],
}

const SERIES: &[Group] = &[Group::Series];
const KERNELS: &[Group] = &[Group::Series, Group::Flow, Group::Batch];
const HEYOKA: &[Group] = &[Group::Heyoka];
const LANES: [&[Group]; 2] = [&[Group::Batch], &[Group::HeyokaBatch]];
const PEERS: &[Group] =
    &[Group::Heyoka, Group::HeyokaBatch, Group::Scipy, Group::Crates, Group::Papers];

const AIMS: [Aim; 6] = [
    Aim::new("heyoka / series, impacts", Kind::Impact, [SERIES, HEYOKA], 2.0),
    Aim::new("heyoka / series, slips", Kind::Slip, [SERIES, HEYOKA], 2.0),
    Aim::new("heyoka in batches / series in batches", Kind::Impact, LANES, 2.0),
    Aim {
        errors: &[1e-12],
        ..Aim::new("heyoka / flow at 1e-12", Kind::Impact, [&[Group::Flow], HEYOKA], 20.0)
    },
    Aim::new(
        "every other method / the fastest kernel, impacts",
        Kind::Impact,
        [KERNELS, PEERS],
        1.0,
    ),
    Aim::new("every other method / series, slips", Kind::Slip, [SERIES, PEERS], 1.0),
];

impl Aim {
    /// An aim at all errors.
    const fn new(
        name: &'static str,
        kind: Kind,
        [own, others]: [&'static [Group]; 2],
        least: f64,
    ) -> Self {
        Self { name, kind, own, others, least, errors: &ERRORS }
    }

    /// Ratios with where they were found, rising.
    fn ratios(&self, rows: &[Row], cases: &[&str]) -> Vec<(f64, String)> {
        let mut ratios = Vec::new();
        for case in cases {
            for &error in self.errors {
                let among = |groups| fastest(rows, self.kind, case, groups, error);
                if let (Some(own), Some(other)) = (among(self.own), among(self.others)) {
                    let place = format!("{case}, {error:e}: {}", other.method);
                    ratios.push((other.net() / own.net(), place));
                }
            }
        }
        ratios.sort_by(|x, y| x.0.total_cmp(&y.0));
        ratios
    }
}

/// A line for each aim: what is measured least and where, in the median, and in how many
/// comparisons the aim is kept.
pub fn markdown(rows: &[Row], cases: &[&str]) -> String {
    let mut text = "| aim | at least | kept | least | where | median |\n".to_owned();
    text.push_str("|---|---|---|---|---|---|\n");
    for aim in &AIMS {
        let ratios = aim.ratios(rows, cases);
        let (Some(first), Some(middle)) = (ratios.first(), ratios.get(ratios.len() / 2)) else {
            continue;
        };
        let kept = ratios.iter().filter(|(ratio, _)| *ratio >= aim.least).count();
        let _ = writeln!(
            text,
            "| {} | {} | {kept} of {} | {} | {} | {} |",
            aim.name,
            aim.least,
            ratios.len(),
            ratio(first.0),
            first.1,
            ratio(middle.0)
        );
    }
    text
}
