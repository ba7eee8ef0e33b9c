//! The series against other integrators, measured while the page is made.

use maud::{Markup, html};
use routh_integrators::Method;

use super::examples::{STARTS, read_lines};
use super::page::{Section, figure};
use super::printed::minus;
use crate::commands::compare::{Comparison, compare};
use crate::input::Sliding;
use crate::output::Failure;
use crate::plot::{Panel, precision};

const ERRORS: [f64; 3] = [2e-6, 1e-9, 1e-12];

pub(super) fn section() -> Result<Section, Failure> {
    let compared =
        read_lines(STARTS, |document| compare(Sliding::read_untuned(document)?, &ERRORS))?;
    let (comparisons, curves): (Vec<_>, Vec<_>) = compared.into_iter().unzip();
    let panels = comparisons.iter().zip(curves);
    let drawings = panels
        .map(|(compared, curves)| precision(&[Panel { title: compared.title.clone(), curves }]))
        .collect::<Result<Vec<_>, _>>()?;
    let body = html! {
        p {
            "Every method follows the same motion with the fewest steps, or the loosest tolerance, "
            "that brings it as near to a reference of forty digits. Steps, and time as a multiple "
            "of the series'; "
            q { "series in p" } " are the paper's series, in the impulse."
        }
        (steps(&comparisons))
        p { "Error against steps: the series reach any error in a handful of steps, the others need "
            "tens to millions." }
        div.row {
            @for (drawing, compared) in drawings.iter().zip(&comparisons) {
                (figure(drawing, &minus(&compared.title)))
            }
        }
    };
    Ok(Section { id: "precision", title: "Other integrators", body })
}

fn steps(comparisons: &[Comparison]) -> Markup {
    html! {
        div.wide {
            table {
                thead { tr {
                    th { "motion" } th { "error" } @for method in Method::ALL { th { (method.title()) } }
                } }
                tbody {
                    @for comparison in comparisons {
                        @for (i, target) in ERRORS.iter().enumerate() {
                            tr {
                                th { @if i == 0 { (minus(from(&comparison.title))) } }
                                th { (minus(&format!("{target:e}"))) }
                                @for method in Method::ALL { td { (cell(comparison, method, *target)) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Where a motion starts, out of its title.
fn from(title: &str) -> &str {
    title.split(" to ").next().unwrap_or(title)
}

fn cell(comparison: &Comparison, method: Method, target: f64) -> String {
    let find = |method: Method| {
        let mut rows = comparison.rows.iter();
        rows.find(|row| row.method == method.name() && row.target == target && row.reached)
    };
    match (find(method), find(Method::Series).and_then(|row| row.nanoseconds)) {
        (Some(row), Some(series)) => {
            let times = row.nanoseconds.map_or(f64::NAN, |time| time / series);
            format!("{}, {times:.1}", row.steps.unwrap_or_default())
        }
        _ => "not reached".to_owned(),
    }
}
