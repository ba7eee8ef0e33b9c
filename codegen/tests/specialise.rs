//! Fixing parameters makes a program smaller and leaves its series as it was.

use routh_codegen::Error;
use routh_codegen::derivations::Derivations;
use routh_codegen::program::{
    Number, OperationCount, Scalar, ScalarId, SeriesId, SeriesOp, SeriesProgram,
};
use routh_codegen::specialise::{Bindings, Saving, specialise_scalars, specialise_series};
use routh_codegen::transform::reclock;

const ORDER: usize = 20;

/// Values for the parameters of any of the programs.
type Contact = [(&'static str, &'static str); 11];

/// The strongly coupled contact of the reference.
const COUPLED: Contact = [
    ("a", "1.3"),
    ("h1", "0.4"),
    ("h2", "-0.2"),
    ("b11", "2.1"),
    ("b12", "0.5"),
    ("b22", "0.9"),
    ("b1", "2.1"),
    ("b2", "0.9"),
    ("mu", "0.15"),
    ("c1", "0.25"),
    ("c2", "-0.5"),
];

const UNCOUPLED: Contact = [
    ("a", "1.3"),
    ("h1", "0"),
    ("h2", "-0.2"),
    ("b11", "1"),
    ("b12", "0"),
    ("b22", "1"),
    ("b1", "1"),
    ("b2", "1"),
    ("mu", "0.15"),
    ("c1", "0"),
    ("c2", "1"),
];

const FRICTIONLESS: Contact = [
    ("a", "1"),
    ("h1", "0.4"),
    ("h2", "0"),
    ("b11", "2.1"),
    ("b12", "0"),
    ("b22", "0.9"),
    ("b1", "2.1"),
    ("b2", "0.9"),
    ("mu", "0"),
    ("c1", "-1"),
    ("c2", "0"),
];

/// Programs in `τ`, `p` and a stretched `τ`, and a start at `v_t = (0.75, −1)`.
fn programs() -> [(SeriesProgram, Vec<f64>); 3] {
    let Derivations { regularised, sliding, .. } = Derivations::committed().unwrap();
    let stretched = reclock(&regularised, "eta", &["c1", "c2"]).unwrap();
    let value = |name: &str| match name {
        "vt1" => 0.75,
        "vt2" | "vn" => -1.0,
        _ => 0.0,
    };
    [regularised, sliding, stretched].map(|program| {
        let start = program.states.iter().map(|state| value(&state.name)).collect();
        (program, start)
    })
}

fn bindings<'a>(pairs: impl IntoIterator<Item = &'a (&'a str, &'a str)>) -> Bindings {
    pairs.into_iter().map(|&(name, value)| (name.to_owned(), value.parse().unwrap())).collect()
}

/// What a contact says of a program's parameters.
fn of_program(program: &SeriesProgram, contact: &Contact) -> Vec<(&'static str, &'static str)> {
    let used = |(name, _): &(&str, &str)| program.scalars.inputs.iter().any(|i| i == name);
    let pairs: Vec<_> = contact.iter().copied().filter(used).collect();
    assert_eq!(pairs.len(), program.scalars.inputs.len());
    pairs
}

/// Every choice of a contact's parameters to bind.
fn subsets(program: &SeriesProgram, contact: &Contact) -> impl Iterator<Item = Bindings> {
    let pairs = of_program(program, contact);
    (0..1_usize << pairs.len()).map(move |mask| {
        let chosen = pairs.iter().enumerate().filter(|(i, _)| mask & (1 << i) != 0);
        bindings(chosen.map(|(_, pair)| pair))
    })
}

fn expand(program: &SeriesProgram, contact: &Contact, start: &[f64]) -> Vec<Vec<f64>> {
    let value = |name: &String| -> f64 {
        let pair = contact.iter().find(|(parameter, _)| parameter == name);
        pair.unwrap().1.parse().unwrap()
    };
    let parameters: Vec<f64> = program.scalars.inputs.iter().map(value).collect();
    program.coefficients(&parameters, start, ORDER)
}

fn assert_same_series(found: &[Vec<f64>], expected: &[Vec<f64>], what: &dyn std::fmt::Debug) {
    for k in 0..=ORDER {
        let scale = expected.iter().map(|row| row[k].abs()).fold(0.0, f64::max);
        for (x, y) in found.iter().zip(expected) {
            let error = (x[k] - y[k]).abs();
            assert!(error <= 1e-14 * scale, "coefficient {k}: {error:e} of {scale:e}, {what:?}");
        }
    }
}

