//! Derivatives of scalar graphs, in forward mode.

use std::collections::HashMap;

use crate::Error;
use crate::program::{
    Function, Number, Scalar, ScalarBuilder, ScalarGraph, ScalarId, ScalarProgram,
};

/// A scalar program with the derivatives of some outputs by some inputs added as
/// outputs `OUTPUT_by_INPUT`.
///
/// # Errors
/// [`Error::Derivation`] if it divides by zero.
///
/// ```
/// use routh_codegen::differentiate::differentiated;
/// use routh_codegen::program::{ScalarBuilder, ScalarProgram};
///
/// let mut builder = ScalarBuilder::new(["x".to_owned()]);
/// let x = builder.input("x").unwrap();
/// let square = builder.product([x, x]);
/// let outputs = vec![("y".to_owned(), square)];
/// let program = ScalarProgram { name: "square".to_owned(), graph: builder.finish(), outputs };
/// let varied = differentiated(&program, &["y"], &["x"])?;
/// assert_eq!(varied.evaluate(&[3.0]), [9.0, 6.0]);
/// # Ok::<(), routh_codegen::Error>(())
/// ```
pub fn differentiated(
    program: &ScalarProgram,
    outputs: &[&str],
    inputs: &[&str],
) -> Result<ScalarProgram, Error> {
    let (mut builder, mut all) = rebuilt(program, |_, _| None)?;
    for (name, id) in all.clone() {
        if outputs.contains(&name.as_str()) {
            for input in inputs {
                let slope = derivative(&mut builder, id, input)?;
                all.push((format!("{name}_by_{input}"), slope));
            }
        }
    }
    Ok(ScalarProgram { name: program.name.clone(), graph: builder.finish(), outputs: all })
}

/// The program with even powers taken out of its roots, `√(x² y)` as `±x √y`,
/// whose derivatives are regular where `x` vanishes. The sign is that which the
/// factors have at the given inputs; they must keep it wherever the program is
/// used.
///
/// # Errors
/// [`Error::Derivation`] if it divides by zero.
pub fn without_roots_of_squares(
    program: &ScalarProgram,
    at: &[f64],
) -> Result<ScalarProgram, Error> {
    let values = program.graph.evaluate(at);
    let (builder, outputs) = rebuilt(program, |graph, id| {
        let &Scalar::Apply(Function::Sqrt, x) = graph.node(id) else { return None };
        let factors = match graph.node(x) {
            Scalar::Product(factors) => factors.clone(),
            Scalar::Power(..) => vec![x],
            _ => return None,
        };
        let mut root = Root { sign: 1, outside: Vec::new(), inside: Vec::new() };
        for factor in factors {
            match *graph.node(factor) {
                Scalar::Power(base, n) if n % 2 == 0 => {
                    if n % 4 != 0 && values[base.0] < 0.0 {
                        root.sign = -root.sign;
                    }
                    root.outside.push((base, n / 2));
                }
                _ => root.inside.push(factor),
            }
        }
        (!root.outside.is_empty()).then_some(root)
    })?;
    Ok(ScalarProgram { name: program.name.clone(), graph: builder.finish(), outputs })
}

/// A signed product of integer powers and of the root of other factors.
struct Root {
    sign: i64,
    outside: Vec<(ScalarId, i32)>,
    inside: Vec<ScalarId>,
}

