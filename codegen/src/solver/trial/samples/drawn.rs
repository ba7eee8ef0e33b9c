//! Impacts drawn at random, the same on every machine: where the robot is, how it
//! moves, and with what friction and restitution.

use super::{Case, Expected};
use crate::Precision;
use crate::derivations::Law;
use crate::program::{Function, ScalarProgram};
use crate::robot::mechanism::Base;
use crate::robot::{Body, Plan, Runtime};

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
pub(super) struct Random(pub(super) u64);

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
    pub(super) fn case(&mut self, plan: &Plan, i: usize) -> (Case, Vec<f64>) {
        let mut case = Case {
            q: Vec::new(),
            qd: Vec::new(),
            velocity: Vec::new(),
            inertia: Vec::new(),
            own: None,
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
                let robot = Joints { velocities: *velocities, inertia, jacobian, response };
                self.move_joints(&robot, i, case);
                if i.is_multiple_of(6) {
                    robot.fall(case);
                }
                response.clone()
            }
            Body::Model { program, positions, velocities, base, contact, .. } => {
                case.q = (0..*positions).map(|_| self.between(-1.5, 1.5)).collect();
                if *base == Base::Floating {
                    let length = case.q[..4].iter().map(|x| x * x).sum::<f64>().sqrt();
                    case.q[..4].iter_mut().for_each(|x| *x /= length);
                }
                // Some fall upright, without a tangential velocity.
                let falls = i.is_multiple_of(6) && *base == Base::Floating;
                if falls {
                    case.q[..4].copy_from_slice(&[0.0, 0.0, 0.0, 1.0]);
                }
                let values = program.graph.evaluate_with(&case.q, portable);
                let [inertia, jacobian, response] = matrices(program, size, *velocities, &values);
                case.inertia.clone_from(&inertia);
                let robot = Joints {
                    velocities: *velocities,
                    inertia: &inertia,
                    jacobian: &jacobian,
                    response: &response,
                };
                self.move_joints(&robot, i, case);
                if falls {
                    let speed = self.between(0.1, 2.0);
                    case.qd.fill(0.0);
                    let down = contact.normal.map(|n| -speed * n);
                    case.qd[..3].copy_from_slice(&down);
                    case.velocity = robot.contact_velocity(&case.qd);
                }
                if plan.precision == Precision::F32 {
                    let q: Vec<f32> = case.q.iter().map(|&x| x as f32).collect();
                    let single = |function, x: f32| portable(function, f64::from(x)) as f32;
                    let values = program.graph.evaluate_with(&q, single);
                    let values: Vec<f64> = values.into_iter().map(f64::from).collect();
                    let [inertia, jacobian, _] = matrices(program, size, *velocities, &values);
                    let velocity = product(&jacobian, &case.qd);
                    case.own = Some((velocity, inertia));
                }
                response
            }
        }
    }

    /// Velocities that bring the contact point towards the surface, some of them
    /// next to no other way.
    fn move_joints(&mut self, robot: &Joints, i: usize, case: &mut Case) {
        case.qd = (0..robot.velocities).map(|_| self.between(-1.0, 1.0)).collect();
        if i % 6 == 1 {
            robot.straighten(&mut case.qd);
        }
        if robot.contact_velocity(&case.qd)[0] > 0.0 {
            case.qd.iter_mut().for_each(|v| *v = -*v);
        }
        case.velocity = robot.contact_velocity(&case.qd);
    }
}

/// A robot in one position: `D`, `J` and `M⁻¹Jᵀ`, each by rows.
struct Joints<'a> {
    velocities: usize,
    inertia: &'a [f64],
    jacobian: &'a [f64],
    response: &'a [f64],
}

impl Joints<'_> {
    fn contact_velocity(&self, qd: &[f64]) -> Vec<f64> {
        product(self.jacobian, qd)
    }

    /// Moves a single joint, if one brings the contact point straight down.
    fn fall(&self, case: &mut Case) {
        let rows: Vec<_> = self.jacobian.chunks(self.velocities).collect();
        let straight = |j: &usize| rows[0][*j] != 0.0 && rows[1..].iter().all(|row| row[*j] == 0.0);
        if let Some(j) = (0..self.velocities).find(straight) {
            case.qd.fill(0.0);
            case.qd[j] = -rows[0][j].signum();
            case.velocity = self.contact_velocity(&case.qd);
        }
    }

    /// Takes all but a thousandth of the tangential velocity away, by the impulse
    /// that does.
    fn straighten(&self, qd: &mut [f64]) {
        let velocity = self.contact_velocity(qd);
        let size = velocity.len();
        let inertia = nalgebra::DMatrix::from_row_slice(size, size, self.inertia);
        let change = velocity.iter().enumerate().map(|(i, v)| if i == 0 { 0.0 } else { -v });
        let change = nalgebra::DVector::from_iterator(size, change) * (1.0 - 1.0 / 1024.0);
        let Some(impulse) = inertia.lu().solve(&change) else { return };
        for (qd, row) in qd.iter_mut().zip(self.response.chunks(size)) {
            *qd += row.iter().zip(impulse.iter()).map(|(r, p)| r * p).sum::<f64>();
        }
    }
}

/// A matrix, by rows, times a vector.
fn product(matrix: &[f64], vector: &[f64]) -> Vec<f64> {
    let rows = matrix.chunks(vector.len());
    rows.map(|row| row.iter().zip(vector).map(|(x, y)| x * y).sum()).collect()
}

/// `D`, `J` and `M⁻¹Jᵀ`, each by rows, from the values of a robot's program.
fn matrices(
    program: &ScalarProgram,
    size: usize,
    velocities: usize,
    values: &[f64],
) -> [Vec<f64>; 3] {
    let at = |name: String| {
        let output = program.outputs.iter().find(|(output, _)| *output == name);
        output.map_or(f64::NAN, |(_, id)| values[id.0])
    };
    let indices = |height: usize, width: usize| {
        (0..height).flat_map(move |i| (0..width).map(move |j| (i, j)))
    };
    [
        indices(size, size).map(|(i, j)| at(format!("D_{}_{}", i.min(j), i.max(j)))).collect(),
        indices(size, velocities).map(|(i, j)| at(format!("J_{i}_{j}"))).collect(),
        indices(velocities, size).map(|(j, i)| at(format!("R_{j}_{i}"))).collect(),
    ]
}
