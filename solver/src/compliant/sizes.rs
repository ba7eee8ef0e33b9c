//! Quantities neither so small nor so large that nothing can be computed with them.

use crate::error::{Error, Field, finite};

/// Sizes between which products and powers of a few quantities stay numbers.
const SIZES: [f64; 2] = [1e-40, 1e40];

/// Checks that a quantity above zero is neither so small nor so large that nothing can be
/// computed with it.
pub(super) fn sizeable(field: Field, value: f64) -> Result<f64, Error> {
    let [least, most] = SIZES;
    let in_range = (least..=most).contains(&value);
    in_range.then_some(value).ok_or(Error::AccuracyOutOfRange { field, value, least, most })
}

/// Checks that a quantity of either sign is finite and not so large.
pub(super) fn bounded(field: Field, value: f64) -> Result<f64, Error> {
    let (value, [_, most]) = (finite(field, value)?, SIZES);
    let in_range = value.abs() <= most;
    in_range.then_some(value).ok_or(Error::AccuracyOutOfRange { field, value, least: -most, most })
}
