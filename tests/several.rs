//! Several contacts in space, against answers of an independent integrator.

use nalgebra::{DMatrix, DVector};
use routh::several::{Exponent, Hold, Landing, NormalLaw, Several, Surface};
use routh::{Accuracy, Friction};
use serde_json::Value;

fn matrix(value: &Value) -> DMatrix<f64> {
    let rows: Vec<Vec<f64>> = serde_json::from_value(value.clone()).unwrap();
    DMatrix::from_fn(rows.len(), rows[0].len(), |i, j| rows[i][j])
}

fn surface(value: &Value) -> Surface {
    let number = |name: &str| value[name].as_f64().unwrap();
    let friction = &value["friction"];
    Surface {
        stiffness: number("stiffness"),
        restitution: number("restitution"),
        friction: Friction::new(
            friction["static"].as_f64().unwrap(),
            friction["kinetic"].as_f64().unwrap(),
        )
        .unwrap(),
        hold: match value["kind"].as_str().unwrap() {
            "plastic" => Hold::Plastic,
            "held" => Hold::Held,
            _ => Hold::Unilateral,
        },
        tangents: value["tangents"].as_u64().unwrap() as usize,
    }
}

fn solve(input: &Value) -> (Result<Landing, routh::Error>, Vec<f64>) {
    let (inertia, velocity) = match input.get("M") {
        Some(mass) => {
            let (mass, jacobian) = (matrix(mass), matrix(&input["J"]));
            let qd: Vec<f64> = serde_json::from_value(input["qd"].clone()).unwrap();
            let response = mass.cholesky().unwrap().solve(&jacobian.transpose());
            (&jacobian * response, (&jacobian * DVector::from_vec(qd)).as_slice().to_vec())
        }
        None => (matrix(&input["D"]), serde_json::from_value(input["velocity"].clone()).unwrap()),
    };
    let surfaces = input["contacts"].as_array().unwrap().iter().map(surface).collect();
    let law = match input["law"].as_str().unwrap() {
        "michalczyk" => NormalLaw::Michalczyk,
        _ => NormalLaw::Bistiffness,
    };
    let exponent = match input["exponent"].as_f64() {
        Some(1.0) => Exponent::Linear,
        _ => Exponent::Hertz,
    };
    let several = Several::new(inertia, surfaces, law, exponent).unwrap();
    (
        several.solve(
            &velocity,
            Accuracy::new(std::env::var("TOL").map_or(1e-14, |t| t.parse().unwrap())).unwrap(),
        ),
        velocity,
    )
}

#[test]
fn references_are_met() {
    let cases: Vec<Value> = serde_json::from_str(include_str!("data/multicontact.json")).unwrap();
    let only = std::env::var("ONLY").ok();
    for case in &cases {
        let name = case["name"].as_str().unwrap();
        if only.as_ref().is_some_and(|only| only != name) {
            continue;
        }
        let (landing, before) = solve(&case["input"]);
        let landing = match landing {
            Ok(landing) => landing,
            Err(error) => {
                println!("{name}: {error}");
                continue;
            }
        };
        let expect = &case["expect"];
        let scale = before.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let array = |v: &Value| -> Vec<[f64; 3]> {
            v.as_array()
                .unwrap()
                .iter()
                .map(|row| {
                    let row = row.as_array().unwrap();
                    core::array::from_fn(|d| row.get(d).map_or(0.0, |x| x.as_f64().unwrap()))
                })
                .collect()
        };
        let (v, p) = (array(&expect["velocity"]), array(&expect["impulse"]));
        let off = |a: &[[f64; 3]], b: &[[f64; 3]]| {
            a.iter().flatten().zip(b.iter().flatten()).fold(0.0_f64, |m, (x, y)| {
                let d = (x - y).abs();
                if d.is_nan() { f64::INFINITY } else { m.max(d) }
            })
        };
        let most = p.iter().flatten().fold(0.0_f64, |m, x| m.max(x.abs()));
        let events = |i: usize| -> Vec<String> {
            expect["events"]
                .as_array()
                .unwrap()
                .iter()
                .filter(|e| e["contact"].as_u64() == Some(i as u64))
                .map(|e| e["kind"].as_str().unwrap().to_owned())
                .collect()
        };
        let mut differ = String::new();
        for i in 0..v.len() {
            let own: Vec<String> = landing
                .events
                .iter()
                .filter(|e| e.contact == i)
                .map(|e| e.kind.name().to_owned())
                .collect();
            let endless = case["endless"].as_bool().unwrap();
            if own != events(i) && !endless {
                differ += &format!("\n    {i}: {own:?}\n       {:?}", events(i));
            }
        }
        println!(
            "{name}: v {:.1e} p {:.1e} steps {}{differ}",
            off(&landing.velocity, &v) / scale,
            off(&landing.impulse, &p) / most,
            landing.steps
        );
    }
}
