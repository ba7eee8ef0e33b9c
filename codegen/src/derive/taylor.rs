//! Taylor recurrences of any system: its right-hand sides are walked once,
//! and each elementary function of a series becomes a series of its own.
//!
//! Sums and constant factors never cost a convolution: every value is carried
//! as `constant + Σ factor · series` and becomes a series only where a product,
//! quotient or function needs one. Equal operations are stored once.

use std::collections::HashMap;

use symbolica::prelude::*;

use super::convert::{self, unsupported};
use crate::Error;
use crate::model::System;
use crate::program::{
    Function, Number, ScalarBuilder, ScalarId, SeriesId, SeriesOp, SeriesProgram, State,
};
use crate::specialise::{Bindings, specialise_series};

/// The series program of a system.
///
/// Any first-order system will do, not only impacts:
///
/// ```no_run
/// use routh_codegen::{Error, derive, emit, model::System, symbolic};
/// let pendulum = symbolic::run(|| {
///     let rates = [("angle", "omega"), ("omega", "-g*sin(angle)")];
///     let system = System::parse("pendulum", "t", &["g"], &rates).map_err(Error::Derivation)?;
///     derive::taylor(&system)
/// })??;
/// let kernel = emit::unrolled("pendulum", &pendulum, 12)?;
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// [`Error::Unsupported`] for an operation without a recurrence,
/// [`Error::UnknownSymbol`] for a symbol that is neither unknown nor parameter.
pub fn taylor(system: &System) -> Result<SeriesProgram, Error> {
    let mut walk = Walk {
        scalars: ScalarBuilder::new(system.parameters.iter().cloned()),
        states: system.states.iter().map(|(name, _)| name.as_str()).collect(),
        given: system.given.iter().map(String::as_str).collect(),
        ops: Vec::new(),
        index: HashMap::new(),
        trigonometric: HashMap::new(),
        definitions: HashMap::new(),
    };
    for (name, expression) in &system.definitions {
        let value = walk.value(expression.as_view())?;
        let series = walk.series(value);
        walk.definitions.insert(name, series);
    }
    let mut states = Vec::with_capacity(system.states.len());
    for (name, rate) in &system.states {
        let rate = walk.value(rate.as_view())?;
        let rate = walk.series(rate);
        states.push(State { name: name.clone(), rate });
    }
    let program = SeriesProgram {
        name: system.name.clone(),
        variable: system.variable.clone(),
        given: system.given.clone(),
        scalars: walk.scalars.finish(),
        ops: walk.ops,
        states,
    };
    specialise_series(&program, &Bindings::new())
}

/// `constant + Σ factor · series`
#[derive(Clone)]
struct Combination {
    constant: ScalarId,
    terms: Vec<(ScalarId, SeriesId)>,
}

impl Combination {
    fn times(self, scale: &[ScalarId], scalars: &mut ScalarBuilder) -> Self {
        let mut scaled = |x: ScalarId| scalars.product(scale.iter().copied().chain([x]));
        Self {
            constant: scaled(self.constant),
            terms: self.terms.into_iter().map(|(factor, x)| (scaled(factor), x)).collect(),
        }
    }
}

struct Walk<'a> {
    scalars: ScalarBuilder,
    states: Vec<&'a str>,
    given: Vec<&'a str>,
    ops: Vec<SeriesOp>,
    index: HashMap<SeriesOp, SeriesId>,
    trigonometric: HashMap<SeriesId, [SeriesId; 2]>,
    definitions: HashMap<&'a str, SeriesId>,
}

