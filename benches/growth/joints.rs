//! The dynamics of an arm against its number of joints.

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::time::Instant;

use nalgebra::UnitQuaternion;
use routh_benches::robots::{self, DIRECTIONS, Numbers};
use routh_benches::timed::Timed;
use routh_codegen::Robot;
use routh_codegen::mechanism::{Base, ContactFrame};
use routh_integrators::rigid_bodies::RigidBodies;

use crate::arm::Arm;
use crate::axis::{Axis, Division};
use crate::compiled::{Part, Program};
use crate::figure::{Figure, Panel, Shown};
use crate::law::Law;
use crate::measured::{Measured, folder};

/// Positions at which an arm is timed.
const MANY: usize = 16;
/// By how much both ways may differ, of the largest.
const TOLERANCE: f64 = 1e-9;
const ASYMPTOTIC: [f64; 2] = [8.0, 64.0];

/// An arm, struck at its tip in three directions.
struct Case {
    arm: Arm,
    joints: usize,
    urdf: String,
    positions: Vec<Vec<f64>>,
}

/// Composite bodies by hand: how long they take, and the `D` they find.
struct Plain {
    timed: Timed<'static>,
    inertia: Vec<[f64; 9]>,
}

/// Numbers of joints, each of which is compiled by hand for itself.
macro_rules! numbers {
    ($($n:literal)*) => {
        const JOINTS: [usize; [$($n),*].len()] = [$($n),*];

        fn by_hand(case: &Case) -> Result<Plain, Box<dyn Error>> {
            match case.joints {
                $($n => case.by_hand::<$n>(),)*
                n => Err(format!("{n} joints are not compiled").into()),
            }
        }
    };
}

numbers!(3 4 5 6 7 8 10 12 14 16);

impl Case {
    fn new(arm: Arm, joints: usize) -> Self {
        let mut numbers = Numbers(1);
        let mut angle = || 3.0 * numbers.next().unwrap_or_default();
        let positions = (0..MANY).map(|_| (0..joints).map(|_| angle()).collect()).collect();
        Self { arm, joints, urdf: arm.urdf(joints), positions }
    }

    fn by_hand<const J: usize>(&self) -> Result<Plain, Box<dyn Error>> {
        let plain = RigidBodies::<J, J, 3>::from_urdf(&self.urdf, "tip", DIRECTIONS)?;
        let base = UnitQuaternion::identity();
        let arrays = self.positions.iter().map(|q| std::array::from_fn(|i| q[i]));
        let positions: Vec<[f64; J]> = arrays.collect();
        let at = |q| Some(plain.at(&base, q)?.inertia);
        let inertia = positions
            .iter()
            .map(|q| at(q).map(|found| std::array::from_fn(|k| found[k])))
            .collect::<Option<_>>()
            .ok_or("M is not positive definite")?;
        let timed = Timed::new(move || {
            for q in &positions {
                black_box(plain.at(black_box(&base), black_box(q)));
            }
        });
        Ok(Plain { timed, inertia })
    }

    /// Its solver, as text.
    fn solver(&self) -> Result<String, Box<dyn Error>> {
        let folder = folder().join("arms");
        fs::create_dir_all(&folder)?;
        let path = folder.join(format!("{:?}{}.urdf", self.arm, self.joints));
        fs::write(&path, &self.urdf)?;
        let [normal, tangents @ ..] = DIRECTIONS;
        let contact = ContactFrame { frame: "tip".to_owned(), normal, tangents: tangents.into() };
        let robot = Robot::from_urdf("arm", path, contact, Base::Fixed)?;
        Ok(robot.generate()?.text().to_owned())
    }

