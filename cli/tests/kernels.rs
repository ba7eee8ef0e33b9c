//! The kernels of `routh solve` against each other.

mod routh;

use routh::{assert_close, assert_same_impact, largest, numbers, reference, routh};
use serde_json::{Value, json};

/// Kernels besides the series, and how near they come to it.
const OTHERS: [(&str, f64); 2] = [("flow", 1e-10), ("rk4", 1e-9)];

fn solve(kernel: &str, input: &str) -> routh::Run {
    routh(&["solve", "--kernel", kernel, "-"], input)
}

/// An impact in space whose result tells its number.
fn spatial(number: usize, mu: f64) -> Value {
    json!({
        "D": [[1.3, 0.4, -0.2], [0.4, 2.1, 0.5], [-0.2, 0.5, 0.9]], "friction": mu,
        "velocity": [-(number as f64), 0.7, -1.1], "restitution": {"law": "newton", "e": 0.5},
    })
}

/// Asserts that two results agree to a part of their sizes.
fn agree(found: &Value, wanted: &Value, tolerance: f64, what: &str) {
    let size = |key: &str| largest(&numbers(&wanted[key]));
    let (velocity, impulse) = (size("velocity").max(1.0), size("impulse"));
    let scales = [velocity, impulse, velocity * impulse, 1.0];
    assert_same_impact([found, wanted], scales, tolerance, what);
    assert_eq!(found["mode"], wanted["mode"], "{what}");
}

fn steps(result: &Value) -> u64 {
    result["steps"].as_u64().unwrap()
}

#[test]
fn the_seed_robots_impacts_are_the_same() {
    const FILE: &str = "examples/seed_robot.json";
    let series = routh(&["solve", FILE], "").solved();
    let named = routh(&["solve", "--kernel", "series", FILE], "").solved();
    assert_eq!(series, named);
    for (kernel, tolerance) in OTHERS {
        let results = routh(&["solve", "--kernel", kernel, FILE], "").solved();
        assert_eq!(results.len(), series.len());
        for (result, wanted) in results.iter().zip(&series) {
            agree(result, wanted, tolerance, kernel);
            assert_eq!(steps(result) == 0, kernel == "flow", "{result}");
        }
    }
}

#[test]
fn impacts_of_the_reference_are_the_same() {
    let reference = reference("impacts.json");
    let cases = ["spatial", "planar"].map(|kind| reference[kind].as_array().unwrap());
    let lines = cases.into_iter().flatten().map(|case| format!("{}\n", case["input"]));
    let input: String = lines.collect();
    let series = solve("series", &input).solved();
    for (kernel, tolerance) in OTHERS {
        for (i, result) in solve(kernel, &input).solved().iter().enumerate() {
            agree(result, &series[i], tolerance, &format!("{kernel}: impact {i}"));
        }
    }
}

#[test]
fn a_robot_in_space_yields_joint_velocities() {
    let robot = json!({
        "M": [[2, 0, 0], [0, 1, 0], [0, 0, 4]], "J": [[1, 0.2, 0], [0, 1, 0.5], [0.3, 0, 1]],
        "qd": [-1, 0.5, 0.2], "friction": 0.3, "restitution": {"law": "poisson", "e": 0.5},
    });
    let series = solve("series", &robot.to_string()).solved();
    for (kernel, tolerance) in OTHERS {
        let results = solve(kernel, &robot.to_string()).solved();
        assert_close(&results[0]["qd"], &series[0]["qd"], tolerance, kernel);
    }
}

#[test]
fn order_and_errors_stay_with_their_lines() {
    let planar = json!({
        "D": [[2, 0], [0, 1]], "velocity": [-1, 1], "friction": 0,
        "restitution": {"law": "newton", "e": 0.5},
    });
    let mut parting = spatial(1, 0.15);
    parting["velocity"] = json!([1, 0.7, -1.1]);
    let lines = (1..=60).map(|i| match i % 6 {
        0 => "{\"D\": oops}".to_owned(),
        1 => planar.to_string(),
        2 => parting.to_string(),
        3 => spatial(i, -1.0).to_string(),
        4 => spatial(i, 0.15).to_string(),
        _ => spatial(i, 0.6).to_string(),
    });
    let input = lines.collect::<Vec<_>>().join("\n");
    let series = solve("series", &input);
    assert_eq!(series.status, 1);
    for (kernel, tolerance) in OTHERS {
        let run = solve(kernel, &input);
        assert_eq!((run.status, &run.err), (1, &series.err), "{kernel}");
        assert_eq!(run.lines().len(), 60);
        for (i, (result, wanted)) in (1..).zip(run.lines().iter().zip(series.lines())) {
            match i % 6 {
                0..=3 => assert_eq!(*result, wanted, "{kernel}: line {i}"),
                _ => {
                    agree(result, &wanted, tolerance, &format!("{kernel}: line {i}"));
                    let vn = result["velocity"][0].as_f64().unwrap();
                    assert!((vn - 0.5 * f64::from(i)).abs() < 1e-9, "{kernel}: line {i}: {vn}");
                }
            }
        }
    }
}

#[test]
fn more_contacts_than_are_kept_are_answered_in_order() {
    let input: String =
        (1..=600).map(|i| format!("{}\n", spatial(i, 0.1 + 0.001 * (i % 300) as f64))).collect();
    let series = solve("series", &input).solved();
    for (i, result) in solve("flow", &input).solved().iter().enumerate() {
        agree(result, &series[i], 1e-10, &format!("impact {i}"));
    }
}

#[test]
fn a_looser_tolerance_takes_fewer_steps_of_runge_kutta() {
    let impact = spatial(1, 0.15).to_string();
    let at = |tolerance: &str| {
        let arguments = ["solve", "--kernel", "rk4", "--tolerance", tolerance, "-"];
        steps(&routh(&arguments, &impact).solved()[0])
    };
    let [loose, tight] = ["1e-4", "1e-12"].map(at);
    assert!(20 <= loose && 50 * loose < tight, "{loose} {tight}");
}

#[test]
fn a_wrong_kernel_is_wrong_usage() {
    for kernel in ["rk5", "Series", ""] {
        solve(kernel, &spatial(1, 0.15).to_string()).refused("--kernel");
    }
}
