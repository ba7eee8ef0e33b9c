//! The sliding flow of one contact, compiled: every slip of it, up to scale and
//! start, as polynomials of the sliding direction.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod arcs;
mod chebyshev;
mod directions;
mod field;
mod sector;
mod smooth;
mod table;

pub use chebyshev::{Chebyshev, powers};
pub use field::Field;
pub use sector::{DEGREE, Passage, Refusal, Row, Rows, Sector};
pub use table::{Border, CELLS, Lookup, Table, pseudo_angle};
