//! What a system needs twice is computed once, a square costs half a product,
//! and constant factors stay out of convolutions.
#![cfg(feature = "symbolica")]

use routh_codegen::derivations::Derivations;
use routh_codegen::model::System;
use routh_codegen::program::{SeriesId, SeriesOp, SeriesProgram};
use routh_codegen::{Error, derive, symbolic};

fn derive(
    parameters: &'static [&'static str],
    rates: &'static [(&'static str, &'static str)],
) -> SeriesProgram {
    let program = symbolic::run(move || {
        let system = System::parse("shared", "t", parameters, rates);
        derive::taylor(&system.map_err(Error::Derivation)?)
    });
    program.unwrap().unwrap()
}

fn count(program: &SeriesProgram, kind: impl Fn(&SeriesOp) -> bool) -> usize {
    program.ops.iter().filter(|op| kind(op)).count()
}

/// Whether an operand is no more than a constant times a series.
fn is_scaled(program: &SeriesProgram, operand: SeriesId) -> bool {
    let SeriesId::Op(i) = operand else { return false };
    let SeriesOp::Linear { constant: None, terms } = &program.ops[i] else { return false };
    terms.len() == 1
}

#[track_caller]
fn assert_factors_stay_out(program: &SeriesProgram) {
    for op in &program.ops {
        let operands = match *op {
            SeriesOp::Product(x, y) | SeriesOp::Quotient(Some(x), y) => vec![x, y],
            SeriesOp::Square(x) | SeriesOp::Quotient(None, x) => vec![x],
            _ => vec![],
        };
        let clean = operands.iter().all(|&x| !is_scaled(program, x));
        assert!(clean, "{op:?} of {program:#?}");
    }
}

#[test]
fn a_sum_of_squares_is_one_operation() {
    let rates = &[("x", "-y*(x^2 + y^2)"), ("y", "x*(x^2 + y^2)")];
    let program = derive(&[], rates);
    assert_eq!(count(&program, |op| matches!(op, SeriesOp::Square(_))), 2);
    assert_eq!(count(&program, |op| matches!(op, SeriesOp::Product(..))), 2);
    let sums = |op: &SeriesOp| matches!(op, SeriesOp::Linear { terms, .. } if terms.len() == 2);
    assert_eq!(count(&program, sums), 1);
}

#[test]
fn squares_are_squares() {
    let program = derive(&[], &[("x", "x*x")]);
    assert_eq!(program.ops, [SeriesOp::Square(SeriesId::State(0))]);
    let program = derive(&[], &[("x", "x^4")]);
    let squares = [SeriesOp::Square(SeriesId::State(0)), SeriesOp::Square(SeriesId::Op(0))];
    assert_eq!(program.ops, squares);
    assert_eq!(program.convolutions(), 1.0);
}

#[test]
fn a_sine_and_a_cosine_share_their_recurrence() {
    let program = derive(&[], &[("x", "sin(x)*cos(x)"), ("y", "sin(x) + cos(x)")]);
    assert_eq!(count(&program, |op| matches!(op, SeriesOp::Sin { .. })), 1);
    assert_eq!(count(&program, |op| matches!(op, SeriesOp::Cos { .. })), 1);
}

#[test]
fn a_root_is_shared_by_its_powers() {
    let rates = &[("x", "x/(x^2 + y)^(3/2)"), ("y", "y/(x^2 + y)^(1/2)")];
    let program = derive(&[], rates);
    assert_eq!(count(&program, |op| matches!(op, SeriesOp::Sqrt(_))), 1);
    let rates = &[("x", "x/(x^2 + y^2)^(3/2)"), ("y", "y/(x^2 + y^2)^(1/2)")];
    let program = derive(&[], rates);
    assert_eq!(count(&program, |op| matches!(op, SeriesOp::Norm(_))), 1);
    assert_eq!(count(&program, |op| matches!(op, SeriesOp::Sqrt(_))), 0);
}

/// At three half convolutions, its squares never formed.
#[test]
fn a_root_of_squares_is_a_length() {
    let [x, y, z] = [0, 1, 2].map(SeriesId::State);
    let rates = &[("x", "sqrt(x^2 + y^2)"), ("y", "x*(x^2 + y^2)^(-1/2)")];
    let program = derive(&[], rates);
    assert_eq!(program.ops[0], SeriesOp::Norm(vec![x, y]));
    assert_eq!(count(&program, |op| matches!(op, SeriesOp::Square(_))), 0);
    assert_eq!(program.convolutions(), 1.5 + 1.0);
    let rates = &[("x", "sqrt(x^2 + y^2 + z^2)"), ("y", "1"), ("z", "x")];
    let program = derive(&[], rates);
    assert_eq!(program.ops[0], SeriesOp::Norm(vec![x, y, z]));
    assert_eq!(program.convolutions(), 2.0);
}

/// Only plain squares make a length.
#[test]
fn other_roots_are_square_roots() {
    for rates in [
        &[("x", "sqrt(x^2 + y)"), ("y", "x")],
        &[("x", "sqrt(x^2 + y^2 + 1)"), ("y", "x")],
        &[("x", "sqrt(x^2 - y^2)"), ("y", "x")],
        &[("x", "sqrt(x^2 + 2*y^2)"), ("y", "x")],
        &[("x", "sqrt(x^2 + m*y^2)"), ("y", "x")],
        &[("x", "sqrt(x^2 + x*y)"), ("y", "x")],
    ] {
        let program = derive(&["m"], rates);
        assert_eq!(count(&program, |op| matches!(op, SeriesOp::Norm(_))), 0, "{rates:?}");
        assert_eq!(count(&program, |op| matches!(op, SeriesOp::Sqrt(_))), 1, "{rates:?}");
    }
}

#[test]
fn constant_factors_stay_out_of_convolutions() {
    let parameters = &["m", "n"];
    assert_factors_stay_out(&derive(parameters, &[("x", "(m*x)*(n*y)"), ("y", "3*x*y")]));
    assert_factors_stay_out(&derive(parameters, &[("x", "m*x/(2*y)"), ("y", "(m*x)^2/(n*y)^3")]));
    assert_factors_stay_out(&derive(parameters, &[("x", "-x*(m + n)*(x + 1)")]));
    let committed = Derivations::committed().unwrap();
    assert_factors_stay_out(&committed.regularised);
    assert_factors_stay_out(&committed.sliding);
}

#[test]
fn constants_cost_no_convolution() {
    let rates = &[("x", "m*(n*x + 3) - n*(y - sqrt(m))"), ("y", "(m + n)^2*(x - y)")];
    assert_eq!(derive(&["m", "n"], rates).convolutions(), 0.0);
}
