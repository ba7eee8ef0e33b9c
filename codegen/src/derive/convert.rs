//! Symbolica expressions as scalars of a program.

use symbolica::prelude::*;

use crate::Error;
use crate::program::{Function, Number, ScalarBuilder, ScalarId};

/// An exact constant out of a Symbolica number.
pub(super) fn number(coefficient: CoefficientView<'_>) -> Option<Number> {
    match coefficient {
        CoefficientView::Natural(n, d, 0, _) => Some(Number::ratio(n, d)),
        CoefficientView::Large(real, imaginary) if imaginary.is_zero() => {
            real.to_rat().to_string().parse().ok()
        }
        _ => None,
    }
}

/// The exponent of a power as an exact constant.
pub(super) fn exponent(view: AtomView<'_>) -> Option<Number> {
    match view {
        AtomView::Num(n) => number(n.get_coeff_view()),
        _ => None,
    }
}

fn function(symbol: Symbol) -> Option<Function> {
    [
        (Symbol::SIN, Function::Sin),
        (Symbol::COS, Function::Cos),
        (Symbol::LOG, Function::Log),
        (Symbol::EXP, Function::Exp),
        (Symbol::SQRT, Function::Sqrt),
    ]
    .into_iter()
    .find_map(|(known, function)| (known == symbol).then_some(function))
}

pub(super) fn unsupported(view: AtomView<'_>) -> Error {
    Error::Unsupported(view.to_canonical_string())
}

/// A known function and its argument, if it has exactly one.
pub(super) fn application<'a>(view: AtomView<'a>) -> Option<(Function, AtomView<'a>)> {
    let AtomView::Fun(fun) = view else { return None };
    let mut arguments = fun.iter();
    let argument = arguments.next().filter(|_| arguments.next().is_none())?;
    Some((function(fun.get_symbol())?, argument))
}

/// Adds an expression to a graph, `lookup` giving the scalars of its symbols.
pub(super) fn scalar(
    builder: &mut ScalarBuilder,
    view: AtomView<'_>,
    lookup: &dyn Fn(&mut ScalarBuilder, &str) -> Option<ScalarId>,
) -> Result<ScalarId, Error> {
    Ok(match view {
        AtomView::Num(n) => {
            let n = number(n.get_coeff_view()).ok_or_else(|| unsupported(view))?;
            builder.number(n)
        }
        AtomView::Var(v) => {
            let name = v.get_symbol().get_stripped_name().to_owned();
            lookup(builder, &name).ok_or(Error::UnknownSymbol(name))?
        }
        AtomView::Fun(_) => {
            let (known, argument) = application(view).ok_or_else(|| unsupported(view))?;
            let argument = scalar(builder, argument, lookup)?;
            builder.apply(known, argument)
        }
        AtomView::Pow(p) => {
            let (base, power) = p.get_base_exp();
            if is_euler(base) {
                let power = scalar(builder, power, lookup)?;
                return Ok(builder.apply(Function::Exp, power));
            }
            let n = exponent(power).ok_or_else(|| unsupported(view))?;
            let base = scalar(builder, base, lookup)?;
            scalar_power(builder, base, &n).ok_or_else(|| unsupported(view))?
        }
        AtomView::Mul(m) => {
            let factors: Vec<_> =
                m.iter().map(|x| scalar(builder, x, lookup)).collect::<Result<_, _>>()?;
            builder.product(factors)
        }
        AtomView::Add(a) => {
            let terms: Vec<_> =
                a.iter().map(|x| scalar(builder, x, lookup)).collect::<Result<_, _>>()?;
            builder.sum(terms)
        }
    })
}

/// Whether a base is Euler's number.
pub(super) fn is_euler(view: AtomView<'_>) -> bool {
    view.get_symbol() == Some(Symbol::E)
}

/// A rational power of a scalar; `None` where it would divide by zero.
pub(super) fn scalar_power(
    builder: &mut ScalarBuilder,
    base: ScalarId,
    n: &Number,
) -> Option<ScalarId> {
    if let Some(n) = n.to_integer() {
        return builder.power(base, n);
    }
    match n.mul(&2.into()).to_integer() {
        Some(halves) => {
            let root = builder.apply(Function::Sqrt, base);
            builder.power(root, halves)
        }
        None => {
            let log = builder.apply(Function::Log, base);
            let n = builder.number(n.clone());
            let power = builder.product([n, log]);
            Some(builder.apply(Function::Exp, power))
        }
    }
}
