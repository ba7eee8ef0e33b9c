//! The power-series coefficients `a_k`, `d_k` of `v_t` in `p`, in closed form.
//!
//! The field `F = h − μ b σ` depends on the direction `σ(φ)` alone, so along
//! the motion `φ' = f/r` and `r' = g` with `r = |v_t|`, and a coefficient is a
//! polynomial in `1/r` and a few functions of `φ`:
//!
//! ```text
//! F, E = ∂F/∂φ, f = σ⊥·F, g = σ·F, m = σ⊥·E, n = σ·E, t = μ tr b
//! ```
//!
//! which are closed under `∂/∂φ`. Repeated differentiation in `p` then keeps
//! `a_6` at a line or two instead of 1,353 expanded terms.

use symbolica::prelude::*;

use super::convert;
use crate::Error;
use crate::model::sliding_rate;
use crate::program::{Function, ScalarBuilder, ScalarId, ScalarProgram};
use crate::specialise::{Bindings, specialise_scalars};

/// A function of the direction: its symbol, its value in `c`, `d`, and its
/// `φ`-derivative in terms of the others.
struct Directional {
    symbol: Symbol,
    value: Atom,
    derivative: Atom,
}

/// `a_1 … a_order`, `d_1 … d_order` from `a_0`, `d_0`, `μ`, `h` and `b`.
///
/// # Errors
/// [`Error::Derivation`] if a rule used on the way does not hold.
pub fn coefficients(order: usize) -> Result<ScalarProgram, Error> {
    let directional = directional();
    for function in &directional {
        verify(function, &directional)?;
    }
    let inputs = ["a0", "d0", "mu", "h1", "h2", "b11", "b12", "b22"];
    let mut builder = ScalarBuilder::new(inputs.map(str::to_owned));
    let known = definitions(&mut builder, &directional)?;
    let lookup = |builder: &mut ScalarBuilder, name: &str| {
        let local = known.iter().find(|(symbol, _)| symbol == name).map(|&(_, id)| id);
        local.or_else(|| builder.input(name))
    };
    let mut outputs = Vec::new();
    for (letter, first) in [("a", "F1"), ("d", "F2")] {
        let mut coefficient = parse!(first);
        for k in 1..=order {
            if k > 1 {
                coefficient = along_motion(&coefficient, &directional) / Atom::num(k as i64);
                coefficient = coefficient.expand().factor();
            }
            let nested = coefficient.collect_horner::<Symbol>(Some(&horner_order()));
            let id = convert::scalar(&mut builder, nested.as_view(), &lookup)?;
            outputs.push((format!("{letter}{k}"), id));
        }
    }
    let program =
        ScalarProgram { name: "coefficients".to_owned(), graph: builder.finish(), outputs };
    specialise_scalars(&program, &Bindings::new())
}

fn directional() -> Vec<Directional> {
    let [c, d] = ["c", "d"].map(|name| parse!(name));
    let [f1, f2] = sliding_rate(&c, &d);
    let [e1, e2] = [in_angle(&f1), in_angle(&f2)];
    let along = |x: &Atom, y: &Atom| &c * x + &d * y;
    let across = |x: &Atom, y: &Atom| &c * y - &d * x;
    [
        ("F1", f1.clone(), "E1"),
        ("F2", f2.clone(), "E2"),
        ("E1", e1.clone(), "h1 - F1"),
        ("E2", e2.clone(), "h2 - F2"),
        ("f", across(&f1, &f2), "m - g"),
        ("g", along(&f1, &f2), "f + n"),
        ("m", across(&e1, &e2), "-2*n"),
        ("n", along(&e1, &e2), "2*m + t"),
        ("t", parse!("mu*(b11 + b22)"), "0"),
    ]
    .into_iter()
    .map(|(symbol, value, derivative)| Directional {
        symbol: symbol!(symbol),
        value,
        derivative: parse!(derivative),
    })
    .collect()
}

/// `∂/∂φ` of an expression in `c = cos φ`, `d = sin φ`.
fn in_angle(x: &Atom) -> Atom {
    x.derivative(symbol!("d")) * parse!("c") - x.derivative(symbol!("c")) * parse!("d")
}

/// Checks a function's derivative rule against its definition.
fn verify(function: &Directional, all: &[Directional]) -> Result<(), Error> {
    let mut claimed = function.derivative.clone();
    for other in all {
        claimed = claimed.replace(other.symbol).with(other.value.clone());
    }
    let difference = (in_angle(&function.value) - claimed)
        .expand()
        .replace(parse!("d^2"))
        .with(parse!("1 - c^2"))
        .expand();
    match difference == Atom::Zero {
        true => Ok(()),
        false => Err(Error::Derivation(format!(
            "d{}/dphi misses {} by {difference}",
            function.symbol.get_stripped_name(),
            function.derivative
        ))),
    }
}

/// `d/dp` along the motion: `(f/r) ∂/∂φ + g ∂/∂r`.
fn along_motion(x: &Atom, directional: &[Directional]) -> Atom {
    let turning = directional
        .iter()
        .map(|function| x.derivative(function.symbol) * &function.derivative)
        .fold(Atom::Zero, |sum, term| sum + term);
    turning * parse!("f/r") + x.derivative(symbol!("r")) * parse!("g")
}

/// The order in which a coefficient's symbols are nested.
fn horner_order() -> Vec<Symbol> {
    ["r", "f", "E1", "E2", "g", "m", "n", "t"].map(|name| symbol!(name)).to_vec()
}

/// `r`, the direction and the directional functions from the inputs.
fn definitions(
    builder: &mut ScalarBuilder,
    directional: &[Directional],
) -> Result<Vec<(String, ScalarId)>, Error> {
    let start = parse!("a0^2 + d0^2");
    let speed = convert::scalar(builder, start.as_view(), &ScalarBuilder::input)?;
    let r = builder.apply(Function::Sqrt, speed);
    let mut known = vec![("r".to_owned(), r)];
    for (name, over) in [("c", "a0/r"), ("d", "d0/r")] {
        let id = define(builder, &parse!(over), &known)?;
        known.push((name.to_owned(), id));
    }
    for function in directional {
        let id = define(builder, &function.value, &known)?;
        known.push((function.symbol.get_stripped_name().to_owned(), id));
    }
    Ok(known)
}

fn define(
    builder: &mut ScalarBuilder,
    value: &Atom,
    known: &[(String, ScalarId)],
) -> Result<ScalarId, Error> {
    convert::scalar(builder, value.as_view(), &|builder, name| {
        let local = known.iter().find(|(symbol, _)| symbol == name).map(|&(_, id)| id);
        local.or_else(|| builder.input(name))
    })
}
