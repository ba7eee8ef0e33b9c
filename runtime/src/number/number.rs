//! Arithmetic that every part of the runtime uses.

use super::real::{
    BIAS, Bits, EXPONENT_BITS, FRACTION_BITS, INTEGER, LEAST_SQUARABLE, MOST_SQUARABLE, Real,
};
use super::seam::{bits, from_bits, sqrt};

/// The absolute value.
#[inline(always)]
pub fn absolute(x: Real) -> Real {
    if x < 0.0 { -x } else { x }
}

/// The larger of two numbers; the second where they cannot be compared.
#[inline(always)]
pub fn larger(x: Real, y: Real) -> Real {
    if x > y { x } else { y }
}

/// The smaller of two numbers; the second where they cannot be compared.
#[inline(always)]
pub fn smaller(x: Real, y: Real) -> Real {
    if x < y { x } else { y }
}

/// Whether a number is neither infinite nor NaN.
#[inline(always)]
pub fn finite(x: Real) -> bool {
    x.is_finite()
}

/// Two to an integer power in the range of normal numbers.
#[inline(always)]
pub fn power_of_two(n: i32) -> Real {
    from_bits(((BIAS + n) as Bits) << FRACTION_BITS)
}

/// The exponent of the leading bit of a number above zero.
#[inline]
pub fn exponent(x: Real) -> i32 {
    let stored = ((bits(x) & EXPONENT_BITS) >> FRACTION_BITS) as i32;
    if stored != 0 {
        return stored - BIAS;
    }
    let raised = x * power_of_two(64);
    ((bits(raised) & EXPONENT_BITS) >> FRACTION_BITS) as i32 - BIAS - 64
}

/// `x 2^n`, rounded once.
#[inline]
pub fn scale(x: Real, n: i32) -> Real {
    if n > -BIAS && n <= BIAS { x * power_of_two(n) } else { scale_far(x, n) }
}

/// The same for powers that are no numbers.
fn scale_far(x: Real, n: i32) -> Real {
    let mut scaled = x;
    let mut rest = n;
    while rest > BIAS {
        scaled *= power_of_two(BIAS);
        rest -= BIAS;
    }
    // Steps that leave the last digits alone, so that only the last one rounds.
    let least = FRACTION_BITS as i32 + 2 - BIAS;
    while rest < 1 - BIAS {
        scaled *= power_of_two(least);
        rest -= least;
    }
    scaled * power_of_two(rest)
}

/// The length of a vector, without overflow.
#[inline]
pub fn length(x: Real, y: Real) -> Real {
    let largest = larger(absolute(x), absolute(y));
    if largest > LEAST_SQUARABLE && largest < MOST_SQUARABLE {
        return sqrt(x * x + y * y);
    }
    if largest == 0.0 || !finite(largest) {
        return largest;
    }
    let unit = exponent(largest);
    let scaled_x = scale(x, -unit);
    let scaled_y = scale(y, -unit);
    scale(sqrt(scaled_x * scaled_x + scaled_y * scaled_y), unit)
}

/// The logarithm to base two of a number at or above zero, to 0.01 and without a branch:
/// enough to choose a step by. Of zero it is as good as minus infinity.
#[inline(always)]
pub fn rough_log2(x: Real) -> Real {
    let pattern = bits(x);
    let exponent = from_bits((pattern >> FRACTION_BITS) + bits(INTEGER)) - (INTEGER + BIAS as Real);
    let fraction = from_bits((pattern & !EXPONENT_BITS) | bits(1.0)) - 1.0;
    exponent + fraction * (1.346 - 0.346 * fraction)
}

/// Two to a power, to 0.3 %, likewise, within the range of normal numbers.
#[inline(always)]
pub fn rough_exp2(x: Real) -> Real {
    let most = (BIAS - 3) as Real;
    let x = if x > -most { x } else { -most };
    let x = if x < most { x } else { most };
    let shifted = x + INTEGER;
    let rest = x - (shifted - INTEGER);
    let power = from_bits((bits(shifted) << FRACTION_BITS).wrapping_add(bits(1.0)));
    power * (1.0 + rest * (0.7035 + 0.2415 * rest))
}
