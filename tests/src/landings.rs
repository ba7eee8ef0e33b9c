//! Several contacts in space: the reference, and random systems.

use nalgebra::{DMatrix, DVector};
use routh::several::{Exponent, Hold, Landing, NormalLaw, Several, Surface};
use routh::{Accuracy, Error, Friction};
use serde::Deserialize;

use crate::random::Random;

/// One case of `multicontact.json`.
#[derive(Debug, Deserialize)]
pub struct LandingCase {
    /// Its family and number.
    pub name: String,
    /// Before impact.
    pub input: LandingInput,
    /// Whether tangential impulses are determined.
    pub impulse_unique: bool,
    /// Whether the contacts press each other infinitely often.
    pub endless: bool,
    /// After impact.
    pub expect: LandingExpected,
}

/// A system before impact: `M`, `J` and joint velocities, or `D` and contact velocities.
#[derive(Debug, Deserialize)]
pub struct LandingInput {
    /// `M`.
    #[serde(rename = "M")]
    pub mass: Option<Vec<Vec<f64>>>,
    /// `J`.
    #[serde(rename = "J")]
    pub jacobian: Option<Vec<Vec<f64>>>,
    /// Joint velocities.
    pub qd: Option<Vec<f64>>,
    /// `D`.
    #[serde(rename = "D")]
    pub inertia: Option<Vec<Vec<f64>>>,
    /// Contact velocities.
    pub velocity: Option<Vec<f64>>,
    /// The contacts' laws.
    pub contacts: Vec<LandingContact>,
    /// How unloading differs.
    pub law: String,
    /// The power of the indentation.
    pub exponent: f64,
}

/// The law of one contact.
#[derive(Debug, Deserialize)]
pub struct LandingContact {
    friction: Coefficients,
    restitution: f64,
    stiffness: f64,
    kind: String,
    tangents: usize,
}

#[derive(Debug, Deserialize)]
struct Coefficients {
    #[serde(rename = "static")]
    fixed: f64,
    kinetic: f64,
}

/// What comes out.
#[derive(Debug, Deserialize)]
pub struct LandingExpected {
    /// Joint velocities.
    #[serde(default)]
    pub qd: Vec<f64>,
    /// Contact velocities.
    pub velocity: Vec<Vec<f64>>,
    /// Impulses.
    pub impulse: Vec<Vec<f64>>,
    /// Works of the normal forces.
    pub normal_work: Vec<f64>,
    /// Works of friction.
    pub friction_work: Vec<f64>,
    /// Change of kinetic energy.
    pub energy_change: f64,
    /// What happens, in order.
    pub events: Vec<LandingEvent>,
}

/// Something that happens.
#[derive(Debug, Deserialize)]
pub struct LandingEvent {
    /// The contact.
    pub contact: usize,
    /// What.
    pub kind: String,
}

fn matrix(rows: &[Vec<f64>]) -> DMatrix<f64> {
    DMatrix::from_fn(rows.len(), rows[0].len(), |i, j| rows[i][j])
}

impl LandingCase {
    /// All cases.
    ///
    /// # Panics
    /// If the file is not what it should be.
    pub fn load() -> Vec<Self> {
        serde_json::from_str(include_str!("../data/multicontact.json")).expect("valid reference")
    }

    /// What the solver makes of it.
    ///
    /// # Errors
    /// Those of the solver.
    ///
    /// # Panics
    /// If the case is not what it should be.
    pub fn solve(&self, accuracy: Accuracy) -> Result<Landing, Error> {
        let LandingInput { mass, jacobian, qd, inertia, velocity, .. } = &self.input;
        let surfaces = self.input.contacts.iter().map(LandingContact::surface).collect();
        let law = match self.input.law.as_str() {
            "michalczyk" => NormalLaw::Michalczyk,
            _ => NormalLaw::Bistiffness,
        };
        let exponent = if self.input.exponent == 1.0 { Exponent::Linear } else { Exponent::Hertz };
        match (mass, jacobian, qd, inertia, velocity) {
            (Some(mass), Some(jacobian), Some(qd), None, None) => {
                let (mass, jacobian) = (matrix(mass), matrix(jacobian));
                Several::of_bodies(&mass, &jacobian, surfaces, law, exponent)?
                    .solve_bodies(&DVector::from_column_slice(qd), accuracy)
            }
            (None, None, None, Some(inertia), Some(velocity)) => {
                Several::new(matrix(inertia), surfaces, law, exponent)?.solve(velocity, accuracy)
            }
            _ => panic!("{}: neither M, J and qd nor D and velocity", self.name),
        }
    }
}

