//! One of several contacts in space, as parts of one system. Contacts are coupled by the
//! inertia `D` of the bodies alone, which is linear and comes from outside.
//!
//! A contact with indentation `x`, normal velocity `v` and sliding velocity `(v1, v2)` has
//!
//! ```text
//! λ = κ x^(3/2) or κ x      x' = c v      f_t = m λ v_t / |v_t|
//! ```
//!
//! with `c = −1` while it is loaded and, by the law `bistiffness`, `−1/e²` while it is
//! unloaded, and `m = −μ`. The variable of all parts is `ζ`, with `dt = q dζ`. Where a
//! contact opens or closes, `q = s` with `s = √x` of that contact: `s' = h v` with
//! `h = c/2`, and its force is a polynomial. Where one comes to rest, `q = |v_t|` of that
//! contact.

use symbolica::prelude::*;

use super::System;

/// The parts: indentation, its root, the normal impulse from either of them or by a
/// linear law, the sliding speed, and the impulse and work of friction by the rate `r` of
/// the normal impulse.
pub fn several() -> [System; 7] {
    let [x, s, v, q, r, v1, v2] = ["x", "s", "v", "q", "r", "v1", "v2"].map(|name| parse!(name));
    let [kappa, c, h, m] = ["kappa", "c", "h", "m"].map(|name| parse!(name));
    let load = |name, given: &[&str], rate: Atom| {
        System::part(name, given, &["kappa"], &[("p", &kappa * rate)])
    };
    let friction = &m * parse!("z");
    let slide = [("p1", &friction * &v1), ("p2", friction * &v2), ("w", m * &r * &s)];
    [
        System::part("indent", &["v", "q"], &["c"], &[("x", c * &v * &q)]),
        System::part("root", &["v"], &["h"], &[("s", h * v)]),
        load("load", &["x", "q"], &x * x.sqrt() * &q),
        load("root_load", &["s"], s.pow(4)),
        load("linear_load", &["x", "q"], x * q),
        System::part("speed", &["v1", "v2"], &[], &[("l", (v1.pow(2) + v2.pow(2)).sqrt())]),
        System {
            definitions: vec![("z".to_owned(), r / s)],
            ..System::part("slide", &["r", "s", "v1", "v2"], &["m"], &slide)
        },
    ]
}
