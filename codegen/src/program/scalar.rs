//! Scalar expressions as a shared graph: every distinct value is one node.

use std::collections::{BTreeMap, HashMap};

use num_traits::Float;

use super::{Number, OperationCount};

/// A node of a [`ScalarGraph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScalarId(pub(crate) usize);

/// An elementary function of one scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Function {
    /// Square root.
    Sqrt,
    /// Natural exponential.
    Exp,
    /// Natural logarithm.
    Log,
    /// Sine.
    Sin,
    /// Cosine.
    Cos,
}

impl Function {
    /// The function's value.
    pub fn evaluate<T: Float>(self, x: T) -> T {
        match self {
            Function::Sqrt => x.sqrt(),
            Function::Exp => x.exp(),
            Function::Log => x.ln(),
            Function::Sin => x.sin(),
            Function::Cos => x.cos(),
        }
    }

    /// The function's mathematical name.
    pub fn name(self) -> &'static str {
        match self {
            Function::Sqrt => "sqrt",
            Function::Exp => "exp",
            Function::Log => "log",
            Function::Sin => "sin",
            Function::Cos => "cos",
        }
    }
}

/// A node of a scalar graph; operands always come earlier in the graph.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// An exact constant.
    Number(Number),
    /// The input of that index.
    Input(usize),
    /// A sum of two or more terms.
    Sum(Vec<ScalarId>),
    /// A product of two or more factors; a constant, if any, comes first.
    Product(Vec<ScalarId>),
    /// An integer power other than 0 and 1.
    Power(ScalarId, i32),
    /// An elementary function.
    Apply(Function, ScalarId),
}

impl Scalar {
    pub(crate) fn each_operand(&mut self, f: impl FnMut(&mut ScalarId)) {
        match self {
            Self::Number(_) | Self::Input(_) => {}
            Self::Sum(ids) | Self::Product(ids) => ids.iter_mut().for_each(f),
            Self::Power(id, _) | Self::Apply(_, id) => [id].into_iter().for_each(f),
        }
    }
}

/// Scalars over named inputs, each node once, operands before their uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScalarGraph {
    /// Names of the inputs.
    pub inputs: Vec<String>,
    /// The nodes.
    pub nodes: Vec<Scalar>,
}

impl ScalarGraph {
    /// The node behind an id of this graph.
    pub fn node(&self, id: ScalarId) -> &Scalar {
        &self.nodes[id.0]
    }

    /// The constant behind an id, if it is one.
    pub fn number(&self, id: ScalarId) -> Option<&Number> {
        match self.node(id) {
            Scalar::Number(n) => Some(n),
            _ => None,
        }
    }

    /// The value of every node for the given inputs, in any floating-point
    /// arithmetic.
    pub fn evaluate<T: Float>(&self, inputs: &[T]) -> Vec<T> {
        self.evaluate_with(inputs, Function::evaluate)
    }

    /// The same with given elementary functions.
    pub fn evaluate_with<T: Float>(
        &self,
        inputs: &[T],
        apply: impl Fn(Function, T) -> T,
    ) -> Vec<T> {
        let mut values: Vec<T> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            values.push(match node {
                Scalar::Number(n) => n.to_float(),
                Scalar::Input(i) => inputs[*i],
                Scalar::Sum(terms) => {
                    terms.iter().fold(T::zero(), |sum, term| sum + values[term.0])
                }
                Scalar::Product(factors) => {
                    factors.iter().fold(T::one(), |product, factor| product * values[factor.0])
                }
                Scalar::Power(base, n) => Self::power(values[base.0], *n),
                Scalar::Apply(function, x) => apply(*function, values[x.0]),
            });
        }
        values
    }

    /// An integer power, in the order of multiplications that emitted code has.
    pub(crate) fn power<T: Float>(x: T, n: i32) -> T {
        fn repeated<T: Float>(x: T, n: u32) -> T {
            match n {
                0 => T::one(),
                1 => x,
                _ if n.is_multiple_of(2) => {
                    let half = repeated(x, n / 2);
                    half * half
                }
                _ => x * repeated(x, n - 1),
            }
        }
        let power = repeated(x, n.unsigned_abs());
        if n < 0 { T::one() / power } else { power }
    }

    /// Operations needed to evaluate every node once.
    pub fn operations(&self) -> OperationCount {
        let mut count = OperationCount::default();
        for node in &self.nodes {
            match node {
                Scalar::Number(_) | Scalar::Input(_) => {}
                Scalar::Sum(terms) => count.additions += terms.len() - 1,
                Scalar::Product(factors) => {
                    let sign = self.number(factors[0]).is_some_and(|n| *n == (-1).into());
                    count.multiplications += factors.len() - 1 - usize::from(sign);
                }
                Scalar::Power(_, n) => {
                    let n = n.unsigned_abs();
                    count.multiplications += (n.ilog2() + n.count_ones() - 1) as usize;
                    count.divisions += usize::from(matches!(node, Scalar::Power(_, ..=-1)));
                }
                Scalar::Apply(..) => count.functions += 1,
            }
        }
        count
    }

    /// How often each node is an operand of another.
    pub fn uses(&self) -> Vec<usize> {
        let mut uses = vec![0; self.nodes.len()];
        for node in &self.nodes {
            match node {
                Scalar::Number(_) | Scalar::Input(_) => {}
                Scalar::Sum(ids) | Scalar::Product(ids) => {
                    ids.iter().for_each(|id| uses[id.0] += 1);
                }
                Scalar::Power(id, _) | Scalar::Apply(_, id) => uses[id.0] += 1,
            }
        }
        uses
    }
}