impl LandingContact {
    fn surface(&self) -> Surface {
        Surface {
            stiffness: self.stiffness,
            restitution: self.restitution,
            friction: Friction::new(self.friction.fixed, self.friction.kinetic).expect("in range"),
            hold: match self.kind.as_str() {
                "plastic" => Hold::Plastic,
                "held" => Hold::Held,
                _ => Hold::Unilateral,
            },
            tangents: self.tangents,
        }
    }
}

/// Velocities may depend on the order of contacts by so much of the largest.
pub const SAME: f64 = 1e-9;

/// Rounding of inputs may change velocities by this times their sensitivity.
pub const ROUNDING: f64 = 1e-13;

/// What a random system is meant to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A box on its face or edge, turning or not: redundant.
    Box,
    /// Bodies in the plane.
    Planar,
    /// Balls in a row, of which the first moves.
    Chain,
    /// Contacts coupled anyhow.
    Coupled,
    /// The same, some of them at rest.
    Resting,
}

impl Shape {
    /// All shapes.
    pub const ALL: [Self; 5] = [Self::Box, Self::Planar, Self::Chain, Self::Coupled, Self::Resting];
}

/// A random system before impact.
#[derive(Clone, Debug)]
pub struct Fall {
    /// `D`.
    pub inertia: DMatrix<f64>,
    /// The contacts' velocities.
    pub velocity: DVector<f64>,
    /// The contacts' laws.
    pub surfaces: Vec<Surface>,
    /// How unloading differs.
    pub law: NormalLaw,
    /// The power of the indentation.
    pub exponent: Exponent,
}

fn index(random: &mut Random, count: usize) -> usize {
    (random.bits() % count as u64) as usize
}

fn one_in(random: &mut Random, count: u64) -> bool {
    random.bits().is_multiple_of(count)
}

fn any(random: &mut Random, rows: usize, columns: usize) -> DMatrix<f64> {
    DMatrix::from_fn(rows, columns, |_, _| random.uniform(-1.0, 1.0))
}

impl Fall {
    /// A system of a shape by its number.
    pub fn numbered(shape: Shape, number: u64) -> Self {
        Self::random(&mut Random::seeded(number * 8 + shape as u64), shape)
    }

    /// A system of a shape.
    pub fn random(random: &mut Random, shape: Shape) -> Self {
        let count = 1 + index(random, 8);
        let (mass, mut jacobian, tangents) = match shape {
            Shape::Box => falling_box(random),
            Shape::Chain => {
                let masses = DVector::from_fn(count + 1, |_, _| random.uniform(0.2, 1.2));
                let rows = DMatrix::from_fn(count, count + 1, |i, j| match j {
                    _ if i == j => -1.0,
                    _ if i + 1 == j => 1.0,
                    _ => 0.0,
                });
                (DMatrix::from_diagonal(&masses), rows, 0)
            }
            Shape::Planar | Shape::Coupled | Shape::Resting => {
                let tangents = if shape == Shape::Planar { 1 } else { 2 };
                let joints = (1 + tangents) * count + index(random, 3);
                let half = any(random, joints, joints);
                let mass = &half * half.transpose() + DMatrix::identity(joints, joints) * 0.1;
                (mass, any(random, (1 + tangents) * count, joints), tangents)
            }
        };
        let rows = 1 + tangents;
        let count = jacobian.nrows() / rows;
        let qd = match shape {
            Shape::Chain => {
                DVector::from_fn(jacobian.ncols(), |i, _| if i == 0 { 1.0 } else { 0.0 })
            }
            Shape::Box => {
                let turns = one_in(random, 2);
                DVector::from_fn(6, |i, _| match i {
                    2 => -random.uniform(0.1, 1.0),
                    _ if turns => random.uniform(-0.5, 0.5),
                    _ => 0.0,
                })
            }
            _ => DVector::from_fn(jacobian.ncols(), |_, _| random.uniform(-1.0, 1.0)),
        };
        if matches!(shape, Shape::Planar | Shape::Coupled | Shape::Resting) {
            for i in 0..count {
                // Most approach; those at rest are across the motion.
                if (jacobian.row(rows * i) * &qd)[0] > 0.0 && !one_in(random, 3) {
                    jacobian.row_mut(rows * i).neg_mut();
                }
                if shape == Shape::Resting && one_in(random, 2) {
                    for row in rows * i..rows * (i + 1) {
                        let along = (jacobian.row(row) * &qd)[0] / qd.norm_squared();
                        let across = jacobian.row(row) - along * qd.transpose();
                        jacobian.row_mut(row).copy_from(&across);
                    }
                }
            }
        }
        let response = mass.cholesky().expect("positive").solve(&jacobian.transpose());
        let inertia = &jacobian * response;
        let rounding = 1e-14 * qd.amax();
        let velocity = (&jacobian * qd).map(|v| if v.abs() < rounding { 0.0 } else { v });
        let alike = one_in(random, 3);
        let first = surface(random, tangents);
        let each = (0..count).map(|_| if alike { first } else { surface(random, tangents) });
        Self {
            inertia: (&inertia + inertia.transpose()) * 0.5,
            velocity,
            surfaces: each.collect(),
            law: match random.bits() % 4 {
                0 => NormalLaw::Michalczyk,
                _ => NormalLaw::Bistiffness,
            },
            exponent: if one_in(random, 3) { Exponent::Linear } else { Exponent::Hertz },
        }
    }