/// A program built anew, some roots written apart.
fn rebuilt(
    program: &ScalarProgram,
    apart: impl Fn(&ScalarGraph, ScalarId) -> Option<Root>,
) -> Result<(ScalarBuilder, Vec<(String, ScalarId)>), Error> {
    let graph = &program.graph;
    let mut builder = ScalarBuilder::new(graph.inputs.iter().cloned());
    let mut memo = HashMap::new();
    let mut bind = |builder: &mut ScalarBuilder, name: &str| match builder.input(name) {
        Some(input) => input,
        None => builder.number(0),
    };
    let zero = || Error::Derivation(format!("{} divides by zero", program.name));
    for i in 0..graph.nodes.len() {
        let id = ScalarId(i);
        if let Some(Root { sign, outside, inside }) = apart(graph, id) {
            let mut import = |builder: &mut ScalarBuilder, id| {
                builder.import(graph, id, &mut bind, &mut memo).ok_or_else(zero)
            };
            let mut new = vec![builder.number(sign)];
            for (base, n) in outside {
                let base = import(&mut builder, base)?;
                new.push(builder.power(base, n).ok_or_else(zero)?);
            }
            if !inside.is_empty() {
                let inside = inside
                    .iter()
                    .map(|&x| import(&mut builder, x))
                    .collect::<Result<Vec<_>, _>>()?;
                let inside = builder.product(inside);
                new.push(builder.apply(Function::Sqrt, inside));
            }
            let product = builder.product(new);
            memo.insert(id, product);
        }
    }
    let mut outputs = Vec::with_capacity(program.outputs.len());
    for (name, id) in &program.outputs {
        let id = builder.import(graph, *id, &mut bind, &mut memo).ok_or_else(zero)?;
        outputs.push((name.clone(), id));
    }
    Ok((builder, outputs))
}

/// The derivative of a scalar by an input.
pub(super) fn derivative(
    builder: &mut ScalarBuilder,
    of: ScalarId,
    by: &str,
) -> Result<ScalarId, Error> {
    Derivative { builder, by, done: HashMap::new() }.of(of)
}

struct Derivative<'a> {
    builder: &'a mut ScalarBuilder,
    by: &'a str,
    done: HashMap<ScalarId, ScalarId>,
}

impl Derivative<'_> {
    fn of(&mut self, id: ScalarId) -> Result<ScalarId, Error> {
        if let Some(&done) = self.done.get(&id) {
            return Ok(done);
        }
        let slope = match self.builder.graph().node(id).clone() {
            Scalar::Number(_) => self.builder.number(0),
            Scalar::Input(i) => {
                let varies = self.builder.graph().inputs[i] == self.by;
                self.builder.number(i64::from(varies))
            }
            Scalar::Sum(terms) => {
                let slopes = terms.iter().map(|&x| self.of(x)).collect::<Result<Vec<_>, _>>()?;
                self.builder.sum(slopes)
            }
            Scalar::Product(factors) => {
                let mut terms = Vec::with_capacity(factors.len());
                for (k, &factor) in factors.iter().enumerate() {
                    let slope = self.of(factor)?;
                    let others = factors.iter().enumerate().filter(|&(j, _)| j != k);
                    let product: Vec<_> = others.map(|(_, &x)| x).chain([slope]).collect();
                    terms.push(self.builder.product(product));
                }
                self.builder.sum(terms)
            }
            Scalar::Power(base, n) => {
                let slope = self.of(base)?;
                let lower = self.power(base, n - 1)?;
                let n = self.builder.number(i64::from(n));
                self.builder.product([n, lower, slope])
            }
            Scalar::Apply(function, x) => {
                let slope = self.of(x)?;
                let outer = self.outer(function, id, x)?;
                self.builder.product([outer, slope])
            }
        };
        self.done.insert(id, slope);
        Ok(slope)
    }

    fn power(&mut self, base: ScalarId, n: i32) -> Result<ScalarId, Error> {
        let power = self.builder.power(base, n);
        power.ok_or_else(|| Error::Derivation("a derivative divides by zero".to_owned()))
    }

    /// The derivative of a function by its argument, given its value.
    fn outer(
        &mut self,
        function: Function,
        value: ScalarId,
        x: ScalarId,
    ) -> Result<ScalarId, Error> {
        Ok(match function {
            Function::Sqrt => {
                let inverse = self.power(value, -1)?;
                let half = self.builder.number(Number::ratio(1, 2));
                self.builder.product([half, inverse])
            }
            Function::Exp => value,
            Function::Log => self.power(x, -1)?,
            Function::Sin => self.builder.apply(Function::Cos, x),
            Function::Cos => {
                let sin = self.builder.apply(Function::Sin, x);
                let minus = self.builder.number(-1);
                self.builder.product([minus, sin])
            }
        })
    }
}
