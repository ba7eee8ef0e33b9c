//! Exact derivatives: of scalars by an input, and of systems by their starts and
//! parameters.
//!
//! A system `x' = f(x; μ)` has, beside every motion, the neighbouring ones
//! `δx' = f_x δx + f_μ δμ`. Operation by operation that is again a system of
//! series operations, so that variations are expanded like the motion itself.

mod scalars;

use std::collections::HashMap;

use super::{Bindings, specialise_series};
use crate::Error;
use crate::program::{Number, ScalarBuilder, ScalarId, SeriesId, SeriesOp, SeriesProgram, State};
pub use scalars::{differentiated, without_roots_of_squares};

/// A way in which a motion may vary: by its start, or by a parameter too.
#[derive(Clone, Copy, Debug)]
pub struct Direction<'a> {
    /// The suffix of the variation's unknowns.
    pub suffix: &'a str,
    /// The parameter that varies, if one does.
    pub parameter: Option<&'a str>,
}

/// The system with its variations in some directions: for each unknown `x` and
/// direction `d` there is an unknown `x_d`.
///
/// # Errors
/// As [`specialise_series`].
///
/// ```
/// use routh_codegen::derivations::Derivations;
/// use routh_codegen::differentiate::{Direction, varied};
///
/// let sliding = Derivations::committed()?.regularised;
/// let varied = varied(&sliding, &[Direction { suffix: "mu", parameter: Some("mu") }])?;
/// assert_eq!(varied.states.len(), 2 * sliding.states.len());
/// assert!(varied.state("vt1_mu").is_some());
/// # Ok::<(), routh_codegen::Error>(())
/// ```
pub fn varied(program: &SeriesProgram, directions: &[Direction]) -> Result<SeriesProgram, Error> {
    let mut system = System::new(program)?;
    let mut states = program.states.clone();
    for (d, direction) in directions.iter().enumerate() {
        let mut variation =
            Variation { system: &mut system, place: d, direction, done: HashMap::new() };
        for state in &program.states {
            let rate = variation.of(state.rate)?;
            let rate = variation.system.series(rate);
            states.push(State { name: format!("{}_{}", state.name, direction.suffix), rate });
        }
    }
    let varied = SeriesProgram {
        name: program.name.clone(),
        variable: program.variable.clone(),
        given: Vec::new(),
        scalars: system.scalars.finish(),
        ops: system.ops,
        states,
    };
    specialise_series(&varied, &Bindings::new())
}

/// Builds a system.
struct System {
    scalars: ScalarBuilder,
    ops: Vec<SeriesOp>,
    unknowns: usize,
    original: usize,
}

impl System {
    fn new(program: &SeriesProgram) -> Result<Self, Error> {
        let mut scalars = ScalarBuilder::new(program.scalars.inputs.iter().cloned());
        let mut memo = HashMap::new();
        let mut bind = |builder: &mut ScalarBuilder, name: &str| match builder.input(name) {
            Some(input) => input,
            None => builder.number(0),
        };
        let mut ops = program.ops.clone();
        let mut missing = false;
        for op in &mut ops {
            op.each_scalar(|id| {
                match scalars.import(&program.scalars, *id, &mut bind, &mut memo) {
                    Some(new) => *id = new,
                    None => missing = true,
                }
            });
        }
        if missing {
            return Err(Error::Derivation(format!("{} divides by zero", program.name)));
        }
        let original = ops.len();
        Ok(Self { scalars, ops, unknowns: program.states.len(), original })
    }

    fn push(&mut self, op: SeriesOp) -> SeriesId {
        self.ops.push(op);
        SeriesId::Op(self.ops.len() - 1)
    }

    /// A variation as a series, which may be zero.
    fn series(&mut self, variation: Option<SeriesId>) -> SeriesId {
        match variation {
            Some(series) => series,
            None => self.push(SeriesOp::Linear { constant: None, terms: Vec::new() }),
        }
    }

