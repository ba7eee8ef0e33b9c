//! A comparison as a person reads it.

use std::io::{self, Write};

use routh_integrators::Method;

use super::{Comparison, Row};

const HEAD: &str =
    "  method            order  tolerance     steps  evaluations     error     time, µs  relative";

/// Writes a table for every target error, with times relative to the series.
pub(super) fn write(out: &mut dyn Write, comparison: &Comparison) -> io::Result<()> {
    writeln!(out, "{}", comparison.title)?;
    for group in comparison.rows.chunks(Method::ALL.len()) {
        let series = group.first().filter(|row| row.reached).and_then(|row| row.nanoseconds);
        writeln!(out, "\nerror at most {:e}\n{HEAD}", group[0].target)?;
        for row in group {
            writeln!(out, "{}", line(row, series))?;
        }
    }
    writeln!(out)
}

fn line(row: &Row, series: Option<f64>) -> String {
    let relative = match (row.nanoseconds, series) {
        _ if !row.reached => "not reached".to_owned(),
        (Some(time), Some(series)) => format!("{:.2}", time / series),
        _ => "-".to_owned(),
    };
    format!(
        "  {:<16}  {:>5}  {:>9}  {:>8}  {:>11}  {:>8}  {:>11}  {:>8}",
        row.method,
        cell(row.order, |order| order.to_string()),
        cell(row.tolerance, |tolerance| format!("{tolerance:.1e}")),
        cell(row.steps, |steps| steps.to_string()),
        cell(row.evaluations, |evaluations| evaluations.to_string()),
        cell(row.error, |error| format!("{error:.1e}")),
        cell(row.nanoseconds, |time| format!("{:.2}", 1e-3 * time)),
        relative,
    )
}

fn cell<T>(value: Option<T>, text: impl FnOnce(T) -> String) -> String {
    value.map_or_else(|| "-".to_owned(), text)
}
