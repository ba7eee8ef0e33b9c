//! The runtime's files as text.

/// A file of the runtime.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// Its path below `src`, without the ending.
    pub name: &'static str,
    /// What stands in it.
    pub text: &'static str,
}

macro_rules! sources {
    ($($name:literal)*) => {
        &[$(Source { name: $name, text: include_str!(concat!($name, ".rs")) }),*]
    };
}

/// All files that solvers are made of, of which each takes what it reaches.
pub const SOURCES: &[Source] = sources! {
    "number/double" "number/single" "number/number" "number/elementary"
    "impact/result"
    "contact/inertia" "contact/directions"
    "impact/straight" "impact/restitution" "impact/check" "impact/derivatives" "impact/follow"
    "slide/roots" "slide/step" "slide/series"
    "tables/orbit" "tables/sectors" "tables/piece" "tables/pieces"
    "plane"
};
