//! The same motion in `τ`, `dp = s dτ` with `s = |v_t|`, in the principal axes
//! of `b`:
//!
//! ```text
//! v_t' = h s − μ b v_t      s = √(v_t1² + v_t2²)
//! p' = s      I_t' = −μ v_t      v_n' = a s − μ h·v_t
//! W_n' = v_n s              W_t' = −μ s²
//! ```
//!
//! It is homogeneous, so it is regular as `s → 0`, and linear except the
//! length of `v_t`: one and a half convolutions an order yield `v_t`, `s` and `p`.

use symbolica::prelude::*;

use super::System;

/// The contact in the principal axes of `b`, and its friction.
pub const PRINCIPAL: [&str; 6] = ["a", "h1", "h2", "b1", "b2", "mu"];

/// The regularised system in `τ`.
pub fn regularised() -> System {
    let [a, h1, h2, b1, b2, mu] = PRINCIPAL.map(|name| parse!(name));
    let [s, vt1, vt2, vn] = ["s", "vt1", "vt2", "vn"].map(|name| parse!(name));
    let speed = (vt1.pow(2) + vt2.pow(2)).sqrt();
    let states = [
        ("vt1", &h1 * &s - &mu * b1 * &vt1),
        ("vt2", &h2 * &s - &mu * b2 * &vt2),
        ("p", s.clone()),
        ("it1", -&mu * &vt1),
        ("it2", -&mu * &vt2),
        ("vn", a * &s - &mu * (h1 * &vt1 + h2 * &vt2)),
        ("wn", vn * &s),
        ("wt", -mu * s.pow(2)),
    ];
    System {
        name: "regularised".to_owned(),
        variable: "tau".to_owned(),
        parameters: PRINCIPAL.map(str::to_owned).to_vec(),
        given: Vec::new(),
        definitions: vec![("s".to_owned(), speed)],
        states: states.map(|(name, rate)| (name.to_owned(), rate)).to_vec(),
    }
}
