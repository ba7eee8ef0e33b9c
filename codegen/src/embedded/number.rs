/// The absolute value.
fn absolute(x: Real) -> Real {
    if x < 0.0 { -x } else { x }
}

/// The larger of two numbers.
fn larger(x: Real, y: Real) -> Real {
    if x > y { x } else { y }
}

/// The smaller of two numbers.
fn smaller(x: Real, y: Real) -> Real {
    if x < y { x } else { y }
}

/// Whether a number is neither infinite nor none.
fn finite(x: Real) -> bool {
    x - x == 0.0
}

/// The largest power of two in a number above zero, at least the smallest
/// normal number: dividing by it is exact.
fn binade(x: Real) -> Real {
    let exponent = bits(x) & EXPONENT_BITS;
    if exponent == 0 { from_bits((1 as Bits) << FRACTION_BITS) } else { from_bits(exponent) }
}

/// The length of a vector, without overflow.
fn length(x: Real, y: Real) -> Real {
    let largest = larger(absolute(x), absolute(y));
    if largest > LEAST_SQUARABLE && largest < MOST_SQUARABLE {
        return sqrt(x * x + y * y);
    }
    if largest == 0.0 || !finite(largest) {
        return largest;
    }
    let unit = binade(largest);
    let scaled_x = x / unit;
    let scaled_y = y / unit;
    unit * sqrt(scaled_x * scaled_x + scaled_y * scaled_y)
}

/// The logarithm to base two of a number at or above zero, to 0.01: enough to
/// choose a step by. Of zero it is as good as minus infinity.
fn rough_log2(x: Real) -> Real {
    let pattern = bits(x);
    let exponent = (pattern >> FRACTION_BITS) as i32 - BIAS;
    let fraction = from_bits((pattern & !EXPONENT_BITS) | ((BIAS as Bits) << FRACTION_BITS)) - 1.0;
    exponent as Real + fraction * (1.346 - 0.346 * fraction)
}

/// Two to a power, to 0.3 %, likewise, within the range of normal numbers.
fn rough_exp2(x: Real) -> Real {
    let most = (BIAS - 3) as Real;
    let x = larger(smaller(x, most), -most);
    let whole = if x < 0.0 { x as i32 - 1 } else { x as i32 };
    let fraction = x - whole as Real;
    let power = from_bits(((whole + BIAS) as Bits) << FRACTION_BITS);
    power * (1.0 + fraction * (0.6563 + 0.3437 * fraction))
}