/// Builds a [`ScalarGraph`]: folds constants exactly, drops zeros and ones,
/// collects like terms and powers, and never stores a value twice.
///
/// ```
/// use routh_codegen::program::{ScalarBuilder, ScalarProgram, render_scalars};
/// let mut builder = ScalarBuilder::new(["x".to_owned()]);
/// let x = builder.input("x").ok_or("no input")?;
/// let two = builder.number(2);
/// let (double, again) = (builder.product([two, x]), builder.sum([x, x]));
/// assert_eq!(double, again);
/// let outputs = vec![("y".to_owned(), double)];
/// let program = ScalarProgram { name: "twice".to_owned(), graph: builder.finish(), outputs };
/// assert_eq!(program.evaluate(&[1.5]), [3.0]);
/// assert_eq!(render_scalars(&program), "y = 2 x\n");
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ScalarBuilder {
    graph: ScalarGraph,
    index: HashMap<Scalar, ScalarId>,
}

impl ScalarBuilder {
    /// An empty graph over the given inputs.
    pub fn new(inputs: impl IntoIterator<Item = String>) -> Self {
        Self {
            graph: ScalarGraph { inputs: inputs.into_iter().collect(), nodes: Vec::new() },
            index: HashMap::new(),
        }
    }

    /// The graph as built so far.
    pub fn graph(&self) -> &ScalarGraph {
        &self.graph
    }

    /// The finished graph.
    pub fn finish(self) -> ScalarGraph {
        self.graph
    }

    fn intern(&mut self, node: Scalar) -> ScalarId {
        let next = ScalarId(self.graph.nodes.len());
        let id = *self.index.entry(node.clone()).or_insert(next);
        if id == next {
            self.graph.nodes.push(node);
        }
        id
    }

    /// A constant.
    pub fn number(&mut self, n: impl Into<Number>) -> ScalarId {
        self.intern(Scalar::Number(n.into()))
    }

    /// The input of that name, if there is one.
    pub fn input(&mut self, name: &str) -> Option<ScalarId> {
        let index = self.graph.inputs.iter().position(|i| i == name)?;
        Some(self.intern(Scalar::Input(index)))
    }

    /// The constant factor of a node, and the rest.
    fn split(&mut self, id: ScalarId) -> (Number, Vec<ScalarId>) {
        match self.graph.node(id).clone() {
            Scalar::Number(n) => (n, Vec::new()),
            Scalar::Product(factors) => match self.graph.number(factors[0]) {
                Some(n) => (n.clone(), factors[1..].to_vec()),
                None => (1.into(), factors),
            },
            _ => (1.into(), vec![id]),
        }
    }

