//! Elementary functions: from `std`, or from `libm` without it.

macro_rules! functions {
    ($($(#[$attribute:meta])* $name:ident($($x:ident),*) = $std:ident, $libm:ident;)*) => {$(
        $(#[$attribute])*
        #[cfg(feature = "std")]
        #[inline]
        pub(crate) fn $name($($x: f64),*) -> f64 {
            f64::$std($($x),*)
        }

        $(#[$attribute])*
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
    ln(x) = ln, log;
    ln_1p(x) = ln_1p, log1p;
    asinh(x) = asinh, asinh;
    #[cfg(any(feature = "compliant", feature = "contacts"))]
    pow(x, y) = powf, pow;
    #[cfg(feature = "compliant")]
    sin(x) = sin, sin;
    #[cfg(feature = "compliant")]
    cos(x) = cos, cos;
    atan2(y, x) = atan2, atan2;
}
