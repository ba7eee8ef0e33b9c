//! Power-series programs: an ODE system as elementary operations on series.

use serde::{Deserialize, Serialize};

use super::recurrence::{Initial, Weight};
use super::{Number, OperationCount, ScalarGraph, ScalarId};

/// A series of a [`SeriesProgram`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum SeriesId {
    /// The unknown of that index.
    State(usize),
    /// The result of the operation of that index.
    Op(usize),
}

/// An elementary operation on series.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum SeriesOp {
    /// `constant + Σ factor · series`: constants stay out of convolutions.
    Linear {
        /// The constant term, if not zero.
        constant: Option<ScalarId>,
        /// Scalar factors and what they multiply.
        terms: Vec<(ScalarId, SeriesId)>,
    },
    /// The product of two different series.
    Product(SeriesId, SeriesId),
    /// A square, at half the cost of a product.
    Square(SeriesId),
    /// A quotient, or a reciprocal where there is no numerator.
    Quotient(Option<SeriesId>, SeriesId),
    /// A square root, at half the cost of a product.
    Sqrt(SeriesId),
    /// A rational power that is neither an integer nor a half-integer.
    Power(SeriesId, Number),
    /// The exponential.
    Exp(SeriesId),
    /// The natural logarithm.
    Log(SeriesId),
    /// The sine, which needs the cosine's lower coefficients.
    Sin {
        /// The argument.
        of: SeriesId,
        /// The cosine of the same argument.
        cos: SeriesId,
    },
    /// The cosine, which needs the sine's lower coefficients.
    Cos {
        /// The argument.
        of: SeriesId,
        /// The sine of the same argument.
        sin: SeriesId,
    },
}

/// An unknown of the system and its rate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// The unknown's name.
    pub name: String,
    /// The series of its derivative.
    pub rate: SeriesId,
}

/// A system `dx/dt = f(x)` in elementary operations: the order-independent
/// form from which Taylor coefficients to any order follow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeriesProgram {
    /// The system's name.
    pub name: String,
    /// The independent variable's name.
    pub variable: String,
    /// Scalars over the system's parameters.
    pub scalars: ScalarGraph,
    /// The operations, operands first (but for a sine's cosine).
    pub ops: Vec<SeriesOp>,
    /// The unknowns.
    pub states: Vec<State>,
}

/// Orders that programs are evaluated and emitted at.
pub const ORDERS: std::ops::RangeInclusive<usize> = 2..=64;

impl SeriesProgram {
    /// The index of the unknown of that name.
    pub fn state(&self, name: &str) -> Option<usize> {
        self.states.iter().position(|s| s.name == name)
    }

    /// Taylor coefficients 0 to `order` of every unknown, by interpretation.
    ///
    /// `parameters` and `start` follow the order of `scalars.inputs` and
    /// `states`.
    pub fn coefficients(&self, parameters: &[f64], start: &[f64], order: usize) -> Vec<Vec<f64>> {
        let scalars = self.scalars.evaluate(parameters);
        let mut states: Vec<Vec<f64>> = start.iter().map(|&x| vec![x]).collect();
        let mut ops: Vec<Vec<f64>> = vec![Vec::with_capacity(order + 1); self.ops.len()];
        for k in 0..order {
            for (i, op) in self.ops.iter().enumerate() {
                let value = self.coefficient(op, SeriesId::Op(i), k, &scalars, &states, &ops);
                ops[i].push(value);
            }
            for i in 0..self.states.len() {
                let rate = match self.states[i].rate {
                    SeriesId::State(j) => states[j][k],
                    SeriesId::Op(j) => ops[j][k],
                };
                states[i].push(rate / (k + 1) as f64);
            }
        }
        states
    }

    fn coefficient(
        &self,
        op: &SeriesOp,
        this: SeriesId,
        k: usize,
        scalars: &[f64],
        states: &[Vec<f64>],
        ops: &[Vec<f64>],
    ) -> f64 {
        let at = |series: SeriesId, k: usize| match series {
            SeriesId::State(i) => states[i][k],
            SeriesId::Op(i) => ops[i][k],
        };
        if let SeriesOp::Linear { constant, terms } = op {
            let start = match constant {
                Some(c) if k == 0 => scalars[c.0],
                _ => 0.0,
            };
            return terms.iter().fold(start, |sum, &(f, x)| sum + scalars[f.0] * at(x, k));
        }
        let Some((initial, rule)) = op.rules(this) else { return 0.0 };
        if k == 0 {
            return match initial {
                Initial::Product(x, y) => at(x, 0) * at(y, 0),
                Initial::Quotient(x, y) => x.map_or(1.0, |x| at(x, 0)) / at(y, 0),
                Initial::Power(x, alpha) => at(x, 0).powf(alpha.to_f64()),
                Initial::Apply(function, x) => function.evaluate(at(x, 0)),
            };
        }
        let c = &rule.convolution;
        let mut sum: f64 = c
            .terms(k)
            .iter()
            .map(|t| t.factor.to_f64() * at(c.left, t.left) * at(c.right, t.right))
            .sum();
        if rule.mean {
            sum /= k as f64;
        }
        if rule.subtract {
            sum = -sum;
        }
        let lead = rule.lead.map_or(0.0, |x| at(x, k));
        let divisor = rule.divisor.map_or(1.0, |(n, d)| n as f64 * at(d, 0));
        (lead + sum) / divisor
    }

    /// Operations for one expansion to `order`, parameters being given.
    pub fn operations(&self, order: usize) -> OperationCount {
        let mut count = OperationCount::default();
        for (i, op) in self.ops.iter().enumerate() {
            match op.rules(SeriesId::Op(i)) {
                None => count += self.linear_operations(op, order),
                Some((initial, rule)) => {
                    match initial {
                        Initial::Product(..) => count.multiplications += 1,
                        Initial::Quotient(..) => count.multiplications += 1,
                        Initial::Power(..) | Initial::Apply(..) => count.functions += 1,
                    }
                    count.divisions += usize::from(rule.divisor.is_some());
                    (1..order).for_each(|k| count += rule.operations(k));
                }
            }
        }
        count.multiplications += self.states.len() * (order - 1);
        count
    }

    fn linear_operations(&self, op: &SeriesOp, order: usize) -> OperationCount {
        let SeriesOp::Linear { constant, terms } = op else {
            return OperationCount::default();
        };
        let sign =
            |f: &ScalarId| self.scalars.number(*f).is_some_and(|n| n.is_one() || *n == (-1).into());
        OperationCount {
            additions: terms.len().saturating_sub(1) * order + usize::from(constant.is_some()),
            multiplications: terms.iter().filter(|(f, _)| !sign(f)).count() * order,
            ..OperationCount::default()
        }
    }

    /// Number of full convolutions per order, squares and roots counting half.
    pub fn convolutions(&self) -> f64 {
        self.ops
            .iter()
            .enumerate()
            .filter_map(|(i, op)| op.rules(SeriesId::Op(i)))
            .map(|(_, rule)| match rule.convolution.weight {
                Weight::One if rule.convolution.is_symmetric() => 0.5,
                _ => 1.0,
            })
            .sum()
    }
}
