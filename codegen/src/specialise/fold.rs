//! Constants folded as a number type would: operation by operation.

use num_traits::Float;

use super::{Bindings, check_names, division_by_zero};
use crate::Error;
use crate::program::{Number, Scalar, ScalarGraph, ScalarId, ScalarProgram};

/// A scalar program with some inputs fixed that gives the same bits in `T`: operations on
/// constants become their results, zeros and ones drop out, and all else stays in its order.
///
/// # Errors
/// [`Error::DivisionByZero`] if the bindings make it divide by zero,
/// [`Error::UnknownSymbol`] if one is not of an input.
pub(crate) fn fold_scalars<T: Float>(
    program: &ScalarProgram,
    bindings: &Bindings,
) -> Result<ScalarProgram, Error> {
    check_names(&program.graph, bindings)?;
    let inputs = program.graph.inputs.iter().map(|name| bindings.get(name).map(Number::to_float));
    let mut fold = Fold::<T> {
        inputs: inputs.collect(),
        graph: ScalarGraph { inputs: program.graph.inputs.clone(), nodes: Vec::new() },
        values: Vec::new(),
    };
    let mut places: Vec<ScalarId> = Vec::with_capacity(program.graph.nodes.len());
    for node in &program.graph.nodes {
        let mut node = node.clone();
        node.each_operand(|id| *id = places[id.0]);
        let place = fold.node(node).ok_or_else(|| division_by_zero(&program.name, bindings))?;
        places.push(place);
    }
    let outputs = program.outputs.iter().map(|(name, id)| (name.clone(), places[id.0])).collect();
    Ok(ScalarProgram { name: program.name.clone(), graph: fold.graph, outputs })
}

/// A graph in the making, with the values of its constants.
struct Fold<T> {
    inputs: Vec<Option<T>>,
    graph: ScalarGraph,
    values: Vec<Option<T>>,
}

impl<T: Float> Fold<T> {
    fn value(&self, id: ScalarId) -> Option<T> {
        self.values[id.0]
    }

    fn push(&mut self, node: Scalar, value: Option<T>) -> ScalarId {
        self.graph.nodes.push(node);
        self.values.push(value);
        ScalarId(self.values.len() - 1)
    }

    /// A constant, unless it is infinite or none.
    fn number(&mut self, value: T) -> Option<ScalarId> {
        let exact = Number::try_from(value.to_f64()?).ok()?;
        Some(self.push(Scalar::Number(exact), Some(value)))
    }

    /// A node whose operands are in the graph.
    fn node(&mut self, node: Scalar) -> Option<ScalarId> {
        match node {
            Scalar::Input(i) => match self.inputs[i] {
                Some(value) => self.number(value),
                None => Some(self.push(node, None)),
            },
            Scalar::Number(ref n) => {
                let value = n.to_float();
                Some(self.push(node, Some(value)))
            }
            Scalar::Sum(terms) => self.chain(terms, T::zero(), |x, y| x + y, Scalar::Sum),
            Scalar::Product(factors) => {
                if factors.iter().any(|&id| self.value(id) == Some(T::zero())) {
                    return self.number(T::zero());
                }
                self.chain(factors, T::one(), |x, y| x * y, Scalar::Product)
            }
            Scalar::Power(x, n) => match self.value(x) {
                Some(x) => self.number(ScalarGraph::power(x, n)),
                None => Some(self.push(node, None)),
            },
            Scalar::Apply(function, x) => match self.value(x) {
                Some(x) => self.number(function.evaluate(x)),
                None => Some(self.push(node, None)),
            },
        }
    }

    /// A sum or a product: constants at its beginning are one, neutral ones are none.
    fn chain(
        &mut self,
        mut operands: Vec<ScalarId>,
        neutral: T,
        join: fn(T, T) -> T,
        node: fn(Vec<ScalarId>) -> Scalar,
    ) -> Option<ScalarId> {
        let constants = operands.iter().map_while(|&id| self.value(id)).collect::<Vec<_>>();
        if constants.len() > 1 {
            let first = self.number(constants.iter().copied().fold(neutral, join))?;
            operands.splice(..constants.len(), [first]);
        }
        let kept: Vec<_> =
            operands.iter().copied().filter(|&id| self.value(id) != Some(neutral)).collect();
        match kept[..] {
            [] => self.number(neutral),
            [only] => Some(only),
            _ => Some(self.push(node(kept), None)),
        }
    }
}
