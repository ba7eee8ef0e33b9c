//! The number type that generated code works in.

use std::fmt;

/// The type behind `Real` in generated code.
///
/// ```
/// use routh_codegen::Precision;
///
/// assert_eq!(Precision::F64.name(), "f64");
/// assert_eq!(Precision::F32.c_type(), "float");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Precision {
    /// IEEE 754 binary64.
    #[default]
    F64,
    /// IEEE 754 binary32.
    F32,
}

impl Precision {
    /// Both, the wider first.
    pub const ALL: [Self; 2] = [Self::F64, Self::F32];

    /// Its name in Rust.
    pub fn name(self) -> &'static str {
        match self {
            Self::F64 => "f64",
            Self::F32 => "f32",
        }
    }

    /// Its name in C.
    pub fn c_type(self) -> &'static str {
        match self {
            Self::F64 => "double",
            Self::F32 => "float",
        }
    }

    /// The suffix of its literals and functions in C.
    pub fn c_suffix(self) -> &'static str {
        match self {
            Self::F64 => "",
            Self::F32 => "f",
        }
    }
}

impl fmt::Display for Precision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
