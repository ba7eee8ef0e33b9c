//! What fixing a parameter does to systems small enough to read.

use routh_codegen::Error;
use routh_codegen::program::{
    Number, OperationCount, ScalarBuilder, ScalarId, SeriesId, SeriesOp, SeriesProgram, State,
};
use routh_codegen::specialise::{Bindings, Saving, specialise_series};

const ORDER: usize = 20;

fn bindings<'a>(pairs: impl IntoIterator<Item = &'a (&'a str, &'a str)>) -> Bindings {
    pairs.into_iter().map(|&(name, value)| (name.to_owned(), value.parse().unwrap())).collect()
}

/// `y' = rate`, where the rate is made of `y` and the parameter `m`.
fn system(rate: impl FnOnce(&mut ScalarBuilder, ScalarId) -> Vec<SeriesOp>) -> SeriesProgram {
    let mut scalars = ScalarBuilder::new(["m".to_owned()]);
    let m = scalars.input("m").unwrap();
    let ops = rate(&mut scalars, m);
    SeriesProgram {
        name: "small".to_owned(),
        variable: "t".to_owned(),
        given: Vec::new(),
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

/// `y' = |(3, m)| = 5` where `m = 4`.
#[test]
fn a_length_of_constants_is_constant() {
    let length = system(|scalars, m| {
        let three = scalars.number(3);
        let constant = |c| SeriesOp::Linear { constant: Some(c), terms: vec![] };
        let norm = SeriesOp::Norm(vec![SeriesId::Op(0), SeriesId::Op(1)]);
        vec![constant(three), constant(m), norm]
    });
    let special = specialise_series(&length, &bindings(&[("m", "4")])).unwrap();
    for (program, parameters) in [(length, &[4.0][..]), (special, &[])] {
        assert_eq!(program.coefficients(parameters, &[2.0], 3), [[2.0, 5.0, 0.0, 0.0]]);
    }
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
fn functions_of_a_constant_are_constants() {
    let mut scalars = ScalarBuilder::new(["m".to_owned()]);
    let m = scalars.input("m").unwrap();
    let one = scalars.number(1);
    let state = SeriesId::State(0);
    let op = SeriesId::Op;
    let program = SeriesProgram {
        name: "wave".to_owned(),
        variable: "t".to_owned(),
        given: Vec::new(),
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
