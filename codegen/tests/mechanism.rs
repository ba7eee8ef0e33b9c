//! Dynamics from a URDF agree with Pinocchio's and with those computed the plain
//! way.

mod rigid;

use nalgebra::{DMatrix, DVector, Quaternion, UnitQuaternion, Vector3};
use rigid::{Naive, Values, error};
use routh_codegen::mechanism::{Base, ContactFrame, Mechanism};
use routh_codegen::program::ScalarProgram;
use routh_codegen::specialise::select;
use serde_json::Value;

macro_rules! robot {
    ($name:literal) => {
        (
            include_str!(concat!("../../tests/data/robots/", $name, ".urdf")),
            include_str!(concat!("../../tests/data/robots/", $name, ".json")),
        )
    };
}

const ROBOTS: [(&str, &str); 3] =
    [robot!("planar_arm"), robot!("spatial_arm4"), robot!("leg3_floating")];
const ARM7: &str = include_str!("../../tests/data/robots/arm7.urdf");

const TOLERANCE: f64 = 1e-12;

fn vector(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn matrix(value: &Value) -> DMatrix<f64> {
    let rows: Vec<Vec<f64>> = value.as_array().unwrap().iter().map(vector).collect();
    DMatrix::from_fn(rows.len(), rows[0].len(), |i, j| rows[i][j])
}

fn triple(value: &Value) -> [f64; 3] {
    vector(value).try_into().unwrap()
}

fn contact(frame: &str, tangents: usize) -> ContactFrame {
    ContactFrame {
        frame: frame.to_owned(),
        normal: [0.0, 0.0, 1.0],
        tangents: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]][..tangents].to_vec(),
    }
}

/// A robot of the reference with its program.
fn reference(urdf: &str, json: &str) -> (Value, Mechanism, ScalarProgram) {
    let data: Value = serde_json::from_str(json).unwrap();
    let base = match data["floating_base"].as_bool() {
        Some(true) => Base::Floating,
        _ => Base::Fixed,
    };
    let mechanism = Mechanism::from_urdf(urdf, base).unwrap();
    let contact = ContactFrame {
        frame: data["contact_frame"].as_str().unwrap().to_owned(),
        normal: triple(&data["normal"]),
        tangents: data["tangents"].as_array().unwrap().iter().map(triple).collect(),
    };
    let program = mechanism.dynamics(&contact).unwrap();
    (data, mechanism, program)
}

fn column(values: &[f64]) -> DMatrix<f64> {
    DMatrix::from_column_slice(values.len(), 1, values)
}

/// The largest error over all that the reference says of one case.
fn reference_error(case: &Value, values: &Values) -> f64 {
    let qd = DVector::from(vector(&case["qd"]));
    let mut errors = vec![
        error(&values.d(), &matrix(&case["D"])),
        error(&column((values.j() * &qd).as_slice()), &column(&vector(&case["velocity"]))),
        error(&(values.m() * values.r()), &values.j().transpose()),
    ];
    if case["M"].is_array() {
        errors.push(error(&values.m(), &matrix(&case["M"])));
        errors.push(error(&values.j(), &matrix(&case["J"])));
        errors.push(error(&column(values.tip().as_slice()), &column(&vector(&case["tip"]))));
    }
    if let Some(after) = case["impact"].get("qd_after") {
        let impulse = DVector::from(vector(&case["impact"]["impulse"]));
        let found = column((qd + values.r() * impulse).as_slice());
        assert!(error(&found, &column(&vector(after))) < 1e-9);
    }
    errors.into_iter().fold(0.0, f64::max)
}

#[test]
fn pinocchio_agrees() {
    for (urdf, json) in ROBOTS {
        let (data, mechanism, program) = reference(urdf, json);
        for case in data["cases"].as_array().unwrap() {
            let mut q = vector(&case["q"]);
            if mechanism.positions() > q.len() {
                q.splice(..0, [0.0, 0.0, 0.0, 1.0]);
            }
            let error = reference_error(case, &Values::of(&program, &q));
            assert!(error < TOLERANCE, "{}: {error:e}", data["urdf"]);
        }
    }
}

