//! A motion against how near to rest it passes.

use std::error::Error;

use plotters::prelude::SeriesLabelPosition;
use routh_benches::rest;
use routh_benches::timed::Timed;
use routh_integrators::Method;

use crate::axis::{Axis, Division};
use crate::figure::{Figure, Panel, Shown};
use crate::law::Law;
use crate::measured::Measured;

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

pub(crate) fn measure() -> Result<Measured, Box<dyn Error>> {
    let wanted: Vec<_> = (0..=SLOWEST).map(|power| 10f64.powi(-power)).collect();
    let motions = rest::motions(&wanted)?;
    let (mut measured, mut runs) = (Measured::default(), Vec::new());
    let mut add = |name, least, method: Method, motion, setting, steps: usize| {
        measured.add("steps", name, [least, steps as f64]);
        runs.push((name, least, Timed::new(move || method.follow(motion, setting))));
    };
    for method in Method::ALL {
        let name = method.title();
        for (least, motion) in &motions {
            let Some(tuned) = method.tuned(motion, ERROR)? else { break };
            add(name, *least, method, motion, tuned.setting, tuned.steps);
        }
    }
    for (least, motion) in &motions {
        let run = Method::Series.follow(motion, TIGHT)?;
        add(TIGHTLY, *least, Method::Series, motion, TIGHT, run.steps);
    }
    measured.add_times(("time", 1e3), runs, ROUNDS);
    Ok(measured)
}

pub(crate) fn figure(measured: &Measured) -> Figure {
    let speed = Axis { name: "least speed s (m/s)", division: Division::Falling };
    let panel = |title, quantity, name| {
        let names = Method::ALL.map(Method::title).into_iter().chain([TIGHTLY]);
        let shown = names.map(|name| {
            let law = if name == "RK4" { Law::power } else { Law::logarithm };
            Shown::new(name, measured.points(quantity, name)).fitted(NEAR, law)
        });
        Panel::new(title, ("s", speed), name, shown).at(SeriesLabelPosition::UpperRight)
    };
    let panels = vec![
        panel("Steps within 1e-9 m/s", "steps", "steps"),
        panel("Time within 1e-9 m/s", "time", "time (µs)"),
    ];
    Figure { panels, notes: Vec::new() }
}
