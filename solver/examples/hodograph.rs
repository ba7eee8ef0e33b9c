//! Draws the sliding velocity's hodograph for the spatial paper's robot: the
//! orbits of its three starts among others, with a mark at each step.
//!
//! `cargo run --release -p routh-solver --example hodograph -- docs/hodograph.svg`

use std::error::Error;
use std::f64::consts::TAU;

use plotters::prelude::*;
use routh_solver::{Accuracy, Contact, Friction, Trajectory};

const IMPULSE: f64 = 3000.0;
const POINTS: usize = 600;

/// The paper's starts, Figs. 1-3.
const STARTS: [([f64; 2], RGBColor); 3] = [
    ([4.0, 0.0], RGBColor(0xd5, 0x5e, 0x00)),
    ([1.0, -4.0], RGBColor(0x00, 0x72, 0xb2)),
    ([-4.0, -4.0], RGBColor(0x00, 0x9e, 0x73)),
];

/// An orbit, and where its steps begin.
struct Orbit {
    points: Vec<(f64, f64)>,
    steps: Vec<(f64, f64)>,
}

fn follow(robot: &Contact<3>, v0: [f64; 2]) -> Result<Orbit, routh_solver::Error> {
    let friction = Friction::uniform(0.3)?;
    let mut motion = Trajectory::new(robot, friction, v0, Accuracy::new(1e-12)?.with_order(30)?)?;
    let mut orbit = Orbit { points: vec![(v0[0], v0[1])], steps: vec![(v0[0], v0[1])] };
    for i in 1..=POINTS {
        let p = IMPULSE * i as f64 / POINTS as f64;
        while let Some(end) = motion.step_end()
            && end < p
        {
            let [x, y] = motion.advance(end * (1.0 + 1e-12))?;
            orbit.steps.push((x, y));
        }
        let [x, y] = motion.advance(p)?;
        orbit.points.push((x, y));
    }
    Ok(orbit)
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: hodograph OUT.svg")?;
    let robot = Contact::new([
        [9.009e-3, -0.342e-3, 1.845e-3],
        [-0.342e-3, 9.307e-3, 2.26e-3],
        [1.845e-3, 2.26e-3, 3.922e-3],
    ])?;
    let area = SVGBackend::new(&path, (720, 600)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .margin(16)
        .x_label_area_size(44)
        .y_label_area_size(52)
        .build_cartesian_2d(-5.2..5.2, -5.0..3.6)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.08))
        .axis_style(BLACK.mix(0.4))
        .x_desc("v_t1 (m/s)")
        .y_desc("v_t2 (m/s)")
        .label_style(("sans-serif", 15))
        .draw()?;
    for i in 0..24 {
        let (sin, cos) = (TAU * f64::from(i) / 24.0).sin_cos();
        let orbit = follow(&robot, [4.8 * cos, 4.8 * sin])?;
        chart.draw_series(LineSeries::new(orbit.points, BLACK.mix(0.18)))?;
    }
    for (v0, colour) in STARTS {
        let orbit = follow(&robot, v0)?;
        chart
            .draw_series(LineSeries::new(orbit.points, colour.stroke_width(2)))?
            .label(format!("from ({}, {})", v0[0], v0[1]))
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 22, y)], colour.stroke_width(2)));
        chart.draw_series(orbit.steps.into_iter().map(|at| Circle::new(at, 3, colour.filled())))?;
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE.mix(0.85))
        .border_style(BLACK.mix(0.3))
        .label_font(("sans-serif", 15))
        .draw()?;
    area.present()?;
    Ok(())
}
