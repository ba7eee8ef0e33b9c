//! Exponentials and logarithms, written here so that every machine, language and
//! library gives the same bits.

use super::number::{absolute, exponent, finite, larger, power_of_two, scale, smaller};
use super::real::{INTEGER, LN_2, LN_2_REST, MOST_EXPONENT, Real, UNLIMITED};

/// `e^r - 1` for `|r| <= ln 2 / 2`, by Taylor's series.
fn exp_m1_near_zero(r: Real) -> Real {
    let square = r * r;
    let low = 0.5 + r * (1.0 / 6.0) + square * (1.0 / 24.0 + r * (1.0 / 120.0));
    let middle = 1.0 / 720.0 + r * (1.0 / 5040.0) + square * (1.0 / 40320.0 + r * (1.0 / 362880.0));
    let high = 1.0 / 3628800.0
        + r * (1.0 / 39916800.0)
        + square * (1.0 / 479001600.0 + r * (1.0 / 6227020800.0));
    let fourth = square * square;
    r + square * (low + fourth * (middle + fourth * high))
}

/// How many times `ln 2` is in an exponent, to the nearest integer.
fn times_ln_2(x: Real) -> Real {
    let bounded = larger(smaller(x, MOST_EXPONENT), -MOST_EXPONENT);
    (bounded * (1.0 / LN_2) + INTEGER) - INTEGER
}

/// `e^x`
pub fn exp(x: Real) -> Real {
    if !(absolute(x) < MOST_EXPONENT) {
        return if x > 0.0 {
            x * UNLIMITED
        } else if x < 0.0 {
            0.0
        } else {
            x
        };
    }
    let times = times_ln_2(x);
    let rest = (x - times * LN_2) - times * LN_2_REST;
    scale(1.0 + exp_m1_near_zero(rest), times as i32)
}

/// `e^x - 1`, without loss where `x` is small.
pub fn exp_m1(x: Real) -> Real {
    if !(absolute(x) < 40.0) {
        return exp(x) - 1.0;
    }
    let times = times_ln_2(x);
    let rest = exp_m1_near_zero((x - times * LN_2) - times * LN_2_REST);
    if times == 0.0 {
        return rest;
    }
    let power = power_of_two(times as i32);
    power * rest + (power - 1.0)
}

/// The largest `x` for which `ln(1 + x)` is summed as it is.
const NEAR_ONE: Real = 0.41421356237309503;

/// `ln(1 + x)` for `|x / (2 + x)| <= 0.172`, as `2 atanh(x / (2 + x))`.
fn ln_near_one(x: Real) -> Real {
    let s = x / (2.0 + x);
    let z = s * s;
    let square = z * z;
    let low = 2.0 / 3.0 + z * (2.0 / 5.0) + square * (2.0 / 7.0 + z * (2.0 / 9.0));
    let middle = 2.0 / 11.0 + z * (2.0 / 13.0) + square * (2.0 / 15.0 + z * (2.0 / 17.0));
    let high = 2.0 / 19.0 + z * (2.0 / 21.0);
    let fourth = square * square;
    2.0 * s + s * (z * (low + fourth * (middle + fourth * high)))
}

/// The natural logarithm: minus infinity of zero, NaN below.
pub fn ln(x: Real) -> Real {
    if !(x > 0.0) || !finite(x) {
        return if x == 0.0 {
            -Real::INFINITY
        } else if x > 0.0 {
            x
        } else {
            Real::NAN
        };
    }
    let mut whole = exponent(x);
    let mut part = scale(x, -whole);
    if part > 1.0 + NEAR_ONE {
        whole += 1;
        part *= 0.5;
    }
    let times = whole as Real;
    times * LN_2 + (ln_near_one(part - 1.0) + times * LN_2_REST)
}

/// `ln(1 + x)`, without loss where `x` is small.
pub fn ln_1p(x: Real) -> Real {
    if x < NEAR_ONE && x > -0.29 {
        return ln_near_one(x);
    }
    let sum = 1.0 + x;
    if !(sum > 0.0) || !finite(sum) {
        return ln(sum);
    }
    ln(sum) + (x - (sum - 1.0)) / sum
}