/// A stream of numbers in ±1.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as f64 / f64::from(1 << 30) - 1.0
    }

    fn list(&mut self, length: usize) -> Vec<f64> {
        (0..length).map(|_| self.next()).collect()
    }

    fn words(&mut self, length: usize) -> String {
        self.list(length).iter().map(f64::to_string).collect::<Vec<_>>().join(" ")
    }

    /// A link with a body of four random points.
    fn link(&mut self, name: &str) -> String {
        let points: Vec<_> = (0..4).map(|_| Vector3::from_vec(self.list(3))).collect();
        let middle = points.iter().sum::<Vector3<f64>>() / 4.0;
        let i = points.iter().fold(nalgebra::Matrix3::zeros(), |i, p| {
            let p = p - middle;
            i + nalgebra::Matrix3::identity() * p.norm_squared() - p * p.transpose()
        }) * 0.01;
        format!(
            r#"<link name="{name}"><inertial><origin xyz="{}" rpy="{}"/><mass value="{}"/>
            <inertia ixx="{}" ixy="{}" ixz="{}" iyy="{}" iyz="{}" izz="{}"/></inertial></link>"#,
            self.words(3),
            self.words(3),
            1.2 + self.next(),
            i[(0, 0)],
            i[(0, 1)],
            i[(0, 2)],
            i[(1, 1)],
            i[(1, 2)],
            i[(2, 2)]
        )
    }

    /// A joint in a random place about a random axis.
    fn joint(&mut self, name: &str, kind: &str, parent: &str, child: &str) -> String {
        format!(
            r#"<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>
            <origin xyz="{}" rpy="{}"/><axis xyz="{}"/></joint>"#,
            self.words(3),
            self.words(3),
            self.words(3)
        )
    }
}

