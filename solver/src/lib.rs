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
//! use routh::{Contact, Friction, Law, Restitution};
//! let contact = Contact::new([[1.3, 0.4, -0.2], [0.4, 2.1, 0.5], [-0.2, 0.5, 0.9]])?;
//! let friction = Friction::uniform(0.15)?;
//! let restitution = Restitution::new(Law::Energetic, 0.7)?;
//! let impact = contact.solve([-1.0, 0.7, -1.1], friction, restitution)?;
//! let [normal, ..] = impact.velocity;
//! assert!(normal > 0.0);
//! # Ok::<(), routh::Error>(())
//! ```
//!
//! The crate is `no_std`; solving allocates nothing and has no panicking path. The
//! tables of the feature `flow` are allocated when they are made; the modules
//! `contacts`, `compliant` and `chain`, for several points at once, allocate.
#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

#[cfg(any(feature = "compliant", feature = "contacts", feature = "flow"))]
extern crate alloc;

#[cfg(feature = "batch")]
mod batch;
#[cfg(feature = "compliant")]
pub mod compliant;
mod contact;
#[cfg(feature = "contacts")]
pub mod contacts;
#[cfg(any(feature = "compliant", feature = "contacts"))]
mod crossing;
mod elementary;
mod error;
mod first_integral;
#[cfg(feature = "flow")]
mod flow;
mod impact;
pub mod kernels;
#[cfg(feature = "contacts")]
pub mod several;
mod trajectory;

/// Includes a file that a build script generated into `OUT_DIR`.
#[macro_export]
macro_rules! include_generated {
    ($name:expr) => {
        include!(concat!(env!("OUT_DIR"), "/", $name));
    };
}

#[cfg(feature = "batch")]
pub use batch::{Collision, solve_batch};
#[cfg(feature = "compliant")]
pub use compliant::chain;
#[cfg(feature = "nalgebra")]
pub use contact::Multibody;
pub use contact::{Condition, Contact, Friction, Restitution};
pub use error::{Error, Field};
#[cfg(feature = "flow")]
pub use flow::Flow;
pub use impact::{Accuracy, Event, EventKind, Events, Impact, Jacobian, Law, Mode};
#[cfg(feature = "flow")]
pub use routh_flow::{Passage, Refusal, Sector, Table};
pub use trajectory::{Sample, Trajectory};
