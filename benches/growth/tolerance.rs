//! A motion against the error it may have.

use std::error::Error;

use routh_benches::timed::Timed;
use routh_benches::{STARTS, motion_of_the_paper};
use routh_integrators::Method;

use crate::axis::{Axis, Division};
use crate::figure::{Figure, Panel, Shown};
use crate::law::Law;
use crate::measured::Measured;

/// Errors from and to these powers of ten.
const DECADES: [i32; 2] = [3, 14];
/// Rounds, and those that long runs take part in.
const ROUNDS: (usize, usize) = (100, 12);
/// Errors from which on Runge-Kutta shows its order, and from which on methods that
/// choose their steps do.
const ASYMPTOTIC: [f64; 2] = [1.1e-6, 1.1e-10];

/// What `measure` calls a motion's quantities.
fn quantities(start: usize) -> [String; 2] {
    ["steps", "time"].map(|quantity| format!("{quantity} from {:?}", STARTS[start]))
}

/// All methods but the series in the impulse.
fn methods() -> impl Iterator<Item = (Method, &'static str)> {
    let others = Method::ALL.into_iter().filter(|method| *method != Method::Direct);
    others.map(|method| (method, method.title()))
}

pub(crate) fn measure() -> Result<Measured, Box<dyn Error>> {
    let mut measured = Measured::default();
    for start in [0, 1] {
        let motion = &motion_of_the_paper(STARTS[start])?;
        let [steps, time] = quantities(start);
        let mut runs = Vec::new();
        for (method, name) in methods() {
            for power in DECADES[0]..=DECADES[1] {
                let target = 10f64.powi(-power);
                let Some(tuned) = method.tuned(motion, target)? else { break };
                measured.add(&steps, name, [target, tuned.steps as f64]);
                let run = move || method.follow(motion, tuned.setting);
                runs.push((name, target, Timed::new(run)));
            }
        }
        measured.add_times((&time, 1e3), runs, ROUNDS);
    }
    Ok(measured)
}

pub(crate) fn figure(measured: &Measured) -> Figure {
    let titles = [
        ["Steps from (4, 0)", "Time from (4, 0)"],
        ["Steps from (1, −4), which nearly halts", "Time from (1, −4), which nearly halts"],
    ];
    let error = Axis { name: "largest error allowed ε (m/s)", division: Division::Falling };
    let mut panels = Vec::new();
    for (start, titles) in titles.into_iter().enumerate() {
        let names = titles.into_iter().zip(["steps", "time (µs)"]);
        for (quantity, (title, name)) in quantities(start).iter().zip(names) {
            let shown = methods().map(|(method, name)| {
                let shown = Shown::new(name, measured.points(quantity, name));
                match method {
                    Method::Series | Method::Stretched => shown.fitted([0.0, 1.0], Law::logarithm),
                    Method::Rk4 => shown.fitted([0.0, ASYMPTOTIC[0]], Law::power),
                    _ => shown.fitted([0.0, ASYMPTOTIC[1]], Law::power),
                }
            });
            let panel = Panel::new(title, ("ε", error), name, shown);
            panels.push(panel.divided([Division::Decades, Division::Roomy][start]));
        }
    }
    Figure { panels, notes: Vec::new() }
}
