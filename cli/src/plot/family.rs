//! Velocities after impact of compliant contacts over the ratio of their
//! stiffnesses, and the rigid answer as dashed lines.

use plotters::prelude::*;

use super::bars::letter;
use super::{FINE, LABELS, LINE, MARGIN};
use super::{axes, colour, drawing, framed, legend, sample};
use crate::commands::contacts::Family;
use crate::output::Failure;

const SIZE: (u32, u32) = (860, 480);

/// Draws a curve and a dashed line for each contact.
pub(crate) fn family(family: &Family) -> Result<String, Failure> {
    let shown = || family.compliant.iter().flat_map(|(_, v)| v).chain(&family.rigid);
    let low = shown().fold(0.0, |low: f64, v| low.min(*v));
    let high = shown().fold(0.0, |high: f64, v| high.max(*v));
    let room = 0.06 * (high - low).max(f64::MIN_POSITIVE);
    let from = family.compliant.first().map_or(0.1, |(ratio, _)| *ratio);
    let to = family.compliant.last().map_or(10.0, |(ratio, _)| *ratio);
    drawing(SIZE, |area| {
        let mut chart = framed(area, LABELS)
            .margin_right(2 * FINE * MARGIN)
            .build_cartesian_2d((from..to).log_scale(), low - room..high + room)?;
        axes(
            &mut chart,
            [
                "stiffness / stiffness where the approach is fastest",
                "normal velocity after impact (m/s)",
            ],
            [9, 7],
        )?;
        for (j, &rigid) in family.rigid.iter().enumerate() {
            let colour = colour(j);
            let curve = family.compliant.iter().map(|(ratio, v)| (*ratio, v[j]));
            chart
                .draw_series(LineSeries::new(curve, colour.stroke_width(LINE)))?
                .label(letter(j as f64))
                .legend(move |at| sample(at, colour.stroke_width(LINE)));
            let line = [(from, rigid), (to, rigid)].into_iter();
            let style = colour.mix(0.8).stroke_width(LINE);
            let dash = 8 * FINE;
            chart.draw_series(DashedLineSeries::new(line, dash, dash, style))?;
        }
        legend(&mut chart, SeriesLabelPosition::MiddleLeft)
    })
}
