//! The runtime against the 30-digit reference, before it is emitted.

use super::reference::{follow, follow_planar};
use super::*;
use serde_json::Value;

/// The largest error of an output on the 30-digit reference.
fn check<const N: usize>(
    dimension: &str,
    solve: impl Fn(&ImpactInput<N>) -> Result<ImpactOutput<N>, String>,
) -> f64 {
    let all = serde_json::from_str(include_str!("../../../tests/data/impacts.json")).unwrap();
    let mut worst = 0.0_f64;
    each(&all, dimension, solve, |case, error| match error {
        Ok(error) => worst = worst.max(error),
        Err(error) => panic!("{}: {error}", case["name"]),
    });
    worst
}

/// Compares velocity, impulse and works of each case, and notes the largest error of an
/// output in their scales, or why there is none.
fn each<const N: usize>(
    all: &Value,
    dimension: &str,
    solve: impl Fn(&ImpactInput<N>) -> Result<ImpactOutput<N>, String>,
    mut note: impl FnMut(&Value, Result<f64, String>),
) {
    for case in all[dimension].as_array().unwrap() {
        let (input, expect) = (&case["input"], &case["expect"]);
        let number = |v: &Value| v.as_f64().unwrap();
        let row = |v: &Value| -> [f64; N] { std::array::from_fn(|i| number(&v[i])) };
        let law = input["restitution"]["law"].as_str().unwrap();
        let friction = &input["friction"];
        let input = ImpactInput {
            inertia: std::array::from_fn(|i| row(&input["D"][i])),
            velocity: row(&input["velocity"]),
            friction: [number(&friction["static"]), number(&friction["kinetic"])],
            law: Law::ALL.into_iter().find(|l| l.name() == law).unwrap(),
            e: number(&input["restitution"]["e"]),
        };
        let output = match solve(&input) {
            Ok(output) => output,
            Err(error) => {
                note(case, Err(error));
                continue;
            }
        };
        let largest = |x: &[f64]| x.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let apart =
            |x: &[f64], y: &[f64]| x.iter().zip(y).fold(0.0_f64, |m, (x, y)| m.max((x - y).abs()));
        let velocity = largest(&input.velocity).max(largest(&row(&expect["velocity"])));
        let impulse = largest(&row(&expect["impulse"]));
        let works = ["normal_work", "friction_work"].map(|name| number(&expect[name]));
        let work = largest(&works).max(1e-3 * velocity * impulse);
        let error = [
            apart(&output.velocity, &row(&expect["velocity"])) / velocity,
            apart(&output.impulse, &row(&expect["impulse"])) / impulse,
            apart(&[output.compression_impulse], &[number(&expect["compression_impulse"])])
                / impulse,
            apart(&[output.normal_work, output.friction_work], &works) / work,
        ];
        println!("{:40} {:.1e} {} {}", case["name"], largest(&error), output.mode, output.steps);
        note(case, Ok(largest(&error)));
    }
}

#[test]
fn reference_in_space() {
    for (order, tolerance, bound) in [(24, 1e-15, 1e-12), (20, 1e-12, 1e-10), (16, 1e-9, 1e-7)] {
        let worst = check("spatial", |q| solve_series(Precision::F64, order, tolerance, q));
        assert!(worst < bound, "order {order}: {worst:e}");
    }
}

#[test]
fn reference_in_the_plane() {
    let worst = check("planar", |q| solve_planar(Precision::F64, q));
    assert!(worst < 1e-12, "{worst:e}");
}

/// What the runtime is measured by is right itself.
#[test]
fn reference_by_the_generators_own() {
    let program = Derivations::committed().unwrap().regularised;
    let lost = || "no end".to_owned();
    let spatial = check("spatial", |q| follow(&program, q).ok_or_else(lost));
    let planar = check("planar", |q| follow_planar(&program, q).ok_or_else(lost));
    assert!(spatial < 1e-12 && planar < 1e-12, "{spatial:e} {planar:e}");
}

/// The runtime that has tables, made for each contact.
fn by_tables(
    precision: Precision,
    tolerance: f64,
    input: &ImpactInput<3>,
) -> Result<ImpactOutput<3>, String> {
    let prepared = prepare_spatial(precision, input)?;
    let &[a, h1, h2, b1, b2, mu] = &prepared.parameters[..] else { panic!() };
    let field = routh_flow::Field { a, h: [h1, h2], b: [b1, b2], mu };
    let tables = Tables::new(&field, tolerance, precision, None).map_err(|e| e.to_string())?;
    println!("{} sectors, {} bytes", tables.sectors.len(), tables.bytes());
    solve_tables(precision, &tables, input)
}

#[test]
fn reference_in_space_by_tables() {
    for (precision, tolerance, bound) in
        [(Precision::F64, 1e-15, 5e-12), (Precision::F64, 1e-9, 1e-8), (Precision::F32, 1e-6, 1e-3)]
    {
        let worst = check("spatial", |q| by_tables(precision, tolerance, q));
        println!("{precision}, tolerance {tolerance:e}: {worst:.1e}");
        assert!(worst < bound, "{precision}, tolerance {tolerance:e}: {worst:e}");
    }
}

/// At the edges of the theory and of the numbers tables are as exact as asked, or say that
/// they are not: no contact here is refused by all.
#[test]
fn tables_are_exact_or_say_so() {
    let all = serde_json::from_str(include_str!("../../../tests/data/adversarial.json")).unwrap();
    let (mut exact, mut inexact, mut without) = (0, 0, 0);
    each(
        &all,
        "spatial",
        |q| by_tables(Precision::F64, 1e-15, q),
        |case, error| match error {
            Ok(error) => {
                let most = case["tolerance"].as_f64().unwrap();
                assert!(error <= most, "{}: {error:.1e} of {most:.1e}", case["name"]);
                exact += 1;
            }
            Err(error) if error == "Inexact" => inexact += 1,
            Err(error) => {
                assert!(error.contains("kernel.kind"), "{}: {error}", case["name"]);
                without += 1;
            }
        },
    );
    println!("{exact} exact, {inexact} inexact, {without} contacts without tables");
    assert_eq!(exact + inexact + without, 967);
    assert!(exact > 840, "{exact}");
}
