//! One step of a slip: its power series, and what is found on them.

use crate::roots::{self, Crossing, LENGTH, Polynomial};
use crate::straight::Moment;
use crate::stretch::Stretch;

/// Quantities that a step is a series of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(crate) enum Quantity {
    Impulse = 2,
    Normal = 5,
    NormalWork = 6,
}

/// A step's series, and how far they are good for.
pub(crate) trait Series {
    /// The Taylor coefficients of an unknown.
    fn polynomial(&self, unknown: usize) -> impl Polynomial;

    /// The length of the step in its variable.
    fn width(&self) -> f64;

    /// An unknown at the end of the step.
    fn end(&self, unknown: usize) -> f64;

    /// All quantities of an impact inside the step.
    fn moment(&self, t: f64) -> Moment;

    /// The first place in a range at which a quantity crosses a level;
    /// `at_level` says that it starts there.
    fn crossing(
        &self,
        quantity: Quantity,
        level: f64,
        range: (f64, f64),
        way: Crossing,
        at_level: bool,
    ) -> Option<f64> {
        let polynomial = self.polynomial(quantity as usize);
        roots::first_crossing(polynomial, level, range.0, range.1, way, at_level)
    }

    /// Where from a place to the end a quantity that only rises reaches a level.
    fn reach(&self, quantity: Quantity, level: f64, from: f64) -> Option<f64> {
        if self.end(quantity as usize) < level {
            return None;
        }
        let polynomial = self.polynomial(quantity as usize);
        let more = level - roots::value(polynomial.clone(), from);
        roots::rise(polynomial, more, from, self.width())
    }

    /// Where in a range a quantity that only rises there has risen by so much.
    fn rise(&self, quantity: Quantity, more: f64, range: (f64, f64)) -> Option<f64> {
        roots::rise(self.polynomial(quantity as usize), more, range.0, range.1)
    }

    /// How far the normal velocity can stray from its start.
    fn span(&self) -> f64 {
        roots::span(self.polynomial(Quantity::Normal as usize), self.width())
    }
}

/// Taylor coefficients of `Q` unknowns, a row for each order.
#[derive(Clone, Debug)]
pub(crate) struct Step<const Q: usize> {
    pub(crate) rows: [[f64; Q]; LENGTH],
    pub(crate) order: usize,
    pub(crate) width: f64,
    pub(crate) end: [f64; Q],
    pub(crate) stretch: Option<Stretch>,
}

impl<const Q: usize> Step<Q> {
    pub(crate) fn new(order: usize) -> Self {
        Self { rows: [[0.0; Q]; LENGTH], order, width: 0.0, end: [0.0; Q], stretch: None }
    }

    /// A place inside the step as a time in `τ` since its start.
    pub(crate) fn time(&self, t: f64) -> f64 {
        self.stretch.map_or(t, |stretch| stretch.time(t))
    }

    /// `dp/dτ` inside the step, by its series.
    pub(crate) fn impulse_rate(&self, t: f64) -> f64 {
        let rows = self.expansion().iter().enumerate().skip(1).rev();
        let rate =
            rows.fold(0.0, |sum, (k, row)| sum * t + k as f64 * row[Quantity::Impulse as usize]);
        rate / self.stretch.map_or(1.0, |stretch| stretch.rate(t))
    }

    /// The coefficients in use.
    pub(crate) fn expansion(&self) -> &[[f64; Q]] {
        &self.rows[..=self.order]
    }
}

impl<const Q: usize> Series for Step<Q> {
    fn polynomial(&self, unknown: usize) -> impl Polynomial {
        self.expansion().iter().map(move |row| row.get(unknown).copied().unwrap_or(0.0))
    }

    fn width(&self) -> f64 {
        self.width
    }

    fn end(&self, unknown: usize) -> f64 {
        self.end[unknown]
    }

    fn moment(&self, t: f64) -> Moment {
        moment(&roots::values(self.expansion().iter().copied(), t))
    }
}

/// The unknowns by their names.
pub(crate) fn moment<const Q: usize>(state: &[f64; Q]) -> Moment {
    let at = |i: usize| state.get(i).copied().unwrap_or(0.0);
    Moment {
        tangential: [at(0), at(1)],
        impulse: at(2),
        tangential_impulse: [at(3), at(4)],
        normal: at(5),
        normal_work: at(6),
        friction_work: at(7),
    }
}
