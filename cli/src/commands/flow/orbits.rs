//! The one orbit of each arc between neighbouring invariant directions.

use std::f64::consts::TAU;

use routh::{Accuracy, Error, Trajectory};

use super::sectors::{Direction, Sectors};
use crate::input::SlidingContact;

/// The part of an arc from its repelling direction at which an orbit starts.
const START: f64 = 1e-3;

/// Points of each step of a series.
const POINTS: usize = 48;

/// How far beyond its largest speed an orbit is drawn that speeds up for ever.
const FAR: f64 = 1e3;

/// Sliding velocities from a repelling direction to an attracting one.
pub(crate) struct Orbit {
    arc: Arc,
    points: Vec<[f64; 2]>,
}

/// The way from a direction to its neighbour, by angle.
struct Arc {
    from: f64,
    /// Negative if angles fall.
    width: f64,
    /// Whether the speed grows at its end.
    speeds_up: bool,
}

impl Orbit {
    /// The orbits of all arcs.
    pub(crate) fn of_arcs(sliding: &SlidingContact, sectors: &Sectors) -> Result<Vec<Self>, Error> {
        let arcs = arcs(&sectors.directions).into_iter();
        arcs.map(|arc| Self::follow(sliding, arc)).collect()
    }

    fn follow(sliding: &SlidingContact, arc: Arc) -> Result<Self, Error> {
        let SlidingContact { contact, friction } = sliding;
        let start = arc.direction(START);
        let mut motion = Trajectory::new(contact, *friction, start, Accuracy::default())?;
        let (mut points, mut from) = (vec![start], 0.0);
        while let Some(to) = motion.step_end() {
            for i in 1..=POINTS {
                points.push(motion.advance(from + (to - from) * i as f64 / POINTS as f64)?);
            }
            from = to * (1.0 + 1e-12);
            motion.advance(from)?;
            if motion.step_end() == Some(to) {
                break;
            }
        }
        let end = if arc.speeds_up { FAR } else { 0.0 };
        points.extend(points.last().map(|v| v.map(|x| end * x)));
        Ok(Self { arc, points })
    }

    /// The first point, by its number, that lies beyond a part of the arc.
    pub(crate) fn beyond(&self, part: f64) -> Option<usize> {
        self.points.iter().position(|v| self.arc.part(v) > part)
    }

    /// The orbit in the scale in which its speed at a point is one.
    pub(crate) fn scaled(&self, number: usize) -> Vec<(f64, f64)> {
        let [x, y] = self.points[number];
        let speed = x.hypot(y);
        self.points.iter().map(|[x, y]| (x / speed, y / speed)).collect()
    }
}

impl Arc {
    /// The direction at a part of the arc.
    fn direction(&self, part: f64) -> [f64; 2] {
        let angle = self.from + part * self.width;
        [angle.cos(), angle.sin()]
    }

    /// The part of the arc at which a velocity lies.
    fn part(&self, [x, y]: &[f64; 2]) -> f64 {
        let turned = (y.atan2(*x) - self.from) * self.width.signum();
        turned.rem_euclid(TAU) / self.width.abs()
    }
}

/// The arcs on both sides of every repelling direction.
fn arcs(directions: &[Direction]) -> Vec<Arc> {
    let count = directions.len();
    let mut arcs = Vec::new();
    for (i, one) in directions.iter().enumerate().filter(|(_, one)| !one.attracts) {
        let (next, last) = (&directions[(i + 1) % count], &directions[(i + count - 1) % count]);
        let forward = |x: f64, y: f64| (y - x).rem_euclid(TAU);
        let arc = |width: f64, end: &Direction| Arc {
            from: one.angle,
            width,
            speeds_up: end.along > 0.0,
        };
        arcs.push(arc(forward(one.angle, next.angle), next));
        arcs.push(arc(-forward(last.angle, one.angle), last));
    }
    arcs
}
