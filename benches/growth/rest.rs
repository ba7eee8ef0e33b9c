//! A motion against how near to rest it passes.

use std::error::Error;
use std::hint::black_box;

use plotters::prelude::SeriesLabelPosition;
use routh_benches::timed::{Timed, in_turn};
use routh_benches::{Method, Tuned, rest};

use crate::figure::{Figure, Panel, Shown};
use crate::law::Law;
use crate::measured::Measured;
use crate::scale::{Axis, Division};

/// The error that all are tuned to, in m/s.
const ERROR: f64 = 1e-9;
/// The tolerance of series that follow a motion however near it is to rest.
const TIGHT: f64 = 1e-12;
const TIGHTLY: &str = "series, tolerance 1e-12";
/// The last power of ten of the least speed.
const SLOWEST: i32 = 12;
const ROUNDS: (usize, usize) = (60, 12);
/// Least speeds that are near rest, and not yet lost in the error.
const NEAR: [f64; 2] = [1e-9, 0.11];

const METHODS: [(Method, &str); 6] = [
    (Method::Series, "series"),
    (Method::Stretched, "series, stretched"),
    (Method::Rk4, "RK4"),
    (Method::Dopri5, "DOPRI5"),
    (Method::Dop853, "DOP853"),
    (Method::Direct, "series in p"),
];

pub(crate) fn measure() -> Result<Measured, Box<dyn Error>> {
    let wanted: Vec<_> = (0..=SLOWEST).map(|power| 10f64.powi(-power)).collect();
    let motions = rest::motions(&wanted)?;
    let mut runs = Vec::new();
    for (method, name) in METHODS {
        for (least, motion) in &motions {
            let Some(tuned) = method.tuned(motion, ERROR)? else { break };
            runs.push((name, *least, motion, tuned));
        }
    }
    for (least, motion) in &motions {
        let run = Method::Series.follow(motion, TIGHT)?;
        let tuned = Tuned { method: Method::Series, setting: TIGHT, steps: run.steps, error: 0.0 };
        runs.push((TIGHTLY, *least, motion, tuned));
    }
    let timed = runs
        .iter()
        .map(|(_, _, motion, tuned)| Timed::new(move || drop(black_box(tuned.follow(motion)))));
    let mut times: Vec<_> = timed.collect();
    in_turn(&mut times, ROUNDS);
    let mut measured = Measured::default();
    for ((name, least, _, tuned), timed) in runs.iter().zip(&times) {
        measured.add("steps", name, [*least, tuned.steps as f64]);
        measured.add("time", name, [*least, timed.least / 1e3]);
    }
    Ok(measured)
}

pub(crate) fn figure(measured: &Measured) -> Figure {
    let speed = Axis { name: "least speed s (m/s)", division: Division::Falling };
    let panel = |title, quantity, name| Panel {
        title,
        letter: "s",
        axes: [speed, Axis { name, division: Division::Decades }],
        corner: SeriesLabelPosition::UpperRight,
        shown: METHODS
            .iter()
            .map(|(_, name)| *name)
            .chain([TIGHTLY])
            .map(|name| {
                let law = if name == "RK4" { Law::power } else { Law::logarithm };
                Shown::new(name, measured.points(quantity, name)).fitted(NEAR, law)
            })
            .collect(),
    };
    let panels = vec![
        panel("Steps within 1e-9 m/s", "steps", "steps"),
        panel("Time within 1e-9 m/s", "time", "time (µs)"),
    ];
    Figure { panels, notes: Vec::new() }
}
