//! An impact through a chain against its number of bodies.

use std::error::Error;
use std::f64::consts::FRAC_PI_6;
use std::hint::black_box;

use plotters::prelude::SeriesLabelPosition;
use routh::chain::{Body, Chain, Link};
use routh::compliant::{Compliance, Model};
use routh::{Accuracy, Friction};
use routh_benches::timed::Timed;

use crate::axis::{Axis, Division};
use crate::figure::{Figure, Panel, Shown};
use crate::law::Law;
use crate::measured::Measured;

const BODIES: [usize; 11] = [2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64];
/// Chains of up to so many bodies are tried.
const MOST: usize = 64;
const TOLERANCE: f64 = 1e-10;
const ROUNDS: (usize, usize) = (40, 15);
const ASYMPTOTIC: [f64; 2] = [8.0, 64.0];
/// A steel sphere of the chain paper: radius, mass, stiffness of a contact.
const RADIUS: f64 = 0.05;
const MASS: f64 = 4.1155;
const STIFFNESS: f64 = 2.4e10;

/// Restitution, friction and the angle of the first normal.
const KINDS: [(&str, f64, f64, f64); 3] = [
    ("elastic", 1.0, 0.0, 0.0),
    ("R = 0.8", 0.8, 0.0, 0.0),
    ("R = 0.8, friction, first at 30°", 0.8, 0.3, FRAC_PI_6),
];

/// Touching spheres, the first of which moves at 1 m/s.
fn chain(
    many: usize,
    restitution: f64,
    friction: f64,
    angle: f64,
) -> Result<Chain, Box<dyn Error>> {
    let body = |i: usize| Body {
        mass: MASS,
        inertia: 0.4 * MASS * RADIUS * RADIUS,
        velocity: [if i == 0 { 1.0 } else { 0.0 }, 0.0, 0.0],
    };
    let friction = Friction::uniform(friction)?;
    let law = Compliance::new(STIFFNESS, restitution, friction, Model::Michalczyk)?;
    let link = |i: usize| {
        let angle: f64 = if i == 0 { angle } else { 0.0 };
        let [x, y] = [RADIUS * angle.cos(), RADIUS * angle.sin()];
        Link { angle, arms: [[x, y], [-x, -y]], law }
    };
    Ok(Chain::new((0..many).map(body).collect(), (0..many - 1).map(link).collect())?)
}

pub(crate) fn measure() -> Result<Measured, Box<dyn Error>> {
    let accuracy = Accuracy::new(TOLERANCE)?;
    let mut measured = Measured::default();
    let mut runs = Vec::new();
    for (name, restitution, friction, angle) in KINDS {
        for many in 2..=MOST {
            let chain = chain(many, restitution, friction, angle)?;
            let x = many as f64;
            let Ok(impact) = chain.solve(accuracy) else {
                measured.add("unsolved", name, [x, 0.0]);
                continue;
            };
            if BODIES.contains(&many) {
                let outcome = impact.outcome;
                measured.add("error", name, [x, outcome.energy_error.max(1e-17)]);
                measured.add("steps", name, [x, outcome.steps as f64]);
                runs.push((name, x, Timed::new(move || black_box(&chain).solve(accuracy))));
            }
        }
    }
    measured.add_times(("time", 1e6), runs, ROUNDS);
    for (name, ..) in KINDS {
        let pairs = measured.points("time", name).iter().zip(measured.points("steps", name));
        let each =
            pairs.map(|(&[many, time], [_, steps])| [many, 1e3 * time / steps / (many - 1.0)]);
        for point in each.collect::<Vec<_>>() {
            measured.add("each", name, point);
        }
    }
    Ok(measured)
}

pub(crate) fn figure(measured: &Measured) -> Figure {
    let bodies = Axis { name: "spheres n", division: Division::Doublings };
    let shown =
        |quantity: &str| KINDS.map(|(of, ..)| Shown::new(of, measured.points(quantity, of)));
    let panel = |title, quantity, name| {
        let fitted = shown(quantity).map(|curve| curve.fitted(ASYMPTOTIC, Law::power));
        Panel::new(title, ("n", bodies), name, fitted)
    };
    let error =
        Panel::new("Error of the energy", ("n", bodies), "part of the energy", shown("error"));
    let panels = vec![
        panel("Steps", "steps", "steps"),
        panel("Time", "time", "time (ms)"),
        panel("Time per step and contact", "each", "time (µs)"),
        error.at(SeriesLabelPosition::LowerRight),
    ];
    let unsolved = KINDS.iter().map(|(name, ..)| {
        let points = measured.points("unsolved", name);
        let listed: Vec<_> = points.iter().map(|[many, _]| many.to_string()).collect();
        let (many, of) = (listed.len(), MOST - 1);
        format!(
            "{name}: {many} of {of} chains of 2 to {MOST} are not solved ({}).",
            listed.join(", ")
        )
    });
    Figure { panels, notes: unsolved.collect() }
}
