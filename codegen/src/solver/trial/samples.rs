//! Impacts that a solver is tried on while it is generated: what the runtime
//! makes of them, and what the reference says. They also become its tests.

mod drawn;

use std::collections::BTreeMap;

use super::reference::{follow, follow_planar};
use super::{ImpactInput, ImpactOutput, solve_planar, solve_series, solve_tables};
use crate::derivations::Law;
use crate::program::SeriesProgram;
use crate::robot::{Dimension, Plan};
use crate::solver::code::{Code, Method};
use crate::solver::robot;
use crate::solver::rust::allowance;
use crate::{Error, Precision};

/// Impacts that the runtime is tried on.
const TRIED: usize = 600;

/// Of those, how many are compared with the reference whatever their mode.
const COMPARED: usize = 48;

/// Impacts after which one must have become a test.
const HOPELESS: usize = 100;

/// Tests for each mode.
const PER_MODE: usize = 4;

/// What trying a solver showed.
#[derive(Default)]
pub(crate) struct Samples {
    /// Impacts of every mode that was met, with what the reference says.
    pub(crate) cases: Vec<Case>,
    /// How many impacts were tried, and ended in each mode.
    pub(crate) tried: usize,
    pub(crate) modes: BTreeMap<String, usize>,
    /// Impacts that were refused, by status.
    pub(crate) refused: BTreeMap<String, usize>,
    pub(crate) most_steps: usize,
    /// Impacts compared with the reference, and the largest error of velocities
    /// and impulses relative to the largest of each.
    pub(crate) compared: usize,
    pub(crate) worst_error: f64,
    /// Impacts that the reference could not follow.
    pub(crate) unresolved: usize,
    /// Impacts that the reference ends in another mode: they are tests, which fail.
    pub(crate) contradicted: usize,
    /// Impacts that it ends in another mode, where rounding decides between the two.
    pub(crate) undecided: usize,
    /// Impacts of single precision that are off by more than a test allows.
    pub(crate) loose: usize,
}

/// An impact and what the reference says of it.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) q: Vec<f64>,
    pub(crate) qd: Vec<f64>,
    pub(crate) velocity: Vec<f64>,
    /// By rows.
    pub(crate) inertia: Vec<f64>,
    /// Velocity and inertia as the solver finds them in its own arithmetic, if
    /// that is not the same.
    own: Option<(Vec<f64>, Vec<f64>)>,
    pub(crate) friction: [f64; 2],
    pub(crate) law: Law,
    pub(crate) e: f64,
    pub(crate) expected: Expected,
}

/// A result by the reference.
#[derive(Clone, Debug, Default)]
pub(crate) struct Expected {
    pub(crate) velocity: Vec<f64>,
    pub(crate) impulse: Vec<f64>,
    pub(crate) compression_impulse: f64,
    pub(crate) normal_work: f64,
    pub(crate) friction_work: f64,
    pub(crate) mode: String,
    pub(crate) qd: Vec<f64>,
    /// Columns of the Jacobian, as far as differences of the reference give them.
    pub(crate) slopes: Vec<Option<Vec<f64>>>,
}

impl<const N: usize> From<ImpactOutput<N>> for Expected {
    fn from(output: ImpactOutput<N>) -> Self {
        Self {
            velocity: output.velocity.to_vec(),
            impulse: output.impulse.to_vec(),
            compression_impulse: output.compression_impulse,
            normal_work: output.normal_work,
            friction_work: output.friction_work,
            mode: output.mode,
            qd: Vec::new(),
            slopes: Vec::new(),
        }
    }
}

impl Samples {
    /// # Errors
    /// [`Error::Untested`] if there is no impact to test the solver on.
    pub(crate) fn new(plan: &Plan, code: &Code, program: &SeriesProgram) -> Result<Self, Error> {
        let mut random = drawn::Random(0x5eed);
        let mut samples = Self { tried: TRIED, ..Self::default() };
        for i in 0..TRIED {
            if i == HOPELESS && samples.cases.is_empty() {
                break;
            }
            let (case, response) = random.case(plan, i);
            let (found, steps) = match run(plan, code, &case) {
                Ok(found) => found,
                Err(status) => {
                    *samples.refused.entry(status).or_default() += 1;
                    continue;
                }
            };
            samples.most_steps = samples.most_steps.max(steps);
            let met = samples.modes.entry(found.mode.clone()).or_default();
            *met += 1;
            if *met <= PER_MODE || i < COMPARED {
                let few = *met <= PER_MODE;
                samples.compare(plan, program, case, &response, &found, few);
            }
        }
        if samples.cases.is_empty() {
            let refused: Vec<_> =
                samples.refused.iter().map(|(status, n)| format!("{status} {n}")).collect();
            return Err(Error::Untested { tried: HOPELESS, refused: refused.join(", ") });
        }
        Ok(samples)
    }

