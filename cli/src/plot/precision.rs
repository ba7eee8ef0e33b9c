//! Work against precision: the error of every method over the steps it makes.

use std::error::Error;

use plotters::prelude::*;

use super::{Area, FINE, LINE, TITLE, axes_as, colour, decades, drawn, grid, legend};
use super::{power_of_ten, round_number, sample};
use crate::output::Failure;

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
pub(crate) fn precision(panels: &[Panel]) -> Result<String, Failure> {
    drawn(grid(SIZE, COLUMNS, panels, Panel::draw))
}

impl Panel {
    fn draw(&self, area: &Area) -> Result<(), Box<dyn Error>> {
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        let mut chart = ChartBuilder::on(area)
            .caption(&self.title, TITLE)
            .margin(16 * FINE)
            .margin_right(28 * FINE)
            .x_label_area_size(44 * FINE)
            .y_label_area_size(68 * FINE)
            .build_cartesian_2d(
                decades(points().map(|p| p.0)).log_scale(),
                decades(points().map(|p| p.1).filter(|e| *e <= LARGEST)).log_scale(),
            )?;
        let numbers: [&dyn Fn(&f64) -> String; 2] = [&|x| round_number(*x), &|x| power_of_ten(*x)];
        axes_as(&mut chart, ["steps", "largest error (m/s)"], [11, 11], numbers)?;
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
