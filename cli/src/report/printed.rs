//! Tables of papers: what they print beside what is computed.

use maud::{Markup, html};

/// How far what is printed may be from what is computed.
#[derive(Clone, Copy)]
pub(super) enum Within {
    /// Rounded or cut off in its last digit.
    Digit,
    /// A part of what is computed.
    Part(f64),
}

/// A number of a paper, in units of a power of ten.
pub(super) struct Printed {
    text: &'static str,
    found: f64,
    agrees: bool,
}

impl Printed {
    pub(super) fn new(text: &'static str, found: f64, within: Within) -> Self {
        let printed: f64 = text.parse().unwrap_or(f64::NAN);
        let agrees = match within {
            Within::Digit => {
                let beyond = (found - printed) * 1_f64.copysign(printed) / last_digit(text);
                (-0.500_000_1..1.0).contains(&beyond)
            }
            Within::Part(part) => (found - printed).abs() <= part * found.abs(),
        };
        Self { text, found, agrees }
    }

    /// What is computed, and what is printed where that differs.
    fn cell(&self) -> Markup {
        let decimals = self.text.split_once('.').map_or(0, |(_, digits)| digits.len());
        html! {
            @if self.agrees {
                td { (minus(&format!("{:.decimals$}", self.found))) }
            } @else {
                td.misprint {
                    (minus(&significant(self.found))) " "
                    span.printed title="as printed" { (minus(self.text)) }
                }
            }
        }
    }
}

/// A number to five digits.
fn significant(x: f64) -> String {
    let decimals = (4.0 - x.abs().log10().floor()).clamp(0.0, 12.0) as usize;
    format!("{x:.decimals$}")
}

fn last_digit(text: &str) -> f64 {
    let digits = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    10_f64.powi(-(digits as i32))
}

pub(super) fn minus(text: &str) -> String {
    text.replace('-', "−")
}

/// A table: the heads of its columns, and rows that begin with a name.
pub(super) fn table(heads: &[impl AsRef<str>], rows: &[(String, Vec<Printed>)]) -> Markup {
    html! {
        div.wide {
            table {
                thead { tr { @for head in heads { th { (head.as_ref()) } } } }
                tbody {
                    @for (name, cells) in rows {
                        tr { th { (name) } @for cell in cells { (cell.cell()) } }
                    }
                }
            }
        }
        p.note {
            (rows.iter().flat_map(|row| &row.1).filter(|cell| cell.agrees).count())
            " numbers agree with the printed ones; others are shown "
            span.printed { "struck out" } " next to the computed value."
        }
    }
}
