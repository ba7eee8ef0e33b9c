//! Logarithmic axes.

use std::ops::Range;

/// The whole decades that hold all values.
pub fn decades(values: impl Iterator<Item = f64>) -> Range<f64> {
    let (low, high) = values
        .map(f64::log10)
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    let (low, high) = if low <= high { (low.floor(), high.ceil()) } else { (0.0, 1.0) };
    10f64.powf(low)..10f64.powf(high.max(low + 1.0))
}

/// A power of ten as it is read best where numbers are large.
pub fn round_number(value: f64) -> String {
    if value < 1e5 { value.to_string() } else { format!("{value:e}") }
}

/// A power of ten where numbers are small.
pub fn power_of_ten(value: f64) -> String {
    format!("{value:.0e}")
}
