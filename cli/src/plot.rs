//! Plots: drawn in memory, and written whole or not at all.

mod bars;
mod hodograph;
mod portrait;
mod precision;

pub(crate) use bars::bars;
pub(crate) use hodograph::{Orbit, hodograph};
pub(crate) use portrait::portrait;
pub(crate) use precision::{Curve, Panel, precision};

use std::error::Error;
use std::ffi::OsString;
use std::path::Path;
use std::{fs, io, process};

use plotters::coord::Shift;
use plotters::coord::ranged1d::Ranged;
use plotters::prelude::*;

use crate::failure::Failure;

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

/// Draws on a white area of a size in pixels and writes it to a file.
fn save(
    path: &Path,
    size: (u32, u32),
    draw: impl FnOnce(&Area) -> Result<(), Box<dyn Error>>,
) -> Result<(), Failure> {
    let saved = svg(size, draw)
        .map_err(|error| io::Error::other(error.to_string()))
        .and_then(|text| write_whole(path, &text));
    saved.map_err(|source| Failure::Plot { path: path.display().to_string(), source })
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

/// Writes to a file beside the one that is meant and then gives it its name; what
/// is no file, such as a pipe, keeps its name.
fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return fs::write(path, text);
    }
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?;
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden.push(format!(".{}", process::id()));
    let beside = path.with_file_name(hidden);
    let written = fs::write(&beside, text).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // It may not exist, and what went wrong is already known.
        let _ = fs::remove_file(&beside);
    }
    written
}
