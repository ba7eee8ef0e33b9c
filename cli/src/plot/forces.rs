//! Normal forces over time, as in the chain paper's Figs. 2, 3, 5 and 6.

use plotters::prelude::*;

use super::{LABELS, LINE, axes, colour, drawing, framed, legend, sample};
use crate::commands::chain::Forces;
use crate::output::Failure;

const SIZE: (u32, u32) = (860, 480);

/// The part of the largest force after which nothing is seen.
const VISIBLE: f64 = 1e-3;

/// The most curves that get a name.
const NAMED: usize = 14;

/// Draws a curve for each force.
pub(crate) fn forces(forces: &Forces) -> Result<String, Failure> {
    let curves = forces.curves();
    let points = || curves.iter().flat_map(|(_, points)| points);
    let most = points().fold(0.0, |most: f64, p| most.max(p.1));
    let seen = points().filter(|p| p.1 > VISIBLE * most);
    let last = seen.fold(0.0, |last: f64, p| last.max(p.0));
    drawing(SIZE, |area| {
        let mut chart =
            framed(area, LABELS).build_cartesian_2d(0.0..1.01 * last, 0.0..1.06 * most)?;
        axes(&mut chart, ["time (ms)", "normal force (kN)"], [9, 7])?;
        for (i, (name, points)) in curves.iter().enumerate() {
            let colour = colour(i);
            let shown = points.iter().copied().filter(|p| p.0 <= 1.01 * last);
            let line = LineSeries::new(shown, colour.stroke_width(LINE));
            let line = chart.draw_series(line)?;
            if curves.len() <= NAMED {
                line.label(name).legend(move |at| sample(at, colour.stroke_width(LINE)));
            }
        }
        legend(&mut chart, SeriesLabelPosition::UpperRight)
    })
}
