//! From models to programs, with Symbolica: Taylor recurrences of any system,
//! and closed forms.

mod coefficients;
mod convert;
mod first_integral;
mod planar;
mod taylor;

pub use coefficients::coefficients;
pub use first_integral::first_integral;
pub use planar::planar;
pub use taylor::taylor;
