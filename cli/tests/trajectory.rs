//! `routh trajectory` against the reference.

mod routh;

use routh::{assert_close, drawn, largest, numbers, reference, routh};
use serde_json::{Value, json};

fn motion(mu: f64, impulse: Value) -> Value {
    json!({
        "D": [[1.3, 0.4, -0.2], [0.4, 2.1, 0.5], [-0.2, 0.5, 0.9]],
        "mu": mu, "v0": [0.7, -1.1], "impulse": impulse,
    })
}

fn follow(motion: &Value) -> Value {
    routh(&["trajectory", "-"], motion.to_string()).solved().remove(0)
}

#[test]
fn velocities_agree_with_the_reference() {
    let reference = reference("sliding.json");
    let cases = reference["trajectories"].as_array().unwrap();
    let mut input = String::new();
    for case in cases {
        let [inertia, mu, v0, impulse] = ["D", "mu", "v0", "impulse"].map(|key| &case[key]);
        input += &json!({"D": inertia, "mu": mu, "v0": v0, "impulse": impulse}).to_string();
        input += "\n";
    }
    let results = routh(&["trajectory", "-"], input).solved();
    assert_eq!(results.len(), cases.len());
    for (case, result) in cases.iter().zip(&results) {
        let scale = largest(&numbers(&case["v0"]));
        let name = case["name"].to_string();
        assert_close(&result["velocity"], &case["velocity"], 1e-11 * scale, &name);
        assert_eq!(result["order"], json!(24));
        assert!(result["steps"].as_u64().unwrap() > 0, "{name}");
        assert!(result["first_integral_drift"].as_f64().unwrap() < 1e-11, "{name}");
        assert_eq!(result.as_object().unwrap().len(), 4);
    }
}

#[test]
fn velocities_stand_in_the_order_of_the_impulses() {
    let sorted = follow(&motion(0.15, json!([0, 0.5, 1, 4])));
    let mixed = follow(&motion(0.15, json!([4, 0, 1, 1, 0.5])));
    let sorted = sorted["velocity"].as_array().unwrap();
    let wanted = [3, 0, 2, 2, 1].map(|i: usize| sorted[i].clone());
    assert_eq!(mixed["velocity"].as_array().unwrap(), &wanted);
}

#[test]
fn after_a_halt_the_point_sticks() {
    let result = follow(&motion(2.0, json!([0, 1e3])));
    assert_close(&result["velocity"], &json!([[0.7, -1.1], [0, 0]]), 1e-15, "sticking");
}

#[test]
fn tolerance_and_order_are_heeded() {
    let mut motion = motion(0.15, json!([100]));
    let standard = follow(&motion);
    motion["tolerance"] = json!(1e-6);
    motion["order"] = json!(30);
    let loose = follow(&motion);
    assert_eq!(loose["order"], json!(30));
    let steps = |result: &Value| result["steps"].as_u64().unwrap();
    assert!(steps(&loose) < steps(&standard));
    assert_close(&loose["velocity"], &standard["velocity"], 1e-4, "tolerance");
}

#[test]
fn the_plot_has_every_motion_and_a_mark_for_every_step() {
    let motions = [motion(0.15, json!([4])), motion(2.0, json!([0.5, 10]))];
    let input = motions.map(|motion| motion.to_string()).join("\n");
    let (svg, results) = drawn(&["trajectory", "-"], "--plot", &input);
    assert_eq!(results, routh(&["trajectory", "-"], &input).solved());
    let steps: u64 = results.iter().map(|result| result["steps"].as_u64().unwrap()).sum();
    assert_eq!(svg.matches("<circle ").count() as u64, steps);
    assert_eq!(svg.matches("from (0.7, -1.1)").count(), 2);
}
