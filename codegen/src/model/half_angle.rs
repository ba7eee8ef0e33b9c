//! The rates of a direction under the flow, in the principal axes of `b`: with
//! `m_i = μ b_i` and `σ = (c, d) = (cos φ, sin φ)`,
//!
//! ```text
//! dφ/dτ = f = σ⊥·F      d ln s/dτ = g = σ·F      F = (h1 − m1 c, h2 − m2 d)
//! ```
//!
//! Only `δ = m1 − m2` turns a direction, and it is a parameter of its own so
//! that it is not lost to rounding against `m`. With `u = tan(φ/2)` both are rational:
//! `c = (1 − u²)/(1 + u²)`, `d = 2u/(1 + u²)`.

use symbolica::prelude::*;

/// The parameters of a direction's motion, `δ = m1 − m2`.
pub const TURNING: [&str; 4] = ["h1", "h2", "delta", "m2"];

/// `f` and `g` in `u = tan(φ/2)`, times `(1 + u²)²`: quartics in `u`.
pub fn half_angle() -> [Atom; 2] {
    let [c, d] = ["c", "d"].map(|name| parse!(name));
    let [rate1, rate2] = [parse!("h1 - (m2 + delta)*c"), parse!("h2 - m2*d")];
    let f = &c * &rate2 - &d * &rate1;
    let g = &c * rate1 + &d * rate2;
    [f, g].map(|x| {
        let x = x.replace(c.clone()).with(parse!("(1 - u^2)/(1 + u^2)"));
        let x = x.replace(d.clone()).with(parse!("2*u/(1 + u^2)"));
        (x * parse!("(1 + u^2)^2")).together().cancel().expand()
    })
}
