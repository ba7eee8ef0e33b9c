//! Plots: drawn in memory, then written.

mod bars;
mod family;
mod forces;
mod hodograph;
mod portrait;
mod precision;
mod regions;

pub(crate) use bars::bars;
pub(crate) use family::family;
pub(crate) use forces::forces;
pub(crate) use hodograph::{Orbit, hodograph};
pub(crate) use portrait::portrait;
pub(crate) use precision::{Curve, Panel, precision};
pub(crate) use regions::regions;

use std::error::Error;
use std::path::Path;

use plotters::coord::Shift;
use plotters::coord::ranged1d::{Ranged, ValueFormatter};
use plotters::prelude::*;

use crate::failure::Failure;
use crate::output::write_file;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a, 'b, X, Y> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<X, Y>>;

/// Colours that most people can tell apart, after Okabe and Ito.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0x8c, 0x5a, 0x2b),
    RGBColor(0x56, 0xb4, 0xe9),
    RGBColor(0x55, 0x55, 0x55),
];

/// The backend rounds to whole pixels: each is drawn as so many.
const FINE: u32 = 4;
const FONT: (&str, u32) = ("sans-serif", 15 * FINE);
const LINE: u32 = 2 * FINE;

fn colour(index: usize) -> RGBColor {
    COLOURS[index % COLOURS.len()]
}

/// A drawing as SVG.
pub(crate) struct Drawing {
    svg: String,
}

impl Drawing {
    /// Draws on a white area of a size in pixels.
    fn new(
        size: (u32, u32),
        draw: impl FnOnce(&Area) -> Result<(), Box<dyn Error>>,
    ) -> Result<Self, Failure> {
        let svg = svg(size, draw).map_err(|error| Failure::Drawing(error.to_string()))?;
        Ok(Self { svg })
    }

    pub(crate) fn svg(&self) -> &str {
        &self.svg
    }

    pub(crate) fn write(&self, path: &Path) -> Result<(), Failure> {
        write_file(path, &self.svg)
    }
}

fn svg(
    size: (u32, u32),
    draw: impl FnOnce(&Area) -> Result<(), Box<dyn Error>>,
) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    let fine = (FINE * size.0, FINE * size.1);
    {
        let area = SVGBackend::with_string(&mut text, fine).into_drawing_area();
        area.fill(&WHITE)?;
        draw(&area)?;
        area.present()?;
    }
    let stated = |(width, height)| format!("width=\"{width}\" height=\"{height}\"");
    Ok(text.replacen(&stated(fine), &stated(size), 1))
}

/// A piece of a line in a legend.
fn sample((x, y): (i32, i32), style: ShapeStyle) -> PathElement<(i32, i32)> {
    PathElement::new([(x, y), (x + 22 * FINE as i32, y)], style)
}

/// The lines and labels of a chart's axes, with so many labels on each.
fn axes<'a, 'b: 'a, X, Y>(
    chart: &mut Chart<'a, 'b, X, Y>,
    [x, y]: [&str; 2],
    [across, up]: [usize; 2],
) -> Result<(), Box<dyn Error>>
where
    X: Ranged<ValueType = f64> + ValueFormatter<f64>,
    Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.1).stroke_width(FINE))
        .axis_style(BLACK.mix(0.4).stroke_width(FINE))
        .x_labels(across)
        .y_labels(up)
        .x_desc(x)
        .y_desc(y)
        .set_all_tick_mark_size(5 * FINE)
        .label_style(FONT)
        .draw()?;
    Ok(())
}

/// The names of a chart's curves in one of its corners.
fn legend<'a, 'b: 'a, X: Ranged<ValueType = f64>, Y: Ranged<ValueType = f64>>(
    chart: &mut Chart<'a, 'b, X, Y>,
    corner: SeriesLabelPosition,
) -> Result<(), Box<dyn Error>> {
    chart
        .configure_series_labels()
        .position(corner)
        .margin(8 * FINE)
        .legend_area_size(30 * FINE)
        .background_style(WHITE.mix(0.85))
        .border_style(BLACK.mix(0.3))
        .label_font(FONT)
        .draw()?;
    Ok(())
}
