//! The sliding velocity's coefficients `a_k`, `d_k` in the normal impulse are
//! those of the reference and, misprints aside, of the spatial paper's tables.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use num_bigfloat::BigFloat;
use routh_codegen::derivations::Derivations;
use serde::Deserialize;

#[derive(Deserialize)]
struct Reference {
    seed_table_coefficients: Table,
}

#[derive(Deserialize)]
struct Table {
    #[serde(rename = "D")]
    inertia: [[f64; 3]; 3],
    mu: f64,
    rows: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    v0: [f64; 2],
    a: Vec<f64>,
    d: Vec<f64>,
}

static DERIVATIONS: LazyLock<Derivations> = LazyLock::new(|| Derivations::committed().unwrap());

fn reference() -> Table {
    let text = include_str!("../../tests/data/sliding.json");
    serde_json::from_str::<Reference>(text).unwrap().seed_table_coefficients
}

/// The contact and the start by the programs' names.
type Inputs = BTreeMap<&'static str, f64>;

fn inputs(table: &Table, [a0, d0]: [f64; 2]) -> Inputs {
    let [[a, h1, h2], [_, b11, b12], [_, _, b22]] = table.inertia;
    let mu = table.mu;
    Inputs::from([
        ("a", a),
        ("h1", h1),
        ("h2", h2),
        ("b11", b11),
        ("b12", b12),
        ("b22", b22),
        ("mu", mu),
        ("a0", a0),
        ("d0", d0),
    ])
}

fn named(names: &[String], inputs: &Inputs) -> Vec<f64> {
    names.iter().map(|name| inputs[name.as_str()]).collect()
}

/// `a_0 … a_order` and `d_0 … d_order` by the recurrence.
fn by_recurrence(inputs: &Inputs, order: usize) -> [Vec<f64>; 2] {
    let program = &DERIVATIONS.sliding;
    let [vt1, vt2] = ["vt1", "vt2"].map(|name| program.state(name).unwrap());
    let mut start = vec![0.0; program.states.len()];
    (start[vt1], start[vt2]) = (inputs["a0"], inputs["d0"]);
    let found = program.coefficients(&named(&program.scalars.inputs, inputs), &start, order);
    [found[vt1].clone(), found[vt2].clone()]
}

/// `a_0 … a_8` and `d_0 … d_8` by the closed forms.
fn by_closed_form(inputs: &Inputs) -> [Vec<f64>; 2] {
    let program = &DERIVATIONS.coefficients;
    let values = program.evaluate(&named(&program.graph.inputs, inputs));
    let value = |name: String| {
        let place = program.outputs.iter().position(|(output, _)| *output == name);
        values[place.unwrap()]
    };
    ["a", "d"].map(|letter| {
        let first = inputs[format!("{letter}0").as_str()];
        [first].into_iter().chain((1..=8).map(|k| value(format!("{letter}{k}")))).collect()
    })
}

/// The same in 40 decimal digits, where inputs are the decimals they print as.
fn by_recurrence_in_40_digits(inputs: &Inputs, order: usize) -> [Vec<f64>; 2] {
    let program = &DERIVATIONS.sliding;
    let [vt1, vt2] = ["vt1", "vt2"].map(|name| program.state(name).unwrap());
    let mut start = vec![BigFloat::from(0.0); program.states.len()];
    (start[vt1], start[vt2]) = (inputs["a0"].into(), inputs["d0"].into());
    let parameters: Vec<_> =
        named(&program.scalars.inputs, inputs).into_iter().map(BigFloat::from).collect();
    let found = program.coefficients(&parameters, &start, order);
    [vt1, vt2].map(|row| found[row].iter().map(BigFloat::to_f64).collect())
}

/// Row and order of coefficients `d_k` that all but vanish: a relative change in the
/// inputs changes them 4,000 and 7,000 times as much, so that rounding the
/// inputs to `f64` already costs 4e-14 and 9e-14. They are measured against
/// `|(a_k, d_k)|` in `f64`, and against themselves in more digits.
const CANCELLING: [(usize, usize); 2] = [(2, 11), (5, 7)];

fn assert_meets_reference(
    coefficients: impl Fn(&Inputs) -> [Vec<f64>; 2],
    cancelling: &[(usize, usize)],
) {
    let table = reference();
    for (i, row) in table.rows.iter().enumerate() {
        let [a, d] = coefficients(&inputs(&table, row.v0));
        for k in 0..a.len() {
            assert_close(a[k], row.a[k], row.a[k].abs(), &format!("row {}, a_{k}", i + 1));
            let scale = match cancelling.contains(&(i + 1, k)) {
                true => f64::hypot(row.a[k], row.d[k]),
                false => row.d[k].abs(),
            };
            assert_close(d[k], row.d[k], scale, &format!("row {}, d_{k}", i + 1));
        }
    }
}

#[track_caller]
fn assert_close(found: f64, exact: f64, scale: f64, what: &str) {
    let error = (found - exact).abs();
    assert!(error <= 1e-13 * scale, "{what}: {found:e} misses {exact:e} by {:e}", error / scale);
}

#[test]
fn recurrence_meets_the_reference() {
    assert_meets_reference(|inputs| by_recurrence_in_40_digits(inputs, 12), &[]);
}

