//! Programs with some parameters fixed: constants are substituted and folded
//! exactly, zeros and ones drop out, equal subexpressions are shared, and unused ones
//! are removed. Without bindings only the last two apply.
//!
//! [`transform`] leaves out unknowns and changes the independent variable,
//! [`differentiate`] adds derivatives; both give programs again.

pub mod differentiate;
pub(crate) mod equations;
#[cfg(feature = "robots")]
mod fold;
pub mod transform;

use std::collections::{BTreeMap, HashMap};

#[cfg(feature = "robots")]
pub(crate) use fold::fold_scalars;

use crate::Error;
use crate::program::{
    Function, Number, OperationCount, ScalarBuilder, ScalarGraph, ScalarId, ScalarProgram,
    SeriesId, SeriesOp, SeriesProgram, State,
};

/// Parameters and the exact values they take.
pub type Bindings = BTreeMap<String, Number>;

/// Operations saved by specialising, for one expansion to a given order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Saving {
    /// Operations before.
    pub before: OperationCount,
    /// Operations after.
    pub after: OperationCount,
}

impl Saving {
    /// Operations of two series programs, those on their parameters included.
    pub fn of_series(before: &SeriesProgram, after: &SeriesProgram, order: usize) -> Self {
        let all = |p: &SeriesProgram| p.operations(order) + p.scalars.operations();
        Self { before: all(before), after: all(after) }
    }
}

/// Carries scalars from one graph to another, binding inputs on the way.
struct Import<'a> {
    from: &'a ScalarGraph,
    bindings: &'a Bindings,
    builder: ScalarBuilder,
    memo: HashMap<ScalarId, ScalarId>,
}

impl<'a> Import<'a> {
    fn new(from: &'a ScalarGraph, bindings: &'a Bindings) -> Self {
        let free = from.inputs.iter().filter(|name| !bindings.contains_key(*name));
        Self { from, bindings, builder: ScalarBuilder::new(free.cloned()), memo: HashMap::new() }
    }

    fn scalar(&mut self, id: ScalarId) -> Option<ScalarId> {
        let bindings = self.bindings;
        let mut bind = |builder: &mut ScalarBuilder, name: &str| match bindings.get(name) {
            Some(value) => builder.number(value.clone()),
            None => match builder.input(name) {
                Some(input) => input,
                None => builder.number(0),
            },
        };
        self.builder.import(self.from, id, &mut bind, &mut self.memo)
    }
}

fn division_by_zero(program: &str, bindings: &Bindings) -> Error {
    let list: Vec<_> = bindings.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    Error::DivisionByZero { program: program.to_owned(), bindings: list.join(", ") }
}

/// Checks that every binding is of an input.
fn check_names(graph: &ScalarGraph, bindings: &Bindings) -> Result<(), Error> {
    match bindings.keys().find(|name| !graph.inputs.contains(name)) {
        Some(name) => Err(Error::UnknownSymbol(name.clone())),
        None => Ok(()),
    }
}

/// A scalar program with some inputs fixed.
///
/// ```
/// use routh_codegen::derivations::Derivations;
/// use routh_codegen::specialise::{Bindings, specialise_scalars};
/// let general = Derivations::committed()?.coefficients;
/// let bound = Bindings::from([("mu".to_owned(), 0.into())]);
/// let special = specialise_scalars(&general, &bound)?;
/// assert!(special.graph.operations().total() < general.graph.operations().total());
/// # Ok::<(), routh_codegen::Error>(())
/// ```
///
/// # Errors
/// [`Error::DivisionByZero`] if the bindings make it divide by zero,
/// [`Error::UnknownSymbol`] if one is not of an input.
pub fn specialise_scalars(
    program: &ScalarProgram,
    bindings: &Bindings,
) -> Result<ScalarProgram, Error> {
    check_names(&program.graph, bindings)?;
    let mut import = Import::new(&program.graph, bindings);
    let outputs = program
        .outputs
        .iter()
        .map(|(name, id)| Some((name.clone(), import.scalar(*id)?)))
        .collect::<Option<_>>()
        .ok_or_else(|| division_by_zero(&program.name, bindings))?;
    Ok(ScalarProgram { name: program.name.clone(), graph: import.builder.finish(), outputs })
}

