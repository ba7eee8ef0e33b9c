//! Checks that quantities are within the range in which products do not overflow.

use crate::error::{Error, Field, finite};

/// The range in which products and powers of a few quantities neither overflow nor
/// underflow.
const SIZES: [f64; 2] = [1e-40, 1e40];

/// Checks that a positive quantity is within this range.
pub(super) fn sizeable(field: Field, value: f64) -> Result<f64, Error> {
    let [least, most] = SIZES;
    let in_range = (least..=most).contains(&value);
    in_range.then_some(value).ok_or(Error::AccuracyOutOfRange { field, value, least, most })
}

/// Checks that the absolute value of a quantity is finite and at most the upper end.
pub(super) fn bounded(field: Field, value: f64) -> Result<f64, Error> {
    let (value, [_, most]) = (finite(field, value)?, SIZES);
    let in_range = value.abs() <= most;
    in_range.then_some(value).ok_or(Error::AccuracyOutOfRange { field, value, least: -most, most })
}
