//! Work against precision: the error of every method over the steps it makes.

use std::error::Error;
use std::ops::Range;

use plotters::prelude::*;

use super::{Area, Drawing, FINE, FONT, LINE, colour, legend, sample};
use crate::failure::Failure;

const SIZE: (u32, u32) = (620, 520);
const COLUMNS: usize = 3;
/// Errors from here on are not followed: there the methods do not yet converge.
const LARGEST: f64 = 1.0;

/// A method's errors.
pub(crate) struct Curve {
    pub(crate) name: &'static str,
    /// Steps and error, both positive, with ever more steps.
    pub(crate) points: Vec<(f64, f64)>,
    /// Those that the table shows.
    pub(crate) chosen: Vec<(f64, f64)>,
}

/// All methods on one motion.
pub(crate) struct Panel {
    pub(crate) title: String,
    pub(crate) curves: Vec<Curve>,
}

/// Draws panels beside and below each other.
pub(crate) fn precision(panels: &[Panel]) -> Result<Drawing, Failure> {
    let columns = panels.len().clamp(1, COLUMNS);
    let rows = panels.len().div_ceil(columns);
    let size = (SIZE.0 * columns as u32, SIZE.1 * rows as u32);
    Drawing::new(size, |area| {
        let parts = area.split_evenly((rows, columns));
        parts.iter().zip(panels).try_for_each(|(part, panel)| panel.draw(part))
    })
}

impl Panel {
    fn draw(&self, area: &Area) -> Result<(), Box<dyn Error>> {
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        let mut chart = ChartBuilder::on(area)
            .caption(&self.title, ("sans-serif", 17 * FINE))
            .margin(16 * FINE)
            .margin_right(28 * FINE)
            .x_label_area_size(44 * FINE)
            .y_label_area_size(68 * FINE)
            .build_cartesian_2d(
                decades(points().map(|p| p.0)).log_scale(),
                decades(points().map(|p| p.1).filter(|e| *e <= LARGEST)).log_scale(),
            )?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(BLACK.mix(0.1).stroke_width(FINE))
            .axis_style(BLACK.mix(0.4).stroke_width(FINE))
            .x_label_formatter(&|steps| round_number(*steps))
            .y_label_formatter(&|error| format!("{error:.0e}"))
            .x_desc("steps")
            .y_desc("largest error (m/s)")
            .set_all_tick_mark_size(5 * FINE)
            .label_style(FONT)
            .draw()?;
        for (i, curve) in self.curves.iter().enumerate() {
            let colour = colour(i);
            let points = curve.points.iter().copied().filter(|p| p.1 <= LARGEST);
            chart
                .draw_series(LineSeries::new(points, colour.stroke_width(LINE)))?
                .label(curve.name)
                .legend(move |at| sample(at, colour.stroke_width(LINE)));
            let chosen = curve.chosen.iter().filter(|p| p.1 <= LARGEST);
            chart.draw_series(chosen.map(|&at| Circle::new(at, 4 * FINE, colour.filled())))?;
        }
        legend(&mut chart, SeriesLabelPosition::UpperRight)
    }
}

/// A power of ten as it is read best.
fn round_number(steps: f64) -> String {
    if steps < 1e5 { steps.to_string() } else { format!("{steps:e}") }
}

/// The whole decades that hold all values.
fn decades(values: impl Iterator<Item = f64>) -> Range<f64> {
    let (low, high) = values
        .map(f64::log10)
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    let (low, high) = if low <= high { (low.floor(), high.ceil()) } else { (0.0, 1.0) };
    10f64.powf(low)..10f64.powf(high.max(low + 1.0))
}
