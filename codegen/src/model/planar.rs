//! The phases of a planar impact, `D = [a c; c b]`, with rates constant in `p`:
//!
//! ```text
//! dv_n/dp = a + c γ      dv_t/dp = c + b γ      dI_t/dp = γ
//! ```
//!
//! Sliding has `γ = −μ σ`; sticking has the `γ` that keeps `v_t = 0`.

use symbolica::prelude::*;

/// The motion of the contact point during a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Sliding in the direction `σ`.
    Slip,
    /// Sliding against `σ`.
    Reverse,
    /// Sticking.
    Stick,
}

/// Constant rates of a phase, per unit of normal impulse.
#[derive(Clone, Debug)]
pub struct PlanarPhase {
    /// `dv_n/dp`
    pub normal_rate: Atom,
    /// `dv_t/dp`
    pub tangential_rate: Atom,
    /// `γ = dI_t/dp`
    pub friction: Atom,
}

/// The rates of a phase.
///
/// # Errors
/// Symbolica's message if the sticking condition cannot be solved.
pub fn planar_phase(phase: Phase) -> Result<PlanarPhase, String> {
    let [a, b, c, gamma] = ["a", "b", "c", "gamma"].map(|name| parse!(name));
    let normal = &a + &c * &gamma;
    let tangential = &c + &b * &gamma;
    let friction = match phase {
        Phase::Slip => parse!("-mu*sigma"),
        Phase::Reverse => parse!("mu*sigma"),
        Phase::Stick => Atom::solve_linear_system::<u8, _, _>(
            std::slice::from_ref(&tangential),
            std::slice::from_ref(&gamma),
        )
        .map_err(|e| format!("sticking condition: {e:?}"))?
        .remove(0),
    };
    let with = |x: Atom| x.replace(gamma.clone()).with(friction.clone());
    Ok(PlanarPhase {
        normal_rate: with(normal),
        tangential_rate: with(tangential).expand(),
        friction,
    })
}