    /// Compares a result with the reference, and keeps it as a test if asked, or if it
    /// contradicts the reference.
    fn compare(
        &mut self,
        plan: &Plan,
        program: &SeriesProgram,
        mut case: Case,
        response: &[f64],
        found: &Expected,
        keep: bool,
    ) {
        let Some(mut expected) = ask(plan, program, &case) else {
            self.unresolved += 1;
            return;
        };
        self.compared += 1;
        let error = apart(&case, found, &expected);
        let mut contradicted = false;
        if expected.mode != found.mode {
            if ends_beside(plan, program, &case, &found.mode) {
                self.undecided += 1;
                return;
            }
            self.contradicted += 1;
            contradicted = true;
        }
        self.worst_error = self.worst_error.max(error);
        // Near singular poses single precision loses what a test could ask for; in
        // double precision an error must show as a test that fails.
        let close = plan.precision == Precision::F64 || error <= 0.25 * allowance(plan);
        self.loose += usize::from(keep && !close);
        if contradicted || keep && close {
            let size = expected.impulse.len();
            let rows = case.qd.iter().zip(response.chunks(size));
            expected.qd = rows
                .map(|(qd, row)| {
                    qd + row.iter().zip(&expected.impulse).map(|(r, p)| r * p).sum::<f64>()
                })
                .collect();
            if plan.derivatives {
                expected.slopes = slopes(plan, program, &case, &expected.mode);
            }
            case.expected = expected;
            self.cases.push(case);
        }
    }
}

/// Units in the last place that rounding may take a number away from what it stands for.
const ROUNDING: f64 = 8.0;

/// Whether the reference ends an impact next to a case in the given mode: one whose numbers
/// differ from the case's by no more than rounding or the solver's tolerance.
fn ends_beside(plan: &Plan, program: &SeriesProgram, case: &Case, found: &str) -> bool {
    let unit = match plan.precision {
        Precision::F64 => f64::EPSILON,
        Precision::F32 => f64::from(f32::EPSILON),
    };
    let part = plan.tolerance.max(ROUNDING * unit);
    let solved = case.own.clone().unwrap_or((case.velocity.clone(), case.inertia.clone()));
    let solved = Case { velocity: solved.0, inertia: solved.1, own: None, ..case.clone() };
    let size = solved.velocity.len();
    let speed = solved.velocity.iter().fold(0.0_f64, |most, v| v.abs().max(most));
    let mut beside = vec![solved.clone()];
    for sign in [-1.0, 1.0] {
        let mut add = |change: &dyn Fn(&mut Case)| {
            let mut varied = solved.clone();
            change(&mut varied);
            beside.push(varied);
        };
        for i in 0..size {
            add(&|case| case.velocity[i] += sign * part * speed);
            for j in i..size {
                let scale = (solved.inertia[i * size + i] * solved.inertia[j * size + j]).sqrt();
                add(&|case| {
                    case.inertia[i * size + j] += sign * part * scale;
                    case.inertia[j * size + i] = case.inertia[i * size + j];
                });
            }
        }
        // Kinetic friction stays below static friction, and restitution between 0 and 1.
        let factor = 1.0 + sign * part;
        add(&|case| case.friction[0] = (case.friction[0] * factor).max(case.friction[1]));
        add(&|case| case.friction = case.friction.map(|mu| mu * factor));
        add(&|case| case.e = (case.e * factor).min(1.0));
    }
    let ends = |case: &Case| ask(plan, program, case).is_some_and(|output| output.mode == found);
    beside.iter().any(ends)
}

/// The largest difference of two results, relative to the largest velocity and
/// the largest impulse.
fn apart(case: &Case, found: &Expected, expected: &Expected) -> f64 {
    let largest = |x: &[f64]| x.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let difference =
        |x: &[f64], y: &[f64]| x.iter().zip(y).fold(0.0_f64, |m, (x, y)| m.max((x - y).abs()));
    let velocity = largest(&case.velocity).max(largest(&expected.velocity));
    let impulse = largest(&expected.impulse);
    (difference(&found.velocity, &expected.velocity) / velocity)
        .max(difference(&found.impulse, &expected.impulse) / impulse)
}

fn posed<const N: usize>(plan: &Plan, case: &Case) -> ImpactInput<N> {
    let velocity = std::array::from_fn(|i| case.velocity.get(i).copied().unwrap_or_default());
    ImpactInput {
        friction: case.friction,
        law: case.law,
        e: case.e,
        ..robot::input(plan, &case.inertia, velocity)
    }
}

