//! `routh solve` against the reference, and as a part of a pipeline.

mod routh;

use std::io::{BufRead, BufReader, Read, Write};
use std::thread;

use routh::{assert_close, assert_same_impact, command, largest, numbers, reference, routh};
use serde_json::{Value, json};

/// A frictionless impact in the plane: Newton's law halves and turns `vn`.
fn simple(vn: f64) -> String {
    json!({
        "D": [[2, 0], [0, 1]], "velocity": [vn, 1], "friction": 0,
        "restitution": {"law": "newton", "e": 0.5},
    })
    .to_string()
}

#[test]
fn results_agree_with_the_reference() {
    let reference = reference("impacts.json");
    let cases: Vec<&Value> = ["spatial", "planar"]
        .into_iter()
        .flat_map(|kind| reference[kind].as_array().unwrap())
        .collect();
    assert!(cases.iter().any(|case| case["name"] == "seed-robot (4.0, 0.0) energetic"));
    let input: String = cases.iter().map(|case| format!("{}\n", case["input"])).collect();
    let results = routh(&["solve", "-"], input).solved();
    assert_eq!(results.len(), cases.len());
    for (case, result) in cases.into_iter().zip(&results) {
        agree(case, result);
    }
}

fn agree(case: &Value, result: &Value) {
    let expect = &case["expect"];
    let size = |value: &Value| largest(&numbers(value));
    let velocity = size(&case["input"]["velocity"]).max(size(&expect["velocity"]));
    let impulse = size(&expect["impulse"]);
    let works = ["normal_work", "friction_work", "energy_change"];
    let work = works.map(|key| size(&expect[key])).into_iter().fold(0.0, f64::max);
    let work = work.max(1e-3 * velocity * impulse);
    let scales = [velocity, impulse, work, size(&expect["critical_friction"])];
    assert_same_impact([result, expect], scales, 1e-10, &case["name"].to_string());
}

#[test]
fn keys_stand_in_the_documented_order() {
    let run = routh(&["solve", "examples/rod.json"], "");
    let keys = [
        "velocity",
        "impulse",
        "compression_impulse",
        "normal_impulse",
        "normal_work",
        "friction_work",
        "energy_change",
        "critical_friction",
        "mode",
        "events",
        "steps",
        "qd",
    ];
    let places = keys.map(|key| run.out.find(&format!("\"{key}\":")).expect(key));
    assert!(places.is_sorted(), "{}", run.out);
    assert_eq!(run.solved()[0].as_object().unwrap().len(), keys.len());
    let planar = routh(&["solve", "-"], simple(-1.0)).solved();
    assert_eq!(planar[0].as_object().unwrap().len(), keys.len() - 1);
}

#[test]
fn a_robot_yields_joint_velocities() {
    let rod = &routh(&["solve", "examples/rod.json"], "").solved()[0];
    let reference = reference("impacts.json");
    let cases = reference["planar"].as_array().unwrap();
    let case = cases.iter().find(|case| case["name"] == "seed-rod e=0.82 energetic").unwrap();
    agree(case, rod);
    assert_eq!(rod["mode"], "sticking_in_compression");

    let [x, y, turn] = numbers(&rod["qd"])[..] else { panic!("three joints: {rod}") };
    let arm = 8.0_f64.sqrt().recip();
    assert_close(&json!([y - arm * turn, x + arm * turn]), &rod["velocity"], 1e-14, "J qd");
}

#[test]
fn numbers_keep_all_their_digits() {
    let run = routh(&["solve", "examples/seed_robot.json"], "");
    for result in run.solved() {
        assert_eq!(numbers(&result["velocity"]).len(), 3);
        for key in ["normal_impulse", "normal_work", "friction_work", "critical_friction"] {
            let number: f64 = result[key].to_string().parse().unwrap();
            assert_eq!(serde_json::to_string(&number).unwrap(), result[key].to_string());
        }
    }
}

#[test]
fn one_friction_coefficient_stands_for_both() {
    let separate =
        simple(-1.0).replace(r#""friction":0"#, r#""friction":{"kinetic":0,"static":0}"#);
    assert_ne!(separate, simple(-1.0));
    let run = routh(&["solve", "-"], format!("{}\n{separate}", simple(-1.0)));
    let results = run.solved();
    assert_eq!(results[0], results[1]);
}

#[test]
fn an_impact_may_stand_on_many_lines() {
    let impact: Value = serde_json::from_str(&simple(-3.0)).unwrap();
    let pretty = serde_json::to_string_pretty(&impact).unwrap();
    assert!(pretty.lines().count() > 10);
    let run = routh(&["solve", "-"], format!("\n{pretty}\n\n"));
    assert_eq!(run.solved(), routh(&["solve", "-"], simple(-3.0)).solved());
}

#[test]
fn many_lines_are_answered_in_order() {
    const MANY: usize = 20_000;
    let input: String = (1..=MANY).map(|i| simple(-(i as f64)) + "\n").collect();
    let results = routh(&["solve", "-"], input).solved();
    assert_eq!(results.len(), MANY);
    for (i, result) in (1..).zip(&results) {
        let vn = result["velocity"][0].as_f64().unwrap();
        assert!((vn - 0.5 * f64::from(i)).abs() < 1e-9, "{i}: {vn}");
    }
}

#[test]
fn a_line_is_answered_before_the_next_is_waited_for() {
    let mut child = command(&["solve", "-"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for vn in [-1.0, -2.0, -4.0] {
        writeln!(stdin, "{}", simple(vn)).unwrap();
        let answer: Value = serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap();
        assert_close(&answer["velocity"][0], &json!(-0.5 * vn), 1e-15, "Newton");
    }
    drop(stdin);
    assert!(answers.next().is_none());
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let mut child = command(&["solve", "-"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let line = simple(-1.0) + "\n";
    let writer = thread::spawn(move || while stdin.write_all(line.as_bytes()).is_ok() {});
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert!(first.starts_with(r#"{"velocity""#));
    assert!(child.wait().unwrap().success());
    writer.join().unwrap();
    let mut messages = String::new();
    child.stderr.take().unwrap().read_to_string(&mut messages).unwrap();
    assert_eq!(messages, "");
}

#[test]
fn a_looser_tolerance_takes_fewer_steps() {
    let steps = |arguments: &[&str]| {
        let results = routh(arguments, "").solved();
        results.iter().map(|result| result["steps"].as_u64().unwrap()).sum::<u64>()
    };
    let file = "examples/seed_robot.json";
    let loose = steps(&["solve", "--tolerance", "1e-6", file]);
    assert!(loose < steps(&["solve", file]));
}

#[test]
fn a_wrong_tolerance_is_wrong_usage() {
    for tolerance in ["1", "0", "-1e-9", "nan", "tight", ""] {
        let option = format!("--tolerance={tolerance}");
        routh(&["solve", &option, "-"], simple(-1.0)).refused("--tolerance");
    }
}
