//! A contact's flow in the plane of sliding velocities: invariant directions as
//! rays, the orbit of each arc between them in several scales, and on a circle
//! where the sectors of its tables begin.

use std::error::Error;
use std::f64::consts::TAU;

use plotters::coord::types::RangedCoordf64;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{COLOURS, Chart, FINE, FONT, LINE, drawing, legend, sample};
use crate::commands::flow::{Direction, Orbit, Sectors};
use crate::output::Failure;

type Plane<'a, 'b> = Chart<'a, 'b, RangedCoordf64, RangedCoordf64>;
type Point = (f64, f64);

/// Velocities are drawn within a circle of radius one; beside it are labels.
const LEFT: f64 = -1.5;
const RIGHT: f64 = 1.85;
const HEIGHT: f64 = 1.2;
const SCALE: f64 = 290.0;
const SIZE: (u32, u32) = ((SCALE * (RIGHT - LEFT)) as u32, (2.0 * SCALE * HEIGHT) as u32);

const ATTRACTING: RGBColor = COLOURS[1];
const REPELLING: RGBColor = COLOURS[0];
const ORBIT: RGBColor = COLOURS[2];
const QUIET: RGBAColor = RGBAColor(0, 0, 0, 0.3);

/// The part of its arc at which an orbit enters the circle, and likewise its
/// copies in other scales.
const ENTRY: f64 = 0.45;
const COPIES: [f64; 8] = [0.06, 0.12, 0.19, 0.27, 0.36, 0.54, 0.63, 0.73];
/// How far apart the points of a line are at least.
const APART: f64 = 0.008;
/// The parts of its arc at which arrows are drawn on an orbit, and where on a ray.
const ARROWS: [f64; 3] = [0.48, 0.57, 0.78];
const ON_RAY: f64 = 0.6;
/// The length of an arrow's head.
const ARROW: f64 = 0.05;
/// From where to where a sector's border is drawn.
const TICK: (f64, f64) = (0.975, 1.025);
const LABEL: f64 = 1.07;
/// How far a ray is drawn, how wide, and in which dashes.
const RAY: f64 = 1.05;
const BOLD: u32 = 2 * LINE;
const DASH: u32 = 9 * FINE;
const GAP: u32 = 5 * FINE;
const UNBROKEN: u32 = SIZE.0 * FINE;

/// Draws a flow.
pub(crate) fn portrait(sectors: &Sectors, orbits: &[Orbit]) -> Result<String, Failure> {
    drawing(SIZE, |area| {
        let mut plane = ChartBuilder::on(area).build_cartesian_2d(LEFT..RIGHT, -HEIGHT..HEIGHT)?;
        draw_axes(&mut plane)?;
        draw_directions(&mut plane, &sectors.directions)?;
        draw_orbits(&mut plane, orbits)?;
        sectors.directions.iter().try_for_each(|ray| draw_around(&mut plane, ray))?;
        draw_sectors(&mut plane, &sectors.borders)?;
        legend(&mut plane, SeriesLabelPosition::LowerRight)
    })
}

fn draw_axes(plane: &mut Plane) -> Result<(), Box<dyn Error>> {
    let thin = BLACK.mix(0.12).stroke_width(FINE);
    let axes = [[(-1.0, 0.0), (1.0, 0.0)], [(0.0, -1.0), (0.0, 1.0)]];
    plane.draw_series(axes.map(|axis| PathElement::new(axis, thin)))?;
    let style = |h, v| FONT.into_text_style(plane.plotting_area()).pos(Pos::new(h, v));
    let labels = [
        Text::new("v_t1", (LABEL, 0.0), style(HPos::Left, VPos::Center)),
        Text::new("v_t2", (0.0, LABEL), style(HPos::Center, VPos::Bottom)),
    ];
    plane.draw_series(labels)?;
    Ok(())
}

fn draw_directions(plane: &mut Plane, directions: &[Direction]) -> Result<(), Box<dyn Error>> {
    for (attracts, colour, dash, name) in [
        (true, ATTRACTING, UNBROKEN, "attracting direction"),
        (false, REPELLING, DASH, "repelling direction"),
    ] {
        let style = colour.stroke_width(BOLD);
        let rays = directions.iter().filter(|direction| direction.attracts == attracts);
        let lines = rays.map(|ray| [(0.0, 0.0), on_circle(ray.angle, RAY)]);
        plane
            .draw_series(lines.map(|line| DashedPathElement::new(line, dash, GAP, style)))?
            .label(name)
            .legend(move |(x, y)| {
                DashedPathElement::new([(x, y), (x + 22 * FINE as i32, y)], dash, GAP, style)
            });
    }
    Ok(())
}

/// Draws where a ray leads, its sector and its label.
fn draw_around(plane: &mut Plane, ray: &Direction) -> Result<(), Box<dyn Error>> {
    let colour = if ray.attracts { ATTRACTING } else { REPELLING };
    let (at, way) = (on_circle(ray.angle, ON_RAY), if ray.along > 0.0 { 1.0 } else { -1.0 });
    let to = on_circle(ray.angle, ON_RAY + 0.1 * way);
    plane.draw_series([Polygon::new(head(at, to, 1.5 * ARROW), colour.filled())])?;
    let sector = (-60..=60).map(|i| on_circle(ray.angle + ray.reach * f64::from(i) / 60.0, 1.0));
    let wide = colour.mix(0.35).stroke_width(3 * LINE);
    plane.draw_series([PathElement::new(sector.collect::<Vec<_>>(), wide)])?;
    let speed = if ray.along > 0.0 { "speed grows" } else { "speed falls" };
    let text = format!("{:.0}°, {speed}", ray.angle.to_degrees());
    let h = if ray.angle.cos() > 0.0 { HPos::Left } else { HPos::Right };
    let v = if ray.angle.sin() > 0.0 { VPos::Bottom } else { VPos::Top };
    let style = FONT.into_text_style(plane.plotting_area()).pos(Pos::new(h, v));
    plane.draw_series([Text::new(text, on_circle(ray.angle, LABEL), style.color(&colour))])?;
    Ok(())
}

