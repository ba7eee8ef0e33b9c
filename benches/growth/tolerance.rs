//! A motion against the error it may have.

use std::error::Error;
use std::hint::black_box;

use plotters::prelude::SeriesLabelPosition;
use routh_benches::timed::{Timed, in_turn};
use routh_benches::{Method, Motion, STARTS, Tuned};

use crate::figure::{Figure, Panel, Shown};
use crate::law::Law;
use crate::measured::Measured;
use crate::scale::{Axis, Division};

/// Errors from and to these powers of ten.
const DECADES: [i32; 2] = [3, 14];
/// Rounds, and those that long runs take part in.
const ROUNDS: (usize, usize) = (100, 12);
/// Errors from which on Runge-Kutta shows its order, and from which on methods that
/// choose their steps do.
const ASYMPTOTIC: [f64; 2] = [1.1e-6, 1.1e-10];

const METHODS: [(Method, &str); 5] = [
    (Method::Series, "series"),
    (Method::Stretched, "series, stretched"),
    (Method::Rk4, "RK4"),
    (Method::Dopri5, "DOPRI5"),
    (Method::Dop853, "DOP853"),
];

/// What `measure` calls a motion's quantities.
fn quantities(start: usize) -> [String; 2] {
    ["steps", "time"].map(|quantity| format!("{quantity} from {:?}", STARTS[start]))
}

pub(crate) fn measure() -> Result<Measured, Box<dyn Error>> {
    let mut measured = Measured::default();
    for start in [0, 1] {
        let motion = Motion::of_the_paper(STARTS[start])?;
        let mut runs = Vec::new();
        for (method, name) in METHODS {
            for power in DECADES[0]..=DECADES[1] {
                let target = 10f64.powi(-power);
                let Some(tuned) = method.tuned(&motion, target)? else { break };
                runs.push((name, target, tuned));
            }
        }
        record(&mut measured, quantities(start), &motion, &runs);
    }
    Ok(measured)
}

/// Steps and times of tuned methods on one motion.
fn record(
    measured: &mut Measured,
    [steps, time]: [String; 2],
    motion: &Motion,
    runs: &[(&str, f64, Tuned)],
) {
    let timed = |(.., tuned): &(&str, f64, Tuned)| {
        let tuned = *tuned;
        Timed::new(move || drop(black_box(tuned.follow(motion))))
    };
    let mut times: Vec<_> = runs.iter().map(timed).collect();
    in_turn(&mut times, ROUNDS);
    for ((name, target, tuned), timed) in runs.iter().zip(&times) {
        measured.add(&steps, name, [*target, tuned.steps as f64]);
        measured.add(&time, name, [*target, timed.least / 1e3]);
    }
}

pub(crate) fn figure(measured: &Measured) -> Figure {
    let titles = [
        ["Steps from (4, 0)", "Time from (4, 0)"],
        ["Steps from (1, −4), which nearly halts", "Time from (1, −4), which nearly halts"],
    ];
    let error = Axis { name: "largest error allowed ε (m/s)", division: Division::Falling };
    let mut panels = Vec::new();
    for (start, titles) in titles.into_iter().enumerate() {
        for ((quantity, title), name) in
            quantities(start).iter().zip(titles).zip(["steps", "time (µs)"])
        {
            let shown = METHODS.map(|(method, name)| {
                let shown = Shown::new(name, measured.points(quantity, name));
                match method {
                    Method::Series | Method::Stretched => shown.fitted([0.0, 1.0], Law::logarithm),
                    Method::Rk4 => shown.fitted([0.0, ASYMPTOTIC[0]], Law::power),
                    _ => shown.fitted([0.0, ASYMPTOTIC[1]], Law::power),
                }
            });
            panels.push(Panel {
                title,
                letter: "ε",
                axes: [error, Axis { name, division: [Division::Decades, Division::Roomy][start] }],
                corner: SeriesLabelPosition::UpperLeft,
                shown: shown.into(),
            });
        }
    }
    Figure { panels, notes: Vec::new() }
}
