//! The sliding flow of one contact, compiled: every slip of it, up to scale and
//! start, as polynomials of the sliding direction.
//!
//! A [`Table`] is made of a [`Field`] and read by `routh` and by solvers
//! that `routh-codegen` generates.
//!
//! ```
//! use routh_flow::{Field, Passage, Table};
//! let field = Field { a: 1.2, h: [0.05, 0.31], b: [1.3, 0.4], mu: 0.3 };
//! let table = Table::new(&field, Table::FINEST);
//! let sector = table.sector([0.6, -0.8]).expect("some directions turn");
//! assert!(sector.passage == Passage::Through && sector.rises);
//! ```
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod arcs;
mod charts;
mod chebyshev;
mod directions;
mod field;
mod piece;
mod pieces;
mod sector;
mod smooth;
mod table;

pub use field::Field;
pub use pieces::Pieces;
pub use routh_runtime::double::orbit::Passage;
pub use sector::{DEGREE, Refusal, Row, Rows, Sector};
pub use table::{BUCKETS, Border, Lookup, Table, pseudo_angle};
