//! The integrands of the first integral and of `τ`, by partial fractions.
//!
//! With `u = tan(φ/2)`, `f = F/(1 + u²)²` and `g = G/(1 + u²)²`,
//!
//! ```text
//! ∫ g/f dφ = ∫ 2 G / (F (1 + u²)) du = ∫ (α u + β)/(1 + u²) + R/F du
//! τ = ∫ dφ/f = ∫ 2 (1 + u²)/F du
//! ```
//!
//! `α`, `β` and the cubic `R` solve `2 G = (α u + β) F + R (1 + u²)`. It turns
//! out that `β` vanishes: no multiple of `φ` itself is left.

use symbolica::prelude::*;

use super::convert;
use crate::Error;
use crate::model::{TURNING, half_angle};
use crate::program::{ScalarBuilder, ScalarProgram};
use crate::specialise::{Bindings, specialise_scalars};

const UNKNOWNS: [&str; 6] = ["alpha", "beta", "R0", "R1", "R2", "R3"];

/// Coefficients in `u`, lowest first, of `F` as `turning`, of `R` as `growth`
/// and of `2 (1 + u²)` as `time`, and `α` as `circle`.
///
/// # Errors
/// [`Error::Derivation`] if the partial fractions do not come out.
pub fn first_integral() -> Result<ScalarProgram, Error> {
    let [f, g] = half_angle();
    let circle = parse!("1 + u^2");
    let split = parse!("alpha*u + beta") * &f + parse!("R0 + R1*u + R2*u^2 + R3*u^3") * &circle;
    let [alpha, beta, growth @ ..] = solved(&coefficients::<6>(&(split - Atom::num(2) * g))?)?;
    if beta != Atom::Zero {
        return Err(Error::Derivation(format!("the first integral has {beta} times the angle")));
    }
    let turning = coefficients::<5>(&f)?;
    let time = coefficients::<3>(&(Atom::num(2) * circle))?;
    let mut builder = ScalarBuilder::new(TURNING.map(str::to_owned));
    let mut outputs = Vec::new();
    let groups: [(&str, &[Atom]); 4] =
        [("turning", &turning), ("growth", &growth), ("time", &time), ("circle", &[alpha])];
    for (name, values) in groups {
        for (k, value) in values.iter().enumerate() {
            let id = convert::scalar(&mut builder, value.as_view(), &ScalarBuilder::input)?;
            outputs.push((format!("{name}{k}"), id));
        }
    }
    let program =
        ScalarProgram { name: "first_integral".to_owned(), graph: builder.finish(), outputs };
    specialise_scalars(&program, &Bindings::new())
}

/// The coefficients of a polynomial in `u` below the degree `N`.
fn coefficients<const N: usize>(polynomial: &Atom) -> Result<[Atom; N], Error> {
    let u = symbol!("u");
    let mut rest = polynomial.expand();
    let found = std::array::from_fn(|k| {
        let coefficient = rest.replace(u).with(Atom::Zero).expand();
        rest = rest.derivative(u) / Atom::num(k as i64 + 1);
        coefficient.factor()
    });
    match rest.expand() == Atom::Zero {
        true => Ok(found),
        false => Err(Error::Derivation(format!("{polynomial} is beyond the degree {}", N - 1))),
    }
}

/// Solves for the unknowns that make all the expressions vanish.
fn solved(equations: &[Atom]) -> Result<[Atom; 6], Error> {
    let unknowns = UNKNOWNS.map(|name| parse!(name));
    let failed = |reason: String| Error::Derivation(format!("partial fractions: {reason}"));
    let solution = Atom::solve_linear_system::<u8, _, _>(equations, &unknowns)
        .map_err(|e| failed(format!("{e:?}")))?;
    let solution: Vec<_> = solution.iter().map(|x| x.cancel().expand().factor()).collect();
    solution.try_into().map_err(|_| failed("not one value for each unknown".to_owned()))
}