/// A series program with some parameters fixed.
///
/// # Errors
/// [`Error::DivisionByZero`] if the bindings make it divide by zero,
/// [`Error::UnknownSymbol`] if one is not of a parameter.
///
/// ```
/// use routh_codegen::derivations::Derivations;
/// use routh_codegen::specialise::{Bindings, Saving, specialise_series};
/// let general = Derivations::committed()?.regularised;
/// let frictionless = Bindings::from([("mu".to_owned(), 0.into())]);
/// let special = specialise_series(&general, &frictionless)?;
/// let saving = Saving::of_series(&general, &special, 20);
/// assert!(saving.after.total() < saving.before.total() * 3 / 4);
/// # Ok::<(), routh_codegen::Error>(())
/// ```
pub fn specialise_series(
    program: &SeriesProgram,
    bindings: &Bindings,
) -> Result<SeriesProgram, Error> {
    check_names(&program.scalars, bindings)?;
    let mut rebuild = Rebuild {
        program,
        import: Import::new(&program.scalars, bindings),
        ops: Vec::new(),
        index: HashMap::new(),
        done: HashMap::new(),
    };
    let states = program
        .states
        .iter()
        .map(|state| {
            let rate = rebuild.series(state.rate)?;
            Some(State { name: state.name.clone(), rate: rebuild.materialise(rate) })
        })
        .collect::<Option<_>>()
        .ok_or_else(|| division_by_zero(&program.name, bindings))?;
    let mut special = SeriesProgram {
        name: program.name.clone(),
        variable: program.variable.clone(),
        given: program.given.clone(),
        scalars: rebuild.import.builder.finish(),
        ops: rebuild.ops,
        states,
    };
    sweep_series(&mut special);
    sweep_scalars(&mut special);
    Ok(special)
}

/// Drops operations that no rate depends on.
fn sweep_series(program: &mut SeriesProgram) {
    let mut needed = vec![false; program.ops.len()];
    let mut open: Vec<SeriesId> = program.states.iter().map(|state| state.rate).collect();
    while let Some(id) = open.pop() {
        if let SeriesId::Op(i) = id
            && !std::mem::replace(&mut needed[i], true)
        {
            program.ops[i].clone().each_operand(|x| open.push(*x));
        }
    }
    let new = renumbered(&needed);
    let rename = |id: &mut SeriesId| {
        if let SeriesId::Op(i) = id {
            *i = new[*i];
        }
    };
    let mut kept = needed.iter();
    program.ops.retain(|_| *kept.next().unwrap_or(&false));
    program.ops.iter_mut().for_each(|op| op.each_operand(rename));
    program.states.iter_mut().for_each(|state| rename(&mut state.rate));
}

/// Drops scalars that no operation depends on.
fn sweep_scalars(program: &mut SeriesProgram) {
    let mut needed = vec![false; program.scalars.nodes.len()];
    for op in &mut program.ops {
        op.each_scalar(|id| needed[id.0] = true);
    }
    let new = sweep(&mut program.scalars, needed);
    program.ops.iter_mut().for_each(|op| op.each_scalar(|id| id.0 = new[id.0]));
}

/// Drops the nodes that no needed one depends on; returns the new index of each.
fn sweep(graph: &mut ScalarGraph, mut needed: Vec<bool>) -> Vec<usize> {
    for i in (0..needed.len()).rev() {
        if needed[i] {
            graph.nodes[i].clone().each_operand(|id| needed[id.0] = true);
        }
    }
    let new = renumbered(&needed);
    let mut kept = needed.iter();
    graph.nodes.retain(|_| *kept.next().unwrap_or(&false));
    graph.nodes.iter_mut().for_each(|node| node.each_operand(|id| id.0 = new[id.0]));
    new
}

/// A program of the wanted outputs alone, in their order and without operations that
/// only the others need. All inputs stay.
///
/// ```
/// use routh_codegen::program::{ScalarBuilder, ScalarProgram};
/// use routh_codegen::specialise::select;
/// let mut b = ScalarBuilder::new(["x".to_owned()]);
/// let x = b.input("x").ok_or("no input")?;
/// let (square, inverse) = (b.product([x, x]), b.power(x, -1).ok_or("zero")?);
/// let outputs = vec![("square".to_owned(), square), ("inverse".to_owned(), inverse)];
/// let both = ScalarProgram { name: "both".to_owned(), graph: b.finish(), outputs };
/// let one = select(&both, |name| name == "square");
/// assert_eq!(one.evaluate(&[3.0]), [9.0]);
/// assert_eq!(one.graph.operations().total(), 1);
/// # Ok::<(), &str>(())
/// ```
pub fn select(program: &ScalarProgram, wanted: impl Fn(&str) -> bool) -> ScalarProgram {
    let mut selected = program.clone();
    selected.outputs.retain(|(name, _)| wanted(name));
    let mut needed = vec![false; selected.graph.nodes.len()];
    selected.outputs.iter().for_each(|(_, id)| needed[id.0] = true);
    let new = sweep(&mut selected.graph, needed);
    selected.outputs.iter_mut().for_each(|(_, id)| id.0 = new[id.0]);
    selected
}

