//! Numbers of forty digits, and what is needed of them.

use num_bigfloat::{BigFloat, ONE, ZERO};
use num_traits::pow;

pub(super) type Pair = [BigFloat; 2];

pub(super) fn dot(x: Pair, y: Pair) -> BigFloat {
    x[0] * y[0] + x[1] * y[1]
}

pub(super) fn times(factor: BigFloat, x: Pair) -> Pair {
    x.map(|x| factor * x)
}

/// A whole number with all digits: quotients of what `from` yields have fewer.
pub(super) fn whole(n: u64) -> BigFloat {
    BigFloat::from(n) * ONE
}

/// The power of two next to a positive number, which divides any other without
/// rounding; one for zero.
pub(super) fn power_of_two(x: f64) -> f64 {
    if x > 0.0 { x.log2().round().clamp(-1000.0, 1000.0).exp2() } else { 1.0 }
}

/// A binary number as it is, not the shortest decimal that is read as it.
pub(super) fn exact(x: f64) -> BigFloat {
    if x == 0.0 {
        return ZERO;
    }
    let bits = x.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    let (mantissa, exponent) = match exponent {
        0 => (fraction, -1074),
        _ => (fraction | 1 << 52, exponent - 1075),
    };
    let size = whole(mantissa);
    let power = pow(whole(2), exponent.unsigned_abs() as usize);
    let size = if exponent < 0 { size / power } else { size * power };
    if x < 0.0 { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binary_numbers_keep_all_their_digits() {
        let tenth = BigFloat::parse("0.1000000000000000055511151231257827021182").unwrap();
        assert!((exact(0.1) - tenth).abs() < BigFloat::parse("1e-39").unwrap());
        let third = BigFloat::parse("0.3333333333333333333333333333333333333333").unwrap();
        assert_eq!(whole(1) / whole(3), third);
        for x in [1.0, -3000.0, 9.009e-3, 2f64.powi(-60), 1e20] {
            assert_eq!(exact(x).to_f64(), x);
        }
    }

    #[test]
    fn units_divide_without_rounding() {
        for x in [4.0, 9.307e-3, 3e300, 1e-300] {
            assert_eq!(x / power_of_two(x) * power_of_two(x), x);
        }
    }
}
