//! Emitted Rust is the same to the byte every time, compiles as it stands, and
//! computes what the interpreter computes.

use std::path::Path;
use std::process::Command;

use routh_codegen::derivations::Derivations;
use routh_codegen::program::{
    Number, ORDERS, ScalarBuilder, ScalarGraph, SeriesId, SeriesOp, SeriesProgram, State,
};
use routh_codegen::{Error, emit, kernels};

fn program(
    name: &str,
    scalars: ScalarGraph,
    ops: Vec<SeriesOp>,
    states: &[(&str, SeriesId)],
) -> SeriesProgram {
    let state = |&(name, rate): &(&str, SeriesId)| State { name: name.to_owned(), rate };
    SeriesProgram {
        name: name.to_owned(),
        variable: "t".to_owned(),
        scalars,
        ops,
        states: states.iter().map(state).collect(),
    }
}

/// `q' = w`, `w' = −sin q`
fn pendulum() -> SeriesProgram {
    let mut scalars = ScalarBuilder::new([]);
    let minus = scalars.number(-1);
    let (q, w, [sin, cos]) = (SeriesId::State(0), SeriesId::State(1), [0, 1].map(SeriesId::Op));
    let ops = vec![
        SeriesOp::Sin { of: q, cos },
        SeriesOp::Cos { of: q, sin },
        SeriesOp::Linear { constant: None, terms: vec![(minus, sin)] },
    ];
    program("pendulum", scalars.finish(), ops, &[("q", w), ("w", SeriesId::Op(2))])
}

/// A Kepler orbit under the parameter `m`, `r² = x² + y²`, and along it
///
/// ```text
/// z' = m² − z / (3 r) + (r²)^(1/3) exp z − (m/2) log r² − cos z / r + sin z
/// ```
fn orbit() -> SeriesProgram {
    let mut scalars = ScalarBuilder::new(["m".to_owned()]);
    let m = scalars.input("m").unwrap();
    let [one, minus] = [1, -1].map(|n| scalars.number(n));
    let [half, third] = [2, 3].map(|n| scalars.number(Number::ratio(-1, n)));
    let [attraction, half_m] = [minus, half].map(|n| scalars.product([n, m]));
    let m_squared = scalars.power(m, 2).unwrap();
    let [x, y, u, v, z] = [0, 1, 2, 3, 4].map(SeriesId::State);
    let op = SeriesId::Op;
    let linear = |terms| SeriesOp::Linear { constant: None, terms };
    let ops = vec![
        SeriesOp::Square(x),
        SeriesOp::Square(y),
        linear(vec![(one, op(0)), (one, op(1))]),
        SeriesOp::Sqrt(op(2)),
        SeriesOp::Product(op(2), op(3)),
        SeriesOp::Quotient(Some(x), op(4)),
        SeriesOp::Quotient(Some(y), op(4)),
        linear(vec![(attraction, op(5))]),
        linear(vec![(attraction, op(6))]),
        SeriesOp::Quotient(None, op(3)),
        SeriesOp::Product(z, op(9)),
        SeriesOp::Power(op(2), Number::ratio(1, 3)),
        SeriesOp::Exp(z),
        SeriesOp::Product(op(11), op(12)),
        SeriesOp::Log(op(2)),
        SeriesOp::Sin { of: z, cos: op(16) },
        SeriesOp::Cos { of: z, sin: op(15) },
        SeriesOp::Product(op(9), op(16)),
        SeriesOp::Linear {
            constant: Some(m_squared),
            terms: vec![
                (third, op(10)),
                (one, op(13)),
                (half_m, op(14)),
                (minus, op(17)),
                (one, op(15)),
            ],
        },
    ];
    let states = [("x", u), ("y", v), ("u", op(7)), ("v", op(8)), ("z", op(18))];
    program("orbit", scalars.finish(), ops, &states)
}

/// A program, what to call its kernels with, and the interpreter's answer.
struct Case {
    program: SeriesProgram,
    parameters: &'static [f64],
    start: &'static [f64],
}

impl Case {
    fn all() -> [Self; 2] {
        [
            Self { program: pendulum(), parameters: &[], start: &[0.7, -1.3] },
            Self { program: orbit(), parameters: &[0.9], start: &[1.0, 0.25, -0.125, 0.75, -0.5] },
        ]
    }

    /// The statement that calls a kernel and prints its coefficients.
    fn call(&self, order: usize, rolled: bool) -> String {
        let Self { program, parameters, start } = self;
        let (name, states) = (&program.name, start.len());
        let constants = match parameters {
            [] => String::new(),
            [m] => format!("&{name}_constants({m:?}), "),
            _ => unreachable!(),
        };
        let call = match rolled {
            true => format!("{name}_any({constants}&{start:?}, {order}, &mut rows);"),
            false => format!("{name}_{order}({constants}&{start:?}, &mut rows);"),
        };
        format!("{{ let mut rows = [[f64::NAN; 65]; {states}]; {call} print(&rows, {order}); }}\n")
    }
}

const ORDERS_TRIED: [usize; 4] = [2, 3, 20, 64];

