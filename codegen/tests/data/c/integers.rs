//! Integers: bit operations, wrapping, widths.

const MASK: u64 = 0xffff_0000_ffff;
const PRIME: u32 = 2_654_435_761;
const SHIFT: u32 = 5;
const LAST: usize = COUNT - 1;
const COUNT: usize = 1 << 3;

fn mix(x: u64) -> u64 {
    let mut z = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z ^= z >> 27 & MASK | z << 3 & !MASK;
    z
}

fn fold(x: u32) -> u32 {
    let rotated = x << SHIFT | x >> (32 - SHIFT);
    let flags = rotated & 7 == 3 || x ^ 1 > x;
    let picked = if flags { rotated & 0xff + 1 } else { !x };
    picked.wrapping_mul(PRIME).wrapping_sub(x % 17)
}

fn clamped(x: i64) -> i64 {
    let mut y = x % 1000;
    if y < 0 {
        y = -y - 1;
    }
    y / 3 + (x >> 60)
}

pub fn run(input: &[Real; 8], output: &mut [Real; 8]) {
    for i in 0..COUNT {
        let scaled = ((input[i] + 4.0) * 1000.0) as u64;
        let mixed = mix(scaled);
        let folded = fold((mixed & 0xffff_ffff) as u32);
        let big = 1usize << 40;
        let total = (folded as usize + big) / 1024 + i * LAST;
        let signed = clamped((mixed >> 1) as i64 - 2_305_843_009_213_693_952);
        output[i] = total as Real + signed as Real + (mixed >> 40) as Real + (!0usize - total) as Real * 1e-9;
    }
    let mut n = 20;
    let mut sum = 0u32;
    while n > 2 {
        n -= 3;
        if n % 2 == 0 {
            continue;
        }
        sum += n as u32;
    }
    output[LAST] += sum as Real;
}
