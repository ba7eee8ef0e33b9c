//! The seam to elementary functions: `std`, or `libm` without it.

macro_rules! functions {
    ($($name:ident($($x:ident),*) = $std:ident, $libm:ident;)*) => {$(
        #[cfg(feature = "std")]
        #[inline]
        pub(crate) fn $name($($x: f64),*) -> f64 {
            f64::$std($($x),*)
        }

        #[cfg(not(feature = "std"))]
        #[inline]
        pub(crate) fn $name($($x: f64),*) -> f64 {
            libm::$libm($($x),*)
        }
    )*};
}

functions! {
    sqrt(x) = sqrt, sqrt;
    cbrt(x) = cbrt, cbrt;
    exp(x) = exp, exp;
    ln(x) = ln, log;
    ln_1p(x) = ln_1p, log1p;
    asinh(x) = asinh, asinh;
    atan2(y, x) = atan2, atan2;
}

/// `√(x² + y²)` without overflow.
pub(crate) fn hypot(x: f64, y: f64) -> f64 {
    libm::hypot(x, y)
}
