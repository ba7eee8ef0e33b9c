//! Impacts that a solver is tried on while it is generated: what the runtime
//! makes of them, and what the reference says. They also become its tests.

use std::collections::BTreeMap;

use super::code::Code;
use super::robot;
use crate::Precision;
use crate::derivations::Law;
use crate::embedded::{self, Answer, Question};
use crate::mechanism::Base;
use crate::program::{Function, SeriesProgram};
use crate::reference::{follow, follow_planar};
use crate::robot::{Body, Dimension, Plan, Runtime};

/// Impacts that the runtime is tried on.
const TRIED: usize = 600;

/// Of those, how many are compared with the reference whatever their mode.
const COMPARED: usize = 48;

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
}

/// An impact and what the reference says of it.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) q: Vec<f64>,
    pub(crate) qd: Vec<f64>,
    pub(crate) velocity: Vec<f64>,
    /// By rows.
    pub(crate) inertia: Vec<f64>,
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
}

impl<const N: usize> From<Answer<N>> for Expected {
    fn from(answer: Answer<N>) -> Self {
        Self {
            velocity: answer.velocity.to_vec(),
            impulse: answer.impulse.to_vec(),
            compression_impulse: answer.compression_impulse,
            normal_work: answer.normal_work,
            friction_work: answer.friction_work,
            mode: answer.mode,
            qd: Vec::new(),
        }
    }
}

