//! Sliding velocity in the normal impulse `p` (the spatial paper's Eq. 4-5),
//! with the normal velocity, both works and the tangential impulse:
//!
//! ```text
//! dv_t/dp = h − μ b σ     dv_n/dp = a − μ h·σ     dI_t/dp = −μ σ
//! dW_n/dp = v_n           dW_t/dp = −μ |v_t|      σ = v_t / |v_t|
//! ```

use symbolica::prelude::*;

use super::{CONTACT, System, sliding_rate};

/// The system in `p`. Its series' radius of convergence shrinks with `|v_t|`.
pub fn sliding() -> System {
    let [a, h1, h2, _, _, _, mu] = CONTACT.map(|name| parse!(name));
    let [vt1, vt2, vn] = ["vt1", "vt2", "vn"].map(|name| parse!(name));
    let speed = (vt1.pow(2) + vt2.pow(2)).sqrt();
    let [sigma1, sigma2] = [&vt1 / &speed, &vt2 / &speed];
    let [rate1, rate2] = sliding_rate(&sigma1, &sigma2);
    let states = [
        ("vt1", rate1),
        ("vt2", rate2),
        ("vn", a - &mu * (h1 * &sigma1 + h2 * &sigma2)),
        ("it1", -&mu * sigma1),
        ("it2", -&mu * sigma2),
        ("wn", vn),
        ("wt", -mu * speed),
    ];
    System {
        name: "sliding".to_owned(),
        variable: "p".to_owned(),
        parameters: CONTACT.map(str::to_owned).to_vec(),
        given: Vec::new(),
        definitions: Vec::new(),
        states: states.map(|(name, rate)| (name.to_owned(), rate)).to_vec(),
    }
}
