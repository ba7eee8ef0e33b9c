//! Compliant contacts (the chain paper's Eqs. 2-9) as parts of one system. Their
//! coupling by the inertia of the bodies is linear and comes from outside.
//!
//! A contact with indentation `ξ`, its rate `u` and the sliding velocity `w`
//! has the normal force `S = κ ξ^(3/2) (1 + λ u)`: Hertz's with `λ = 0`, with the
//! loading's or unloading's stiffness as `κ`, or one of the damped models.
//!
//! `ξ^(3/2)` has no Taylor series at `ξ = 0`. In a variable `σ` with `dt = s dσ`,
//! `s = √ξ` of one contact, the *clock*, it has:
//!
//! ```text
//! s' = u/2      t' = s      S = κ s³ (1 + λ u)
//! ```
//!
//! is polynomial, and the clock opens or closes where `s` has a simple zero. The
//! variable of all parts is `ζ` with `dσ/dζ = g` given, so that `dt/dζ = q = g s`.

use symbolica::prelude::*;

use super::System;

/// The parts: the clock, the approach of any other contact, the normal impulse
/// and work of the clock and of any other contact, and the work of friction.
pub fn compliant() -> [System; 5] {
    let [s, u, w, g, q, z, x] = ["s", "u", "w", "g", "q", "z", "x"].map(|name| parse!(name));
    let [kappa, lambda] = ["kappa", "lambda"].map(|name| parse!(name));
    let press = |name, given: &[&str], hertz: Atom| {
        let rate = kappa.clone() * hertz * (parse!("1") + &lambda * &u) * &q;
        let force = parse!("f");
        let states = [("p", force.clone()), ("wn", force * &u)];
        System {
            definitions: vec![("f".to_owned(), rate)],
            ..System::part(name, given, &STIFFNESS, &states)
        }
    };
    [
        System::part("clock", &["u", "g"], &[], &[("s", &g * &u / 2), ("t", g * &s)]),
        System::part("approach", &["u", "q"], &[], &[("xi", &q * &u)]),
        press("root_press", &["s", "u", "q"], s.pow(3)),
        press("press", &["x", "u", "q"], &x * x.sqrt()),
        System::part("rub", &["w", "z"], &[], &[("wt", z * w)]),
    ]
}

/// Stiffness and damping.
const STIFFNESS: [&str; 2] = ["kappa", "lambda"];
