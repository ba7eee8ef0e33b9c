//! A small compiler from the theory of rigid impact with friction to code.
//!
//! | stage | from | to |
//! |---|---|---|
//! | `model` | the theory | systems as Symbolica expressions |
//! | `derive` | systems | Taylor recurrences, closed forms |
//! | [`program`] | | the intermediate representation; committed derivations |
//! | [`specialise`] | programs and constants | smaller programs |
//! | [`transform`] | programs | fewer unknowns, another independent variable |
//! | [`differentiate`] | programs | the same with derivatives |
//! | [`mechanism`] | a robot's URDF | its impact dynamics, as a program |
//! | [`emit`] | programs | Rust source, and C from it |
//! | [`Robot`] | a robot | its solver, from all of these |
//!
//! The first two need the feature `symbolica`, for which a licence may be needed; without
//! it [`derivations::Derivations::committed`] supplies the same programs. [`mechanism`],
//! [`Robot`] and C need the feature `robots`, which is on by default; the library `routh`
//! does without it.
//!
//! ```
//! use routh_codegen::derivations::Derivations;
//! use routh_codegen::emit;
//!
//! let derivations = Derivations::committed()?;
//! let kernel = emit::unrolled("slide", &derivations.regularised, 8)?;
//! let source = emit::file("an order-8 kernel", [kernel])?;
//! assert!(source.contains("pub fn slide_8"));
//! # Ok::<(), routh_codegen::Error>(())
//! ```
#![forbid(unsafe_code)]

pub mod derivations;
#[cfg(feature = "symbolica")]
pub mod derive;
pub mod emit;
mod error;
#[cfg(feature = "symbolica")]
pub mod model;
mod output;
mod precision;
pub mod program;
#[cfg(feature = "robots")]
mod robot;
#[cfg(feature = "robots")]
mod solver;
pub mod specialise;
#[cfg(feature = "symbolica")]
pub mod symbolic;

#[doc(inline)]
pub use emit::kernels;
pub use error::Error;
pub use output::{File, Generated};
pub use precision::Precision;
#[cfg(feature = "robots")]
#[doc(inline)]
pub use robot::mechanism;
#[cfg(feature = "robots")]
pub use robot::{Kind, Language, Robot, Runtime};
#[doc(inline)]
pub use specialise::{differentiate, transform};
