//! What all of Routh's plots look like: colours, sizes, axes and legends.
#![forbid(unsafe_code)]

mod decades;

pub use decades::{decades, power_of_ten, round_number};

use std::error::Error;

use plotters::coord::Shift;
use plotters::coord::ranged1d::{Ranged, ValueFormatter};
use plotters::prelude::*;

/// Where a plot or a part of it is drawn.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// A chart with two axes.
pub type Chart<'a, 'b, X, Y> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<X, Y>>;

/// Colours that most people can tell apart, after Okabe and Ito.
pub const COLOURS: [RGBColor; 7] = [
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0x8c, 0x5a, 0x2b),
    RGBColor(0x56, 0xb4, 0xe9),
    RGBColor(0x55, 0x55, 0x55),
];

/// The backend rounds to whole pixels: each is drawn as so many.
pub const FINE: u32 = 4;
/// What everything is written in.
pub const FONT: (&str, u32) = ("sans-serif", 15 * FINE);
/// What titles of panels are written in.
pub const TITLE: (&str, u32) = ("sans-serif", 17 * FINE);
/// How thick a curve is.
pub const LINE: u32 = 2 * FINE;

/// The colour of a curve.
pub fn colour(index: usize) -> RGBColor {
    COLOURS[index % COLOURS.len()]
}

/// Draws on a white area of a size in pixels.
///
/// # Errors
/// As what is drawn.
pub fn svg(
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

/// Draws panels of a size in pixels beside each other, in at most so many columns.
///
/// # Errors
/// As what is drawn.
pub fn grid<P>(
    size: (u32, u32),
    columns: usize,
    panels: &[P],
    draw: impl Fn(&P, &Area) -> Result<(), Box<dyn Error>>,
) -> Result<String, Box<dyn Error>> {
    let columns = panels.len().clamp(1, columns);
    let rows = panels.len().div_ceil(columns);
    svg((size.0 * columns as u32, size.1 * rows as u32), |area| {
        let parts = area.split_evenly((rows, columns));
        parts.iter().zip(panels).try_for_each(|(part, panel)| draw(panel, part))
    })
}

/// A piece of a line in a legend.
pub fn sample((x, y): (i32, i32), style: ShapeStyle) -> PathElement<(i32, i32)> {
    PathElement::new([(x, y), (x + 22 * FINE as i32, y)], style)
}

/// The lines and labels of a chart's axes, with so many labels on each.
///
/// # Errors
/// As the backend's.
pub fn axes<'a, 'b: 'a, X, Y>(
    chart: &mut Chart<'a, 'b, X, Y>,
    names: [&str; 2],
    labels: [usize; 2],
) -> Result<(), Box<dyn Error>>
where
    X: Ranged<ValueType = f64> + ValueFormatter<f64>,
    Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    axes_as(chart, names, labels, [&X::format, &Y::format])
}

/// The same with numbers written as is said.
///
/// # Errors
/// As the backend's.
pub fn axes_as<'a, 'b: 'a, X, Y>(
    chart: &mut Chart<'a, 'b, X, Y>,
    [x, y]: [&str; 2],
    [across, up]: [usize; 2],
    [x_number, y_number]: [&dyn Fn(&f64) -> String; 2],
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
        .x_label_formatter(x_number)
        .y_label_formatter(y_number)
        .x_desc(x)
        .y_desc(y)
        .set_all_tick_mark_size(5 * FINE)
        .label_style(FONT)
        .draw()?;
    Ok(())
}

/// The names of a chart's curves in one of its corners.
///
/// # Errors
/// As the backend's.
pub fn legend<'a, 'b: 'a, X: Ranged<ValueType = f64>, Y: Ranged<ValueType = f64>>(
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
