//! Lengths and polynomial factors have their known series; fewer unknowns or
//! another independent variable leave a motion as it was.

mod systems;

use routh_codegen::Error;
use routh_codegen::derivations::Derivations;
use routh_codegen::program::{
    Number, ScalarBuilder, ScalarId, SeriesId, SeriesOp, SeriesProgram, State,
};
use routh_codegen::transform::{reclock, restrict};
use systems::{orbit, pendulum};

fn factorial(n: usize) -> f64 {
    (1..=n).map(|k| k as f64).product()
}

/// A linear system `x' = A x` and one more unknown, whose rate is `op`.
fn beside<const N: usize>(
    matrix: [[i64; N]; N],
    op: impl FnOnce(&mut ScalarBuilder) -> SeriesOp,
) -> SeriesProgram {
    let mut scalars = ScalarBuilder::new([]);
    let op = op(&mut scalars);
    let mut ops: Vec<_> = matrix
        .iter()
        .map(|row| {
            let term = |(j, &x): (usize, &i64)| (scalars.number(x), SeriesId::State(j));
            SeriesOp::Linear { constant: None, terms: row.iter().enumerate().map(term).collect() }
        })
        .collect();
    ops.push(op);
    let state = |i| State { name: format!("x{i}"), rate: SeriesId::Op(i) };
    SeriesProgram {
        name: "beside".to_owned(),
        variable: "t".to_owned(),
        given: Vec::new(),
        scalars: scalars.finish(),
        ops,
        states: (0..=N).map(state).collect(),
    }
}

/// Coefficients of `∫ |x|` along `x' = A x`.
fn length<const N: usize>(matrix: [[i64; N]; N], start: [f64; N], order: usize) -> Vec<f64> {
    let program = beside(matrix, |_| SeriesOp::Norm((0..N).map(SeriesId::State).collect()));
    let start: Vec<f64> = start.into_iter().chain([0.0]).collect();
    program.coefficients(&[], &start, order).pop().unwrap()
}

/// Coefficient `k` of the integral of a series.
fn integral(series: impl Fn(usize) -> f64) -> impl Fn(usize) -> f64 {
    move |k| if k == 0 { 0.0 } else { series(k - 1) / k as f64 }
}

#[track_caller]
fn assert_series(found: &[f64], expected: impl Fn(usize) -> f64, size: impl Fn(usize) -> f64) {
    for (k, &x) in found.iter().enumerate() {
        let exact = expected(k);
        let error = (x - exact).abs();
        assert!(error <= 1e-14 * size(k), "coefficient {k}: {x:e}, not {exact:e}");
    }
}

/// `|(cos t, sin t)| = 1`
#[test]
fn the_length_on_a_circle() {
    let found = length([[0, -1], [1, 0]], [1.0, 0.0], 30);
    assert_series(&found, |k| f64::from(k == 1), |k| 3_f64.powi(k as i32) / factorial(k));
}

/// `|e^t (3 cos t − 4 sin t, 3 sin t + 4 cos t)| = 5 e^t`
#[test]
fn the_length_on_a_spiral() {
    let exponential = integral(|k| 5.0 / factorial(k));
    let found = length([[1, -1], [1, 1]], [3.0, 4.0], 30);
    assert_series(&found, &exponential, |k| 3_f64.powi(k as i32) / factorial(k));
}