impl Walk<'_> {
    fn constant(&self, constant: ScalarId) -> Combination {
        Combination { constant, terms: Vec::new() }
    }

    fn scaled(&mut self, factor: ScalarId, series: SeriesId) -> Combination {
        Combination { constant: self.scalars.number(0), terms: vec![(factor, series)] }
    }

    fn op(&mut self, op: SeriesOp) -> SeriesId {
        let next = SeriesId::Op(self.ops.len());
        let id = *self.index.entry(op.clone()).or_insert(next);
        if id == next {
            self.ops.push(op);
        }
        id
    }

    /// The value as a constant, if it is one.
    fn as_constant(&self, value: &Combination) -> Option<ScalarId> {
        value.terms.is_empty().then_some(value.constant)
    }

    fn is_zero(&self, id: ScalarId) -> bool {
        self.scalars.graph().number(id).is_some_and(Number::is_zero)
    }

    /// The value as `factor · series`, so that factors stay out of products.
    fn factored(&mut self, value: Combination) -> (ScalarId, SeriesId) {
        if let [(factor, series)] = value.terms[..]
            && self.is_zero(value.constant)
        {
            return (factor, series);
        }
        let constant = (!self.is_zero(value.constant)).then_some(value.constant);
        let one = self.scalars.number(1);
        (one, self.op(SeriesOp::Linear { constant, terms: value.terms }))
    }

    /// The value as a series.
    fn series(&mut self, value: Combination) -> SeriesId {
        let (factor, series) = self.factored(value);
        if self.scalars.graph().number(factor).is_some_and(Number::is_one) {
            return series;
        }
        self.op(SeriesOp::Linear { constant: None, terms: vec![(factor, series)] })
    }

    fn product(&mut self, mut factors: Vec<SeriesId>) -> Option<SeriesId> {
        factors.sort();
        factors.into_iter().reduce(|x, y| match x == y {
            true => self.op(SeriesOp::Square(x)),
            false => self.op(SeriesOp::Product(x.min(y), x.max(y))),
        })
    }

    fn value(&mut self, view: AtomView<'_>) -> Result<Combination, Error> {
        match view {
            AtomView::Num(n) => {
                let n = convert::number(n.get_coeff_view()).ok_or_else(|| unsupported(view))?;
                let n = self.scalars.number(n);
                Ok(self.constant(n))
            }
            AtomView::Var(v) => self.symbol(v.get_symbol().get_stripped_name()),
            AtomView::Fun(_) => {
                let (function, argument) =
                    convert::application(view).ok_or_else(|| unsupported(view))?;
                let argument = self.value(argument)?;
                Ok(self.apply(function, argument))
            }
            AtomView::Add(terms) => {
                let terms = terms.iter().map(|x| self.value(x)).collect::<Result<_, _>>()?;
                Ok(self.sum(terms))
            }
            AtomView::Mul(m) => self.quotient(m.iter()),
            AtomView::Pow(_) => self.quotient([view].into_iter()),
        }
    }

    fn symbol(&mut self, name: &str) -> Result<Combination, Error> {
        let place = |names: &[&str]| names.iter().position(|known| *known == name);
        let state = place(&self.states).map(SeriesId::State);
        let given = || place(&self.given).map(SeriesId::Given);
        let defined = || self.definitions.get(name).copied();
        if let Some(series) = state.or_else(given).or_else(defined) {
            let one = self.scalars.number(1);
            return Ok(self.scaled(one, series));
        }
        let id = self.scalars.input(name);
        let id = id.ok_or_else(|| Error::UnknownSymbol(name.to_owned()))?;
        Ok(self.constant(id))
    }

    fn sum(&mut self, values: Vec<Combination>) -> Combination {
        let constant = self.scalars.sum(values.iter().map(|v| v.constant));
        let mut order: Vec<SeriesId> = Vec::new();
        let mut factors: HashMap<SeriesId, Vec<ScalarId>> = HashMap::new();
        for (factor, series) in values.into_iter().flat_map(|v| v.terms) {
            let entry = factors.entry(series).or_default();
            if entry.is_empty() {
                order.push(series);
            }
            entry.push(factor);
        }
        order.sort();
        let mut terms = Vec::with_capacity(order.len());
        for series in order {
            let factor = self.scalars.sum(factors[&series].iter().copied());
            if !self.is_zero(factor) {
                terms.push((factor, series));
            }
        }
        Combination { constant, terms }
    }

    /// A product of factors, some of them powers. Constants are distributed over
    /// a sum that stands alone; numerators and denominators are gathered so that
    /// a quotient costs one convolution.
    fn quotient<'v>(
        &mut self,
        factors: impl Iterator<Item = AtomView<'v>>,
    ) -> Result<Combination, Error> {
        let mut scale = Vec::new();
        let mut plain = Vec::new();
        let (mut over, mut under) = (Vec::new(), Vec::new());
        for view in factors {
            let value = match view {
                AtomView::Pow(p) => {
                    let (base, power) = p.get_base_exp();
                    if !convert::is_euler(base) {
                        let n = convert::exponent(power).ok_or_else(|| unsupported(view))?;
                        let base = self.value(base)?;
                        let into = if n.is_negative() { &mut under } else { &mut over };
                        let factor = self.power(base, &n, into);
                        scale.push(factor.ok_or_else(|| unsupported(view))?);
                        continue;
                    }
                    let power = self.value(power)?;
                    self.apply(Function::Exp, power)
                }
                _ => self.value(view)?,
            };
            match self.as_constant(&value) {
                Some(constant) => scale.push(constant),
                None => plain.push(value),
            }
        }
        if over.is_empty() && under.is_empty() && plain.len() == 1 {
            return Ok(plain.remove(0).times(&scale, &mut self.scalars));
        }
        for value in plain {
            let (factor, series) = self.factored(value);
            scale.push(factor);
            over.push(series);
        }
        let scale = self.scalars.product(scale);
        let over = self.product(over);
        let series = match (over, self.product(under)) {
            (None, None) => return Ok(self.constant(scale)),
            (Some(over), None) => over,
            (over, Some(under)) => self.op(SeriesOp::Quotient(over, under)),
        };
        Ok(self.scaled(scale, series))
    }

    /// `series^n` for `n ≥ 1` by repeated squaring.
    fn integer_power(&mut self, series: SeriesId, mut n: usize) -> Vec<SeriesId> {
        let mut factors = Vec::new();
        let mut square = series;
        while n > 0 {
            if n % 2 == 1 {
                factors.push(square);
            }
            n /= 2;
            if n > 0 {
                square = self.op(SeriesOp::Square(square));
            }
        }
        factors
    }

    /// A rational power: its constant factor, and series whose product, or one
    /// over whose product if `n` is negative, is the rest. `None` where it would
    /// divide by zero.
    fn power(
        &mut self,
        base: Combination,
        n: &Number,
        into: &mut Vec<SeriesId>,
    ) -> Option<ScalarId> {
        if let Some(constant) = self.as_constant(&base) {
            return convert::scalar_power(&mut self.scalars, constant, n);
        }
        let size = if n.is_negative() { n.neg() } else { n.clone() };
        let whole = |n: &Number| n.to_integer().and_then(|n| usize::try_from(n).ok());
        if let (Some(times), Some(exponent)) = (whole(&size), n.to_integer()) {
            let (factor, series) = self.factored(base);
            into.extend(self.integer_power(series, times));
            return self.scalars.power(factor, exponent);
        }
        match whole(&size.mul(&2.into())) {
            Some(halves) => {
                into.push(self.root(base.clone()));
                let series = self.series(base);
                into.extend(self.integer_power(series, halves / 2));
            }
            None => {
                let series = self.series(base);
                into.push(self.op(SeriesOp::Power(series, size)));
            }
        }
        Some(self.scalars.number(1))
    }

    /// A square root; of a sum of squares, the length of a vector.
    fn root(&mut self, of: Combination) -> SeriesId {
        let square = |&(factor, series): &(ScalarId, SeriesId)| {
            let SeriesId::Op(i) = series else { return None };
            let SeriesOp::Square(x) = self.ops[i] else { return None };
            self.scalars.graph().number(factor)?.is_one().then_some(x)
        };
        let vector: Option<Vec<SeriesId>> = of.terms.iter().map(square).collect();
        match vector {
            Some(vector) if vector.len() > 1 && self.is_zero(of.constant) => {
                self.op(SeriesOp::Norm(vector))
            }
            _ => {
                let of = self.series(of);
                self.op(SeriesOp::Sqrt(of))
            }
        }
    }

    fn apply(&mut self, function: Function, argument: Combination) -> Combination {
        if let Some(constant) = self.as_constant(&argument) {
            let value = self.scalars.apply(function, constant);
            return self.constant(value);
        }
        let series = match function {
            Function::Sqrt => self.root(argument),
            Function::Exp => {
                let of = self.series(argument);
                self.op(SeriesOp::Exp(of))
            }
            Function::Log => {
                let of = self.series(argument);
                self.op(SeriesOp::Log(of))
            }
            Function::Sin | Function::Cos => {
                let of = self.series(argument);
                let [sin, cos] = self.sine_and_cosine(of);
                if function == Function::Sin { sin } else { cos }
            }
        };
        let one = self.scalars.number(1);
        self.scaled(one, series)
    }

    fn sine_and_cosine(&mut self, of: SeriesId) -> [SeriesId; 2] {
        if let Some(&pair) = self.trigonometric.get(&of) {
            return pair;
        }
        let sin = SeriesId::Op(self.ops.len());
        let cos = SeriesId::Op(self.ops.len() + 1);
        self.ops.extend([SeriesOp::Sin { of, cos }, SeriesOp::Cos { of, sin }]);
        self.trigonometric.insert(of, [sin, cos]);
        [sin, cos]
    }
}
