//! The runtime against the 30-digit reference, before it is emitted.

use super::reference::{follow, follow_planar};
use super::*;
use serde_json::Value;

/// `velocity`, `impulse` and works of one case, and the largest error of an
/// output in their scales.
fn check<const N: usize>(
    dimension: &str,
    solve: impl Fn(&ImpactInput<N>) -> Result<ImpactOutput<N>, String>,
) -> f64 {
    let all: Value =
        serde_json::from_str(include_str!("../../../tests/data/impacts.json")).unwrap();
    let mut worst = 0.0_f64;
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
        let output = solve(&input).unwrap_or_else(|e| panic!("{}: {e}", case["name"]));
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
        worst = worst.max(largest(&error));
    }
    worst
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
