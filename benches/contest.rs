//! Named impacts and slips, and every way to follow them: the project's own and
//! those that the same equations have in other crates. What is found is measured
//! against the reference, so that methods can be compared at the error they reach.

pub mod aims;
pub mod cases;
mod differential_equations;
mod direct;
mod field;
mod follow;
mod ivp;
mod methods;
mod numeris;
mod ode_solvers;
pub mod outcome;
pub mod row;
pub mod table;
mod watch;

pub use cases::Case;
pub use methods::{Found, Method};
pub use outcome::Outcome;

use routh_integrators::Failure;

use watch::{Watch, Watched};

/// The tolerances that methods are asked for.
pub const TOLERANCES: [f64; 13] =
    [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15];

/// Steps that other integrators may take.
const MOST_STEPS: usize = 100_000;

/// What is followed: a whole impact, or its sliding velocity at given impulses.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// From the velocity before to that after, with all events.
    Impact,
    /// `v_t` at seven impulses, through a halt if there is one.
    Slip,
}

impl Kind {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Impact, Self::Slip];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Impact => "impact",
            Self::Slip => "slip",
        }
    }
}

/// An integrator that others wrote.
trait Integrator {
    /// Follows sliding until its watch has seen enough: the steps that takes, rejected
    /// ones included.
    fn follow<const OVER_TAU: bool, const N: usize, W: Watch>(
        &self,
        out: &mut Watched<OVER_TAU, N, W>,
    ) -> Result<usize, Failure>;
}

fn refused(error: impl std::fmt::Debug) -> Failure {
    Failure::Refused(format!("{error:?}"))
}