    fn sum(&mut self, terms: Vec<(Number, SeriesId)>) -> Option<SeriesId> {
        if terms.is_empty() {
            return None;
        }
        let terms = terms.into_iter().map(|(n, x)| (self.scalars.number(n), x)).collect();
        Some(self.push(SeriesOp::Linear { constant: None, terms }))
    }
}

/// Variations in one direction; `None` stands for zero.
struct Variation<'a> {
    system: &'a mut System,
    place: usize,
    direction: &'a Direction<'a>,
    done: HashMap<usize, Option<SeriesId>>,
}

impl Variation<'_> {
    fn of(&mut self, id: SeriesId) -> Result<Option<SeriesId>, Error> {
        let i = match id {
            SeriesId::State(i) => {
                return Ok(Some(SeriesId::State(self.system.unknowns * (self.place + 1) + i)));
            }
            SeriesId::Op(i) => i,
            SeriesId::Given(_) => {
                return Err(Error::Unsupported("derivatives of a part of a system".to_owned()));
            }
        };
        if let Some(&done) = self.done.get(&i) {
            return Ok(done);
        }
        let op = self.system.ops.get(i).filter(|_| i < self.system.original).cloned();
        let op = op.ok_or_else(|| Error::Derivation("an operation out of order".to_owned()))?;
        let variation = self.operation(id, &op)?;
        self.done.insert(i, variation);
        Ok(variation)
    }

    fn operation(&mut self, this: SeriesId, op: &SeriesOp) -> Result<Option<SeriesId>, Error> {
        let one = || Number::from(1);
        match op {
            SeriesOp::Linear { constant, terms } => self.linear(*constant, terms),
            &SeriesOp::Product(x, y) => {
                let mut terms = self.product(one(), y, x)?;
                terms.extend(self.product(one(), x, y)?);
                Ok(self.system.sum(terms))
            }
            &SeriesOp::Square(x) => {
                let terms = self.product(Number::from(2), x, x)?;
                Ok(self.system.sum(terms))
            }
            // Of a length: the variation along the vector.
            SeriesOp::Norm(xs) => {
                let mut terms = Vec::new();
                for &x in xs {
                    if let Some(varied) = self.of(x)? {
                        let along = self.system.push(SeriesOp::Quotient(Some(x), this));
                        terms.push((one(), self.system.push(SeriesOp::Product(along, varied))));
                    }
                }
                Ok(self.system.sum(terms))
            }
            other => Err(Error::Unsupported(format!("the variation of {other:?}"))),
        }
    }

    /// `n x δy`, if `y` varies.
    fn product(
        &mut self,
        n: Number,
        x: SeriesId,
        y: SeriesId,
    ) -> Result<Vec<(Number, SeriesId)>, Error> {
        Ok(match self.of(y)? {
            Some(varied) if varied == x => vec![(n, self.system.push(SeriesOp::Square(x)))],
            Some(varied) => vec![(n, self.system.push(SeriesOp::Product(x, varied)))],
            None => Vec::new(),
        })
    }

    fn linear(
        &mut self,
        constant: Option<ScalarId>,
        terms: &[(ScalarId, SeriesId)],
    ) -> Result<Option<SeriesId>, Error> {
        let mut varied = Vec::new();
        for &(factor, x) in terms {
            if let Some(dx) = self.of(x)? {
                varied.push((factor, dx));
            }
            if let Some(slope) = self.slope(factor)? {
                varied.push((slope, x));
            }
        }
        let constant = match constant {
            Some(constant) => self.slope(constant)?,
            None => None,
        };
        if varied.is_empty() && constant.is_none() {
            return Ok(None);
        }
        Ok(Some(self.system.push(SeriesOp::Linear { constant, terms: varied })))
    }

    /// How a scalar varies with the direction's parameter, if it does.
    fn slope(&mut self, of: ScalarId) -> Result<Option<ScalarId>, Error> {
        let Some(parameter) = self.direction.parameter else { return Ok(None) };
        let slope = scalars::derivative(&mut self.system.scalars, of, parameter)?;
        let zero = self.system.scalars.graph().number(slope).is_some_and(Number::is_zero);
        Ok((!zero).then_some(slope))
    }
}
