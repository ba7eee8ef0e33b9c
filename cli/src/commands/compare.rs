//! `routh compare`: the series against other integrators at equal accuracy.

mod table;

use std::path::PathBuf;

use clap::Args;
use routh_integrators::matched::Sweep;
use routh_integrators::timed::{Timed, in_turn};
use routh_integrators::{Method, Motion, precise};
use serde::Serialize;

use crate::input::{Document, Rejection, Sliding};
use crate::output::{Failure, Progress, answer_each_as, write_file, write_line};
use crate::plot::{self, Curve, Panel};

/// Compare the power series with other integrators at equal accuracy
///
/// FILE holds one motion as a JSON object, or one object a line, as `routh
/// trajectory` takes it but without "tolerance", "order" and "stretched":
///
///   {"D": [[1.3, 0.4, -0.2], [0.4, 2.1, 0.5], [-0.2, 0.5, 0.9]],
///    "mu": 0.15, "v0": [0.7, -1.1], "impulse": [0.5, 1, 4]}
///
/// Every method is tuned to reach each error in the fewest steps, over a ladder
/// of tolerances or over their number. The error is the largest of all
/// velocity components at the impulses, against a reference of forty digits.
///
///   series            the solver's series, in a variable in which halts are regular
///   series_stretched  the same, stretched beyond their radius of convergence
///   series_direct     adaptive series in the impulse itself, of the same order
///   rk4               classic Runge-Kutta, fixed steps, at most about a million
///   dopri5            Dormand-Prince 5(4), adaptive
///   dop853            Dormand-Prince 8(5,3), adaptive
///
/// An evaluation is one of the right-hand side, or one expansion of a series.
/// Times are the shortest of several runs on this machine; compare them within one
/// run only. A method that does not reach an error shows the run that comes nearest.
#[derive(Args)]
#[command(verbatim_doc_comment, after_help = EXAMPLES)]
pub(crate) struct Compare {
    /// File of motions; `-` is standard input
    file: PathBuf,
    /// Error to reach; may be given several times
    #[arg(long = "error", value_name = "E", value_parser = error, default_values = ERRORS)]
    errors: Vec<f64>,
    /// Print {"rows": [...]} for every motion, on a line
    #[arg(long)]
    json: bool,
    /// Draw error against steps
    #[arg(long, value_name = "OUT.svg")]
    plot: Option<PathBuf>,
}

/// Times that a run is timed, and a long one.
const ROUNDS: (usize, usize) = (40, 2);

const ERRORS: [&str; 3] = ["2e-6", "1e-9", "1e-12"];

const EXAMPLES: &str = "\
Examples, from the root of the repository:
  routh compare examples/sliding.json
  routh compare --error 1e-8 --json examples/sliding.json
  routh compare examples/starts.json --plot /tmp/precision.svg";

fn error(text: &str) -> Result<f64, String> {
    let error = text.parse::<f64>().map_err(|_| "expected a number".to_owned())?;
    let sensible = error > 0.0 && error.is_finite();
    sensible.then_some(error).ok_or_else(|| "expected a positive number".to_owned())
}

/// A method at an error that it should reach.
#[derive(Serialize)]
pub(crate) struct Row {
    pub(crate) method: &'static str,
    order: Option<usize>,
    tolerance: Option<f64>,
    pub(crate) steps: Option<usize>,
    evaluations: Option<usize>,
    error: Option<f64>,
    pub(crate) nanoseconds: Option<f64>,
    pub(crate) target: f64,
    pub(crate) reached: bool,
}

#[derive(Serialize)]
pub(crate) struct Comparison {
    #[serde(skip)]
    pub(crate) title: String,
    pub(crate) rows: Vec<Row>,
}

impl Compare {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let mut panels = Vec::new();
        let answer = |document: Document| {
            let (comparison, curves) = compare(Sliding::read_untuned(document)?, &self.errors)?;
            if self.plot.is_some() {
                panels.push(Panel { title: comparison.title.clone(), curves });
            }
            Ok(comparison)
        };
        let write = if self.json { write_line } else { table::write };
        let answered = answer_each_as(&self.file, &Progress::none(), answer, write);
        if let (Some(path), false) = (&self.plot, panels.is_empty()) {
            write_file(path, &plot::precision(&panels)?)?;
        }
        answered
    }
}

/// Tunes every method to every error.
pub(crate) fn compare(
    sliding: Sliding,
    errors: &[f64],
) -> Result<(Comparison, Vec<Curve>), Rejection> {
    let methods = Method::ALL.len();
    let progress = Progress::of_parts(1 + methods * (1 + errors.len()));
    progress.part("reference");
    let Sliding { contact, friction, v0, impulse, .. } = &sliding;
    let motion = Motion::new(*contact, *friction, *v0, impulse);
    let reference = precise::follow(&motion.problem)
        .map_err(|failure| Rejection::NoReference(failure.to_string()))?;
    let sweeps = Method::ALL.map(|method| {
        progress.part(method.name());
        (method, method.sweep(&motion, &reference))
    });
    let mut rows = Vec::new();
    for &target in errors {
        for (method, sweep) in &sweeps {
            progress.part(method.name());
            rows.push(Row::new(*method, sweep, target, &motion));
        }
    }
    let curves = sweeps.iter().map(|(method, sweep)| curve(*method, sweep, &rows)).collect();
    let ([x, y], mu) = (v0, friction.kinetic());
    let title = format!("from ({x}, {y}) to impulse {}, friction {mu}", sliding.end());
    Ok((Comparison { title, rows }, curves))
}

impl Row {
    fn new(method: Method, sweep: &Sweep, target: f64, motion: &Motion) -> Self {
        let found = sweep.reach(target);
        let reached = found.is_some();
        let trial = found.or_else(|| sweep.nearest());
        Self {
            method: method.name(),
            order: trial.map(|trial| method.order(trial.setting)),
            tolerance: trial.map(|trial| trial.setting).filter(|_| method != Method::Rk4),
            steps: trial.map(|trial| trial.steps),
            evaluations: trial.map(|trial| trial.evaluations),
            error: trial.map(|trial| trial.error),
            nanoseconds: trial.map(|trial| {
                let mut run = [Timed::new(|| method.follow(motion, trial.setting))];
                in_turn(&mut run, ROUNDS);
                run[0].least
            }),
            target,
            reached,
        }
    }
}

/// The least error within so many steps, and the runs in the table.
fn curve(method: Method, sweep: &Sweep, rows: &[Row]) -> Curve {
    let points = sweep.trials.iter().map(|trial| (trial.steps as f64, trial.error));
    let mut points: Vec<_> = points.collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut least = f64::INFINITY;
    points.retain(|&(_, error)| {
        let better = 0.0 < error && error < least;
        least = least.min(error);
        better
    });
    let own = rows.iter().filter(|row| row.method == method.name() && row.reached);
    let chosen = own.filter_map(|row| Some((row.steps? as f64, row.error?))).collect();
    Curve { name: method.name(), points, chosen }
}