impl Samples {
    pub(crate) fn new(plan: &Plan, code: &Code, program: &SeriesProgram) -> Self {
        let mut random = Random(0x5eed);
        let mut samples = Self { tried: TRIED, ..Self::default() };
        for i in 0..TRIED {
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
        samples
    }

    /// Compares a result with the reference, and keeps it as a test if asked.
    fn compare(
        &mut self,
        plan: &Plan,
        program: &SeriesProgram,
        mut case: Case,
        response: &[f64],
        found: &Expected,
        keep: bool,
    ) {
        let Some(mut expected) = ask(plan, program, &case) else { return };
        self.compared += 1;
        self.worst_error = self.worst_error.max(apart(&case, found, &expected));
        if keep && expected.mode == found.mode {
            let size = expected.impulse.len();
            let rows = case.qd.iter().zip(response.chunks(size));
            expected.qd = rows
                .map(|(qd, row)| {
                    qd + row.iter().zip(&expected.impulse).map(|(r, p)| r * p).sum::<f64>()
                })
                .collect();
            case.expected = expected;
            self.cases.push(case);
        }
    }
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

fn posed<const N: usize>(plan: &Plan, case: &Case) -> Question<N> {
    let velocity = std::array::from_fn(|i| case.velocity.get(i).copied().unwrap_or_default());
    Question {
        friction: case.friction,
        law: case.law,
        e: case.e,
        ..robot::question(plan, &case.inertia, velocity)
    }
}

/// What the runtime makes of an impact, and in how many steps.
fn run(plan: &Plan, code: &Code, case: &Case) -> Result<(Expected, usize), String> {
    match plan.dimension {
        Dimension::Plane => {
            let answer = embedded::solve_planar(plan.precision, &posed(plan, case))?;
            Ok((answer.into(), 0))
        }
        Dimension::Space => {
            let order = code.order.unwrap_or_default();
            let reach = plan.tolerance.log2() / order as f64;
            let answer = embedded::solve_spatial(plan.precision, order, reach, &posed(plan, case))?;
            let steps = answer.steps;
            Ok((answer.into(), steps))
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

/// Elementary functions that are the same on every machine.
fn portable(function: Function, x: f64) -> f64 {
    match function {
        Function::Sqrt => x.sqrt(),
        Function::Exp => libm::exp(x),
        Function::Log => libm::log(x),
        Function::Sin => libm::sin(x),
        Function::Cos => libm::cos(x),
    }
}

/// Numbers that are the same every time (splitmix64).
struct Random(u64);

impl Random {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let part = ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64;
        // Few digits, so that every arithmetic takes them for what they are.
        ((low + (high - low) * part) * 4096.0).round() / 4096.0
    }

    /// Impact `i`, and how velocities respond to an impulse, by rows.
    fn case(&mut self, plan: &Plan, i: usize) -> (Case, Vec<f64>) {
        let mut case = Case {
            q: Vec::new(),
            qd: Vec::new(),
            velocity: Vec::new(),
            inertia: Vec::new(),
            friction: plan.friction,
            law: plan.law,
            e: plan.e,
            expected: Expected::default(),
        };
        if plan.runtime.contains(&Runtime::Friction) {
            let kinetic = self.between(0.0, 1.0);
            case.friction = [kinetic * self.between(1.0, 1.25), kinetic];
        }
        if plan.runtime.contains(&Runtime::Restitution) {
            case.law = Law::ALL[i % 3];
            case.e = self.between(0.0, 1.0);
        }
        let response = self.robot(plan, i, &mut case);
        if plan.precision == Precision::F32 {
            let single = |x: &mut f64| *x = f64::from(*x as f32);
            case.friction.iter_mut().for_each(single);
            case.inertia.iter_mut().for_each(single);
            case.velocity.iter_mut().for_each(single);
            single(&mut case.e);
        }
        (case, response)
    }

    /// Where the robot is and how it moves.
    fn robot(&mut self, plan: &Plan, i: usize, case: &mut Case) -> Vec<f64> {
        let size = plan.dimension.size();
        match &plan.body {
            Body::Inertia(inertia) => {
                case.inertia.clone_from(inertia);
                if plan.runtime.contains(&Runtime::Inertia) {
                    let scales: Vec<f64> = (0..size).map(|_| self.between(0.5, 2.0)).collect();
                    for (k, x) in case.inertia.iter_mut().enumerate() {
                        *x *= scales[k / size] * scales[k % size];
                    }
                }
                // Some starts are at rest, and some next to it.
                let slip = [0.0, 1.0 / 1024.0, 0.25, 1.0, 1.0, 4.0][i % 6];
                case.velocity = vec![-self.between(0.1, 2.0)];
                case.velocity.extend((1..size).map(|_| slip * self.between(-1.0, 1.0)));
                Vec::new()
            }
            Body::Masses { inertia, jacobian, response, velocities } => {
                case.inertia.clone_from(inertia);
                self.move_joints(*velocities, jacobian, case);
                response.clone()
            }
            Body::Model { program, positions, velocities, base, .. } => {
                case.q = (0..*positions).map(|_| self.between(-1.5, 1.5)).collect();
                if *base == Base::Floating {
                    let length = case.q[..4].iter().map(|x| x * x).sum::<f64>().sqrt();
                    case.q[..4].iter_mut().for_each(|x| *x /= length);
                }
                let values = program.graph.evaluate_with(&case.q, portable);
                let at = |name: String| {
                    let output = program.outputs.iter().position(|(output, _)| *output == name);
                    output.map_or(f64::NAN, |k| values[program.outputs[k].1.0])
                };
                let indices = |height: usize, width: usize| {
                    (0..height).flat_map(move |i| (0..width).map(move |j| (i, j)))
                };
                case.inertia = indices(size, size)
                    .map(|(i, j)| at(format!("D_{}_{}", i.min(j), i.max(j))))
                    .collect();
                let jacobian: Vec<f64> =
                    indices(size, *velocities).map(|(i, j)| at(format!("J_{i}_{j}"))).collect();
                self.move_joints(*velocities, &jacobian, case);
                indices(*velocities, size).map(|(j, i)| at(format!("R_{j}_{i}"))).collect()
            }
        }
    }

    /// Velocities that bring the contact point towards the surface.
    fn move_joints(&mut self, count: usize, jacobian: &[f64], case: &mut Case) {
        case.qd = (0..count).map(|_| self.between(-1.0, 1.0)).collect();
        let product = |qd: &[f64]| -> Vec<f64> {
            let rows = jacobian.chunks(count);
            rows.map(|row| row.iter().zip(qd).map(|(j, v)| j * v).sum()).collect()
        };
        if product(&case.qd)[0] > 0.0 {
            case.qd.iter_mut().for_each(|v| *v = -*v);
        }
        case.velocity = product(&case.qd);
    }
}
