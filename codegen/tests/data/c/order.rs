//! Order of evaluation, shadowing, early returns from within expressions, and
//! places that a value reads while it is stored.

#[derive(Clone, Copy)]
struct Pair {
    x: Real,
    y: Real,
}

fn bump(x: &mut Real) -> Real {
    *x = *x * 0.5 + 1.0;
    *x
}

fn next(n: &mut usize) -> usize {
    *n = (*n + 1) % 3;
    *n
}

fn pair(x: Real, y: Real) -> Pair {
    Pair { x, y }
}

fn found(values: &[Real; 8], limit: Real) -> Real {
    let scaled = 2.0
        * (if limit < 0.0 {
            let mut sum = 0.0;
            for &x in values {
                if x < limit {
                    return x - sum;
                }
                sum += x;
                if sum > 9.0 {
                    break;
                }
            }
            sum
        } else {
            loop {
                if values[0] > limit {
                    break values[0];
                }
                return limit;
            }
        });
    scaled + 1.0
}

fn integers(x: Real) -> Real {
    let n = 3;
    let m = n - 5;
    let small = if x > 0.0 { -7 } else { 7 };
    let mut count = 0;
    count -= small / 2;
    (m * 10 + small % 4 + count) as Real
}

pub fn run(input: &[Real; 8], output: &mut [Real; 8]) {
    let mut x = input[0];
    output[0] = x + bump(&mut x) * x - bump(&mut x);
    let p = pair(x, bump(&mut x));
    let (a, b) = (x, bump(&mut x));
    output[1] = p.x - p.y * a + b;
    x += bump(&mut x);
    let mut v = [x, bump(&mut x), x];
    let mut i = 0;
    v[next(&mut i)] += v[next(&mut i)];
    v[i] = v[next(&mut i)] + i as Real;
    output[2] = v[0] - v[1] * v[2] + i as Real;
    v = [v[2], v[0], v[1]];
    [v[0], v[1]] = [v[1], v[0]];
    let mut q = Pair { x: v[0], y: v[1] };
    q = Pair { x: q.y, y: q.x };
    q = Pair { x: bump(&mut q.y), ..q };
    output[3] = q.x - q.y * 2.0 + v[2];
    let x = x + 1.0;
    let x = { let x = x * 2.0; x - 1.0 } + x;
    output[4] = x;
    output[5] = found(input, input[1]);
    let mut y = input[2];
    let wide = y > 1.0 && bump(&mut y) > 1.6 || bump(&mut y) < 0.0;
    output[6] = y + wide as usize as Real;
    output[7] = integers(input[3])
        + match next(&mut i) {
            0 => bump(&mut y),
            1 if bump(&mut y) > 1.0 => y,
            _ => -y,
        } * y;
}
