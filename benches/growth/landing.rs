//! A landing on several corners against their number.

use std::error::Error;
use std::f64::consts::TAU;
use std::hint::black_box;

use nalgebra::{DMatrix, DVector};
use routh::several::{Exponent, NormalLaw, Several, Surface};
use routh::{Accuracy, Contact, Friction, Law, Restitution};
use routh_benches::timed::Timed;

use crate::axis::{Axis, Division};
use crate::figure::{Figure, Panel, Shown};
use crate::law;
use crate::measured::Measured;

const CORNERS: [usize; 8] = [1, 2, 3, 4, 6, 8, 12, 16];
const TOLERANCE: f64 = 1e-9;
const ROUNDS: (usize, usize) = (40, 15);
const FITTED: [f64; 2] = [2.0, 16.0];
const RESTITUTION: f64 = 0.4;

/// Friction, and how much stiffer the first corner is.
const KINDS: [(&str, f64, f64); 3] = [
    ("smooth", 0.0, 1.0),
    ("friction 0.3", 0.3, 1.0),
    ("friction 0.3, one corner hard", 0.3, 100.0),
];

/// A prism of mass 2 that turns as it falls, on so many corners of a circle.
fn prism(
    corners: usize,
    friction: f64,
    hard: f64,
) -> Result<(Several, DVector<f64>), Box<dyn Error>> {
    const RADIUS: f64 = 0.3;
    const HEIGHT: f64 = 0.15;
    let mass = DMatrix::from_diagonal(&DVector::from_row_slice(&[2.0, 2.0, 2.0, 0.07, 0.07, 0.09]));
    let jacobian = DMatrix::from_fn(3 * corners, 6, |row, column| {
        let (y, x) = (TAU * (row / 3) as f64 / corners as f64).sin_cos();
        let [x, y, z] = [RADIUS * x, RADIUS * y, -HEIGHT];
        let rows =
            [[0.0, 0.0, 1.0, y, -x, 0.0], [1.0, 0.0, 0.0, 0.0, z, -y], [0.0, 1.0, 0.0, -z, 0.0, x]];
        rows[row % 3][column]
    });
    let surface = Surface::new(RESTITUTION, Friction::uniform(friction)?);
    let mut surfaces = vec![surface; corners];
    surfaces[0].stiffness = hard;
    let (law, exponent) = (NormalLaw::default(), Exponent::default());
    let velocity = &jacobian * DVector::from_row_slice(&[0.8, 0.3, -1.0, 0.4, 0.6, 0.5]);
    Ok((Several::of_bodies(&mass, &jacobian, surfaces, law, exponent)?, velocity))
}

pub(crate) fn measure() -> Result<Measured, Box<dyn Error>> {
    let accuracy = Accuracy::new(TOLERANCE)?;
    let mut measured = Measured::default();
    let seed = [
        [9.009e-3, -0.342e-3, 1.845e-3],
        [-0.342e-3, 9.307e-3, 2.26e-3],
        [1.845e-3, 2.26e-3, 3.922e-3],
    ];
    let (contact, friction) = (Contact::new(seed)?, Friction::uniform(0.3)?);
    let energetic = Restitution::new(Law::Energetic, RESTITUTION)?;
    let single = move || {
        black_box(&contact).solve_with([-1.0, 0.7, -1.1], friction, energetic, accuracy).map(drop)
    };
    let mut runs = vec![("single", 1.0, Timed::new(single))];
    for (name, friction, hard) in KINDS {
        for corners in CORNERS {
            let (prism, velocity) = prism(corners, friction, hard)?;
            let landing = prism.solve(velocity.as_slice(), accuracy)?;
            let x = corners as f64;
            measured.add("steps", name, [x, landing.steps as f64]);
            let solve = move || black_box(&prism).solve(velocity.as_slice(), accuracy).map(drop);
            runs.push((name, x, Timed::new(solve)));
        }
    }
    measured.add_times(("time", 1e6), runs, ROUNDS);
    let single = measured.points("time", "single")[0][1];
    for (name, ..) in KINDS {
        let pairs = measured.points("time", name).iter().zip(measured.points("steps", name));
        let each: Vec<_> = pairs.map(|(&[x, time], [_, steps])| (x, time, *steps)).collect();
        for (x, time, steps) in each {
            measured.add("ratio", name, [x, time / single]);
            measured.add("each", name, [x, 1e3 * time / steps / x]);
        }
    }
    Ok(measured)
}

pub(crate) fn figure(measured: &Measured) -> Figure {
    let corners = Axis { name: "corners k", division: Division::Doublings };
    let panel = |title, quantity, name| {
        let shown = KINDS.map(|(of, ..)| Shown::new(of, measured.points(quantity, of)));
        let fitted = shown.map(|curve| curve.fitted(FITTED, law::Law::power));
        Panel::new(title, ("k", corners), name, fitted)
    };
    let panels = vec![
        panel("Steps", "steps", "steps"),
        panel("Time against a single impact", "ratio", "times a single impact"),
        panel("Time per step and corner", "each", "time (µs)"),
    ];
    Figure { panels, notes: Vec::new() }
}
