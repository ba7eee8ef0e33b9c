//! `routh compare`: what it says of each method, held against the reference.

mod routh;

use routh::{drawn, numbers, reference, routh};
use serde_json::{Value, json};

const METHODS: [&str; 6] =
    ["series", "series_stretched", "series_direct", "rk4", "dopri5", "dop853"];

/// A motion of the reference, without and with its velocities.
fn case(index: usize) -> (Value, Value) {
    let data = reference("sliding.json");
    let case = &data["trajectories"][index];
    let [inertia, mu, v0, impulse] = ["D", "mu", "v0", "impulse"].map(|key| &case[key]);
    (json!({"D": inertia, "mu": mu, "v0": v0, "impulse": impulse}), case["velocity"].clone())
}

fn rows(motion: &Value, options: &[&str]) -> Vec<Value> {
    let arguments = [&["compare", "--json", "-"], options].concat();
    let mut comparisons = routh(&arguments, motion.to_string()).solved();
    assert_eq!(comparisons.len(), 1);
    let comparison = comparisons.remove(0);
    assert_eq!(comparison.as_object().unwrap().len(), 1);
    comparison["rows"].as_array().unwrap().clone()
}

fn find<'a>(rows: &'a [Value], method: &str, target: f64) -> &'a Value {
    rows.iter().find(|row| row["method"] == method && row["target"] == json!(target)).unwrap()
}

#[test]
fn every_method_reaches_every_error() {
    let rows = rows(&case(0).0, &[]);
    assert_eq!(rows.len(), 3 * METHODS.len());
    for (group, target) in rows.chunks(METHODS.len()).zip([2e-6, 1e-9, 1e-12]) {
        for (row, method) in group.iter().zip(METHODS) {
            assert_eq!((&row["method"], &row["target"]), (&json!(method), &json!(target)));
            assert_eq!(row["reached"], json!(true), "{row}");
            assert!(row["error"].as_f64().unwrap() <= target, "{row}");
            assert!(row["nanoseconds"].as_f64().unwrap() > 0.0, "{row}");
            let steps = row["steps"].as_u64().unwrap();
            let (order, evaluations) = match method {
                "series" | "series_stretched" | "series_direct" => {
                    (row["order"].as_u64().unwrap(), steps)
                }
                "rk4" => (4, 4 * steps),
                "dopri5" => (5, row["evaluations"].as_u64().unwrap()),
                _ => (8, row["evaluations"].as_u64().unwrap()),
            };
            assert_eq!(row["order"], json!(order), "{row}");
            assert_eq!(row["evaluations"], json!(evaluations), "{row}");
            assert_eq!(row["tolerance"].is_null(), method == "rk4", "{row}");
            assert!(group[1]["steps"].as_u64().unwrap() <= steps, "{row}");
        }
    }
}

#[test]
fn the_error_of_the_series_is_that_of_the_same_trajectory() {
    let (mut motion, velocity) = case(2);
    let rows = rows(&motion, &["--error", "1e-7"]);
    let row = find(&rows, "series", 1e-7);
    motion["tolerance"] = row["tolerance"].clone();
    motion["order"] = row["order"].clone();
    let followed = routh(&["trajectory", "-"], motion.to_string()).solved().remove(0);
    assert_eq!(followed["steps"], row["steps"]);
    let pairs = numbers(&followed["velocity"]).into_iter().zip(numbers(&velocity));
    let error = pairs.fold(0.0, |most: f64, (x, y)| most.max((x - y).abs()));
    assert!((error - row["error"].as_f64().unwrap()).abs() < 1e-14, "{error:e}: {row}");
}

#[test]
fn a_method_that_does_not_reach_the_error_says_so() {
    let (motion, _) = case(1);
    let rows = rows(&motion, &["--error", "1e-12"]);
    let row = find(&rows, "rk4", 1e-12);
    assert_eq!(row["reached"], json!(false));
    assert!(row["error"].as_f64().unwrap() > 1e-12);
    let table = routh(&["compare", "--error", "1e-12", "-"], motion.to_string());
    let lines = table.printed().lines();
    let unreached: Vec<_> = lines.filter(|line| line.contains("not reached")).collect();
    assert!(matches!(unreached[..], [line] if line.starts_with("  rk4 ")), "{}", table.out);
}

#[test]
fn motions_that_halt_and_that_start_at_rest_are_compared() {
    let (mut motion, _) = case(0);
    motion["mu"] = json!(2);
    let halted = rows(&motion, &["--error", "1e-9"]);
    assert_eq!(find(&halted, "series", 1e-9)["reached"], json!(true));
    assert_eq!(find(&halted, "rk4", 1e-9)["reached"], json!(false));
    motion["v0"] = json!([0, 0]);
    let resting = rows(&motion, &["--error", "1e-9"]);
    assert_eq!(find(&resting, "series", 1e-9)["reached"], json!(true));
    let direct = find(&resting, "series_direct", 1e-9);
    assert_eq!((&direct["reached"], &direct["error"]), (&json!(false), &Value::Null));
}

#[test]
fn the_table_has_a_group_for_every_error_and_a_line_for_every_method() {
    let run = routh(&["compare", "--error", "1e-4", "--error", "1e-8", "-"], case(0).0.to_string());
    let lines: Vec<&str> = run.printed().lines().collect();
    assert_eq!(lines[0], "from (4, 0) to impulse 3000, friction 0.3");
    for (group, error) in lines[1..].chunks(3 + METHODS.len()).zip(["1e-4", "1e-8"]) {
        assert_eq!(group[1], format!("error at most {error}"));
        assert!(group[2].starts_with("  method "));
        for (line, method) in group[3..].iter().zip(METHODS) {
            assert_eq!(line.split_whitespace().next(), Some(method));
        }
    }
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let (motion, _) = case(0);
    for (field, value, message) in [
        ("tolerance", json!(1e-9), "tolerance: a comparison finds it"),
        ("order", json!(20), "order: a comparison finds it"),
        ("impulse", json!([0]), "impulse: none is positive"),
    ] {
        let mut motion = motion.clone();
        motion[field] = value;
        let run = routh(&["compare", "-"], motion.to_string());
        assert_eq!(
            (run.status, run.err.as_str()),
            (1, "routh: 1 of 1 inputs could not be solved\n")
        );
        assert_eq!(run.lines()[0]["error"], json!({"kind": "malformed_input", "message": message}));
    }
    for error in ["0", "-1", "nan", "few"] {
        routh(&["compare", &format!("--error={error}"), "-"], "").refused("--error");
    }
}

#[test]
fn the_plot_names_every_method() {
    let (svg, _) = drawn(&["compare", "--json", "-"], "--plot", &case(0).0.to_string());
    for method in METHODS {
        assert!(svg.contains(method), "{method}");
    }
}