#[track_caller]
fn assert_every_subset_agrees(contact: &Contact) {
    for (program, start) in programs() {
        let general = expand(&program, contact, &start);
        for bound in subsets(&program, contact) {
            let special = specialise_series(&program, &bound)
                .unwrap_or_else(|e| panic!("{} with {bound:?}: {e}", program.name));
            assert_same_series(&expand(&special, contact, &start), &general, &bound);
            let Saving { before, after } = Saving::of_series(&program, &special, ORDER);
            assert!(after.total() <= before.total(), "{bound:?}: {after} after {before}");
        }
    }
}

#[test]
fn coefficients_stay_for_a_coupled_contact() {
    assert_every_subset_agrees(&COUPLED);
}

#[test]
fn coefficients_stay_for_an_uncoupled_contact() {
    assert_every_subset_agrees(&UNCOUPLED);
}

#[test]
fn coefficients_stay_without_friction() {
    assert_every_subset_agrees(&FRICTIONLESS);
}

/// Each further zero removes operations.
#[test]
fn zeros_remove_operations() {
    for (program, _) in programs() {
        let mut fewest = program.operations(ORDER).total() + program.scalars.operations().total();
        let coupling = if program.name == "sliding" { "b12" } else { "h2" };
        let zeros = [(coupling, "0"), ("mu", "0"), ("h1", "0")];
        for count in 1..=zeros.len() {
            let zeros = &zeros[..count];
            let special = specialise_series(&program, &bindings(zeros));
            let special =
                special.unwrap_or_else(|e| panic!("{} with {zeros:?}: {e}", program.name));
            let after = Saving::of_series(&program, &special, ORDER).after.total();
            assert!(after < fewest, "{} with {zeros:?}: {after}", program.name);
            fewest = after;
        }
    }
}

/// The regularised system has three half convolutions in `s`, one in `v_n s` and
/// a half one in `s²`, which only the work of friction needs.
#[test]
fn frictionless_sliding_needs_fewer_convolutions() {
    let [(general, _), _, (stretched, _)] = programs();
    for general in [general, stretched] {
        let special = specialise_series(&general, &bindings(&[("mu", "0")])).unwrap();
        assert_eq!([general.convolutions(), special.convolutions()], [3.0, 2.5]);
    }
}

/// `η` that is not stretched is `τ`.
#[test]
fn a_polynomial_bound_to_one_is_gone() {
    let [(plain, _), _, (stretched, _)] = programs();
    let bound = bindings(&[("c1", "0"), ("c2", "0")]);
    let special = specialise_series(&stretched, &bound).unwrap();
    assert_eq!(special.operations(ORDER), plain.operations(ORDER));
    assert!(!special.ops.iter().any(|op| matches!(op, SeriesOp::Times(..))));
    let bound = bindings(&[("c2", "0")]);
    let special = specialise_series(&stretched, &bound).unwrap();
    let lengths = special.ops.iter().filter_map(|op| match op {
        SeriesOp::Times(polynomial, _) => Some(polynomial.len()),
        _ => None,
    });
    assert!(lengths.clone().count() > 0 && lengths.clone().all(|length| length == 2));
}

#[test]
fn nothing_bound_changes_nothing() {
    for (program, _) in programs() {
        assert_eq!(specialise_series(&program, &Bindings::new()).unwrap(), program);
    }
}

#[test]
fn everything_bound_leaves_only_constants() {
    for (program, _) in programs() {
        let bound = bindings(&of_program(&program, &COUPLED));
        let special = specialise_series(&program, &bound).unwrap();
        assert!(special.scalars.inputs.is_empty());
        let constant = |node: &Scalar| matches!(node, Scalar::Number(_));
        assert!(special.scalars.nodes.iter().all(constant), "{:?}", special.scalars);
        assert_eq!(special.scalars.operations(), OperationCount::default());
    }
}

