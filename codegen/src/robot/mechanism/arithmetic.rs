//! Scalars over measured constants, as they appear in the dynamics of one robot.
//!
//! [`ScalarBuilder`](crate::program::ScalarBuilder) folds constants exactly and
//! reorders products, which suits derived formulas. A robot's lengths and masses are
//! already rounded. So here constants fold in `f64`, products keep their order, so that
//! common factors are computed once, and signs are kept outside the graph, where they
//! need no operation.

use std::collections::HashMap;
use std::ops::Neg;

use crate::program::{Function, Number, Scalar, ScalarGraph, ScalarId};

/// A constant, or plus or minus a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Term {
    Constant(f64),
    Node { id: ScalarId, negative: bool },
}

impl Term {
    pub(super) const ZERO: Self = Self::Constant(0.0);

    fn node(id: ScalarId, negative: bool) -> Self {
        Self::Node { id, negative }
    }
}

impl Neg for Term {
    type Output = Self;

    fn neg(self) -> Self {
        match self {
            Self::Constant(x) => Self::Constant(0.0 - x),
            Self::Node { id, negative } => Self::node(id, !negative),
        }
    }
}

/// Builds a [`ScalarGraph`] in which no value occurs twice, nor with both signs.
#[derive(Debug, Default)]
pub(super) struct Arithmetic {
    graph: ScalarGraph,
    index: HashMap<Scalar, ScalarId>,
    /// Constants by their bits, and back.
    numbers: HashMap<u64, ScalarId>,
    values: HashMap<ScalarId, f64>,
}

impl Arithmetic {
    pub(super) fn new(inputs: Vec<String>) -> Self {
        Self { graph: ScalarGraph { inputs, nodes: Vec::new() }, ..Self::default() }
    }

    pub(super) fn finish(self) -> ScalarGraph {
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

    /// The input of that index.
    pub(super) fn input(&mut self, index: usize) -> Term {
        Term::node(self.intern(Scalar::Input(index)), false)
    }

    /// A node for the term, `None` if it is a constant that is not finite.
    pub(super) fn id(&mut self, term: Term) -> Option<ScalarId> {
        Some(match term {
            Term::Constant(x) => self.number(x)?,
            Term::Node { id, negative: false } => id,
            Term::Node { id, negative: true } => self.opposite(id),
        })
    }

    fn number(&mut self, x: f64) -> Option<ScalarId> {
        if let Some(&id) = self.numbers.get(&x.to_bits()) {
            return Some(id);
        }
        let number = Number::try_from(x).ok()?;
        let id = self.intern(Scalar::Number(number));
        self.numbers.insert(x.to_bits(), id);
        self.values.insert(id, x);
        Some(id)
    }

    fn opposite(&mut self, id: ScalarId) -> ScalarId {
        let minus = self.intern(Scalar::Number((-1).into()));
        self.values.insert(minus, -1.0);
        self.intern(Scalar::Product(vec![minus, id]))
    }

    /// The constant that leads a node's operands, and the other operand.
    fn led<'a>(&self, operands: &'a [ScalarId]) -> Option<(f64, &'a ScalarId)> {
        match operands {
            [first, rest] => Some((*self.values.get(first)?, rest)),
            _ => None,
        }
    }

    /// A node as a constant times a node.
    fn scaled(&self, id: ScalarId) -> (f64, ScalarId) {
        match self.graph.node(id) {
            Scalar::Product(factors) => self.led(factors).map_or((1.0, id), |(k, &x)| (k, x)),
            _ => (1.0, id),
        }
    }

    /// A node as a constant plus a node.
    fn shifted(&self, id: ScalarId) -> (f64, ScalarId) {
        match self.graph.node(id) {
            Scalar::Sum(terms) => self.led(terms).map_or((0.0, id), |(k, &x)| (k, x)),
            _ => (0.0, id),
        }
    }

    /// The product.
    pub(super) fn mul(&mut self, x: Term, y: Term) -> Term {
        match (x, y) {
            (Term::Constant(x), Term::Constant(y)) => Term::Constant(x * y + 0.0),
            (Term::Constant(k), Term::Node { id, negative })
            | (Term::Node { id, negative }, Term::Constant(k)) => {
                let (inner, id) = self.scaled(id);
                self.multiple(if negative { -k * inner } else { k * inner }, id)
            }
            (Term::Node { id: i, negative: m }, Term::Node { id: j, negative: n }) => {
                let product = match i == j {
                    true => Scalar::Power(i, 2),
                    false => Scalar::Product(vec![i.min(j), i.max(j)]),
                };
                Term::node(self.intern(product), m != n)
            }
        }
    }

