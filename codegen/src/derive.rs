//! From models to programs, with Symbolica: Taylor recurrences of any system,
//! and closed forms.

mod coefficients;
mod convert;
mod planar;
mod taylor;

pub use coefficients::coefficients;
pub use planar::planar;
pub use taylor::taylor;
