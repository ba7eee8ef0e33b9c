//! Programs from programs: fewer unknowns, or another independent variable.

use std::collections::HashMap;

use super::{Bindings, specialise_series};
use crate::Error;
use crate::program::{Number, Scalar, ScalarId, SeriesId, SeriesOp, SeriesProgram, State};

/// The system of some of the unknowns alone.
///
/// # Errors
/// [`Error::UnknownSymbol`] for a name that is no unknown, or for an unknown
/// that was left out though the others depend on it.
///
/// ```
/// use routh_codegen::derivations::Derivations;
/// use routh_codegen::transform::restrict;
///
/// let system = Derivations::committed()?.regularised;
/// let sliding = restrict(&system, &["vt1", "vt2", "p"])?;
/// assert_eq!(sliding.convolutions(), 1.5);
/// assert!(restrict(&system, &["vt1", "p"]).is_err());
/// # Ok::<(), routh_codegen::Error>(())
/// ```
pub fn restrict(program: &SeriesProgram, unknowns: &[&str]) -> Result<SeriesProgram, Error> {
    let unknown = |name: &str| Error::UnknownSymbol(name.to_owned());
    let mut kept = Vec::with_capacity(unknowns.len());
    for name in unknowns {
        kept.push(program.state(name).ok_or_else(|| unknown(name))?);
    }
    let mut smaller = program.clone();
    smaller.states = kept.iter().map(|&i| program.states[i].clone()).collect();
    let mut smaller = specialise_series(&smaller, &Bindings::new())?;
    let mut missing = None;
    let mut rename = |id: &mut SeriesId| {
        if let SeriesId::State(i) = id {
            match kept.iter().position(|old| old == i) {
                Some(new) => *i = new,
                None => missing = Some(*i),
            }
        }
    };
    smaller.ops.iter_mut().for_each(|op| op.each_operand(&mut rename));
    smaller.states.iter_mut().for_each(|state| rename(&mut state.rate));
    if let Some(i) = missing {
        return Err(unknown(&program.states[i].name));
    }
    drop_idle_inputs(&mut smaller);
    Ok(smaller)
}

fn drop_idle_inputs(program: &mut SeriesProgram) {
    let used: Vec<usize> = (0..program.scalars.inputs.len())
        .filter(|i| program.scalars.nodes.contains(&Scalar::Input(*i)))
        .collect();
    program.scalars.inputs = used.iter().map(|&i| program.scalars.inputs[i].clone()).collect();
    for node in &mut program.scalars.nodes {
        if let Scalar::Input(i) = node {
            *i = used.binary_search(i).unwrap_or_default();
        }
    }
}

/// The same system in a variable `η` with `dt/dη = 1 + c_1 η + c_2 η² + …`,
/// the `c_i` being new parameters. It costs no convolution.
///
/// # Errors
/// [`Error::Unsupported`] for a system that already depends on its variable;
/// otherwise as [`specialise_series`].
///
/// ```
/// use routh_codegen::derivations::Derivations;
/// use routh_codegen::transform::reclock;
///
/// let system = Derivations::committed()?.regularised;
/// let stretched = reclock(&system, "eta", &["c1", "c2"])?;
/// assert_eq!(stretched.convolutions(), system.convolutions());
/// assert!(reclock(&stretched, "xi", &["c3"]).is_err());
/// # Ok::<(), routh_codegen::Error>(())
/// ```
pub fn reclock(
    program: &SeriesProgram,
    variable: &str,
    coefficients: &[&str],
) -> Result<SeriesProgram, Error> {
    if program.ops.iter().any(|op| matches!(op, SeriesOp::Times(..))) {
        return Err(Error::Unsupported(format!("{} in another variable", program.name)));
    }
    let mut program = SeriesProgram { variable: variable.to_owned(), ..program.clone() };
    let mut polynomial = vec![ScalarId(program.scalars.nodes.len())];
    program.scalars.nodes.push(Scalar::Number(Number::from(1)));
    for name in coefficients {
        polynomial.push(ScalarId(program.scalars.nodes.len()));
        program.scalars.nodes.push(Scalar::Input(program.scalars.inputs.len()));
        program.scalars.inputs.push((*name).to_owned());
    }
    let mut clock = Clock { ops: program.ops, polynomial, done: HashMap::new() };
    let states = program.states.into_iter();
    program.states = states.map(|state| State { rate: clock.times(state.rate), ..state }).collect();
    program.ops = clock.ops;
    specialise_series(&program, &Bindings::new())
}

struct Clock {
    ops: Vec<SeriesOp>,
    polynomial: Vec<ScalarId>,
    done: HashMap<SeriesId, SeriesId>,
}

impl Clock {
    /// The series times the polynomial. Sums are multiplied term by term, as
    /// their terms are shared, and of a product one factor.
    fn times(&mut self, id: SeriesId) -> SeriesId {
        if let Some(&done) = self.done.get(&id) {
            return done;
        }
        let op = match id {
            SeriesId::Op(i) => Some(self.ops[i].clone()),
            SeriesId::State(_) | SeriesId::Given(_) => None,
        };
        let op = match op {
            Some(SeriesOp::Linear { constant: None, terms }) => SeriesOp::Linear {
                constant: None,
                terms: terms.into_iter().map(|(factor, x)| (factor, self.times(x))).collect(),
            },
            Some(SeriesOp::Product(x, y)) if self.done.contains_key(&x) => {
                SeriesOp::Product(y, self.done[&x])
            }
            Some(SeriesOp::Product(x, y)) if self.done.contains_key(&y) => {
                SeriesOp::Product(x, self.done[&y])
            }
            _ => SeriesOp::Times(self.polynomial.clone(), id),
        };
        let new = SeriesId::Op(self.ops.len());
        self.ops.push(op);
        self.done.insert(id, new);
        new
    }
}