    /// The sum of the terms.
    pub fn sum(&mut self, terms: impl IntoIterator<Item = ScalarId>) -> ScalarId {
        let mut order: Vec<Vec<ScalarId>> = Vec::new();
        let mut coefficients: HashMap<Vec<ScalarId>, Number> = HashMap::new();
        for term in terms {
            let (n, core) = self.split(term);
            match coefficients.get_mut(&core) {
                Some(sum) => *sum = sum.add(&n),
                None => {
                    order.push(core.clone());
                    coefficients.insert(core, n);
                }
            }
        }
        let mut ids = Vec::with_capacity(order.len());
        for core in order {
            let n = &coefficients[&core];
            if !n.is_zero() {
                let n = n.clone();
                ids.push(self.scaled(n, core));
            }
        }
        match ids[..] {
            [] => self.number(0),
            [one] => one,
            _ => self.intern(Scalar::Sum(ids)),
        }
    }

    /// `n` times the product of distinct, non-constant factors.
    fn scaled(&mut self, n: Number, mut factors: Vec<ScalarId>) -> ScalarId {
        if n.is_zero() {
            return self.number(0);
        }
        if !n.is_one() || factors.is_empty() {
            let n = self.number(n);
            factors.insert(0, n);
        }
        match factors[..] {
            [one] => one,
            _ => self.intern(Scalar::Product(factors)),
        }
    }

    /// The product of the factors.
    pub fn product(&mut self, factors: impl IntoIterator<Item = ScalarId>) -> ScalarId {
        let mut constant = Number::from(1);
        let mut powers: BTreeMap<ScalarId, i32> = BTreeMap::new();
        for factor in factors {
            let (n, core) = self.split(factor);
            constant = constant.mul(&n);
            for id in core {
                match *self.graph.node(id) {
                    Scalar::Power(base, n) => *powers.entry(base).or_default() += n,
                    _ => *powers.entry(id).or_default() += 1,
                }
            }
        }
        let factors = powers
            .into_iter()
            .filter(|&(_, n)| n != 0)
            .map(|(base, n)| match n {
                1 => base,
                _ => self.intern(Scalar::Power(base, n)),
            })
            .collect();
        self.scaled(constant, factors)
    }

    /// An integer power; `None` for a negative power of zero.
    pub fn power(&mut self, base: ScalarId, n: i32) -> Option<ScalarId> {
        if n == 0 {
            return Some(self.number(1));
        }
        let (constant, core) = self.split(base);
        let constant = constant.power(n)?;
        let factors: Vec<_> = core
            .into_iter()
            .map(|id| match *self.graph.node(id) {
                Scalar::Power(inner, m) => self.raised(inner, m * n),
                _ => self.raised(id, n),
            })
            .collect();
        let constant = self.number(constant);
        Some(self.product(factors.into_iter().chain([constant])))
    }

    fn raised(&mut self, base: ScalarId, n: i32) -> ScalarId {
        match n {
            1 => base,
            _ => self.intern(Scalar::Power(base, n)),
        }
    }

    /// An elementary function; a square root of a rational square is folded.
    pub fn apply(&mut self, function: Function, x: ScalarId) -> ScalarId {
        let root = match function {
            Function::Sqrt => self.graph.number(x).and_then(Number::sqrt),
            _ => None,
        };
        match root {
            Some(root) => self.number(root),
            None => self.intern(Scalar::Apply(function, x)),
        }
    }

    /// Copies the node `id` of another graph into this one, taking inputs
    /// from `bind`; values already carried over are found in `memo`.
    ///
    /// Returns `None` where a value bound to zero is divided by.
    pub fn import(
        &mut self,
        from: &ScalarGraph,
        id: ScalarId,
        bind: &mut dyn FnMut(&mut Self, &str) -> ScalarId,
        memo: &mut HashMap<ScalarId, ScalarId>,
    ) -> Option<ScalarId> {
        if let Some(&done) = memo.get(&id) {
            return Some(done);
        }
        let mut each = |this: &mut Self, ids: &[ScalarId]| -> Option<Vec<ScalarId>> {
            ids.iter().map(|&id| this.import(from, id, bind, memo)).collect()
        };
        let new = match from.node(id) {
            Scalar::Number(n) => self.number(n.clone()),
            Scalar::Input(i) => bind(self, &from.inputs[*i]),
            Scalar::Sum(ids) => {
                let ids = each(self, ids)?;
                self.sum(ids)
            }
            Scalar::Product(ids) => {
                let ids = each(self, ids)?;
                self.product(ids)
            }
            Scalar::Power(base, n) => {
                let base = each(self, &[*base])?[0];
                self.power(base, *n)?
            }
            Scalar::Apply(function, x) => {
                let x = each(self, &[*x])?[0];
                self.apply(*function, x)
            }
        };
        memo.insert(id, new);
        Some(new)
    }
}

