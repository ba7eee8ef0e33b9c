//! Fixing parameters makes a program smaller and leaves its series as it was.

use routh_codegen::Error;
use routh_codegen::derivations::Derivations;
use routh_codegen::program::{
    Number, OperationCount, Scalar, ScalarBuilder, ScalarId, SeriesId, SeriesOp, SeriesProgram,
    State,
};
use routh_codegen::specialise::{Bindings, Saving, specialise_scalars, specialise_series};

const ORDER: usize = 20;

type Contact = [(&'static str, &'static str); 7];

/// The strongly coupled contact of the reference.
const COUPLED: Contact = [
    ("a", "1.3"),
    ("h1", "0.4"),
    ("h2", "-0.2"),
    ("b11", "2.1"),
    ("b12", "0.5"),
    ("b22", "0.9"),
    ("mu", "0.15"),
];

const UNCOUPLED: Contact = [
    ("a", "1.3"),
    ("h1", "0"),
    ("h2", "-0.2"),
    ("b11", "1"),
    ("b12", "0"),
    ("b22", "1"),
    ("mu", "0.15"),
];

const FRICTIONLESS: Contact = [
    ("a", "1"),
    ("h1", "0.4"),
    ("h2", "0"),
    ("b11", "2.1"),
    ("b12", "0"),
    ("b22", "0.9"),
    ("mu", "0"),
];

/// A program and a start at `v_t = 1.25 (0.6, −0.8)`.
fn programs() -> [(SeriesProgram, Vec<f64>); 2] {
    let derivations = Derivations::committed().unwrap();
    let value = |name: &str| match name {
        "c" => 0.6,
        "d" => -0.8,
        "s" => 1.25,
        "vt1" => 0.75,
        "vt2" | "vn" => -1.0,
        _ => 0.0,
    };
    [derivations.regularised, derivations.sliding].map(|program| {
        let start = program.states.iter().map(|state| value(&state.name)).collect();
        (program, start)
    })
}

fn bindings<'a>(pairs: impl IntoIterator<Item = &'a (&'a str, &'a str)>) -> Bindings {
    pairs.into_iter().map(|&(name, value)| (name.to_owned(), value.parse().unwrap())).collect()
}

/// The subset of a contact's parameters with that mask.
fn subset(contact: &Contact, mask: usize) -> Bindings {
    bindings(contact.iter().enumerate().filter(|(i, _)| mask & (1 << i) != 0).map(|(_, pair)| pair))
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
        for mask in 0..1 << contact.len() {
            let bound = subset(contact, mask);
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

#[test]
fn zeros_remove_operations() {
    for (program, _) in programs() {
        let mut fewest = program.operations(ORDER).total() + program.scalars.operations().total();
        for zeros in [&[("b12", "0")][..], &[("b12", "0"), ("mu", "0")]] {
            let special = specialise_series(&program, &bindings(zeros));
            let special =
                special.unwrap_or_else(|e| panic!("{} with {zeros:?}: {e}", program.name));
            let after = Saving::of_series(&program, &special, ORDER).after.total();
            assert!(after < fewest, "{} with {zeros:?}: {after}", program.name);
            fewest = after;
        }
    }
}

/// Without friction the regularised system needs no `c d` and `c²` in its
/// direction, nor `s²` in the work of friction.
#[test]
fn frictionless_sliding_needs_fewer_convolutions() {
    let [(general, _), _] = programs();
    let special = specialise_series(&general, &bindings(&[("mu", "0")])).unwrap();
    assert_eq!(general.convolutions() - special.convolutions(), 1.0 + 0.5 + 0.5);
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
        let special = specialise_series(&program, &bindings(&COUPLED)).unwrap();
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
        let SeriesOp::Linear { constant, terms } = op else { continue };
        let ids = constant.iter().chain(terms.iter().map(|(factor, _)| factor));
        used.extend(ids.map(|&id| program.scalars.node(id)));
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
        SeriesOp::Quotient(None, x) | SeriesOp::Power(x, _) => vec![x],
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
            for mask in 0..1 << contact.len() {
                let bound = subset(&contact, mask);
                let special = specialise_series(&program, &bound).unwrap();
                let (series, scalars) = (idle_series(&special), idle_scalars(&special));
                let none = series.is_empty() && scalars.is_empty();
                assert!(none, "{} with {bound:?} keeps {series:?}, {scalars:?}", program.name);
            }
        }
    }
}

/// `y' = rate`, where the rate is made of `y` and the parameter `m`.
fn system(rate: impl FnOnce(&mut ScalarBuilder, ScalarId) -> Vec<SeriesOp>) -> SeriesProgram {
    let mut scalars = ScalarBuilder::new(["m".to_owned()]);
    let m = scalars.input("m").unwrap();
    let ops = rate(&mut scalars, m);
    SeriesProgram {
        name: "small".to_owned(),
        variable: "t".to_owned(),
        scalars: scalars.finish(),
        states: vec![State { name: "y".to_owned(), rate: SeriesId::Op(ops.len() - 1) }],
        ops,
    }
}

