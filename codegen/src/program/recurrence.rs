//! The Taylor recurrences: coefficient `k` of a series from lower ones. Interpreter,
//! emitters and operation counts all use this file.
//!
//! Each rule comes from differentiating the defining relation and comparing
//! powers. With `Z = Σ z_k t^k` and so on:
//!
//! | relation | rule for `k ≥ 1` |
//! |---|---|
//! | `Z = X Y` | `z_k = Σ_{j=0}^{k} x_j y_{k−j}` |
//! | `Z = X²` | the same, each pair once, doubled |
//! | `Z Y = X` | `z_k = (x_k − Σ_{j=1}^{k} y_j z_{k−j}) / y_0` |
//! | `Z² = X` | `z_k = (x_k − Σ_{j=1}^{k−1} z_j z_{k−j}) / 2 z_0` |
//! | `Z² = Σ X²` | `z_k = Σ x_k x_0/z_0 + Σ_{j=1}^{k−1} (Σ x_j x_{k−j} − z_j z_{k−j}) / 2 z_0` |
//! | `Z = (c_0 + c_1 t + …) X` | `z_k = Σ_i c_i x_{k−i}` |
//! | `X Z' = α Z X'` | `z_k = Σ_{j=1}^{k} (α j − (k − j)) x_j z_{k−j} / k x_0` |
//! | `Z' = Z X'` | `z_k = Σ_{j=1}^{k} j x_j z_{k−j} / k` |
//! | `X Z' = X'` | `z_k = (x_k − Σ_{j=1}^{k−1} j z_j x_{k−j} / k) / x_0` |
//! | `S' = C X'`, `C' = −S X'` | `s_k = Σ_{j=1}^{k} j x_j c_{k−j} / k`, `c_k = −Σ_{j=1}^{k} j x_j s_{k−j} / k` |

use num_traits::Float;

use super::series::{SeriesId, SeriesOp, integer};
use super::{Function, Number, OperationCount};

/// Coefficient 0 of a series, from coefficients 0 of its operands.
#[derive(Clone, Debug, PartialEq)]
pub enum Initial {
    /// `x_0 y_0`
    Product(SeriesId, SeriesId),
    /// `x_0 / y_0`, or `1 / y_0`
    Quotient(Option<SeriesId>, SeriesId),
    /// `x_0^α`
    Power(SeriesId, Number),
    /// `f(x_0)`
    Apply(Function, SeriesId),
    /// `√Σ x_0²`
    Norm(Vec<SeriesId>),
}

impl Initial {
    /// The coefficient, of the operands' first ones.
    pub(super) fn value<'a, T: Float + 'a>(&self, series: impl Fn(SeriesId) -> &'a [T]) -> T {
        let first = |id: SeriesId| series(id)[0];
        match self {
            &Self::Product(x, y) => first(x) * first(y),
            &Self::Quotient(x, y) => x.map_or(T::one(), first) / first(y),
            Self::Power(x, alpha) => first(*x).powf(alpha.to_float()),
            &Self::Apply(function, x) => function.evaluate(first(x)),
            Self::Norm(xs) => xs.iter().fold(T::zero(), |sum, &x| sum + first(x) * first(x)).sqrt(),
        }
    }
}

/// The factor on term `j` of a convolution.
#[derive(Clone, Debug, PartialEq)]
pub enum Weight {
    /// 1
    One,
    /// `j`
    Index,
    /// `α j − (k − j)`
    Power(Number),
}

/// `Σ_j w_j x_j y_{k−j}`
#[derive(Clone, Debug, PartialEq)]
pub struct Convolution {
    /// The series whose index is `j`.
    pub left: SeriesId,
    /// The series whose index is `k − j`.
    pub right: SeriesId,
    /// Smallest `j`.
    pub first: usize,
    /// `j` ends at `k − omit`.
    pub omit: usize,
    /// The factor on each term.
    pub weight: Weight,
}

impl Convolution {
    /// Whether terms `j` and `k − j` are equal, so that half of them suffice.
    pub fn is_symmetric(&self) -> bool {
        self.left == self.right && self.weight == Weight::One && self.first == self.omit
    }
}

