//! Composite rigid bodies agree with Pinocchio.

use nalgebra::{DMatrix, DVector, SMatrix, UnitQuaternion};
use routh_integrators::rigid_bodies::{ModelError, RigidBodies};
use serde_json::Value;

macro_rules! robot {
    ($name:literal) => {
        (
            include_str!(concat!("../../../tests/data/robots/", $name, ".urdf")),
            include_str!(concat!("../../../tests/data/robots/", $name, ".json")),
        )
    };
}

const TOLERANCE: f64 = 1e-10;

fn list(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn matrix(value: &Value) -> DMatrix<f64> {
    let rows: Vec<Vec<f64>> = value.as_array().unwrap().iter().map(list).collect();
    DMatrix::from_fn(rows.len(), rows[0].len(), |i, j| rows[i][j])
}

fn dynamic<const R: usize, const C: usize>(matrix: &SMatrix<f64, R, C>) -> DMatrix<f64> {
    DMatrix::from_column_slice(R, C, matrix.as_slice())
}

fn agrees<const J: usize, const V: usize, const C: usize>((urdf, json): (&str, &str)) {
    let data: Value = serde_json::from_str(json).unwrap();
    let mut directions = vec![list(&data["normal"])];
    directions.extend(data["tangents"].as_array().unwrap().iter().map(list));
    let directions: [[f64; 3]; C] =
        std::array::from_fn(|k| directions[k].clone().try_into().unwrap());
    let frame = data["contact_frame"].as_str().unwrap();
    let robot = RigidBodies::<J, V, C>::from_urdf(urdf, frame, directions).unwrap();
    for case in data["cases"].as_array().unwrap() {
        let near = |found: DMatrix<f64>, expected: DMatrix<f64>| {
            let error = (found - &expected).amax() / expected.amax().max(1.0);
            assert!(error < TOLERANCE, "{}: {error:e}", data["urdf"]);
        };
        let q = list(&case["q"]).try_into().unwrap();
        let base = UnitQuaternion::identity();
        let found = robot.at(&base, &q).unwrap();
        let (mut mass, jacobian) = robot.mass_and_jacobian(&base, &q);
        mass.fill_upper_triangle_with_lower_triangle();
        near(dynamic(&found.inertia), matrix(&case["D"]));
        near(dynamic(&(mass * found.response)), dynamic(&jacobian.transpose()));
        let velocity = dynamic(&found.jacobian) * DVector::from(list(&case["qd"]));
        let expected = list(&case["velocity"]);
        near(
            DMatrix::from_column_slice(C, 1, velocity.as_slice()),
            DMatrix::from_column_slice(C, 1, &expected),
        );
        if case["M"].is_array() {
            near(dynamic(&mass), matrix(&case["M"]));
            near(dynamic(&found.jacobian), matrix(&case["J"]));
        }
    }
}

#[test]
fn pinocchio_agrees() {
    agrees::<2, 2, 2>(robot!("planar_arm"));
    agrees::<4, 4, 3>(robot!("spatial_arm4"));
    agrees::<3, 9, 3>(robot!("leg3_floating"));
}

#[test]
fn the_world_turns_with_the_base() {
    let directions = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let (urdf, _) = robot!("leg3_floating");
    let robot = RigidBodies::<3, 9, 3>::from_urdf(urdf, "tip", directions).unwrap();
    let base = UnitQuaternion::from_euler_angles(0.3, -0.8, 1.1);
    let turned = directions.map(|d| *(base * nalgebra::Vector3::from(d)).as_ref());
    let other = RigidBodies::<3, 9, 3>::from_urdf(urdf, "tip", turned).unwrap();
    let q = [0.4, -0.7, 1.2];
    let at_rest = robot.at(&UnitQuaternion::identity(), &q).unwrap();
    let found = other.at(&base, &q).unwrap();
    assert!((found.inertia - at_rest.inertia).amax() < 1e-14);
    assert!((found.response - at_rest.response).amax() < 1e-14);
}

#[test]
fn what_does_not_fit_is_refused() {
    let (urdf, _) = robot!("planar_arm");
    let directions = [[0.0, 0.0, 1.0]];
    let robot = RigidBodies::<3, 3, 1>::from_urdf(urdf, "tip", directions);
    assert!(matches!(robot, Err(ModelError::Size { joints: 2, velocities: 3 })));
    let robot = RigidBodies::<2, 5, 1>::from_urdf(urdf, "tip", directions);
    assert!(matches!(robot, Err(ModelError::Size { joints: 2, velocities: 5 })));
    let robot = RigidBodies::<2, 2, 1>::from_urdf(urdf, "hand", directions);
    assert!(matches!(robot, Err(ModelError::Contact(_))));
}
