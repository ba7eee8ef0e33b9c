//! The same motion in `τ`, `dp = s dτ`, with `v_t = s (c, d)`:
//!
//! ```text
//! c' = −d f    d' = c f    s' = s g    f = σ⊥·F    g = σ·F    F = h − μ b σ
//! p' = s       v_t' = h s − μ b v_t    v_n' = a s − μ h·v_t
//! I_t' = −μ v_t           W_n' = v_n s            W_t' = −μ s²
//! ```
//!
//! It is polynomial and has no singularity as `s → 0`. On the unit circle
//! `d² = 1 − c²`, so `f` and `g` need the products `c d` and `c²` only, and
//! what follows from `v_t` is linear.

use symbolica::prelude::*;

use super::{CONTACT, System, sliding_rate};

/// The regularised system in `τ`.
pub fn regularised() -> System {
    let [a, h1, h2, b11, b12, b22, mu] = CONTACT.map(|name| parse!(name));
    let [c, d, s, vt1, vt2, vn] = ["c", "d", "s", "vt1", "vt2", "vn"].map(|name| parse!(name));
    let [rate1, rate2] = sliding_rate(&c, &d);
    let on_circle = |x: Atom| {
        x.expand()
            .replace(d.pow(2))
            .with(Atom::num(1) - c.pow(2))
            .expand()
            .collect_multiple::<i16>(&[&c, &d])
    };
    let f = on_circle(&c * &rate2 - &d * &rate1);
    let g = on_circle(&c * &rate1 + &d * &rate2);
    let states = [
        ("c", -&d * &f),
        ("d", &c * &f),
        ("s", &s * g),
        ("p", s.clone()),
        ("vt1", &h1 * &s - &mu * (b11 * &vt1 + &b12 * &vt2)),
        ("vt2", &h2 * &s - &mu * (b12 * &vt1 + b22 * &vt2)),
        ("vn", a * &s - &mu * (h1 * &vt1 + h2 * &vt2)),
        ("it1", -&mu * vt1),
        ("it2", -&mu * vt2),
        ("wn", vn * &s),
        ("wt", -mu * s.pow(2)),
    ];
    System {
        name: "regularised".to_owned(),
        variable: "tau".to_owned(),
        parameters: CONTACT.map(str::to_owned).to_vec(),
        states: states.map(|(name, rate)| (name.to_owned(), rate)).to_vec(),
    }
}