    /// What the solver makes of it.
    ///
    /// # Errors
    /// Those of the solver.
    pub fn solve(&self) -> Result<Landing, Error> {
        self.solve_within(1e-13)
    }

    /// The same at a tolerance.
    ///
    /// # Errors
    /// Those of the solver.
    pub fn solve_within(&self, tolerance: f64) -> Result<Landing, Error> {
        Several::new(self.inertia.clone(), self.surfaces.clone(), self.law, self.exponent)?
            .solve(self.velocity.as_slice(), Accuracy::new(tolerance)?)
    }

    /// How far velocities are from those with the contacts in another order and other frames, as
    /// a part of the largest; none, if that is refused.
    pub fn reordered(&self, landing: &Landing) -> Option<f64> {
        let (turned, turn) = self.turned();
        let other = turned.solve().ok()?;
        let back = turn.tr_mul(&turned.flat(&other.velocity));
        Some((back - self.flat(&landing.velocity)).amax() / self.velocity.amax())
    }

    /// Whether velocities depend on the order of contacts and their frames by more than `1e-9`,
    /// or than rounding of the inputs changes them.
    pub fn depends_on_order(&self, landing: &Landing) -> bool {
        self.reordered(landing).is_none_or(|off| {
            off > SAME && off > ROUNDING * self.sensitivity(landing, &mut Random::seeded(1))
        })
    }

    /// How far velocities of two landings are apart, as a part of the largest before.
    pub fn apart(&self, one: &Landing, other: &Landing) -> f64 {
        let pairs = one.velocity.iter().zip(&other.velocity);
        let off = pairs.flat_map(|(x, y)| [0, 1, 2].map(|d| (x[d] - y[d]).abs()));
        off.fold(0.0, f64::max) / self.velocity.amax()
    }

    /// How far velocities change, as a part of the largest, for inputs that differ by
    /// `RELATIVE`, per that part; infinity, if any of these is refused.
    pub fn sensitivity(&self, landing: &Landing, random: &mut Random) -> f64 {
        const TRIES: usize = 3;
        const RELATIVE: f64 = 1e-14;
        let mut near = |x: f64| x * (1.0 + RELATIVE * random.uniform(-1.0, 1.0));
        let changes = (0..TRIES).map(|_| {
            let mut other = Self { velocity: self.velocity.map(&mut near), ..self.clone() };
            for surface in &mut other.surfaces {
                surface.stiffness = near(surface.stiffness);
            }
            let Ok(other) = other.solve() else { return f64::INFINITY };
            self.apart(landing, &other) / RELATIVE
        });
        changes.fold(0.0, f64::max)
    }

    /// The system as input of `routh contacts`.
    pub fn to_json(&self) -> String {
        let rows = (0..self.inertia.nrows())
            .map(|i| self.inertia.row(i).iter().copied().collect::<Vec<f64>>());
        let contacts = self.surfaces.iter().map(|surface| {
            let friction = &surface.friction;
            serde_json::json!({
                "friction": {"static": friction.static_friction(), "kinetic": friction.kinetic()},
                "restitution": surface.restitution,
                "stiffness": surface.stiffness,
                "kind": surface.hold.name(),
                "tangents": surface.tangents,
            })
        });
        serde_json::json!({
            "D": rows.collect::<Vec<_>>(),
            "velocity": self.velocity.as_slice(),
            "law": self.law.name(),
            "exponent": if self.exponent == Exponent::Linear { 1.0 } else { 1.5 },
            "contacts": contacts.collect::<Vec<_>>(),
        })
        .to_string()
    }

    /// Rows of `D`, from those of each contact.
    pub fn flat(&self, rows: &[[f64; 3]]) -> DVector<f64> {
        let own = rows.iter().zip(&self.surfaces);
        let all: Vec<f64> =
            own.flat_map(|(row, surface)| row[..=surface.tangents].to_vec()).collect();
        DVector::from_vec(all)
    }