/// A random tree: for each link after the first its parent and its joint's kind.
fn random_robot(seed: u64, joints: &[(usize, &str)]) -> String {
    let mut numbers = Numbers(seed);
    let mut text = numbers.link("l0");
    for (i, (parent, kind)) in joints.iter().enumerate() {
        let child = format!("l{}", i + 1);
        text += &numbers.link(&child);
        text += &numbers.joint(&format!("j{i}"), kind, &format!("l{parent}"), &child);
    }
    format!(r#"<robot name="random">{text}</robot>"#)
}

/// The largest difference from dynamics computed the plain way.
fn plain_error(text: &str, base: Base, frame: &str, positions: u64) -> f64 {
    let mechanism = Mechanism::from_urdf(text, base).unwrap();
    let joints: Vec<String> = mechanism.joint_names().map(str::to_owned).collect();
    let floating = base == Base::Floating;
    let naive = Naive::new(text, joints.clone(), floating);
    let contact = contact(frame, 2);
    let program = mechanism.dynamics(&contact).unwrap();
    let directions = [contact.normal, contact.tangents[0], contact.tangents[1]];
    let mut worst = 0.0_f64;
    for seed in 0..positions {
        let mut q = Numbers(seed * 77 + 5).list(mechanism.positions());
        q.iter_mut().for_each(|q| *q *= 3.0);
        let (turn, joints) = match floating {
            true => (Quaternion::new(q[3], q[0], q[1], q[2]), &q[4..]),
            false => (Quaternion::identity(), &q[..]),
        };
        let turn = UnitQuaternion::from_quaternion(turn);
        let values = Values::of(&program, &q);
        let m = naive.inertia(turn, joints);
        let (j, tip) = naive.jacobian(turn, joints, frame, &directions);
        let r = m.clone().cholesky().unwrap().solve(&j.transpose());
        for (found, expected) in [
            (values.m(), &m),
            (values.j(), &j),
            (values.d(), &(&j * &r)),
            (values.r(), &r),
            (column(values.tip().as_slice()), &column(tip.as_slice())),
        ] {
            worst = worst.max(error(&found, expected));
        }
    }
    worst
}

/// Chains, branches, slides and fixed links, nothing along a coordinate axis.
const TREES: [(&str, &[(usize, &str)]); 4] = [
    ("l4", &[(0, "revolute"), (1, "prismatic"), (2, "continuous"), (3, "revolute")]),
    ("l5", &[(0, "prismatic"), (1, "fixed"), (2, "prismatic"), (3, "revolute"), (4, "fixed")]),
    (
        "l8",
        &[
            (0, "revolute"),
            (1, "revolute"),
            (2, "revolute"),
            (1, "continuous"),
            (4, "prismatic"),
            (0, "revolute"),
            (2, "revolute"),
            (3, "fixed"),
        ],
    ),
    (
        "l6",
        &[
            (0, "continuous"),
            (1, "fixed"),
            (2, "continuous"),
            (1, "prismatic"),
            (3, "prismatic"),
            (5, "continuous"),
        ],
    ),
];

#[test]
fn the_plain_way_agrees() {
    for (frame, joints) in TREES {
        for seed in 1..4 {
            let text = random_robot(seed, joints);
            for base in [Base::Fixed, Base::Floating] {
                let error = plain_error(&text, base, frame, 4);
                assert!(error < TOLERANCE, "{frame}, seed {seed}, {base:?}: {error:e}");
            }
        }
    }
}

#[test]
fn quarter_turns_agree_with_the_plain_way() {
    for base in [Base::Fixed, Base::Floating] {
        let floating = ARM7.replace(
            r#"<link name="base">"#,
            r#"<link name="base"><inertial><mass value="5"/>
            <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>"#,
        );
        let error = plain_error(&floating, base, "tip", 20);
        assert!(error < TOLERANCE, "{base:?}: {error:e}");
    }
}

#[test]
fn a_free_body_needs_no_joints() {
    let body = random_robot(4, &[(0, "fixed")]);
    for (text, frame) in [(&*body, "l1"), (ROBOTS[2].0, "base")] {
        let error = plain_error(text, Base::Floating, frame, 5);
        assert!(error < TOLERANCE, "{frame}: {error:e}");
    }
}

#[test]
fn a_turned_world_changes_nothing() {
    let (urdf, json) = ROBOTS[2];
    let (_, mechanism, program) = reference(urdf, json);
    let mut numbers = Numbers(3);
    for _ in 0..10 {
        let turn = UnitQuaternion::from_quaternion(Quaternion::from_vector(
            nalgebra::Vector4::from_vec(numbers.list(4)),
        ));
        let turned = |v: [f64; 3]| (turn * Vector3::from(v)).into();
        let upright = contact("tip", 2);
        let contact = ContactFrame {
            frame: "tip".to_owned(),
            normal: turned(upright.normal),
            tangents: upright.tangents.into_iter().map(turned).collect(),
        };
        let joints = numbers.list(3);
        let scale = 1.0 + numbers.next() / 2.0;
        let q = turn.coords * scale;
        let q: Vec<f64> = q.iter().chain(&joints).copied().collect();
        let still: Vec<f64> = [0.0, 0.0, 0.0, 1.0].iter().chain(&joints).copied().collect();
        let found = Values::of(&mechanism.dynamics(&contact).unwrap(), &q).d();
        assert!(error(&found, &Values::of(&program, &still).d()) < TOLERANCE);
    }
}

#[test]
fn joints_come_depth_first_in_file_order() {
    let text = random_robot(1, TREES[2].1);
    let mechanism = Mechanism::from_urdf(&text, Base::Fixed).unwrap();
    let names: Vec<_> = mechanism.joint_names().collect();
    assert_eq!(names, ["j0", "j1", "j2", "j6", "j3", "j4", "j5"]);
    let program = mechanism.dynamics(&contact("l8", 2)).unwrap();
    assert_eq!(program.graph.inputs, ["q0", "q1", "q2", "q3", "q4", "q5", "q6"]);
    assert_eq!((mechanism.positions(), mechanism.velocities()), (7, 7));
    let floating = Mechanism::from_urdf(&text, Base::Floating).unwrap();
    assert_eq!((floating.positions(), floating.velocities()), (11, 13));
}

#[test]
fn outputs_come_in_the_stated_order() {
    let (urdf, json) = ROBOTS[0];
    let names: Vec<_> = reference(urdf, json).2.outputs.into_iter().map(|(name, _)| name).collect();
    assert_eq!(
        names.join(" "),
        "D_0_0 D_0_1 D_1_1 J_0_0 J_0_1 J_1_0 J_1_1 R_0_0 R_0_1 R_1_0 R_1_1 \
         M_0_0 M_1_0 M_1_1 tip_0 tip_1 tip_2"
    );
}

/// Operations of D, J and R, for which the frames are chosen.
fn operations(program: &ScalarProgram) -> usize {
    select(program, |name| name.starts_with(['D', 'J', 'R'])).graph.operations().total()
}

#[test]
fn programs_stay_short() {
    for ((urdf, json), most) in ROBOTS.into_iter().zip([56, 538, 1227]) {
        let (data, _, program) = reference(urdf, json);
        assert!(operations(&program) <= most, "{}: {}", data["urdf"], operations(&program));
    }
    let arm7 = Mechanism::from_urdf(ARM7, Base::Fixed).unwrap();
    let program = arm7.dynamics(&contact("tip", 2)).unwrap();
    assert!(operations(&program) <= 817, "{}", operations(&program));
}

#[test]
fn nothing_is_left_over() {
    let (urdf, json) = ROBOTS[1];
    let program = reference(urdf, json).2;
    let jacobian = select(&program, |name| name.starts_with('J'));
    assert!(jacobian.outputs.iter().all(|(name, _)| name.starts_with('J')));
    assert_eq!(jacobian.graph.operations().divisions, 0);
    assert_eq!(select(&program, |_| true), program);
    let q = [0.3, -0.2, 0.7, 1.1];
    assert_eq!(jacobian.evaluate(&q), program.evaluate(&q)[6..18]);
}
