//! The seam to elementary functions: `std`, or `libm` without it.

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident = $std:ident, $libm:ident;)*) => {$(
        $(#[$doc])*
        #[cfg(feature = "std")]
        pub(crate) fn $name(x: f64) -> f64 {
            x.$std()
        }

        $(#[$doc])*
        #[cfg(not(feature = "std"))]
        pub(crate) fn $name(x: f64) -> f64 {
            libm::$libm(x)
        }
    )*};
}

functions! {
    #[inline]
    sqrt = sqrt, sqrt;
    #[inline]
    exp = exp, exp;
    #[inline]
    ln = ln, log;
}

/// `√(x² + y²)` without overflow.
pub(crate) fn hypot(x: f64, y: f64) -> f64 {
    libm::hypot(x, y)
}