/// Named outputs over named inputs: one straight-line function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScalarProgram {
    /// A description of the program.
    pub name: String,
    /// The values.
    pub graph: ScalarGraph,
    /// Output names and the nodes that hold them.
    pub outputs: Vec<(String, ScalarId)>,
}

impl ScalarProgram {
    /// The outputs' values, in their order.
    pub fn evaluate<T: Float>(&self, inputs: &[T]) -> Vec<T> {
        let values = self.graph.evaluate(inputs);
        self.outputs.iter().map(|(_, id)| values[id.0]).collect()
    }

    /// Values that wait for a later use at once, at most, when the nodes are
    /// evaluated in their order; inputs and constants do not wait.
    pub fn most_waiting(&self) -> usize {
        let nodes = &self.graph.nodes;
        let mut last: Vec<usize> = (0..nodes.len()).collect();
        for (i, node) in nodes.iter().enumerate() {
            match node {
                Scalar::Number(_) | Scalar::Input(_) => {}
                Scalar::Sum(ids) | Scalar::Product(ids) => {
                    ids.iter().for_each(|id| last[id.0] = i);
                }
                Scalar::Power(id, _) | Scalar::Apply(_, id) => last[id.0] = i,
            }
        }
        self.outputs.iter().for_each(|(_, id)| last[id.0] = nodes.len());
        let mut ending = vec![0; nodes.len() + 1];
        let (mut waiting, mut most) = (0, 0);
        for (i, node) in nodes.iter().enumerate() {
            if !matches!(node, Scalar::Number(_) | Scalar::Input(_)) {
                ending[last[i]] += 1;
                waiting += 1;
                most = most.max(waiting);
            }
            waiting -= ending[i];
        }
        most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn builder() -> (ScalarBuilder, ScalarId, ScalarId) {
        let mut b = ScalarBuilder::new(["x".to_owned(), "y".to_owned()]);
        let x = b.input("x").unwrap();
        let y = b.input("y").unwrap();
        (b, x, y)
    }

    #[test]
    fn equal_values_are_one_node() {
        let (mut b, x, y) = builder();
        let xy = b.product([x, y]);
        assert_eq!(xy, b.product([y, x]));
        let twice = b.sum([xy, xy]);
        let two = b.number(2);
        assert_eq!(twice, b.product([two, x, y]));
    }

    #[test]
    fn values_wait_until_their_last_use() {
        let (mut b, x, y) = builder();
        let xy = b.product([x, y]);
        let sine = b.apply(Function::Sin, xy);
        let root = b.apply(Function::Sqrt, sine);
        let sum = b.sum([root, xy]);
        let program = |outputs: &[ScalarId]| ScalarProgram {
            name: "chain".to_owned(),
            graph: b.graph().clone(),
            outputs: outputs.iter().map(|id| ("out".to_owned(), *id)).collect(),
        };
        assert_eq!(program(&[sum]).most_waiting(), 3);
        assert_eq!(program(&[sum, sine]).most_waiting(), 4);
    }

    #[test]
    fn zeros_and_ones_vanish() {
        let (mut b, x, y) = builder();
        let zero = b.number(0);
        let one = b.number(1);
        assert_eq!(b.product([zero, x]), zero);
        assert_eq!(b.product([one, x]), x);
        assert_eq!(b.sum([x, zero]), x);
        let minus = b.number(-1);
        let negative = b.product([minus, x]);
        assert_eq!(b.sum([x, y, negative]), y);
        let inverse = b.power(x, -1).unwrap();
        assert_eq!(b.product([x, inverse]), one);
        assert_eq!(b.power(zero, -1), None);
    }

    #[test]
    fn powers_fold_through_products() {
        let (mut b, x, y) = builder();
        let three = b.number(3);
        let xy = b.product([three, x, y]);
        let squared = b.power(xy, 2).unwrap();
        let values = b.graph().evaluate(&[2.0, 5.0]);
        assert_eq!(values[squared.0], 900.0);
        let quarter = b.number(Number::ratio(1, 4));
        let root = b.apply(Function::Sqrt, quarter);
        assert_eq!(b.graph().number(root), Some(&Number::ratio(1, 2)));
    }
}
