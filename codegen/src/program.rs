//! The compiler's own small intermediate representation: scalar graphs and
//! straight-line power-series programs.
//!
//! Programs hold exact constants and shared subexpressions, without the algebra that
//! produced them. The files under `derivations` are such programs.

mod count;
mod number;
mod recurrence;
mod render;
mod scalar;
mod series;

pub use count::OperationCount;
pub use number::{Number, ParseNumberError};
pub use recurrence::{Convolution, ConvolutionTerm, Initial, Lead, Recurrence, Weight};
pub use render::{render_scalars, render_series};
pub use scalar::{Function, Scalar, ScalarBuilder, ScalarGraph, ScalarId, ScalarProgram};
pub use series::{ORDERS, SeriesId, SeriesOp, SeriesProgram, State};