fn draw_orbits(plane: &mut Plane, orbits: &[Orbit]) -> Result<(), Box<dyn Error>> {
    let (bold, thin) = (ORBIT.stroke_width(LINE), ORBIT.mix(0.6).stroke_width(FINE));
    let entering = |part: f64| orbits.iter().filter_map(move |orbit| through(orbit, part));
    let line = |style: ShapeStyle| move |piece| PathElement::new(piece, style);
    let copies = COPIES.into_iter().flat_map(entering).flat_map(|copy| pieces(&copy));
    let copies: Vec<_> = copies.map(line(thin)).collect();
    let first = entering(ENTRY).flat_map(|first| pieces(&first)).map(line(bold));
    plane.draw_series(first)?.label("the one orbit of each arc").legend(move |at| sample(at, bold));
    plane.draw_series(copies)?.label("the same in other scales").legend(move |at| sample(at, thin));
    let arrows = orbits.iter().flat_map(arrows);
    plane.draw_series(arrows.map(|arrow| Polygon::new(arrow, ORBIT.filled())))?;
    Ok(())
}

fn draw_sectors(plane: &mut Plane, borders: &[f64]) -> Result<(), Box<dyn Error>> {
    let thin = BLACK.mix(0.6).stroke_width(FINE);
    let circle = (0..=360).map(|i| on_circle(f64::from(i) / 360.0 * TAU, 1.0));
    plane.draw_series([PathElement::new(circle.collect::<Vec<_>>(), QUIET.stroke_width(FINE))])?;
    let tick = |angle: &f64| [on_circle(*angle, TICK.0), on_circle(*angle, TICK.1)];
    plane
        .draw_series(borders.iter().map(|angle| PathElement::new(tick(angle), thin)))?
        .label("borders of the table's sectors")
        .legend(move |(x, y)| {
            let (middle, half) = (x + 11 * FINE as i32, 6 * FINE as i32);
            PathElement::new([(middle, y - half), (middle, y + half)], thin)
        });
    Ok(())
}

fn on_circle(angle: f64, radius: f64) -> Point {
    (radius * angle.cos(), radius * angle.sin())
}

/// The orbit in the scale in which it crosses the circle at a part of its arc.
fn through(orbit: &Orbit, part: f64) -> Option<Vec<Point>> {
    orbit.beyond(part).map(|number| orbit.scaled(number))
}

/// The pieces of a line within the circle.
fn pieces(line: &[Point]) -> Vec<Vec<Point>> {
    let within = |&(x, y): &Point| x.hypot(y) <= 1.0;
    let mut pieces: Vec<Vec<Point>> = Vec::new();
    for pair in line.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        match (within(&from), within(&to)) {
            (false, true) => pieces.push(vec![crossing(to, from), to]),
            (true, inside) => {
                let to = if inside { to } else { crossing(from, to) };
                match pieces.last_mut() {
                    Some(piece) => push(piece, to),
                    None => pieces.push(vec![from, to]),
                }
            }
            (false, false) => {}
        }
    }
    pieces
}

/// Adds a point unless it is next to the last.
fn push(piece: &mut Vec<Point>, at: Point) {
    let near = |&(x, y): &Point| (at.0 - x).hypot(at.1 - y) < APART && at != (0.0, 0.0);
    if !piece.last().is_some_and(near) {
        piece.push(at);
    }
}

/// Where a line from a point inside the circle to one outside crosses it.
fn crossing(inside: Point, outside: Point) -> Point {
    let along = (outside.0 - inside.0, outside.1 - inside.1);
    let square = along.0 * along.0 + along.1 * along.1;
    let half = (inside.0 * along.0 + inside.1 * along.1) / square;
    let rest = (1.0 - inside.0 * inside.0 - inside.1 * inside.1) / square;
    let t = (half * half + rest).sqrt() - half;
    (inside.0 + t * along.0, inside.1 + t * along.1)
}

/// Heads of arrows along an orbit.
fn arrows(orbit: &Orbit) -> Vec<[Point; 3]> {
    let line = through(orbit, ENTRY).unwrap_or_default();
    let numbers = ARROWS.into_iter().filter_map(|part| orbit.beyond(part));
    numbers
        .filter_map(|number| Some(head(*line.get(number)?, *line.get(number + 1)?, ARROW)))
        .collect()
}

/// The head of an arrow from a point towards another.
fn head((x, y): Point, to: Point, length: f64) -> [Point; 3] {
    let (dx, dy) = (to.0 - x, to.1 - y);
    let scale = length / dx.hypot(dy);
    let (dx, dy) = (scale * dx, scale * dy);
    let corner = |side: f64| (x - 0.5 * dx - side * dy, y - 0.5 * dy + side * dx);
    [(x + 0.5 * dx, y + 0.5 * dy), corner(0.35), corner(-0.35)]
}