    /// The same system with its contacts in another order and, in space, in other frames;
    /// and what turns its velocities so.
    pub fn turned(&self) -> (Self, DMatrix<f64>) {
        let tangents = self.surfaces[0].tangents;
        let (rows, count) = (1 + tangents, self.surfaces.len());
        let mut turn = DMatrix::zeros(rows * count, rows * count);
        for to in 0..count {
            let from = count - 1 - to;
            let (sine, cosine) = (0.7 * from as f64 + 0.3).sin_cos();
            turn[(rows * to, rows * from)] = 1.0;
            if tangents == 1 {
                turn[(rows * to + 1, rows * from + 1)] = 1.0;
            }
            if tangents == 2 {
                let frame = [[cosine, sine], [-sine, cosine]];
                for (i, row) in frame.iter().enumerate() {
                    for (j, x) in row.iter().enumerate() {
                        turn[(rows * to + 1 + i, rows * from + 1 + j)] = *x;
                    }
                }
            }
        }
        let inertia = &turn * &self.inertia * turn.transpose();
        let turned = Self {
            inertia: (&inertia + inertia.transpose()) * 0.5,
            velocity: &turn * &self.velocity,
            surfaces: self.surfaces.iter().rev().copied().collect(),
            ..*self
        };
        (turned, turn)
    }
}

/// How far an impact is from what must hold, each as a part of its scale, and by how much it may
/// be.
pub fn misses(fall: &Fall, landing: &Landing) -> [(&'static str, f64, f64); 5] {
    let (before, after) = (&fall.velocity, fall.flat(&landing.velocity));
    let impulse = fall.flat(&landing.impulse);
    let fastest = before.amax();
    let size = impulse.abs().dot(&(before.abs() + after.abs()));
    let momentum = (&after - before - &fall.inertia * &impulse).amax() / fastest;
    let work = 0.5 * impulse.dot(&(before + &after));
    let most = |each: &mut dyn Iterator<Item = f64>| each.fold(0.0, f64::max);
    let works = landing.normal_work.iter().chain(&landing.friction_work);
    let beyond =
        landing.impulse.iter().zip(&fall.surfaces).map(|([normal, x, y], surface)| {
            x.hypot(*y) - surface.friction.static_friction() * normal
        });
    let approach = landing.velocity.iter().map(|row| -row[0]);
    let gain = most(&mut works.copied().chain([landing.energy_change]));
    [
        ("momentum", momentum, 1e-10),
        ("energy", (work - landing.energy_change).abs() / size, 1e-10),
        ("cone", most(&mut { beyond }) / impulse.amax(), 1e-10),
        ("gain", gain / size, 1e-13),
        ("parting", most(&mut { approach }) / fastest, 2e-11),
    ]
}

/// A box on two or four corners.
fn falling_box(random: &mut Random) -> (DMatrix<f64>, DMatrix<f64>, usize) {
    let count = 2 + 2 * index(random, 2);
    let [a, b, h] = [0, 1, 2].map(|_| random.uniform(0.2, 1.2));
    let mass = random.uniform(1.0, 2.0);
    let turning = [b * b + h * h, a * a + h * h, a * a + b * b].map(|x| mass * x / 3.0);
    let diagonal = [mass, mass, mass, turning[0], turning[1], turning[2]];
    let corners = [[a, b], [a, -b], [-a, -b], [-a, b]];
    let jacobian = DMatrix::from_fn(3 * count, 6, |row, column| {
        let [x, y, z] = [corners[row / 3][0], corners[row / 3][1], -h];
        let rows =
            [[0.0, 0.0, 1.0, y, -x, 0.0], [1.0, 0.0, 0.0, 0.0, z, -y], [0.0, 1.0, 0.0, -z, 0.0, x]];
        rows[row % 3][column]
    });
    (DMatrix::from_diagonal(&DVector::from_column_slice(&diagonal)), jacobian, 2)
}

fn surface(random: &mut Random, tangents: usize) -> Surface {
    let least = [0.0, 0.05, 0.2, 0.5, 1.0, 2.0][index(random, 6)];
    let kinetic = if one_in(random, 2) { least } else { least * random.uniform(0.0, 1.0) };
    let more = if one_in(random, 4) { 1.3 } else { 1.0 };
    let restitution = match random.bits() % 6 {
        0 => 0.0,
        1 => 1.0,
        _ => random.uniform(0.0, 1.0),
    };
    Surface {
        stiffness: if one_in(random, 2) { 1.0 } else { random.power(-4.0, 4.0) },
        restitution,
        friction: Friction::new(more * kinetic, kinetic).expect("in range"),
        hold: if one_in(random, 30) { Hold::Plastic } else { Hold::Unilateral },
        tangents,
    }
}
