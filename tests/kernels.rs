//! Generated kernels agree with each other.

use routh_solver::kernels::{
    ORDER, regularised_20, regularised_any, regularised_constants, seed_robot_20,
};
use routh_tests::reference::{largest, seed_robot};

type Rows = [[f64; 65]; 11];

/// Starts on the unit circle, with velocities and impulses on the way.
fn starts() -> impl Iterator<Item = [f64; 11]> {
    (0..100).map(|i| {
        let angle = 0.0628 * f64::from(i);
        let (sin, cos) = angle.sin_cos();
        let speed = 0.1 + 0.05 * f64::from(i);
        [cos, sin, speed, 3.0, speed * cos, speed * sin, -10.0, 0.5, -0.5, -2.0, -1.0]
    })
}

fn agree(x: &Rows, y: &Rows, order: usize) {
    for (x, y) in x.iter().zip(y) {
        let scale = largest(x[..=order].iter().copied());
        let error = largest(x[..=order].iter().zip(y).map(|(x, y)| (x - y) / scale));
        assert!(error < 1e-14, "{error:e}");
        for k in 0..=order {
            let relative =
                (x[k] - y[k]).abs() / x[k].abs().max(1e-3 * scale * 1e-3_f64.powi(k as i32));
            assert!(relative < 1e-9, "coefficient {k}: {} and {}", x[k], y[k]);
        }
    }
}

#[test]
fn loops_and_straight_lines_agree() {
    let [[a, h1, h2], [_, b11, b12], [_, _, b22]] = *seed_robot().inertia();
    let constants = regularised_constants(a, h1, h2, b11, b12, b22, 0.3);
    for start in starts() {
        let (mut straight, mut any) = ([[0.0; 65]; 11], [[0.0; 65]; 11]);
        regularised_20(&constants, &start, &mut straight);
        regularised_any(&constants, &start, ORDER, &mut any);
        agree(&straight, &any, ORDER);
    }
}

#[test]
fn the_seed_robots_kernel_is_the_general_one_with_its_constants() {
    let [[a, h1, h2], [_, b11, b12], [_, _, b22]] = *seed_robot().inertia();
    let constants = regularised_constants(a, h1, h2, b11, b12, b22, 0.3);
    for start in starts() {
        let (mut general, mut special) = ([[0.0; 65]; 11], [[0.0; 65]; 11]);
        regularised_20(&constants, &start, &mut general);
        seed_robot_20(&start, &mut special);
        agree(&general, &special, ORDER);
    }
}
