//! The hodograph: orbits in the plane of tangential velocities with a mark where
//! each step begins, as in the spatial paper's Figs. 1-4.

use std::ops::Range;

use plotters::prelude::*;
use routh::Sample;

use super::{COLOURS, FINE, LINE, MARGIN};
use super::{axes, colour, drawing, extent, framed, legend, sample};
use crate::input::Sliding;
use crate::output::Failure;

/// Points drawn of each step of a series, or of the straight line after it.
const POINTS: usize = 48;
/// The most orbits that are told apart by colour and name.
const NAMED: usize = COLOURS.len();

const SIZE: (u32, u32) = (760, 640);
const LABELS: (u32, u32) = (60, 44);

/// An orbit, and where its steps begin.
pub(crate) struct Orbit {
    name: String,
    points: Vec<(f64, f64)>,
    steps: Vec<(f64, f64)>,
}

impl Orbit {
    /// Follows a motion over the impulses at which it is asked for.
    pub(crate) fn follow(sliding: &Sliding) -> Result<Self, routh::Error> {
        let [x, y] = sliding.v0;
        let name = format!("from ({x}, {y})");
        let mut orbit = Self { name, points: Vec::new(), steps: Vec::new() };
        let mut motion = sliding.motion(sliding.accuracy)?;
        motion.observe(
            sliding.end(),
            POINTS,
            &mut |Sample { velocity: [x, y], begins_step, .. }| {
                orbit.points.push((x, y));
                if begins_step {
                    orbit.steps.push((x, y));
                }
            },
        )?;
        Ok(orbit)
    }
}

/// Draws orbits, at equal scales of both velocities.
pub(crate) fn hodograph(orbits: &[Orbit]) -> Result<String, Failure> {
    let (width, height) = ranges(orbits);
    let corner = free_corner(orbits, &width, &height);
    drawing(SIZE, |area| {
        let mut chart = framed(area, LABELS).build_cartesian_2d(width, height)?;
        axes(&mut chart, ["v_t1 (m/s)", "v_t2 (m/s)"], [9, 8])?;
        chart.draw_series([Cross::new((0.0, 0.0), 5 * FINE, BLACK.mix(0.6).stroke_width(FINE))])?;
        for (i, orbit) in orbits.iter().enumerate() {
            let colour = colour(i);
            let line = LineSeries::new(orbit.points.iter().copied(), colour.stroke_width(LINE));
            let line = chart.draw_series(line)?;
            if orbits.len() <= NAMED {
                line.label(&orbit.name).legend(move |at| sample(at, colour.stroke_width(LINE)));
            }
            let marks = orbit.steps.iter().map(|&at| Circle::new(at, 3 * FINE, colour.filled()));
            chart.draw_series(marks)?;
        }
        legend(&mut chart, corner)
    })
}

/// Ranges that hold all orbits, with as much velocity to a pixel in both.
fn ranges(orbits: &[Orbit]) -> (Range<f64>, Range<f64>) {
    let all = || orbits.iter().flat_map(|orbit| &orbit.points);
    let (left, right) = extent(all().map(|p| p.0));
    let (low, high) = extent(all().map(|p| p.1));
    let pixels_x = f64::from(SIZE.0 - 2 * MARGIN - LABELS.0);
    let pixels_y = f64::from(SIZE.1 - 2 * MARGIN - LABELS.1);
    let least = ((right - left) / pixels_x).max((high - low) / pixels_y);
    let pixel = if least > 0.0 { 1.1 * least } else { 1.0 / pixels_y };
    let about = |from: f64, to: f64, pixels: f64| {
        let (middle, half) = (0.5 * (from + to), 0.5 * pixel * pixels);
        middle - half..middle + half
    };
    (about(left, right, pixels_x), about(low, high, pixels_y))
}

/// The corner of the plot with the fewest points in it.
fn free_corner(orbits: &[Orbit], width: &Range<f64>, height: &Range<f64>) -> SeriesLabelPosition {
    let part = |x: f64, range: &Range<f64>| (x - range.start) / (range.end - range.start);
    let points = || orbits.iter().flat_map(|orbit| &orbit.points);
    let crowd = |right: bool, upper: bool| {
        let near = |x: f64, far: bool| if far { x > 0.65 } else { x < 0.35 };
        points().filter(|p| near(part(p.0, width), right) && near(part(p.1, height), upper)).count()
    };
    let corners = [
        (crowd(true, true), SeriesLabelPosition::UpperRight),
        (crowd(false, true), SeriesLabelPosition::UpperLeft),
        (crowd(true, false), SeriesLabelPosition::LowerRight),
        (crowd(false, false), SeriesLabelPosition::LowerLeft),
    ];
    let least = corners.into_iter().min_by_key(|(crowd, _)| *crowd);
    least.map_or(SeriesLabelPosition::UpperRight, |(_, corner)| corner)
}
