//! Rigid impact with friction at one contact point: from the velocity before
//! to the velocity after.
//!
//! A [`Contact`] is the inertia `D = J M⁻¹ Jᵀ` that a robot shows at the point,
//! normal first. With [`Friction`] and [`Restitution`] it yields an [`Impact`]:
//! in the plane by closed forms, in space by adaptive power series with exact
//! events. [`contacts`] are several rigid ones at once, [`compliant`] and [`chain`]
//! compliant ones. A [`Flow`] has tables of one contact under one friction, from which
//! impacts in space are solved faster still.
//!
//! ```
//! use routh_solver::{Contact, Friction, Law, Restitution};
//! let contact = Contact::new([[1.3, 0.4, -0.2], [0.4, 2.1, 0.5], [-0.2, 0.5, 0.9]])?;
//! let friction = Friction::uniform(0.15)?;
//! let restitution = Restitution::new(Law::Energetic, 0.7)?;
//! let impact = contact.solve([-1.0, 0.7, -1.1], friction, restitution)?;
//! let [normal, ..] = impact.velocity;
//! assert!(normal > 0.0);
//! # Ok::<(), routh_solver::Error>(())
//! ```
//!
//! The crate is `no_std`; solving allocates nothing and has no panicking path. The
//! tables of the feature `flow` are allocated when they are made; the modules
//! `contacts`, `compliant` and `chain`, for several points at once, allocate.
#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

#[cfg(any(feature = "compliant", feature = "contacts", feature = "flow"))]
extern crate alloc;

mod account;
mod accuracy;
mod arithmetic;
mod audit;
#[cfg(feature = "batch")]
mod batch;
#[cfg(feature = "flow")]
mod cell;
mod certificate;
#[cfg(feature = "compliant")]
pub mod chain;
mod chords;
#[cfg(feature = "flow")]
mod closing;
#[cfg(feature = "contacts")]
mod complementarity;
#[cfg(feature = "compliant")]
pub mod compliant;
mod contact;
#[cfg(feature = "contacts")]
pub mod contacts;
mod course;
mod elementary;
mod error;
mod first_integral;
#[cfg(feature = "flow")]
mod flow;
mod friction;
mod impact;
mod invariant;
pub mod kernels;
#[cfg(feature = "batch")]
mod lanes;
#[cfg(feature = "nalgebra")]
mod multibody;
#[cfg(feature = "flow")]
mod orbit;
#[cfg(feature = "flow")]
mod paving;
mod planar;
mod principal;
#[cfg(feature = "flow")]
mod reaction;
mod restitution;
mod roots;
#[cfg(feature = "flow")]
mod sectors;
#[cfg(feature = "flow")]
mod shortcut;
mod sliding;
mod spatial;
mod step;
mod straight;
mod stretch;
mod system;
mod trajectory;
mod units;

/// Includes a file that a build script generated into `OUT_DIR`.
#[macro_export]
macro_rules! include_generated {
    ($name:expr) => {
        include!(concat!(env!("OUT_DIR"), "/", $name));
    };
}

pub use accuracy::Accuracy;
#[cfg(feature = "batch")]
pub use batch::{Collision, solve_batch};
pub use contact::Contact;
pub use error::{Error, Field};
#[cfg(feature = "flow")]
pub use flow::Flow;
pub use friction::Friction;
pub use impact::{Event, EventKind, Events, Impact, Mode};
#[cfg(feature = "nalgebra")]
pub use multibody::Multibody;
pub use restitution::{Law, Restitution};
#[cfg(feature = "flow")]
pub use routh_flow::{Passage, Refusal, Sector, Table};
pub use trajectory::{Sighting, Trajectory};