/// The new index of each kept item.
fn renumbered(needed: &[bool]) -> Vec<usize> {
    let mut next = 0;
    needed
        .iter()
        .map(|&n| {
            let i = next;
            next += usize::from(n);
            i
        })
        .collect()
}

/// A series carried over, or the constant it has become.
#[derive(Clone, Copy)]
enum Value {
    Series(SeriesId),
    Constant(ScalarId),
}

struct Rebuild<'a> {
    program: &'a SeriesProgram,
    import: Import<'a>,
    ops: Vec<SeriesOp>,
    index: HashMap<SeriesOp, SeriesId>,
    done: HashMap<usize, Value>,
}

impl Rebuild<'_> {
    fn push(&mut self, op: SeriesOp) -> SeriesId {
        let next = SeriesId::Op(self.ops.len());
        let id = *self.index.entry(op.clone()).or_insert(next);
        if id == next {
            self.ops.push(op);
        }
        id
    }

    fn number(&self, id: ScalarId) -> Option<&Number> {
        self.import.builder.graph().number(id)
    }

    fn linear(
        &mut self,
        constant: Option<ScalarId>,
        mut terms: Vec<(ScalarId, SeriesId)>,
    ) -> Value {
        terms.retain(|(factor, _)| !self.number(*factor).is_some_and(Number::is_zero));
        let constant = constant.filter(|c| !self.number(*c).is_some_and(Number::is_zero));
        match (constant, &terms[..]) {
            (None, []) => Value::Constant(self.import.builder.number(0)),
            (Some(constant), []) => Value::Constant(constant),
            (None, [(factor, series)]) if self.number(*factor).is_some_and(Number::is_one) => {
                Value::Series(*series)
            }
            _ => Value::Series(self.push(SeriesOp::Linear { constant, terms })),
        }
    }

    fn times(&mut self, mut polynomial: Vec<ScalarId>, x: SeriesId) -> Value {
        while polynomial.last().is_some_and(|c| self.number(*c).is_some_and(Number::is_zero)) {
            polynomial.pop();
        }
        match polynomial[..] {
            [] | [_] => self.linear(None, polynomial.into_iter().map(|c| (c, x)).collect()),
            _ => Value::Series(self.push(SeriesOp::Times(polynomial, x))),
        }
    }

    /// The value as a series, a constant one if need be.
    fn materialise(&mut self, value: Value) -> SeriesId {
        match value {
            Value::Series(series) => series,
            Value::Constant(constant) => {
                let zero = self.number(constant).is_some_and(Number::is_zero);
                let constant = (!zero).then_some(constant);
                self.push(SeriesOp::Linear { constant, terms: Vec::new() })
            }
        }
    }

    fn series(&mut self, id: SeriesId) -> Option<Value> {
        let SeriesId::Op(i) = id else { return Some(Value::Series(id)) };
        if let Some(&value) = self.done.get(&i) {
            return Some(value);
        }
        let value = self.operation(i)?;
        self.done.insert(i, value);
        Some(value)
    }

    fn operation(&mut self, i: usize) -> Option<Value> {
        Some(match &self.program.ops[i] {
            SeriesOp::Linear { constant, terms } => {
                let mut constants = Vec::new();
                if let Some(constant) = constant {
                    constants.push(self.import.scalar(*constant)?);
                }
                let mut new = Vec::with_capacity(terms.len());
                for &(factor, series) in terms {
                    let factor = self.import.scalar(factor)?;
                    match self.series(series)? {
                        Value::Series(series) => new.push((factor, series)),
                        Value::Constant(c) => {
                            constants.push(self.import.builder.product([factor, c]));
                        }
                    }
                }
                let constant = self.import.builder.sum(constants);
                self.linear(Some(constant), new)
            }
            &SeriesOp::Product(x, y) => match (self.series(x)?, self.series(y)?) {
                (Value::Series(x), Value::Series(y)) if x == y => {
                    Value::Series(self.push(SeriesOp::Square(x)))
                }
                (Value::Series(x), Value::Series(y)) => {
                    Value::Series(self.push(SeriesOp::Product(x, y)))
                }
                (Value::Constant(c), Value::Series(x)) | (Value::Series(x), Value::Constant(c)) => {
                    self.linear(None, vec![(c, x)])
                }
                (Value::Constant(x), Value::Constant(y)) => {
                    Value::Constant(self.import.builder.product([x, y]))
                }
            },
            &SeriesOp::Square(x) => match self.series(x)? {
                Value::Series(x) => Value::Series(self.push(SeriesOp::Square(x))),
                Value::Constant(c) => Value::Constant(self.import.builder.power(c, 2)?),
            },
            &SeriesOp::Quotient(x, y) => {
                let over = match x {
                    Some(x) => Some(self.series(x)?),
                    None => None,
                };
                match self.series(y)? {
                    Value::Constant(c) => {
                        let inverse = self.import.builder.power(c, -1)?;
                        match over {
                            Some(Value::Series(x)) => self.linear(None, vec![(inverse, x)]),
                            Some(Value::Constant(x)) => {
                                Value::Constant(self.import.builder.product([x, inverse]))
                            }
                            None => Value::Constant(inverse),
                        }
                    }
                    Value::Series(y) => {
                        let over = over.map(|over| self.materialise(over));
                        Value::Series(self.push(SeriesOp::Quotient(over, y)))
                    }
                }
            }
            &SeriesOp::Sqrt(x) => self.function(x, Some(Function::Sqrt), SeriesOp::Sqrt)?,
            SeriesOp::Norm(xs) => {
                let mut new = Vec::with_capacity(xs.len());
                for &x in xs {
                    let x = self.series(x)?;
                    new.push(self.materialise(x));
                }
                Value::Series(self.push(SeriesOp::Norm(new)))
            }
            SeriesOp::Times(polynomial, x) => {
                let mut new = Vec::with_capacity(polynomial.len());
                for &c in polynomial {
                    new.push(self.import.scalar(c)?);
                }
                let x = self.series(*x)?;
                let x = self.materialise(x);
                self.times(new, x)
            }
            SeriesOp::Power(x, alpha) => {
                let alpha = alpha.clone();
                self.function(*x, None, |x| SeriesOp::Power(x, alpha))?
            }
            &SeriesOp::Exp(x) => self.function(x, Some(Function::Exp), SeriesOp::Exp)?,
            &SeriesOp::Log(x) => self.function(x, Some(Function::Log), SeriesOp::Log)?,
            &SeriesOp::Sin { of, cos } => self.pair(of, i, cos)?,
            &SeriesOp::Cos { of, sin } => {
                let SeriesId::Op(first) = sin else { return None };
                self.pair(of, first, SeriesId::Op(i))?;
                *self.done.get(&i)?
            }
        })
    }

    /// A function of a series; of a constant it is a scalar, where `scalar`
    /// names it.
    fn function(
        &mut self,
        x: SeriesId,
        scalar: Option<Function>,
        op: impl FnOnce(SeriesId) -> SeriesOp,
    ) -> Option<Value> {
        let x = self.series(x)?;
        if let (Value::Constant(c), Some(function)) = (x, scalar) {
            return Some(Value::Constant(self.import.builder.apply(function, c)));
        }
        let x = self.materialise(x);
        Some(Value::Series(self.push(op(x))))
    }

    /// A sine (returned) and its cosine, which name each other.
    fn pair(&mut self, of: SeriesId, sin: usize, cos: SeriesId) -> Option<Value> {
        let of = self.series(of)?;
        let SeriesId::Op(cos) = cos else { return None };
        if let Some(&done) = self.done.get(&sin) {
            return Some(done);
        }
        if let Value::Constant(c) = of {
            let values = [Function::Sin, Function::Cos].map(|f| self.import.builder.apply(f, c));
            self.done.insert(sin, Value::Constant(values[0]));
            self.done.insert(cos, Value::Constant(values[1]));
            return Some(Value::Constant(values[0]));
        }
        let of = self.materialise(of);
        let next = self.ops.len();
        let ids = [SeriesId::Op(next), SeriesId::Op(next + 1)];
        self.ops.push(SeriesOp::Sin { of, cos: ids[1] });
        self.ops.push(SeriesOp::Cos { of, sin: ids[0] });
        self.done.insert(sin, Value::Series(ids[0]));
        self.done.insert(cos, Value::Series(ids[1]));
        Some(Value::Series(ids[0]))
    }
}