const Y: SeriesId = SeriesId::State(0);

fn proportional() -> SeriesProgram {
    system(|_, m| vec![SeriesOp::Linear { constant: None, terms: vec![(m, Y)] }])
}

/// `y' = m y` to order `n` takes `n` multiplications by `m` and `n − 1` by
/// `1/k`; only the latter are left where `m` is 1, −1 or 0.
#[test]
fn savings_are_counted() {
    let general = proportional();
    for (m, multiplications) in [("3/7", 2 * ORDER - 1), ("1", ORDER - 1), ("-1", ORDER - 1)] {
        let special = specialise_series(&general, &bindings(&[("m", m)])).unwrap();
        let Saving { before, after } = Saving::of_series(&general, &special, ORDER);
        let only = |multiplications| OperationCount { multiplications, ..Default::default() };
        assert_eq!((before, after), (only(2 * ORDER - 1), only(multiplications)), "m = {m}");
    }
}

#[test]
fn values_are_bound_exactly() {
    let third = specialise_series(&proportional(), &bindings(&[("m", "1/3")])).unwrap();
    let [SeriesOp::Linear { constant: None, terms }] = &third.ops[..] else { panic!("{third:?}") };
    assert_eq!(third.scalars.number(terms[0].0), Some(&Number::ratio(1, 3)));
}

#[test]
fn a_rate_may_be_a_free_parameter() {
    let constant = system(|_, m| vec![SeriesOp::Linear { constant: Some(m), terms: vec![] }]);
    let special = specialise_series(&constant, &Bindings::new()).unwrap();
    assert_eq!(special.coefficients(&[7.0], &[2.0], 3), [[2.0, 7.0, 0.0, 0.0]]);
}

#[test]
fn division_by_a_parameter_bound_to_zero_is_an_error() {
    let by_scalar = system(|scalars, m| {
        let inverse = scalars.power(m, -1).unwrap();
        vec![SeriesOp::Linear { constant: None, terms: vec![(inverse, Y)] }]
    });
    let by_series = system(|_, m| {
        let denominator = SeriesOp::Linear { constant: Some(m), terms: vec![] };
        vec![denominator, SeriesOp::Quotient(Some(Y), SeriesId::Op(0))]
    });
    for program in [by_scalar, by_series] {
        let halved = specialise_series(&program, &bindings(&[("m", "2")])).unwrap();
        assert_eq!(halved.coefficients(&[], &[1.0], 2), [[1.0, 0.5, 0.125]]);
        let error = specialise_series(&program, &bindings(&[("m", "0")])).unwrap_err();
        let Error::DivisionByZero { program, bindings } = error else { panic!("{error}") };
        assert_eq!((program.as_str(), bindings.as_str()), ("small", "m = 0"));
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
    bound.remove("a");
    bound.extend(bindings(&[("a0", "3"), ("d0", "4")]));
    let special = specialise_scalars(&program, &bound).unwrap();
    let a1 = special.outputs.iter().find(|(name, _)| name == "a1").unwrap().1;
    // h1 − μ (b11 3/5 + b12 4/5) = 0.4 − 0.15 (1.26 + 0.4)
    assert_eq!(special.graph.number(a1), Some(&Number::ratio(151, 1000)));
    assert!(special.outputs.iter().all(|(_, id)| special.graph.number(*id).is_some()));
}

#[test]
fn functions_of_a_constant_are_constants() {
    let mut scalars = ScalarBuilder::new(["m".to_owned()]);
    let m = scalars.input("m").unwrap();
    let one = scalars.number(1);
    let state = SeriesId::State(0);
    let op = SeriesId::Op;
    let program = SeriesProgram {
        name: "wave".to_owned(),
        variable: "t".to_owned(),
        scalars: scalars.finish(),
        ops: vec![
            SeriesOp::Linear { constant: None, terms: vec![(m, state)] },
            SeriesOp::Sin { of: op(0), cos: op(2) },
            SeriesOp::Cos { of: op(0), sin: op(1) },
            SeriesOp::Product(state, op(2)),
            SeriesOp::Linear { constant: None, terms: vec![(one, op(3)), (one, op(1))] },
        ],
        states: vec![State { name: "y".to_owned(), rate: op(4) }],
    };
    let special = specialise_series(&program, &bindings(&[("m", "0")])).unwrap();
    assert_eq!(special.convolutions(), 0.0);
    let series = special.coefficients(&[], &[1.0_f64], 4);
    let exponential = [1.0_f64, 1.0, 0.5, 1.0 / 6.0, 1.0 / 24.0];
    assert!(series[0].iter().zip(exponential).all(|(x, y)| (x - y).abs() < 1e-15), "{series:?}");
}