    /// A constant times a node that has no constant factor itself.
    fn multiple(&mut self, k: f64, id: ScalarId) -> Term {
        if k == 0.0 {
            return Term::ZERO;
        }
        match self.number(k.abs()) {
            Some(_) if k.abs() == 1.0 => Term::node(id, k < 0.0),
            Some(number) => Term::node(self.intern(Scalar::Product(vec![number, id])), k < 0.0),
            None => Term::Constant(f64::NAN),
        }
    }

    /// The sum.
    pub(super) fn add(&mut self, x: Term, y: Term) -> Term {
        match (x, y) {
            (Term::Constant(x), Term::Constant(y)) => Term::Constant(x + y),
            (Term::Constant(k), Term::Node { id, negative })
            | (Term::Node { id, negative }, Term::Constant(k)) => {
                let (inner, rest) = self.shifted(id);
                let k = if negative { inner - k } else { inner + k };
                match self.number(k) {
                    Some(_) if k == 0.0 => Term::node(rest, negative),
                    Some(number) => {
                        Term::node(self.intern(Scalar::Sum(vec![number, rest])), negative)
                    }
                    None => Term::Constant(f64::NAN),
                }
            }
            (Term::Node { id: i, negative: m }, Term::Node { id: j, negative: n }) => {
                let ((a, p), (b, q)) = (self.scaled(i), self.scaled(j));
                if p == q {
                    let signed = |k: f64, negative: bool| if negative { -k } else { k };
                    return self.multiple(signed(a, m) + signed(b, n), p);
                }
                let ((i, m), (j, n)) = if i < j { ((i, m), (j, n)) } else { ((j, n), (i, m)) };
                let j = if m == n { j } else { self.opposite(j) };
                Term::node(self.intern(Scalar::Sum(vec![i, j])), m)
            }
        }
    }

    /// The difference.
    pub(super) fn sub(&mut self, x: Term, y: Term) -> Term {
        self.add(x, -y)
    }

    /// `x u − y v`.
    pub(super) fn minor(&mut self, [x, u]: [Term; 2], [y, v]: [Term; 2]) -> Term {
        let (xu, yv) = (self.mul(x, u), self.mul(y, v));
        self.sub(xu, yv)
    }

    /// The sum of products.
    pub(super) fn dot(&mut self, x: &[Term], y: &[Term]) -> Term {
        x.iter().zip(y).fold(Term::ZERO, |sum, (&x, &y)| {
            let product = self.mul(x, y);
            self.add(sum, product)
        })
    }

    /// The reciprocal, `None` where there is none.
    pub(super) fn inverse(&mut self, x: Term) -> Option<Term> {
        match x {
            Term::Constant(x) => (1.0 / x).is_normal().then(|| Term::Constant(1.0 / x)),
            Term::Node { id, negative } => {
                Some(Term::node(self.intern(Scalar::Power(id, -1)), negative))
            }
        }
    }

    /// An elementary function of an angle that is not constant.
    pub(super) fn apply(&mut self, function: Function, x: Term) -> Term {
        match x {
            Term::Constant(x) => Term::Constant(function.evaluate(x)),
            Term::Node { .. } => match self.id(x) {
                Some(id) => Term::node(self.intern(Scalar::Apply(function, id)), false),
                None => x,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn xy() -> (Arithmetic, Term, Term) {
        let mut a = Arithmetic::new(vec!["x".to_owned(), "y".to_owned()]);
        let (x, y) = (a.input(0), a.input(1));
        (a, x, y)
    }

    #[test]
    fn a_value_and_its_opposite_are_one_node() {
        let (mut a, x, y) = xy();
        assert_eq!(a.sub(x, y), -a.sub(y, x));
        assert_eq!(a.mul(-x, y), -a.mul(y, x));
        let (k, l) = (Term::Constant(0.3), Term::Constant(-0.3));
        assert_eq!(a.mul(k, x), -a.mul(x, l));
        assert_eq!(a.add(k, x), -a.sub(l, x));
        assert_eq!(a.inverse(-x), a.inverse(x).map(|inverse| -inverse));
    }

    #[test]
    fn constants_meet() {
        let (mut a, x, _) = xy();
        let half = Term::Constant(0.5);
        let twice = a.add(x, x);
        assert_eq!(a.mul(half, twice), x);
        assert_eq!(a.sub(twice, x), x);
        let shifted = a.add(x, half);
        assert_eq!(a.sub(shifted, half), x);
        assert_eq!(a.sub(x, x), Term::ZERO);
        assert_eq!(a.mul(Term::ZERO, x), Term::ZERO);
        assert_eq!(a.inverse(Term::ZERO), None);
    }

    #[test]
    fn overflow_has_no_node() {
        let (mut a, x, _) = xy();
        let huge = Term::Constant(1e300);
        let large = a.mul(huge, x);
        let beyond = a.mul(huge, large);
        assert_eq!(a.id(beyond), None);
        let beyond = a.mul(huge, huge);
        assert_eq!(a.id(beyond), None);
    }
}
