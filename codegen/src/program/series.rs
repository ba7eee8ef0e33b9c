//! Power-series programs: an ODE system as elementary operations on series.

use num_traits::Float;

use super::recurrence::Initial;
use super::{Number, OperationCount, ScalarGraph, ScalarId};

/// A series of a [`SeriesProgram`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SeriesId {
    /// The unknown of that index.
    State(usize),
    /// The result of the operation of that index.
    Op(usize),
    /// The given series of that index.
    Given(usize),
}

/// An elementary operation on series.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SeriesOp {
    /// `constant + Σ factor · series`: constants stay out of convolutions.
    Linear {
        /// The constant term, if not zero.
        constant: Option<ScalarId>,
        /// Scalar factors and their series.
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
    /// The length of a vector, its squares never formed.
    Norm(Vec<SeriesId>),
    /// A series times a polynomial in the independent variable, lowest first.
    Times(Vec<ScalarId>, SeriesId),
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

impl SeriesOp {
    pub(crate) fn each_operand(&mut self, mut f: impl FnMut(&mut SeriesId)) {
        match self {
            Self::Linear { terms, .. } => terms.iter_mut().for_each(|(_, x)| f(x)),
            Self::Norm(xs) => xs.iter_mut().for_each(f),
            Self::Quotient(None, x) | Self::Power(x, _) | Self::Times(_, x) => f(x),
            Self::Square(x) | Self::Sqrt(x) | Self::Exp(x) | Self::Log(x) => f(x),
            Self::Product(x, y)
            | Self::Quotient(Some(x), y)
            | Self::Sin { of: x, cos: y }
            | Self::Cos { of: x, sin: y } => {
                f(x);
                f(y);
            }
        }
    }

    /// Coefficient `k` of a linear operation, of other series' coefficients up to it.
    fn linear<'a, T: Float + 'a>(
        &self,
        k: usize,
        scalars: &[T],
        series: impl Fn(SeriesId) -> &'a [T],
    ) -> T {
        match self {
            Self::Linear { constant, terms } => {
                let start = match constant {
                    Some(c) if k == 0 => scalars[c.0],
                    _ => T::zero(),
                };
                terms.iter().fold(start, |sum, &(f, x)| sum + scalars[f.0] * series(x)[k])
            }
            Self::Times(polynomial, x) => {
                let lower = polynomial.iter().zip((0..=k).rev());
                lower.fold(T::zero(), |sum, (c, j)| sum + scalars[c.0] * series(*x)[j])
            }
            _ => T::zero(),
        }
    }

    pub(crate) fn each_scalar(&mut self, mut f: impl FnMut(&mut ScalarId)) {
        match self {
            Self::Linear { constant, terms } => {
                constant.iter_mut().for_each(&mut f);
                terms.iter_mut().for_each(|(factor, _)| f(factor));
            }
            Self::Times(polynomial, _) => polynomial.iter_mut().for_each(f),
            _ => {}
        }
    }
}

/// An unknown of the system and its rate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The unknown's name.
    pub name: String,
    /// The series of its derivative.
    pub rate: SeriesId,
}

/// A system `dx/dt = f(x)` in elementary operations: the order-independent
/// form from which Taylor coefficients to any order follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeriesProgram {
    /// The system's name.
    pub name: String,
    /// The independent variable's name.
    pub variable: String,
    /// Names of series that come from elsewhere, order by order: the system is
    /// part of a larger one.
    pub given: Vec<String>,
    /// Scalars over the system's parameters.
    pub scalars: ScalarGraph,
    /// The operations, operands first (except a sine's cosine).
    pub ops: Vec<SeriesOp>,
    /// The unknowns.
    pub states: Vec<State>,
}

pub(super) fn integer<T: Float>(k: usize) -> T {
    T::from(k).unwrap_or_else(T::nan)
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
    /// `states`; any floating-point arithmetic will do. Given series are taken
    /// to be zero.
    ///
    /// ```
    /// use routh_codegen::derivations::Derivations;
    /// let slip = Derivations::committed()?.regularised;
    /// let contact = [1.0, 0.1, 0.2, 1.0, 0.5, 0.3]; // a, h1, h2, b1, b2, mu
    /// let mut start = [0.0; 8];
    /// start[..2].copy_from_slice(&[3.0, 4.0]); // vt1, vt2
    /// let found = slip.coefficients(&contact, &start, 6);
    /// let p = slip.state("p").expect("an unknown of this name");
    /// assert_eq!(found[p][1], 5.0); // dp/dtau is the speed
    /// # Ok::<(), routh_codegen::Error>(())
    /// ```
    pub fn coefficients<T: Float>(
        &self,
        parameters: &[T],
        start: &[T],
        order: usize,
    ) -> Vec<Vec<T>> {
        let scalars = self.scalars.evaluate(parameters);
        let mut states: Vec<Vec<T>> = start.iter().map(|&x| vec![x]).collect();
        let mut ops: Vec<Vec<T>> = vec![Vec::with_capacity(order + 1); self.ops.len()];
        let rules: Vec<_> =
            (0..).map(SeriesId::Op).zip(&self.ops).map(|(i, op)| op.rules(i)).collect();
        let given = vec![T::zero(); order];
        for k in 0..order {
            for (i, (op, rule)) in self.ops.iter().zip(&rules).enumerate() {
                let series = |id: SeriesId| match id {
                    SeriesId::State(i) => &states[i][..],
                    SeriesId::Op(i) => &ops[i][..],
                    SeriesId::Given(_) => &given[..],
                };
                let value = match rule {
                    Some((initial, _)) if k == 0 => initial.value(series),
                    Some((_, rule)) => rule.value(k, series),
                    None => op.linear(k, &scalars, series),
                };
                ops[i].push(value);
            }
            for i in 0..self.states.len() {
                let rate = match self.states[i].rate {
                    SeriesId::State(j) => states[j][k],
                    SeriesId::Op(j) => ops[j][k],
                    SeriesId::Given(_) => T::zero(),
                };
                states[i].push(rate / integer(k + 1));
            }
        }
        states
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
                        Initial::Quotient(..) => count.divisions += 1,
                        Initial::Power(..) | Initial::Apply(..) => count.functions += 1,
                        Initial::Norm(xs) => {
                            count.functions += 1;
                            count.multiplications += 2 * xs.len();
                            count.additions += xs.len() - 1;
                        }
                    }
                    count.divisions += usize::from(rule.divisor.is_some());
                    (1..order).for_each(|k| count += rule.operations(k));
                }
            }
        }
        count.multiplications += self.states.len() * order.saturating_sub(1);
        count
    }

    fn linear_operations(&self, op: &SeriesOp, order: usize) -> OperationCount {
        let sign =
            |f: &ScalarId| self.scalars.number(*f).is_some_and(|n| n.is_one() || *n == (-1).into());
        let (constant, terms) = match op {
            SeriesOp::Linear { constant, terms } => (constant, terms),
            SeriesOp::Times(polynomial, _) => {
                let lower = |i: usize| order.saturating_sub(i);
                return OperationCount {
                    additions: (1..polynomial.len()).map(lower).sum(),
                    multiplications: (0..polynomial.len())
                        .filter(|&i| !sign(&polynomial[i]))
                        .map(lower)
                        .sum(),
                    ..OperationCount::default()
                };
            }
            _ => return OperationCount::default(),
        };
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
            .flat_map(|(_, rule)| rule.convolutions().cloned().collect::<Vec<_>>())
            .map(|convolution| if convolution.is_symmetric() { 0.5 } else { 1.0 })
            .sum()
    }
}
