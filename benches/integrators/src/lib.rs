//! The integrators that Routh is measured against, on the same sliding motion,
//! and the reference of forty digits that measures both; whole impacts by
//! Runge-Kutta, in [`impact`]; and the contact inertia of a robot as it is computed
//! without a generator, in [`rigid_bodies`].
//!
//! [`method`] compares them with the solver. Nothing else here uses it, except that
//! [`impact`] has its inputs and results in the solver's types.
//!
//! ```
//! use routh_integrators::{Problem, matched, precise, runge_kutta};
//! let inertia = [
//!     [9.009e-3, -0.342e-3, 1.845e-3],
//!     [-0.342e-3, 9.307e-3, 2.26e-3],
//!     [1.845e-3, 2.26e-3, 3.922e-3],
//! ];
//! let problem = Problem::new(inertia, 0.3, [4.0, 0.0], &[784.0, 3000.0]);
//! let reference = precise::follow(&problem)?;
//! let run = runge_kutta::follow(&problem, 38);
//! assert!(matched::error(&reference, &run.velocity) < 1e-5);
//! # Ok::<(), routh_integrators::Failure>(())
//! ```
#![forbid(unsafe_code)]

pub mod direct;
pub mod dormand_prince;
pub mod impact;
pub mod matched;
pub mod method;
pub mod precise;
mod problem;
mod rest;
pub mod rigid_bodies;
mod run;
pub mod runge_kutta;
pub mod timed;

pub use method::{Method, Motion};
pub use problem::Problem;
pub use run::{Failure, Run};
