//! Plots: drawn in memory, then written.

mod bars;
mod family;
mod forces;
mod hodograph;
mod portrait;
mod precision;
mod regions;

pub(crate) use bars::{bars, landing};
pub(crate) use family::family;
pub(crate) use forces::forces;
pub(crate) use hodograph::{Orbit, hodograph};
pub(crate) use portrait::portrait;
pub(crate) use precision::{Curve, Panel, precision};
pub(crate) use regions::regions;

pub(crate) use routh_plots::sample;
pub(crate) use routh_plots::{Area, COLOURS, Chart, FINE, FONT, LINE, TITLE};
pub(crate) use routh_plots::{
    axes, axes_as, colour, decades, grid, legend, power_of_ten, round_number,
};

use std::error::Error;

use plotters::chart::ChartBuilder;
use plotters::prelude::SVGBackend;

use crate::output::Failure;

/// Draws on a white area of a size in pixels: an SVG.
fn drawing(
    size: (u32, u32),
    draw: impl FnOnce(&Area) -> Result<(), Box<dyn Error>>,
) -> Result<String, Failure> {
    drawn(routh_plots::svg(size, draw))
}

fn drawn(text: Result<String, Box<dyn Error>>) -> Result<String, Failure> {
    text.map_err(|error| Failure::Drawing(error.to_string()))
}

/// The margin of a chart, and the room beside and below it for labels, in pixels.
const MARGIN: u32 = 16;
const LABELS: (u32, u32) = (70, 46);

/// A chart with margins and room for labels.
fn framed<'a, 'b>(area: &'a Area<'b>, labels: (u32, u32)) -> ChartBuilder<'a, 'a, SVGBackend<'b>> {
    let mut chart = ChartBuilder::on(area);
    chart.margin(FINE * MARGIN);
    chart.y_label_area_size(FINE * labels.0).x_label_area_size(FINE * labels.1);
    chart
}

/// The least and the largest value.
fn extent(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
}
