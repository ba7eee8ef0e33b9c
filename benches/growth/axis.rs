//! Logarithmic axes of figures.

use std::ops::Range;

use plotters::prelude::{IntoLogRange, LogCoord};
use routh_plots::decades;

/// The part of an axis that a legend takes.
const ROOM: f64 = 0.3;

/// How an axis is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Division {
    /// In powers of ten.
    Decades,
    /// The same with room for a legend above.
    Roomy,
    /// The same from large to small.
    Falling,
    /// In powers of two.
    Doublings,
}

/// An axis and what it shows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    pub(crate) name: &'static str,
    pub(crate) division: Division,
}

impl Axis {
    /// From where to where it must go for all values.
    pub(crate) fn range(&self, values: impl Iterator<Item = f64>) -> Range<f64> {
        let (low, high) = values.fold((f64::INFINITY, 0.0_f64), |(l, h), x| (l.min(x), h.max(x)));
        let Range { start, end } = decades([low, high].into_iter());
        match self.division {
            Division::Decades => start..end,
            Division::Roomy => start..end * (end / start).powf(ROOM),
            Division::Falling => end..start,
            Division::Doublings => low / 1.25..high * 1.25,
        }
    }

    /// The same as a chart takes it.
    pub(crate) fn scale(&self, range: &Range<f64>) -> LogCoord<f64> {
        let base = if self.division == Division::Doublings { 2.0 } else { 10.0 };
        range.clone().log_scale().base(base).into()
    }
}

/// A number as an axis shows it.
pub(crate) fn label(value: &f64) -> String {
    if !(1e-3..1e5).contains(value) {
        return format!("{value:.0e}");
    }
    let digits = (-value.log10().floor()).clamp(0.0, 9.0) as usize;
    format!("{value:.digits$}")
}