/// Coefficient `k ≥ 1`: `(lead_k + Σ± w_j x_j y_{k−j} [/ k]) [/ n d_0]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Recurrence {
    /// The term with coefficients `k` of other series.
    pub lead: Lead,
    /// Sums over lower coefficients that are added.
    pub added: Vec<Convolution>,
    /// A sum over lower coefficients that is subtracted.
    pub subtracted: Option<Convolution>,
    /// Whether the sum is divided by `k`.
    pub mean: bool,
    /// `n` and `d` of the divisor `n d_0`.
    pub divisor: Option<(i64, SeriesId)>,
}

/// The terms of a recurrence in coefficients of its own order.
#[derive(Clone, Debug, PartialEq)]
pub enum Lead {
    /// Nothing.
    None,
    /// `x_k`
    Series(SeriesId),
    /// `2 Σ x_0 x_k`, whose doubling the divisor `2 d_0` takes back.
    Projection(Vec<SeriesId>),
}

impl SeriesOp {
    /// The rules of a nonlinear operation whose result is `this`;
    /// `None` for a linear operation.
    pub fn rules(&self, this: SeriesId) -> Option<(Initial, Recurrence)> {
        let sum =
            |left, right, first, omit, weight| Convolution { left, right, first, omit, weight };
        let plain = |convolution| Recurrence {
            lead: Lead::None,
            added: vec![convolution],
            subtracted: None,
            mean: false,
            divisor: None,
        };
        let less = |lead, convolution, n, divisor| Recurrence {
            lead,
            added: Vec::new(),
            subtracted: Some(convolution),
            mean: false,
            divisor: Some((n, divisor)),
        };
        Some(match self {
            SeriesOp::Linear { .. } | SeriesOp::Times(..) => return None,
            &SeriesOp::Product(x, y) => {
                (Initial::Product(x, y), plain(sum(x, y, 0, 0, Weight::One)))
            }
            &SeriesOp::Square(x) => (Initial::Product(x, x), plain(sum(x, x, 0, 0, Weight::One))),
            &SeriesOp::Quotient(x, y) => (
                Initial::Quotient(x, y),
                less(x.map_or(Lead::None, Lead::Series), sum(y, this, 1, 0, Weight::One), 1, y),
            ),
            &SeriesOp::Sqrt(x) => (
                Initial::Apply(Function::Sqrt, x),
                less(Lead::Series(x), sum(this, this, 1, 1, Weight::One), 2, this),
            ),
            SeriesOp::Norm(xs) => (
                Initial::Norm(xs.clone()),
                Recurrence {
                    added: xs.iter().map(|&x| sum(x, x, 1, 1, Weight::One)).collect(),
                    ..less(
                        Lead::Projection(xs.clone()),
                        sum(this, this, 1, 1, Weight::One),
                        2,
                        this,
                    )
                },
            ),
            SeriesOp::Power(x, alpha) => (
                Initial::Power(*x, alpha.clone()),
                Recurrence {
                    mean: true,
                    divisor: Some((1, *x)),
                    ..plain(sum(*x, this, 1, 0, Weight::Power(alpha.clone())))
                },
            ),
            &SeriesOp::Exp(x) => (
                Initial::Apply(Function::Exp, x),
                Recurrence { mean: true, ..plain(sum(x, this, 1, 0, Weight::Index)) },
            ),
            &SeriesOp::Log(x) => (
                Initial::Apply(Function::Log, x),
                Recurrence {
                    mean: true,
                    ..less(Lead::Series(x), sum(this, x, 1, 1, Weight::Index), 1, x)
                },
            ),
            &SeriesOp::Sin { of, cos } => (
                Initial::Apply(Function::Sin, of),
                Recurrence { mean: true, ..plain(sum(of, cos, 1, 0, Weight::Index)) },
            ),
            &SeriesOp::Cos { of, sin } => (
                Initial::Apply(Function::Cos, of),
                Recurrence {
                    mean: true,
                    divisor: None,
                    ..less(Lead::None, sum(of, sin, 1, 0, Weight::Index), 1, of)
                },
            ),
        })
    }
}

/// One term `factor · x_i y_j` of a convolution at a given order.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvolutionTerm {
    /// Exact factor.
    pub factor: Number,
    /// Index into the left series.
    pub left: usize,
    /// Index into the right series.
    pub right: usize,
}