    /// The solver's `D(q)` at all positions, timed where it is what was found by hand.
    fn part(&self, code: String, inertia: &[[f64; 9]]) -> Part {
        let positions = &self.positions;
        let call = format!(
            "{{ let (positions, inertia) = ({positions:?}, {inertia:?});\n\
             for (q, expected) in positions.iter().zip(&inertia) {{\n\
             let most = expected.iter().fold(0.0, |most: f64, x: &f64| most.max(x.abs()));\n\
             for (x, y) in part::Dynamics::at(q).inertia.iter().zip(expected) {{\n\
             assert!((x - y).abs() < {TOLERANCE:e} * most, \"{{x}} is not {{y}}\"); }} }}\n\
             move || for q in &positions {{\n\
             std::hint::black_box(part::Dynamics::at(std::hint::black_box(q))); }} }}"
        );
        Part { code, call }
    }
}

pub(crate) fn measure() -> Result<Measured, Box<dyn Error>> {
    let mut measured = Measured::default();
    let (mut cases, mut parts, mut plain) = (Vec::new(), Vec::new(), Vec::new());
    for arm in Arm::ALL {
        for joints in JOINTS {
            let case = Case::new(arm, joints);
            let (name, x) = (arm.name(), joints as f64);
            let start = Instant::now();
            let solver = case.solver()?;
            measured.add("generation", name, [x, start.elapsed().as_secs_f64()]);
            let operations = robots::operations(&solver).ok_or("no operations are stated")?;
            measured.add("operations", name, [x, f64::from(operations)]);
            measured.add("bytes", name, [x, dynamics(&solver).ok_or("no dynamics")?.len() as f64]);
            let Plain { timed, inertia } = by_hand(&case)?;
            parts.push(case.part(solver, &inertia));
            plain.push(timed);
            cases.push(case);
        }
    }
    let program = Program::new("joints", &parts)?;
    let least = program.run_beside(&mut plain)?;
    for ((case, made), plain) in cases.iter().zip(least).zip(&plain) {
        let (name, joints, many) = (case.arm.name(), case.joints as f64, MANY as f64);
        measured.add("time", name, [joints, made / many]);
        measured.add("by hand", name, [joints, plain.least / many]);
    }
    Ok(measured)
}

/// The function of a solver that computes the dynamics.
fn dynamics(solver: &str) -> Option<&str> {
    let start = solver.find("fn dynamics(")?;
    let length = solver[start..].find("\n    }\n")?;
    Some(&solver[start..start + length])
}

pub(crate) fn figure(measured: &Measured) -> Figure {
    let joints = Axis { name: "joints n", division: Division::Doublings };
    let cubic = |points: &[[f64; 2]]| Law::polynomial(points, &[0, 1, 2, 3]);
    let shown = |quantity: &str| {
        Arm::ALL.map(|arm| Shown::new(arm.name(), measured.points(quantity, arm.name())))
    };
    let power = |quantity: &str| shown(quantity).map(|curve| curve.fitted(ASYMPTOTIC, Law::power));
    let mut times = power("time").to_vec();
    for (i, arm) in Arm::ALL.into_iter().enumerate() {
        let name = format!("{}, by hand", arm.name());
        let plain = Shown::new(&name, measured.points("by hand", arm.name()));
        times.push(plain.ringed(i).fitted(ASYMPTOTIC, Law::power));
    }
    let operations = shown("operations").map(|curve| curve.fitted([4.0, 64.0], cubic));
    let along = ("n", joints);
    let panels = vec![
        Panel::new("Operations of D(q), J(q) and M⁻¹Jᵀ", along, "operations", operations),
        Panel::new("Their time", along, "time (ns)", times),
        Panel::new("Their source text", along, "bytes of Rust", power("bytes")),
        Panel::new("Time to generate the solver", along, "time (s)", shown("generation")),
    ];
    Figure { panels, notes: ratios(measured) }
}

/// By hand over generated.
fn ratios(measured: &Measured) -> Vec<String> {
    let ratio = |arm: &Arm| {
        let plain = measured.points("by hand", arm.name());
        let pairs = plain.iter().zip(measured.points("time", arm.name()));
        let listed: Vec<_> = pairs
            .map(|(by_hand, made)| format!("{:.1} at {}", by_hand[1] / made[1], made[0]))
            .collect();
        format!("By hand / generated, {}: {}.", arm.name(), listed.join(", "))
    };
    Arm::ALL.iter().map(ratio).collect()
}
