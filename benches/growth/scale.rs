//! Axes, even or logarithmic, with labels where they are wanted.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

/// The part of an axis that a legend takes.
const ROOM: f64 = 0.3;

/// How an axis is divided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Division {
    /// Logarithmic, labelled at powers of ten, or more often if there are few.
    Decades,
    /// The same with room for a legend above.
    Roomy,
    /// The same from large to small.
    Falling,
    /// Logarithmic, labelled at powers of two.
    Doublings,
    /// Evenly from zero, with a label at every multiple of a number.
    Even(f64),
}

/// An axis and what it shows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    pub(crate) name: &'static str,
    pub(crate) division: Division,
}

/// An axis with its limits.
#[derive(Clone)]
pub(crate) struct Scale {
    limits: [f64; 2],
    logarithmic: bool,
    labels: Vec<f64>,
}

impl Axis {
    /// Wide enough for all values.
    pub(crate) fn scale(&self, values: impl Iterator<Item = f64>) -> Scale {
        let (low, high) = values.fold((f64::INFINITY, 0.0_f64), |(l, h), x| (l.min(x), h.max(x)));
        let (low, high) =
            if low < high { (low, high) } else { (high.max(1e-300) / 2.0, 2.0 * high) };
        let room = if self.division == Division::Roomy { (high / low).powf(ROOM) } else { 1.0 };
        let widened = [low / 1.25, high * room * 1.25];
        let inside = |x: &f64| (widened[0]..=widened[1]).contains(x);
        match self.division {
            Division::Even(step) => {
                let many = (high * 1.08 / step).floor() as i32;
                let labels = (0..=many).map(|k| f64::from(k) * step).collect();
                Scale { limits: [0.0, high * 1.08], logarithmic: false, labels }
            }
            Division::Doublings => {
                let powers = widened[0].log2().floor() as i32..=widened[1].log2().ceil() as i32;
                let labels = powers.map(|k| f64::from(k).exp2()).filter(inside).collect();
                Scale { limits: widened, logarithmic: true, labels }
            }
            Division::Decades | Division::Roomy | Division::Falling => {
                let decades = (high / low).log10();
                let within: &[f64] = match decades {
                    ..1.2 => &[1.0, 2.0, 3.0, 5.0],
                    ..3.0 => &[1.0, 2.0, 5.0],
                    _ => &[1.0],
                };
                let sparse = if decades > 9.0 { 2 } else { 1 };
                let powers = widened[0].log10().floor() as i32..=widened[1].log10().ceil() as i32;
                let labels = powers
                    .filter(|power| power % sparse == 0)
                    .flat_map(|power| within.iter().map(move |m| m * 10f64.powi(power)))
                    .filter(inside)
                    .collect();
                let [low, high] = widened;
                let falls = self.division == Division::Falling;
                let limits = if falls { [high, low] } else { [low, high] };
                Scale { limits, logarithmic: true, labels }
            }
        }
    }
}

impl Scale {
    /// So many places from one end to the other of a curve, evenly seen.
    pub(crate) fn between(&self, [from, to]: [f64; 2], many: usize) -> Vec<f64> {
        let part = |i: usize| i as f64 / (many - 1) as f64;
        let place = |i| match self.logarithmic {
            true => from * (to / from).powf(part(i)),
            false => from + (to - from) * part(i),
        };
        (0..many).map(place).collect()
    }

    pub(crate) fn contains(&self, x: f64) -> bool {
        let [from, to] = self.limits;
        (from.min(to)..=from.max(to)).contains(&x)
    }

    pub(crate) fn labels(&self) -> usize {
        self.labels.len()
    }
}

/// A number as an axis shows it.
pub(crate) fn label(value: &f64) -> String {
    match value.abs() {
        x if x == 0.0 || (1e-3..1e5).contains(&x) => {
            let digits = (-x.log10().floor()).clamp(0.0, 9.0) as usize;
            if x == 0.0 { "0".to_owned() } else { format!("{value:.digits$}") }
        }
        _ => format!("{value:.0e}"),
    }
}

impl Ranged for Scale {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let place = |x: f64| if self.logarithmic { x.max(1e-300).ln() } else { x };
        let [from, to] = self.limits.map(place);
        let part = (place(*value) - from) / (to - from);
        limit.0 + (part * f64::from(limit.1 - limit.0)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.labels.clone()
    }

    fn range(&self) -> Range<f64> {
        self.limits[0]..self.limits[1]
    }
}

impl ValueFormatter<f64> for Scale {
    fn format(value: &f64) -> String {
        label(value)
    }
}