#[test]
fn recurrence_in_f64_meets_the_reference_but_for_cancellation() {
    assert_meets_reference(|inputs| by_recurrence(inputs, 12), &CANCELLING);
}

#[test]
fn closed_forms_meet_the_reference() {
    assert_meets_reference(by_closed_form, &[]);
}

/// One of the paper's tables: digits as printed, and the powers of ten of its
/// columns.
struct Printed {
    exponents: [i32; 7],
    rows: [[&'static str; 7]; 6],
    /// Row, order and true value.
    misprints: [(usize, usize, f64); 3],
}

const TABLE_1: Printed = Printed {
    exponents: [0, 0, -7, -10, -12, -15, -19],
    rows: [
        ["4", "-0.031342", "-0.9890", "-0.02356", "0.0167142", "0.0193681", "0.172456"],
        ["1.508", "-0.003140", "3.95027", "9.98373", "1.3537", "1.07456", "-4.0277"],
        ["0.2662", "-0.001684", "20.680", "-10.518", "-2.425", "5.362", "9.58313"],
        ["-0.151", "-0.0007", "6.5021", "-7.27", "0.64458", "-0.3821", "-0.4710"],
        ["-0.335", "-0.00043", "2.1896", "-2.15645", "0.18583", "-0.14323", "0.97602"],
        ["-0.581", "-0.00293", "0.3914", "-0.2757", "0.017297", "-0.100297", "0.054838"],
    ],
    misprints: [(1, 1, -0.0031341), (6, 1, -2.9383e-4), (6, 5, -1.0067e-17)],
};

const TABLE_2: Printed = Printed {
    exponents: [0, 0, -7, -11, -13, -17, -19],
    rows: [
        ["0", "0.001167", "-1.71637", "-6.32099", "-0.27437", "-1.1786", "-0.042394"],
        ["0.7603", "0.007", "-4.518", "-7.9562", "3.44164", "75.699", "8.3878"],
        ["1.051", "0.00053", "2.9989", "0.339004", "-12.3161", "61.524", "34.380"],
        ["1.332", "0.00075", "1.8392", "-17.1417", "0.94314", "3.8904", "-1.9906"],
        ["1.589", "0.00083", "0.69099", "-6.42435", "0.501825", "-3.23826", "0.148375"],
        ["2.229", "0.00087", "0.1298", "-0.902564", "0.05544", "-0.31163", "-1.9906"],
    ],
    misprints: [(2, 1, 7.0989e-4), (3, 3, 3.3895e-10), (6, 6, 1.6325e-21)],
};

impl Printed {
    fn value(&self, row: usize, k: usize) -> f64 {
        format!("{}e{}", self.rows[row][k], self.exponents[k]).parse().unwrap()
    }

    /// One unit of the last printed digit.
    fn unit(&self, row: usize, k: usize) -> f64 {
        let decimals = self.rows[row][k].split_once('.').map_or(0, |(_, digits)| digits.len());
        10_f64.powi(self.exponents[k] - decimals as i32)
    }
}

/// What half a unit of the printed start values' last digits makes of each
/// coefficient. The first start is given, not computed.
fn start_rounding(inputs: &Inputs, row: usize, letter: usize) -> Vec<f64> {
    let base = &by_closed_form(inputs)[letter];
    let mut sum = vec![0.0; base.len()];
    if row == 0 {
        return sum;
    }
    for (name, unit) in [("a0", TABLE_1.unit(row, 0)), ("d0", TABLE_2.unit(row, 0))] {
        let mut moved = inputs.clone();
        moved.entry(name).and_modify(|start| *start += unit / 2.0);
        let moved = &by_closed_form(&moved)[letter];
        sum.iter_mut().zip(base.iter().zip(moved)).for_each(|(s, (x, y))| *s += (x - y).abs());
    }
    sum
}

/// What four printed digits of `D` leave open in a coefficient: by this much
/// the first row misses, whose start is exact.
const INERTIA_ROUNDING: f64 = 2.5e-4;

/// The paper cut rather than rounded some results, and computed with more
/// digits than it printed: a print may miss by one unit of its last digit and
/// by what the hidden digits of the start and of `D` amount to.
fn assert_agrees(table: &Printed, letter: usize) {
    let reference = reference();
    for row in 0..6 {
        let inputs = inputs(&reference, [TABLE_1.value(row, 0), TABLE_2.value(row, 0)]);
        let computed = &by_closed_form(&inputs)[letter];
        let start = start_rounding(&inputs, row, letter);
        for k in 1..=6 {
            let what = format!("row {}, order {k}", row + 1);
            let slack = table.unit(row, k) + start[k] + INERTIA_ROUNDING * computed[k].abs();
            let miss = (table.value(row, k) - computed[k]).abs();
            match table.misprints.iter().find(|m| (m.0, m.1) == (row + 1, k)) {
                Some(&(_, _, truth)) => {
                    assert!((computed[k] - truth).abs() <= 5e-5 * truth.abs(), "{what}");
                    assert!(miss > 5.0 * slack, "{what} is no misprint");
                }
                None => assert!(miss <= slack, "{what}: {miss:e} is beyond {slack:e}"),
            }
        }
    }
}

#[test]
fn table_1_of_the_spatial_paper() {
    assert_agrees(&TABLE_1, 0);
}

#[test]
fn table_2_of_the_spatial_paper() {
    assert_agrees(&TABLE_2, 1);
}
