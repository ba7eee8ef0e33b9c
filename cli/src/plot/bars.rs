//! Impulses and velocities at simultaneous contacts, as bars side by side.

use std::error::Error;

use plotters::prelude::*;
use routh::contacts::Impacts;
use routh::several::Landing;

use super::{Area, FINE, FONT, colour, drawn, grid, legend};
use crate::output::Failure;

const SIZE: (u32, u32) = (400, 360);
/// The width of all bars at a contact, of the distance to the next.
const WIDTH: f64 = 0.6;

/// Values at each contact, one bar each.
struct Series<'a> {
    name: &'static str,
    colour: RGBColor,
    values: &'a [f64],
}

fn series<'a>(name: &'static str, index: usize, values: &'a [f64]) -> Series<'a> {
    Series { name, colour: colour(index), values }
}

/// Draws impulses, velocities at the end of compression and those at the end.
pub(crate) fn bars(impacts: &Impacts) -> Result<String, Failure> {
    let velocity = |values| vec![series("", 2, values)];
    let panels = [
        (
            "impulses",
            "N s",
            vec![
                series("in compression", 0, &impacts.compression_impulse),
                series("in all", 1, &impacts.impulse),
            ],
        ),
        ("velocities after compression", "m/s", velocity(&impacts.compression_velocity)),
        ("velocities after expansion", "m/s", velocity(&impacts.velocity)),
    ];
    drawn(grid(SIZE, panels.len(), &panels, |(title, unit, series), area| {
        panel(area, title, unit, series)
    }))
}

/// Draws impulses and velocities along normals and tangents.
pub(crate) fn landing(landing: &Landing) -> Result<String, Failure> {
    let along = |rows: &[[f64; 3]]| -> [Vec<f64>; 2] {
        let normal = rows.iter().map(|row| row[0].max(0.0)).collect();
        [normal, rows.iter().map(|[_, x, y]| x.hypot(*y)).collect()]
    };
    let [impulses, velocities] = [along(&landing.impulse), along(&landing.velocity)];
    let panels = [
        (
            "impulses",
            "N s",
            vec![
                series("along the normal", 0, &impulses[0]),
                series("of friction", 1, &impulses[1]),
            ],
        ),
        (
            "velocities after impact",
            "m/s",
            vec![
                series("along the normal", 2, &velocities[0]),
                series("of sliding", 3, &velocities[1]),
            ],
        ),
    ];
    drawn(grid(SIZE, panels.len(), &panels, |(title, unit, series), area| {
        panel(area, title, unit, series)
    }))
}

fn panel(area: &Area, title: &str, unit: &str, series: &[Series]) -> Result<(), Box<dyn Error>> {
    let contacts = series.iter().map(|series| series.values.len()).max().unwrap_or_default();
    let all = series.iter().flat_map(|series| series.values).copied();
    let most = all.fold(0.0, f64::max);
    // Above the bars there is room for the legend.
    let room = if series.len() > 1 { 1.35 } else { 1.15 };
    let top = if most > 0.0 { room * most } else { 1.0 };
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 17 * FINE))
        .margin(16 * FINE)
        .x_label_area_size(36 * FINE)
        .y_label_area_size(64 * FINE)
        .build_cartesian_2d(-0.5..contacts as f64 - 0.5, 0.0..top)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.1).stroke_width(FINE))
        .axis_style(BLACK.mix(0.4).stroke_width(FINE))
        .x_labels(2 * contacts.max(1) + 1)
        .x_label_formatter(&|x| if x.fract() == 0.0 { letter(*x) } else { String::new() })
        .y_labels(6)
        .y_desc(unit)
        .set_all_tick_mark_size(5 * FINE)
        .label_style(FONT)
        .draw()?;
    let width = WIDTH / series.len().max(1) as f64;
    for (i, Series { name, colour, values }) in series.iter().enumerate() {
        let left = |contact: usize| contact as f64 - 0.5 * WIDTH + i as f64 * width;
        let bars = values.iter().enumerate().map(|(contact, &value)| {
            let corners = [(left(contact), 0.0), (left(contact) + width, value)];
            Rectangle::new(corners, colour.filled())
        });
        let drawn = chart.draw_series(bars)?;
        if !name.is_empty() {
            let side = 12 * FINE as i32;
            let fill = colour.filled();
            drawn.label(*name).legend(move |(x, y)| {
                Rectangle::new([(x, y - side / 2), (x + side, y + side / 2)], fill)
            });
        }
    }
    if series.len() > 1 {
        legend(&mut chart, SeriesLabelPosition::UpperLeft)?;
    }
    Ok(())
}

/// A contact's name: A to Z, then A1 and so on.
pub(super) fn letter(contact: f64) -> String {
    let index = contact as usize;
    let letter = char::from(b'A' + (index % 26) as u8);
    if index < 26 { letter.to_string() } else { format!("{letter}{}", index / 26) }
}
