//! Branches, loops and blocks, as statements, values and tails.

const LIMIT: usize = 12;
const ZERO: i32 = 0;

fn root(x: Real) -> Real {
    let mut low = 0.0;
    let mut high = if x > 1.0 { x } else { 1.0 };
    let mut steps = 0;
    loop {
        let middle = 0.5 * (low + high);
        if middle * middle > x {
            high = middle;
        } else {
            low = middle;
        }
        steps += 1;
        if steps >= LIMIT {
            return middle;
        }
    }
}

fn kind(x: Real) -> i32 {
    if x < -2.0 {
        return -1;
    } else if x < 0.0 {
        ZERO
    } else {
        let y = x * 2.0;
        if y > 4.0 { 2 } else { 1 }
    }
}

fn name_of(kind: i32, x: Real) -> Real {
    match kind {
        ZERO => x,
        1 | 2 => {
            let y = x * x;
            y + 1.0
        }
        _ => -x,
    }
}

fn scan(values: &[Real; 8], end: usize) -> Real {
    let mut limit = end;
    let mut found = 0.0;
    for i in 0..limit {
        match kind(values[i]) {
            2 => break,
            1 => {
                limit -= 1;
                continue;
            }
            _ => found += values[i],
        }
        match values[i] > -1.0 {
            true => found += 0.125,
            false => {}
        }
    }
    for _ in 0..2 {
        found *= 1.5;
    }
    for i in (limit..end).rev() {
        found -= values[i] * i as Real;
    }
    found
}

fn unused(_first: Real, x: Real, _: usize) -> Real {
    let _second = x * 2.0;
    x + 1.0
}

fn chained(n: usize, x: Real) -> Real {
    let mut y = x;
    match n {
        0 => y = 1.0,
        1 => {}
        2 => {
            let mut z = y;
            for i in 0..n {
                if i == 1 {
                    break;
                }
                z += 1.0;
            }
            y *= z;
        }
        _ => return y,
    }
    if y > 1.0 {
        root(y)
    } else {
        y
    };
    let long = if x > 0.0 { n * LIMIT } else { 100_000 * 100_000 };
    y + long as Real
}

fn halt(x: &mut Real, done: &mut bool) {
    if *done {
        return;
    }
    *x = 0.0;
    *done = true;
}

fn picked(x: Real, y: Real) -> Real {
    let z = if x > y {
        let d = x - y;
        d * d
    } else if x < -3.0 {
        return 7.0;
    } else {
        y
    };
    let w = match kind(z) {
        -1 => return z,
        0 => {
            let x = z + x;
            x * 0.5
        }
        1 => z,
        _ => 3.0,
    };
    let x = {
        let x = x + 1.0;
        let y = x * w;
        y - x
    };
    let x = x * x;
    let v: Real;
    if w > 1.0 {
        v = w;
    } else {
        v = 1.0;
    }
    v + x
}

pub fn run(input: &[Real; 8], output: &mut [Real; 8]) {
    let mut done = false;
    let mut x = input[0];
    halt(&mut x, &mut done);
    {
        let mut x = input[1];
        halt(&mut x, &mut done);
        output[0] = x;
    }
    output[1] = x + done as usize as Real;
    output[2] = root(input[2] + 4.0);
    output[3] = name_of(kind(input[3]), input[4]);
    output[4] = scan(input, 8);
    output[5] = scan(input, kind(input[5]) as usize % 4);
    output[6] = picked(input[6], input[7]);
    output[7] = picked(input[7], input[0]);
    let root_of = root(1.0);
    let scan = unused(input[0], root_of, 1);
    output[0] += scan + chained(kind(input[1]) as usize % 4, input[2]);
    let _ = root(1.0);
    root(2.0);
    let mut k = 0;
    while k < 8 && output[k] < 100.0 {
        output[k] -= 0.5;
        k += 1;
    }
}
