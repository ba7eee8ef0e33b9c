//! Elementary functions, bits, limits, and names that C has taken.

const FEW: Real = 4.0 * Real::EPSILON;

fn y1(int: Real, exp2: Real) -> Real {
    let gamma = int * exp2;
    let double = gamma + 1.0;
    let memcpy = double - int;
    memcpy
}

fn gamma(x: Real) -> Real {
    y1(x, x) + sqrt(x * x + 1.0)
}

fn exp(x: Real) -> Real {
    1.0 + x
}

fn index(long: usize, log: Real) -> usize {
    if log > 0.0 { long } else { long + 1 }
}

fn absolute(x: Real) -> Real {
    from_bits(bits(x) << 1 >> 1)
}

fn even(n: usize) -> bool {
    if n == 0 { true } else { odd(n - 1) }
}

fn odd(n: usize) -> bool {
    if n == 0 { false } else { even(n - 1) }
}

pub fn run(new: &[Real; 8], output: &mut [Real; 8]) {
    output[0] = sin(new[0]) + cos(new[1]) * exp(new[2] / 8.0);
    output[1] = sqrt(absolute(new[3]) + FEW);
    output[2] = gamma(new[4]);
    let signal = index(3, new[5]);
    output[3] = new[signal];
    output[4] = if absolute(new[6]) < Real::INFINITY { Real::MAX } else { 0.0 };
    output[5] = (bits(new[7]) & 0xfff) as Real;
    output[6] = even(signal) as usize as Real;
    output[7] = if signal < usize::MAX { Real::MIN_POSITIVE } else { 1.0 };
}
