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

#[test]
fn pinocchio_agrees() {
    let mut worst = 0.0_f64;
    for (urdf, json) in ROBOTS {
        let (data, mechanism, program) = reference(urdf, json);
        for case in data["cases"].as_array().unwrap() {
            let mut q = vector(&case["q"]);
            if mechanism.positions() > q.len() {
                q.splice(..0, [0.0, 0.0, 0.0, 1.0]);
            }
            let values = Values::of(&program, &q);
            let qd = DVector::from(vector(&case["qd"]));
            let mut check = |found: DMatrix<f64>, expected: &DMatrix<f64>, tolerance: f64| {
                let error = error(&found, expected);
                assert!(error < tolerance, "{error}: {found} for {expected}");
                worst = worst.max(error);
            };
            check(values.d(), &matrix(&case["D"]), TOLERANCE);
            let velocity =
                DMatrix::from_column_slice(values.directions, 1, &vector(&case["velocity"]));
            check(
                DMatrix::from_column_slice(values.directions, 1, (values.j() * &qd).as_slice()),
                &velocity,
                TOLERANCE,
            );
            check(values.m() * values.r(), &values.j().transpose(), TOLERANCE);
            if case["M"].is_array() {
                check(values.m(), &matrix(&case["M"]), TOLERANCE);
                check(values.j(), &matrix(&case["J"]), TOLERANCE);
                let tip = DMatrix::from_column_slice(3, 1, &vector(&case["tip"]));
                check(DMatrix::from_column_slice(3, 1, values.tip().as_slice()), &tip, TOLERANCE);
            }
            if let Some(after) = case["impact"].get("qd_after") {
                let impulse = DVector::from(vector(&case["impact"]["impulse"]));
                let found = &qd + values.r() * impulse;
                let n = found.len();
                check(
                    DMatrix::from_column_slice(n, 1, found.as_slice()),
                    &DMatrix::from_column_slice(n, 1, &vector(after)),
                    1e-9,
                );
            }
        }
    }
    println!("worst error {worst:e}");
}

#[test]
fn operation_counts() {
    let arm7 = Mechanism::from_urdf(ARM7, Base::Fixed).unwrap();
    let start = std::time::Instant::now();
    let arm7 = ("arm7", arm7.dynamics(&contact("tip", 2)).unwrap());
    println!("arm7 in {:?}", start.elapsed());
    let mut programs = vec![arm7];
    for ((urdf, json), name) in ROBOTS.iter().zip(["planar_arm", "spatial_arm4", "leg3_floating"]) {
        programs.push((name, reference(urdf, json).2));
    }
    for (name, program) in programs {
        for wanted in ["M", "J", "D", "DJR", "DJRMt"] {
            let part = select(&program, |output| wanted.contains(&output[..1]));
            println!("{name} {wanted}: {}", part.graph.operations());
        }
    }
}
