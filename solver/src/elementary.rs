//! The seam to elementary functions: `std`, or `libm` without it.

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
    #[cfg(feature = "flow")]
    exp(x) = exp, exp;
    #[cfg(feature = "flow")]
    exp_m1(x) = exp_m1, expm1;
    asinh(x) = asinh, asinh;
    #[cfg(feature = "compliant")]
    pow(x, y) = powf, pow;
    #[cfg(feature = "compliant")]
    sin(x) = sin, sin;
    #[cfg(feature = "compliant")]
    cos(x) = cos, cos;
    atan2(y, x) = atan2, atan2;
}

/// Squares of numbers in this range, and their sums, are normal numbers.
const SQUARABLE: core::ops::Range<f64> = 1e-140..1e140;

/// `√(x² + y²)` without overflow.
#[inline]
pub(crate) fn hypot(x: f64, y: f64) -> f64 {
    let largest = x.abs().max(y.abs());
    if SQUARABLE.contains(&largest) { sqrt(x * x + y * y) } else { libm::hypot(x, y) }
}

/// `x 2^n`, rounded once.
#[inline]
pub(crate) fn scale(x: f64, n: i32) -> f64 {
    if (-1000..=1000).contains(&n) {
        x * f64::from_bits(((1023 + n) as u64) << 52)
    } else {
        libm::scalbn(x, n)
    }
}

/// Adding this to a small number rounds it to an integer, which then stands in
/// the last bits.
const INTEGER: f64 = 1.5 * (1_u64 << 52) as f64;

/// `log₂ x` to 0.01 for `x ≥ 0`, without a call or a branch: enough to choose a
/// step by. Of zero it is as good as minus infinity.
#[inline(always)]
pub(crate) fn rough_log2(x: f64) -> f64 {
    let bits = x.to_bits();
    let exponent = f64::from_bits((bits >> 52) + INTEGER.to_bits()) - (INTEGER + 1023.0);
    let rest = f64::from_bits((bits & ((1 << 52) - 1)) | 1.0_f64.to_bits()) - 1.0;
    exponent + rest * (1.346 - 0.346 * rest)
}

/// `2^x` to 0.3 %, likewise, within the range of normal numbers.
#[inline(always)]
pub(crate) fn rough_exp2(x: f64) -> f64 {
    let x = if x > -1020.0 { x } else { -1020.0 };
    let x = if x < 1020.0 { x } else { 1020.0 };
    let shifted = x + INTEGER;
    let rest = x - (shifted - INTEGER);
    let power = f64::from_bits((shifted.to_bits() << 52).wrapping_add(1.0_f64.to_bits()));
    power * (1.0 + rest * (0.7035 + 0.2415 * rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rough_functions_are_close_enough() {
        for i in -1000..1000 {
            let x = f64::from(i) * 0.37;
            let power = x.exp2();
            assert!((rough_exp2(x) / power - 1.0).abs() < 3e-3, "{x}");
            assert!((rough_log2(power) - x).abs() < 0.011, "{x}");
        }
        assert!(rough_log2(0.0) <= -1000.0);
        assert!(rough_exp2(-1e9) > 0.0 && rough_exp2(1e9).is_finite());
    }
}
