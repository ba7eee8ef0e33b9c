//! The triple contact of the paper, with the example's numbers: a heavy body on its
//! corners A and B, and an arm that strikes the ground at C.

use nalgebra::{DMatrix, DVector};
use routh::Law;
use routh::contacts::Contacts;
use routh_tests::random::Random;
use serde_json::Value;

const BODY: (f64, f64) = (20.0, 20.0 * (0.6 * 0.6 + 0.6 * 0.6) / 12.0);
const ARM: (f64, f64) = (6.0, 6.0 * 0.5 * 0.5 / 12.0);
/// From the mass centre of the body.
const A: [f64; 2] = [-0.3, -0.3];
const B: [f64; 2] = [0.3, -0.3];
const HINGE: [f64; 2] = [-0.3, -0.16];
/// The arm's direction, where it strikes.
const DIRECTION: [f64; 2] = [-0.96, -0.28];
const LENGTH: f64 = 0.5;

fn matrix(value: &Value) -> DMatrix<f64> {
    let rows: Vec<Vec<f64>> = serde_json::from_value(value.clone()).unwrap();
    DMatrix::from_fn(rows.len(), rows[0].len(), |i, j| rows[i][j])
}

fn example() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/triple_contact.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The place of a point of a body that has turned.
fn turned(at: [f64; 2], [x, y]: [f64; 2], angle: f64) -> [f64; 2] {
    let (sin, cos) = angle.sin_cos();
    [at[0] + cos * x - sin * y, at[1] + sin * x + cos * y]
}

/// The body's mass centre and corners, the arm's mass centre and tip, as they are at
/// coordinates `(x, y, θ, φ)`, of which `φ` is zero as the arm strikes.
fn points(q: &DVector<f64>) -> [[f64; 2]; 5] {
    let (body, arm) = (q[2], q[2] + q[3]);
    let centre = [q[0], q[1]];
    let hinge = turned(centre, HINGE, body);
    let along = |part: f64| turned(hinge, DIRECTION.map(|u| part * LENGTH * u), arm);
    [centre, turned(centre, A, body), turned(centre, B, body), along(0.5), along(1.0)]
}

/// Velocities of the points by differences of their places.
fn velocities(qd: &DVector<f64>) -> [[f64; 2]; 5] {
    const STEP: f64 = 1e-5;
    let (after, before) = (points(&(qd * STEP)), points(&(qd * -STEP)));
    std::array::from_fn(|i| std::array::from_fn(|j| (after[i][j] - before[i][j]) / (2.0 * STEP)))
}

#[test]
fn mass_matrix_and_jacobian_are_those_of_the_two_bodies() {
    let example = example();
    let (mass, jacobian) = (matrix(&example["M"]), matrix(&example["J"]));
    let mut random = Random::seeded(1);
    for _ in 0..100 {
        let qd = DVector::from_fn(4, |_, _| random.normal());
        let [centre, a, b, arm, tip] = velocities(&qd);
        let energy = |(mass, inertia): (f64, f64), [x, y]: [f64; 2], turn: f64| {
            0.5 * mass * (x * x + y * y) + 0.5 * inertia * turn * turn
        };
        let wanted = energy(BODY, centre, qd[2]) + energy(ARM, arm, qd[2] + qd[3]);
        let found = 0.5 * qd.dot(&(&mass * &qd));
        assert!((found - wanted).abs() < 1e-8 * wanted, "{found} is not {wanted}");
        let wanted = DVector::from_row_slice(&[a[1], b[1], tip[1]]);
        assert!((&jacobian * &qd - wanted).amax() < 1e-8);
    }
    let [_, a, b, _, tip] = points(&DVector::zeros(4));
    assert!((a[1] - tip[1]).abs() < 1e-15 && (b[1] - tip[1]).abs() < 1e-15);
}

/// B separates at once and without an impulse, A takes one together with C, and in the
/// end all three separate.
#[test]
fn contacts_behave_as_in_the_paper() {
    let example = example();
    let (mass, jacobian) = (matrix(&example["M"]), matrix(&example["J"]));
    let qd = matrix(&Value::Array(vec![example["qd"].clone()]));
    let e: Vec<f64> = serde_json::from_value(example["restitution"]["e"].clone()).unwrap();
    let contacts = Contacts::new(&mass, &jacobian).unwrap();
    let impacts = contacts.solve(&qd.row(0).transpose(), Law::Poisson, &e).unwrap();
    assert_eq!(impacts.separated_in_compression(), [false, true, false]);
    assert_eq!(impacts.impulse[1], 0.0);
    let response = &jacobian * mass.try_inverse().unwrap() * jacobian.transpose();
    assert!(response[(1, 2)] > 0.0 && response[(0, 2)] < 0.0, "an impulse at C alone");
    // From the equations of two closed contacts, solved apart.
    for (found, wanted) in [
        (&impacts.compression_impulse, [5.13720397, 0.0, 10.25746744]),
        (&impacts.compression_velocity, [0.0, 0.0994671403, 0.0]),
        (&impacts.velocity, [0.10656747, 0.1294186, 2.34662827]),
    ] {
        let error = found.iter().zip(wanted).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
        assert!(error < 1e-8, "{found:?} is not {wanted:?}");
    }
    assert!(impacts.energy_change < 0.0);
}