/// What the runtime makes of an impact, and in how many steps.
fn run(plan: &Plan, code: &Code, case: &Case) -> Result<(Expected, usize), String> {
    let mut case = case.clone();
    if let Some((velocity, inertia)) = case.own.take() {
        (case.velocity, case.inertia) = (velocity, inertia);
    }
    let case = &case;
    match &code.method {
        Method::ClosedForms => {
            let output = solve_planar(plan.precision, &posed(plan, case))?;
            Ok((output.into(), 0))
        }
        Method::Series { order } => {
            let input = posed(plan, case);
            let output = solve_series(plan.precision, *order, plan.tolerance, &input)?;
            let steps = output.steps;
            Ok((output.into(), steps))
        }
        Method::Flow(tables) => {
            let output = solve_tables(plan.precision, tables, &posed(plan, case))?;
            Ok((output.into(), 0))
        }
    }
}

/// What the reference says of it.
fn ask(plan: &Plan, program: &SeriesProgram, case: &Case) -> Option<Expected> {
    match plan.dimension {
        Dimension::Plane => follow_planar(program, &posed(plan, case)).map(Into::into),
        Dimension::Space => follow(program, &posed(plan, case)).map(Into::into),
    }
}

/// How far apart differences are taken.
const APART: f64 = 1e-4;

/// Columns of the Jacobian by differences of the reference, extrapolated: by each
/// velocity, by kinetic friction and by restitution. A column is left out where
/// the mode changes beside the impact, or the slope itself within a step; and
/// those of tangential velocities at a start without any.
fn slopes(plan: &Plan, program: &SeriesProgram, case: &Case, mode: &str) -> Vec<Option<Vec<f64>>> {
    let size = case.velocity.len();
    let at_rest = case.velocity[1..].iter().all(|v| *v == 0.0);
    let beside = |column: usize, h: f64| {
        let mut varied = Case { own: None, ..case.clone() };
        match column {
            _ if column < size => varied.velocity[column] += h,
            _ if column == size => varied.friction[1] += h,
            _ => varied.e += h,
        }
        let sensible = varied.friction[1] >= 0.0 && varied.e >= 0.0;
        let found = if sensible { ask(plan, program, &varied) } else { None };
        found.filter(|found| found.mode == mode).map(|found| found.velocity)
    };
    let difference = |column: usize, h: f64| -> Option<Vec<f64>> {
        let (more, less) = (beside(column, h)?, beside(column, -h)?);
        Some(more.iter().zip(less).map(|(x, y)| (x - y) / (2.0 * h)).collect())
    };
    let column = |column: usize| -> Option<Vec<f64>> {
        if at_rest && (1..size).contains(&column) {
            return None;
        }
        let (wide, near) = (difference(column, APART)?, difference(column, 0.5 * APART)?);
        let steady = |(x, y): (&f64, &f64)| (x - y).abs() <= 1e-5 * (1.0 + y.abs());
        let steady = wide.iter().zip(&near).all(steady);
        let better = wide.iter().zip(&near).map(|(x, y)| (4.0 * y - x) / 3.0);
        steady.then(|| better.collect())
    };
    (0..size + 2).map(column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Robot;
    use crate::derivations::Derivations;

    /// An impact of a rod that halts in compression, found in another mode than it has.
    fn compared(friction: f64) -> (Samples, String) {
        let rod = Robot::from_inertia("rod", &[[2.5, -1.5], [-1.5, 2.5]]);
        let plan = rod.friction(friction, friction).plan().unwrap();
        let derivations = Derivations::committed().unwrap();
        let code = Code::new(&plan, &derivations).unwrap();
        let mut random = drawn::Random(0x5eed);
        let (case, response, mut found) = (0..TRIED)
            .map(|i| random.case(&plan, i))
            .map(|(case, response)| {
                let (found, _) = run(&plan, &code, &case).unwrap();
                (case, response, found)
            })
            .find(|(.., found)| found.mode.ends_with("InCompression"))
            .unwrap();
        let mode = found.mode.clone();
        found.mode = match mode.strip_prefix("Sticking") {
            Some(stage) => format!("Reverse{stage}"),
            None => mode.replace("Reverse", "Sticking"),
        };
        let mut samples = Samples::default();
        let program = &derivations.regularised;
        samples.compare(&plan, program, case, &response, &found, false);
        (samples, mode)
    }

    #[test]
    fn an_impact_in_another_mode_becomes_a_test() {
        let (samples, mode) = compared(0.7);
        assert_eq!((samples.contradicted, samples.undecided), (1, 0));
        assert_eq!(samples.cases[0].expected.mode, mode);
    }

    #[test]
    fn rounding_may_decide_between_modes() {
        // The contact sticks from a friction of 0.6 on.
        let (samples, _) = compared(0.6);
        assert_eq!((samples.contradicted, samples.undecided), (0, 1));
        assert!(samples.cases.is_empty());
    }
}
