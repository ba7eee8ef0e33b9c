//! The map of how a contact slides over two parameters, as in the chain paper's
//! Fig. 4.

use plotters::prelude::*;
use routh::compliant::Scenario;

use super::{COLOURS, FINE, FONT, LABELS, drawing, extent, framed};
use crate::commands::chain::{Axis, Map};
use crate::output::Failure;

const SIZE: (u32, u32) = (860, 560);
/// Room for the names of the regions.
const KEY: u32 = 190;

/// The regions, with the chain paper's marks for the first four.
const REGIONS: [(Scenario, &str, RGBColor); 6] = [
    (Scenario::SlipReverse, "slip, reverse slip", COLOURS[0]),
    (Scenario::SlipStick, "slip, stick", COLOURS[1]),
    (Scenario::IncreasingSlip, "increasing slip", COLOURS[2]),
    (Scenario::DecreasingSlip, "decreasing slip", COLOURS[5]),
    (Scenario::Stick, "stick", COLOURS[3]),
    (Scenario::None, "none", COLOURS[6]),
];

/// Draws a cell for each pair of values, coloured by what the first contact does.
pub(crate) fn regions(map: &Map) -> Result<String, Failure> {
    let [one, other] = map.axes();
    let (width, height) = (range(one), range(other));
    let [half_x, half_y] = [one, other].map(|axis| {
        let values = axis.values();
        0.5 * (values[1] - values[0]).abs()
    });
    drawing(SIZE, |area| {
        let (plot, key) = area.split_horizontally(FINE * (SIZE.0 - KEY));
        let mut chart = framed(&plot, LABELS).build_cartesian_2d(width, height)?;
        chart
            .configure_mesh()
            .disable_mesh()
            .axis_style(BLACK.mix(0.4).stroke_width(FINE))
            .x_desc(name(one))
            .y_desc(name(other))
            .set_all_tick_mark_size(5 * FINE)
            .label_style(FONT)
            .draw()?;
        chart.draw_series(map.scenarios().map(|([x, y], scenario)| {
            let colour = REGIONS.iter().find(|region| region.0 == scenario);
            let colour = colour.map_or(BLACK, |region| region.2);
            let corners = [(x - half_x, y - half_y), (x + half_x, y + half_y)];
            Rectangle::new(corners, colour.mix(0.75).filled())
        }))?;
        let seen: Vec<Scenario> = map.scenarios().map(|(_, scenario)| scenario).collect();
        let shown = REGIONS.iter().filter(|region| seen.contains(&region.0));
        for (i, (_, label, colour)) in shown.enumerate() {
            let top = FINE as i32 * (24 + 26 * i as i32);
            let box_corners = [(0, top), (18 * FINE as i32, top + 14 * FINE as i32)];
            key.draw(&Rectangle::new(box_corners, colour.mix(0.75).filled()))?;
            key.draw(&Text::new(*label, (26 * FINE as i32, top), FONT))?;
        }
        Ok(())
    })
}

fn range(axis: &Axis) -> std::ops::Range<f64> {
    let values = axis.values();
    let (low, high) = extent(values.iter().copied());
    let half = 0.5 * (values[1] - values[0]).abs();
    if high > low { low - half..high + half } else { low - 0.5..high + 0.5 }
}

/// The two parameters of the paper's map by their names in it.
fn name(axis: &Axis) -> String {
    match axis.path.as_str() {
        "beta" => "β".to_owned(),
        "contacts.0.friction" => "friction".to_owned(),
        path => path.to_owned(),
    }
}
