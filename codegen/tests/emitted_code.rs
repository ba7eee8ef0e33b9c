//! Emitted Rust compiles as it stands, in any number type, and computes what
//! the interpreter computes; loops round exactly as straight lines do.

mod systems;

use std::path::Path;
use std::process::Command;

use routh_codegen::emit;
use routh_codegen::program::{SeriesId, SeriesOp, SeriesProgram};
use systems::{orbit, pendulum, spiral};

/// A program, what to call its kernels with, and the interpreter's answer.
struct Case {
    program: SeriesProgram,
    parameters: &'static [f64],
    start: &'static [f64],
    orders: [usize; 4],
}

impl Case {
    fn all() -> [Self; 3] {
        [
            Self {
                program: pendulum(),
                parameters: &[],
                start: &[0.7, -1.3],
                orders: [2, 3, 20, 64],
            },
            Self {
                program: orbit(),
                parameters: &[0.9],
                start: &[1.0, 0.25, -0.125, 0.75, -0.5],
                orders: [2, 3, 20, 32],
            },
            Self {
                program: spiral(),
                parameters: &[0.3, -0.7],
                start: &[0.8, -0.6, 0.35],
                orders: [2, 3, 20, 64],
            },
        ]
    }

    /// The statement that calls a kernel and prints its coefficients.
    fn call(&self, order: usize, kernel: Kernel, real: &str) -> String {
        let Self { program, parameters, start, .. } = self;
        let (name, states) = (&program.name, start.len());
        let constants = match parameters {
            [] => String::new(),
            _ => {
                let values: Vec<_> = parameters.iter().map(|x| format!("{x:?}")).collect();
                format!("&{name}_constants({}).map({real}::real), ", values.join(", "))
            }
        };
        let start = format!("&{start:?}.map({real}::real)");
        let (length, call) = match kernel {
            Kernel::Straight => {
                (order + 1, format!("{name}_{order}({constants}{start}, &mut rows)"))
            }
            Kernel::Loops => (65, format!("{name}_any({constants}{start}, {order}, &mut rows)")),
        };
        format!(
            "{{ let mut rows = [[{real}::NAN; {states}]; {length}]; {call}; print(&rows, {order}); }}\n"
        )
    }
}

#[derive(Clone, Copy)]
enum Kernel {
    Straight,
    Loops,
}

/// The number types that an order is tried in, and their rounding.
fn arithmetics(order: usize) -> Vec<(&'static str, f64)> {
    let mut all = vec![("f64", 1e-14)];
    all.extend((order <= 20).then_some(("f32", 5e-6)));
    all
}

/// What an including module provides, and how results are told: rows beyond
/// the order are not touched.
const SURROUNDINGS: &str = "
use std::ops::{Add, Div, Mul, Neg, Sub};
trait Real:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
    + Neg<Output = Self> + Into<f64>
{
    fn real(x: f64) -> Self;
}
impl Real for f64 { fn real(x: f64) -> Self { x } }
impl Real for f32 { fn real(x: f64) -> Self { x as f32 } }
fn sqrt<T: Real>(x: T) -> T { T::real(x.into().sqrt()) }
fn exp<T: Real>(x: T) -> T { T::real(x.into().exp()) }
fn ln<T: Real>(x: T) -> T { T::real(x.into().ln()) }
fn sin<T: Real>(x: T) -> T { T::real(x.into().sin()) }
fn cos<T: Real>(x: T) -> T { T::real(x.into().cos()) }
fn pow<T: Real>(x: T, y: T) -> T { T::real(x.into().powf(y.into())) }
fn print<T: Real, const S: usize>(rows: &[[T; S]], order: usize) {
    let (rows, beyond) = rows.split_at(order + 1);
    assert!(beyond.iter().flatten().all(|&x| x.into().is_nan()));
    rows.iter().flatten().for_each(|&x| println!(\"{:e}\", x.into()));
}
";

/// Straight lines, then loops, in `f64` and then in `f32`.
fn main_program(cases: &[Case]) -> String {
    let mut items = Vec::new();
    let mut calls = String::new();
    for case in cases {
        let (name, program) = (&case.program.name, &case.program);
        items.push(emit::constants(name, program).unwrap());
        items.push(emit::rolled(name, program).unwrap());
        for order in case.orders {
            items.push(emit::unrolled(name, program, order).unwrap());
            for (real, _) in arithmetics(order) {
                calls += &case.call(order, Kernel::Straight, real);
                calls += &case.call(order, Kernel::Loops, real);
            }
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
    assert!(printed.status.success(), "{}", String::from_utf8_lossy(&printed.stderr));
    let printed = String::from_utf8(printed.stdout).unwrap();
    printed.lines().map(|line| line.parse().unwrap()).collect()
}

/// Rounding adds up with the order: to order 20 an error of `unit` holds with a
/// margin of two.
fn assert_close(found: &[f64], expected: &[Vec<f64>], order: usize, unit: f64, what: &str) {
    let states = expected.len();
    for k in 0..=order {
        let scale = expected.iter().map(|row| row[k].abs()).fold(0.0, f64::max);
        let bound = unit * f64::max(1.0, 0.1 * k as f64);
        for (i, row) in expected.iter().enumerate() {
            let error = (found[k * states + i] - row[k]).abs();
            assert!(error <= bound * scale, "{what}, unknown {i}, {k}: {:e}", error / scale);
        }
    }
}

#[test]
fn emitted_code_agrees_with_the_interpreter() {
    let cases = Case::all();
    let found = run(&main_program(&cases));
    let mut rest = &found[..];
    for Case { program, parameters, start, orders } in &cases {
        for &order in orders {
            let expected = program.coefficients(parameters, start, order);
            for (real, unit) in arithmetics(order) {
                let what = format!("{} to {order} in {real}", program.name);
                let (straight, tail) = rest.split_at(start.len() * (order + 1));
                let (loops, tail) = tail.split_at(straight.len());
                assert_close(straight, &expected, order, unit, &what);
                assert_eq!(straight, loops, "{what}");
                rest = tail;
            }
        }
    }
    assert!(rest.is_empty());
}

#[test]
fn every_operation_is_tried() {
    let tried: Vec<_> = Case::all()
        .iter()
        .flat_map(|case| case.program.ops.iter().map(std::mem::discriminant).collect::<Vec<_>>())
        .collect();
    let zero = SeriesId::State(0);
    for op in [
        SeriesOp::Linear { constant: None, terms: vec![] },
        SeriesOp::Product(zero, zero),
        SeriesOp::Square(zero),
        SeriesOp::Quotient(None, zero),
        SeriesOp::Sqrt(zero),
        SeriesOp::Norm(vec![]),
        SeriesOp::Times(vec![], zero),
        SeriesOp::Power(zero, 1.into()),
        SeriesOp::Exp(zero),
        SeriesOp::Log(zero),
        SeriesOp::Sin { of: zero, cos: zero },
        SeriesOp::Cos { of: zero, sin: zero },
    ] {
        assert!(tried.contains(&std::mem::discriminant(&op)), "{op:?}");
    }
}