/// What an including module provides.
const SURROUNDINGS: &str = "
fn sqrt(x: f64) -> f64 { x.sqrt() }
fn exp(x: f64) -> f64 { x.exp() }
fn ln(x: f64) -> f64 { x.ln() }
fn sin(x: f64) -> f64 { x.sin() }
fn cos(x: f64) -> f64 { x.cos() }
fn pow(x: f64, y: f64) -> f64 { x.powf(y) }
fn print(rows: &[[f64; 65]], order: usize) {
    rows.iter().flat_map(|row| &row[..=order]).for_each(|x| println!(\"{x:e}\"));
}
";

fn main_program(cases: &[Case]) -> String {
    let mut items = Vec::new();
    let mut calls = String::new();
    for case in cases {
        let (name, program) = (&case.program.name, &case.program);
        items.push(emit::constants(name, program).unwrap());
        items.push(emit::rolled(name, program).unwrap());
        for order in ORDERS_TRIED {
            items.push(emit::unrolled(name, program, order).unwrap());
            calls += &case.call(order, false);
            calls += &case.call(order, true);
        }
    }
    let kernels = emit::file("Kernels of the emission test.", items).unwrap();
    format!("{kernels}{SURROUNDINGS}fn main() {{\n{calls}}}\n")
}

/// Compiles a program, runs it and yields the numbers that it prints.
fn run(source: &str) -> Vec<f64> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (code, executable) = (folder.join("emission.rs"), folder.join("emission"));
    std::fs::write(&code, source).unwrap();
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut compile = Command::new(rustc);
    compile.args(["--edition", "2024", "-A", "warnings", "-o"]).arg(&executable).arg(&code);
    let compiled = compile.output().unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let printed = Command::new(&executable).output().unwrap();
    assert!(printed.status.success());
    let printed = String::from_utf8(printed.stdout).unwrap();
    printed.lines().map(|line| line.parse().unwrap()).collect()
}

/// Rounding adds up with the order: 1e-14 holds to order 20 with a margin of two.
fn assert_close(found: &[f64], expected: &[Vec<f64>], order: usize, what: &str) {
    for k in 0..=order {
        let scale = expected.iter().map(|row| row[k].abs()).fold(0.0, f64::max);
        let bound = f64::max(1e-14, 1e-15 * k as f64);
        for (i, row) in expected.iter().enumerate() {
            let error = (found[i * (order + 1) + k] - row[k]).abs();
            assert!(error <= bound * scale, "{what}, unknown {i}, {k}: {:e}", error / scale);
        }
    }
}

#[test]
fn emitted_code_agrees_with_the_interpreter() {
    let cases = Case::all();
    let found = run(&main_program(&cases));
    let mut rest = &found[..];
    for case in &cases {
        for order in ORDERS_TRIED {
            let expected = case.program.coefficients(case.parameters, case.start, order);
            for kernel in ["unrolled", "rolled"] {
                let (head, tail) = rest.split_at(expected.len() * (order + 1));
                let what = format!("{} {kernel} to {order}", case.program.name);
                assert_close(head, &expected, order, &what);
                rest = tail;
            }
        }
    }
    assert!(rest.is_empty());
}

#[test]
fn every_operation_is_tried() {
    let kinds = |program: &SeriesProgram| -> Vec<_> {
        program.ops.iter().map(std::mem::discriminant).collect()
    };
    let tried = kinds(&orbit());
    let zero = SeriesId::State(0);
    for op in [
        SeriesOp::Linear { constant: None, terms: vec![] },
        SeriesOp::Product(zero, zero),
        SeriesOp::Square(zero),
        SeriesOp::Quotient(None, zero),
        SeriesOp::Sqrt(zero),
        SeriesOp::Power(zero, 1.into()),
        SeriesOp::Exp(zero),
        SeriesOp::Log(zero),
        SeriesOp::Sin { of: zero, cos: zero },
        SeriesOp::Cos { of: zero, sin: zero },
    ] {
        assert!(tried.contains(&std::mem::discriminant(&op)), "{op:?}");
    }
}

#[test]
fn orders_have_bounds() {
    let program = pendulum();
    for order in [0, 1, 65, usize::MAX] {
        let error = emit::unrolled("pendulum", &program, order).unwrap_err();
        assert!(matches!(error, Error::Order(refused) if refused == order));
    }
    for order in ORDERS {
        let kernel = emit::unrolled("pendulum", &program, order).unwrap();
        let text = emit::file("", [kernel]).unwrap();
        assert!(text.contains(&format!("pub fn pendulum_{order}(")), "{order}");
    }
}

#[test]
fn names_of_the_emitter_are_refused() {
    for name in ["u0", "s12", "k1", "inverse3", "start", "sqrt", "fn", "q w", "g"] {
        let mut program = pendulum();
        program.states[0].name = name.to_owned();
        program.states[1].name = "g".to_owned();
        for refused in [
            emit::unrolled("pendulum", &program, 4),
            emit::rolled("pendulum", &program),
            emit::constants("pendulum", &program),
        ] {
            assert!(matches!(refused, Err(Error::Name(refused)) if refused == name), "{name}");
        }
    }
}

#[test]
fn the_same_program_gives_the_same_bytes() {
    let committed = Derivations::committed().unwrap();
    let first = kernels::library(&committed).unwrap();
    assert!(first == kernels::library(&Derivations::committed().unwrap()).unwrap());
}

#[cfg(feature = "symbolica")]
#[test]
fn fresh_derivations_give_the_same_bytes() {
    let committed = kernels::library(&Derivations::committed().unwrap()).unwrap();
    let fresh = kernels::library(&Derivations::fresh().unwrap()).unwrap();
    assert!(fresh == committed);
}
