//! An impact through a chain against its number of bodies.

use std::error::Error;
use std::f64::consts::FRAC_PI_6;
use std::hint::black_box;

use plotters::prelude::SeriesLabelPosition;
use routh_benches::timed::{Timed, in_turn};
use routh_solver::chain::{Body, Chain, Link};
use routh_solver::compliant::{Compliance, Model};
use routh_solver::{Accuracy, Friction};

use crate::figure::{Figure, Panel, Shown};
use crate::law::Law;
use crate::measured::Measured;
use crate::scale::{Axis, Division};

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
            let impact = match chain.solve(accuracy) {
                Ok(impact) => impact,
                Err(_) => {
                    measured.add("unsolved", name, [many as f64, 0.0]);
                    continue;
                }
            };
            if !BODIES.contains(&many) {
                continue;
            }
            let outcome = impact.outcome;
            measured.add("error", name, [many as f64, outcome.energy_error.max(1e-17)]);
            runs.push((name, many, chain, outcome.steps as f64));
        }
    }
    let timed = runs.iter().map(|(_, _, chain, _)| {
        Timed::new(move || drop(black_box(black_box(chain).solve(accuracy))))
    });
    let mut times: Vec<_> = timed.collect();
    in_turn(&mut times, ROUNDS);
    for ((name, many, _, steps), timed) in runs.iter().zip(&times) {
        let (many, contacts) = (*many as f64, (many - 1) as f64);
        measured.add("steps", name, [many, *steps]);
        measured.add("time", name, [many, timed.least / 1e6]);
        measured.add("each", name, [many, timed.least / 1e3 / steps / contacts]);
    }
    Ok(measured)
}

pub(crate) fn figure(measured: &Measured) -> Figure {
    let bodies = Axis { name: "spheres n", division: Division::Doublings };
    let panel = |title, quantity: &str, name, corner| Panel {
        title,
        letter: "n",
        axes: [bodies, Axis { name, division: Division::Decades }],
        corner,
        shown: KINDS
            .map(|(name, ..)| {
                let shown = Shown::new(name, measured.points(quantity, name));
                shown.fitted(ASYMPTOTIC, Law::power)
            })
            .into(),
    };
    let left = SeriesLabelPosition::UpperLeft;
    let mut error = panel("Error of the energy", "error", "part of the energy", left.clone());
    error.corner = SeriesLabelPosition::LowerRight;
    error.shown.iter_mut().for_each(|shown| shown.law = None);
    let panels = vec![
        panel("Steps", "steps", "steps", left.clone()),
        panel("Time", "time", "time (ms)", left.clone()),
        panel("Time per step and contact", "each", "time (µs)", left),
        error,
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
