//! Groupings and conversions of numbers.

const THIRD: Real = 1.0 / 3.0;
const SCALE: Real = -0.5 * THIRD;
const TINY: Real = 1e-30;
const STEPS: usize = 3;

fn sums(a: Real, b: Real, c: Real) -> Real {
    let left = a + b + c;
    let right = a + (b + c);
    let mixed = a - (b - c) * (a / (b * c)) / c;
    let nested = -(-a) - -b * -(c + a);
    (left - right) + mixed * nested
}

fn steps(x: Real) -> Real {
    let n = STEPS * 2 + 1;
    let whole = (x * 10.0) as i32;
    let wide = whole as i64 * 3 - 1;
    let count = (x > 0.0) as usize;
    n as Real * 0.25 + wide as Real / (STEPS - 1) as Real + count as Real
}

fn choose(x: Real, y: Real) -> Real {
    let larger = if x > y { x } else { y };
    let sign = if x < -1.0 {
        -1.0
    } else if x > 1.0 {
        1.0
    } else {
        x
    };
    let offset = 1.0 + (if larger > 0.5 && !(sign > y || x == y) { 2.0 } else { 3.0 }) * larger;
    let order = if x > y { 1 } else { 2 };
    larger * sign + offset * (order + 1usize) as Real
}

/// Numbers from numbers.
pub fn run(input: &[Real; 8], output: &mut [Real; 8]) {
    let [a, b, c, d, _, _, _, _] = *input;
    output[0] = sums(a, b, c);
    output[1] = steps(d);
    output[2] = choose(a, b) + choose(b, a) * choose(c, d);
    output[3] = a * THIRD + SCALE;
    output[4] = a + TINY - b / (c - d) * (a - (b - (c - (d - 1_000.5e-2))));
    let mut x = a;
    x += b * c;
    x -= d;
    x *= 1.0 + a;
    x /= b - 2.0 * c;
    output[5] = x;
    output[6] = if a < b { a } else { b } - if c < d { c } else { d };
    output[7] = (a < b) as usize as Real + (a > b || c < d && b != d) as usize as Real;
}