impl Convolution {
    /// The factor on term `j` at order `k`.
    pub fn factor(&self, j: usize, k: usize) -> Number {
        match &self.weight {
            Weight::One => 1.into(),
            Weight::Index => (j as i64).into(),
            Weight::Power(alpha) => {
                let j_times = alpha.mul(&(j as i64).into());
                j_times.add(&(-((k - j) as i64)).into())
            }
        }
    }

    /// The sum at order `k`, as [`terms`](Self::terms) has it.
    fn value<T: Float>(&self, k: usize, left: &[T], right: &[T]) -> T {
        let Some(last) = k.checked_sub(self.omit) else { return T::zero() };
        let js = self.first..=last;
        let sum = |sum: T, (factor, j): (T, usize)| sum + factor * left[j] * right[k - j];
        match &self.weight {
            Weight::One if self.is_symmetric() => {
                let factor = |j| if 2 * j == k { T::one() } else { integer(2) };
                let half = js.take_while(|j| 2 * j <= k);
                half.map(|j| (factor(j), j)).fold(T::zero(), sum)
            }
            Weight::One => js.map(|j| (T::one(), j)).fold(T::zero(), sum),
            Weight::Index => js.map(|j| (integer(j), j)).fold(T::zero(), sum),
            Weight::Power(_) => js.map(|j| (self.factor(j, k).to_float(), j)).fold(T::zero(), sum),
        }
    }

    /// The terms at order `k`, equal pairs merged.
    pub fn terms(&self, k: usize) -> Vec<ConvolutionTerm> {
        let Some(last) = k.checked_sub(self.omit) else { return Vec::new() };
        let term = |j: usize| ConvolutionTerm { factor: self.factor(j, k), left: j, right: k - j };
        if !self.is_symmetric() {
            return (self.first..=last).map(term).collect();
        }
        (self.first..=last)
            .take_while(|j| 2 * j <= k)
            .map(|j| match 2 * j == k {
                true => term(j),
                false => ConvolutionTerm { factor: 2.into(), ..term(j) },
            })
            .collect()
    }
}

impl Recurrence {
    /// Coefficient `k`, of lower ones and of the operands'.
    pub(super) fn value<'a, T: Float + 'a>(
        &self,
        k: usize,
        series: impl Fn(SeriesId) -> &'a [T],
    ) -> T {
        let sum = |c: &Convolution| c.value(k, series(c.left), series(c.right));
        let added = self.added.iter().fold(T::zero(), |all, c| all + sum(c));
        let mut sums = added - self.subtracted.as_ref().map_or(T::zero(), sum);
        if self.mean {
            sums = sums / integer(k);
        }
        let lead = match &self.lead {
            Lead::None => T::zero(),
            &Lead::Series(x) => series(x)[k],
            Lead::Projection(xs) => xs.iter().fold(T::zero(), |sum, &x| {
                let x = series(x);
                sum + integer::<T>(2) * x[0] * x[k]
            }),
        };
        let divisor = self
            .divisor
            .map_or(T::one(), |(n, d)| T::from(n).unwrap_or_else(T::nan) * series(d)[0]);
        (lead + sums) / divisor
    }

    /// All sums over lower coefficients.
    pub fn convolutions(&self) -> impl Iterator<Item = &Convolution> {
        self.added.iter().chain(&self.subtracted)
    }

    /// Operations for coefficient `k`. Operations that do not depend on `k`, such as a
    /// reciprocal divisor, are shared by all orders and not counted.
    pub(crate) fn operations(&self, k: usize) -> OperationCount {
        let mut count = OperationCount::default();
        let mut summands = 0;
        for convolution in self.convolutions() {
            let terms = convolution.terms(k);
            count.multiplications += terms.len();
            count.multiplications += match convolution.weight {
                Weight::One => 0,
                _ => terms.iter().filter(|t| !t.factor.is_one()).count(),
            };
            summands += terms.len();
        }
        let doubled = self.convolutions().all(Convolution::is_symmetric) && k > 1;
        count.multiplications += usize::from(doubled);
        count.multiplications += usize::from(self.mean && k > 1);
        count.multiplications += usize::from(self.divisor.is_some());
        match &self.lead {
            Lead::None => {}
            Lead::Series(_) => summands += 1,
            Lead::Projection(xs) => {
                summands += xs.len();
                count.multiplications += xs.len();
            }
        }
        count.additions += summands.saturating_sub(1);
        count
    }
}
