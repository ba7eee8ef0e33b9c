//! The systems of the theory as Symbolica expressions, one file per system.
//!
//! Everything here must run on the Symbolica worker, see [`crate::symbolic`].

mod compliant;
mod half_angle;
mod planar;
mod regularised;
mod several;
mod sliding;

pub use compliant::compliant;
pub use half_angle::{TURNING, half_angle};
pub use planar::{Phase, PlanarPhase, planar_phase};
pub use regularised::{PRINCIPAL, regularised};
pub use several::several;
pub use sliding::sliding;

use symbolica::prelude::*;

/// A first-order system `dx/dt = f(x; parameters)`.
#[derive(Clone, Debug)]
pub struct System {
    /// The system's name.
    pub name: String,
    /// The independent variable's name.
    pub variable: String,
    /// Names of series that come from elsewhere: the system is part of a larger one.
    pub given: Vec<String>,
    /// Names of the parameters.
    pub parameters: Vec<String>,
    /// Names for expressions of the unknowns that the rates have in common.
    pub definitions: Vec<(String, Atom)>,
    /// Names of the unknowns and their rates.
    pub states: Vec<(String, Atom)>,
}

impl System {
    /// A part of a larger system, which depends on series that come from elsewhere.
    fn part(name: &str, given: &[&str], parameters: &[&str], states: &[(&str, Atom)]) -> Self {
        let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        Self {
            name: name.to_owned(),
            variable: "zeta".to_owned(),
            given: owned(given),
            parameters: owned(parameters),
            definitions: Vec::new(),
            states: states.iter().map(|(name, rate)| ((*name).to_owned(), rate.clone())).collect(),
        }
    }

    /// A system with the rates given in Symbolica's syntax.
    ///
    /// # Errors
    /// The message of Symbolica's parser for a rate that is not an expression.
    pub fn parse(
        name: &str,
        variable: &str,
        parameters: &[&str],
        states: &[(&str, &str)],
    ) -> Result<Self, String> {
        let states = states
            .iter()
            .map(|&(state, rate)| Ok((state.to_owned(), try_parse!(rate)?)))
            .collect::<Result<_, String>>()?;
        Ok(Self {
            name: name.to_owned(),
            variable: variable.to_owned(),
            given: Vec::new(),
            parameters: parameters.iter().map(|&p| p.to_owned()).collect(),
            definitions: Vec::new(),
            states,
        })
    }
}

/// The spatial contact's parameters: `D = [a hᵀ; h b]` and the friction `μ`.
pub const CONTACT: [&str; 7] = ["a", "h1", "h2", "b11", "b12", "b22", "mu"];

/// `F = h − μ b σ`, the rate of `v_t` in `p`, for a sliding direction
/// `σ = (sigma1, sigma2)`.
pub fn sliding_rate(sigma1: &Atom, sigma2: &Atom) -> [Atom; 2] {
    let [_, h1, h2, b11, b12, b22, mu] = CONTACT.map(|name| parse!(name));
    [h1 - &mu * (b11 * sigma1 + &b12 * sigma2), h2 - &mu * (b12 * sigma1 + b22 * sigma2)]
}