/// Operations on parameters whose result nothing uses.
fn idle_scalars(program: &SeriesProgram) -> Vec<&Scalar> {
    let mut used: Vec<&Scalar> = Vec::new();
    for op in &program.ops {
        let ids: Vec<ScalarId> = match op {
            SeriesOp::Linear { constant, terms } => {
                constant.iter().copied().chain(terms.iter().map(|term| term.0)).collect()
            }
            SeriesOp::Times(polynomial, _) => polynomial.clone(),
            _ => continue,
        };
        used.extend(ids.into_iter().map(|id| program.scalars.node(id)));
    }
    let operation = |node: &Scalar| !matches!(node, Scalar::Number(_) | Scalar::Input(_));
    let nodes = program.scalars.nodes.iter().zip(program.scalars.uses());
    nodes
        .filter(|&(node, uses)| uses == 0 && operation(node) && !used.contains(&node))
        .map(|(node, _)| node)
        .collect()
}

fn operands(op: &SeriesOp) -> Vec<SeriesId> {
    match *op {
        SeriesOp::Linear { ref terms, .. } => terms.iter().map(|term| term.1).collect(),
        SeriesOp::Product(x, y) | SeriesOp::Quotient(Some(x), y) => vec![x, y],
        SeriesOp::Norm(ref xs) => xs.clone(),
        SeriesOp::Quotient(None, x) | SeriesOp::Power(x, _) | SeriesOp::Times(_, x) => vec![x],
        SeriesOp::Square(x) | SeriesOp::Sqrt(x) | SeriesOp::Exp(x) | SeriesOp::Log(x) => vec![x],
        SeriesOp::Sin { of, cos } => vec![of, cos],
        SeriesOp::Cos { of, sin } => vec![of, sin],
    }
}

/// Operations on series whose result nothing uses.
fn idle_series(program: &SeriesProgram) -> Vec<&SeriesOp> {
    let mut used: Vec<SeriesId> = program.ops.iter().flat_map(operands).collect();
    used.extend(program.states.iter().map(|state| state.rate));
    let ops = program.ops.iter().enumerate();
    ops.filter(|&(i, _)| !used.contains(&SeriesId::Op(i))).map(|(_, op)| op).collect()
}

#[test]
fn what_is_no_longer_needed_is_gone() {
    for (program, _) in programs() {
        for contact in [COUPLED, UNCOUPLED, FRICTIONLESS] {
            for bound in subsets(&program, &contact) {
                let special = specialise_series(&program, &bound).unwrap();
                let (series, scalars) = (idle_series(&special), idle_scalars(&special));
                let none = series.is_empty() && scalars.is_empty();
                assert!(none, "{} with {bound:?} keeps {series:?}, {scalars:?}", program.name);
            }
        }
    }
}

#[test]
fn only_parameters_can_be_bound() {
    let derivations = Derivations::committed().unwrap();
    let bound = bindings(&[("nu", "1")]);
    let series = specialise_series(&derivations.regularised, &bound).unwrap_err();
    let scalars = specialise_scalars(&derivations.coefficients, &bound).unwrap_err();
    for error in [series, scalars] {
        assert!(matches!(&error, Error::UnknownSymbol(name) if name == "nu"), "{error}");
    }
}

#[test]
fn closed_forms_need_a_sliding_velocity() {
    let program = Derivations::committed().unwrap().coefficients;
    let error = specialise_scalars(&program, &bindings(&[("a0", "0"), ("d0", "0")])).unwrap_err();
    assert!(matches!(error, Error::DivisionByZero { .. }), "{error}");
}

/// With `a_0 = 3`, `d_0 = 4` even the speed is rational.
#[test]
fn closed_forms_of_a_fixed_contact_are_numbers() {
    let program = Derivations::committed().unwrap().coefficients;
    let mut bound = bindings(&COUPLED);
    bound.retain(|name, _| program.graph.inputs.contains(name));
    bound.extend(bindings(&[("a0", "3"), ("d0", "4")]));
    let special = specialise_scalars(&program, &bound).unwrap();
    let a1 = special.outputs.iter().find(|(name, _)| name == "a1").unwrap().1;
    // h1 − μ (b11 3/5 + b12 4/5) = 0.4 − 0.15 (1.26 + 0.4)
    assert_eq!(special.graph.number(a1), Some(&Number::ratio(151, 1000)));
    assert!(special.outputs.iter().all(|(_, id)| special.graph.number(*id).is_some()));
}