/// `|(1, t, t²/2)| = 1 + t²/2`
#[test]
fn the_length_of_a_polynomial() {
    let found = length([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [1.0, 0.0, 0.0], 20);
    let exact = |k: usize| [1.0, 0.0, 0.5].get(k).copied().unwrap_or_default();
    assert_series(&found, integral(exact), |_| 1.0);
}

/// `|(cosh t, sinh t)|² = cosh 2t`
#[test]
fn the_length_on_a_hyperbola() {
    let found = length([[0, 1], [1, 0]], [1.0, 0.0], 25);
    let length: Vec<f64> = (1..=25).map(|k| k as f64 * found[k]).collect();
    let square: Vec<f64> =
        (0..25).map(|k| (0..=k).map(|j| length[j] * length[k - j]).sum()).collect();
    let cosh =
        |k: usize| if k.is_multiple_of(2) { 2_f64.powi(k as i32) / factorial(k) } else { 0.0 };
    assert_series(&square, cosh, |_| 1.0);
}

/// `∫ (1 + 2t + 3t²) e^t = (5 − 4t + 3t²) e^t − 5`
#[test]
fn a_polynomial_times_a_series() {
    let program = beside([[1]], |scalars| {
        SeriesOp::Times([1, 2, 3].map(|n| scalars.number(n)).to_vec(), SeriesId::State(0))
    });
    let found = &program.coefficients(&[], &[1.0, 0.0], 30);
    let over = |k: usize, back: usize| if k < back { 0.0 } else { 1.0 / factorial(k - back) };
    let exact = |k: usize| 5.0 * over(k, 0) - 4.0 * over(k, 1) + 3.0 * over(k, 2);
    let exact = |k: usize| if k == 0 { 0.0 } else { exact(k) };
    assert_series(&found[1], exact, |k| over(k, 0).max(3.0 * over(k, 2)));
}

const CLOCK: [f64; 2] = [0.7, -0.4];

/// `t(η)` for `dt/dη = 1 + c1 η + c2 η²`.
fn clock(eta: f64) -> f64 {
    eta + CLOCK[0] * eta.powi(2) / 2.0 + CLOCK[1] * eta.powi(3) / 3.0
}

fn values(rows: &[Vec<f64>], t: f64) -> Vec<f64> {
    rows.iter().map(|row| row.iter().rev().fold(0.0, |sum, x| sum * t + x)).collect()
}

#[track_caller]
fn assert_same_motion(program: &SeriesProgram, parameters: &[f64], start: &[f64], reach: f64) {
    let reclocked = reclock(program, "eta", &["c1", "c2"]).unwrap();
    assert_eq!(reclocked.convolutions(), program.convolutions(), "{}", program.name);
    let with_clock: Vec<f64> = parameters.iter().chain(&CLOCK).copied().collect();
    let plain = program.coefficients(parameters, start, 40);
    let stretched = reclocked.coefficients(&with_clock, start, 40);
    for i in -10..=10 {
        let eta = reach * f64::from(i) / 10.0;
        let (x, y) = (values(&stretched, eta), values(&plain, clock(eta)));
        for (i, (x, y)) in x.iter().zip(&y).enumerate() {
            let error = (x - y).abs() / y.abs().max(1.0);
            assert!(error < 1e-13, "{}, unknown {i} at {eta}: {error:e}", program.name);
        }
    }
}

const CONTACT: [f64; 6] = [1.3, 0.4, -0.2, 2.1, 0.9, 0.15];
const START: [f64; 8] = [0.75, -1.0, 0.1, 0.2, -0.3, -1.0, 0.4, -0.5];

#[test]
fn another_clock_shows_the_same_motion() {
    let Derivations { regularised, sliding, .. } = Derivations::committed().unwrap();
    assert_same_motion(&regularised, &CONTACT, &START, 0.4);
    let velocity = restrict(&regularised, &["vt1", "vt2", "p"]).unwrap();
    assert_same_motion(&velocity, &CONTACT[1..], &START[..3], 0.4);
    let contact = [1.3, 0.4, -0.2, 2.1, 0.5, 0.9, 0.15];
    assert_same_motion(&sliding, &contact, &START[..7], 0.4);
    assert_same_motion(&pendulum(), &[], &[0.7, -1.3], 0.4);
    assert_same_motion(&orbit(), &[0.9], &[1.0, 0.25, -0.125, 0.75, -0.5], 0.2);
}

/// `y' = 3/2` is `y' = 3/2 (1 + c1 η + c2 η²)`.
#[test]
fn a_constant_rate_follows_the_clock() {
    let mut scalars = ScalarBuilder::new([]);
    let rate: ScalarId = scalars.number(Number::ratio(3, 2));
    let program = SeriesProgram {
        name: "constant".to_owned(),
        variable: "t".to_owned(),
        given: Vec::new(),
        scalars: scalars.finish(),
        ops: vec![SeriesOp::Linear { constant: Some(rate), terms: vec![] }],
        states: vec![State { name: "y".to_owned(), rate: SeriesId::Op(0) }],
    };
    let reclocked = reclock(&program, "eta", &["c1", "c2"]).unwrap();
    let found = reclocked.coefficients(&[0.5, -6.0], &[2.0], 4);
    assert_eq!(found, [[2.0, 1.5, 0.375, -3.0, 0.0]]);
}

/// Coefficients of a restriction are those of the whole, in the order asked for.
#[test]
fn fewer_unknowns_move_alike() {
    let program = Derivations::committed().unwrap().regularised;
    let whole = program.coefficients(&CONTACT, &START, 20);
    let all = program.scalars.inputs.iter().zip(CONTACT);
    for unknowns in [
        &["vt1", "vt2"][..],
        &["p", "vt2", "vt1"],
        &["vt2", "wt", "vt1"],
        &["wn", "vn", "vt1", "vt2"],
        &["vt1", "vt2", "p", "it1", "it2", "vn", "wn", "wt"],
    ] {
        let smaller = restrict(&program, unknowns).unwrap();
        let places = unknowns.iter().map(|name| program.state(name).unwrap());
        let places: Vec<_> = places.collect();
        let start: Vec<f64> = places.iter().map(|&i| START[i]).collect();
        let used = |(name, _): &(&String, f64)| smaller.scalars.inputs.contains(name);
        let parameters: Vec<f64> = all.clone().filter(used).map(|(_, x)| x).collect();
        let expected: Vec<_> = places.iter().map(|&i| whole[i].clone()).collect();
        assert_eq!(smaller.coefficients(&parameters, &start, 20), expected, "{unknowns:?}");
    }
}

#[test]
fn idle_parameters_are_gone() {
    let program = Derivations::committed().unwrap().regularised;
    let velocity = restrict(&program, &["vt1", "vt2", "p"]).unwrap();
    assert_eq!(velocity.scalars.inputs, ["h1", "h2", "b1", "b2", "mu"]);
    assert_eq!(velocity.convolutions(), 1.5);
    assert_eq!(restrict(&velocity, &["vt1", "vt2", "p"]).unwrap(), velocity);
}

#[test]
fn restrictions_must_be_closed() {
    let program = Derivations::committed().unwrap().regularised;
    for (unknowns, culprit) in [
        (&["vt1", "stranger"][..], "stranger"),
        (&["vt1", "p"], "vt2"),
        (&["vt2"], "vt1"),
        (&["vt1", "vt2", "wn"], "vn"),
    ] {
        let error = restrict(&program, unknowns).unwrap_err();
        assert!(matches!(&error, Error::UnknownSymbol(name) if name == culprit), "{error}");
    }
}
