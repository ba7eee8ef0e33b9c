//! Arrays: literals, copies, unpacking, nesting, and passing on.

const SIDE: usize = 3;
const WEIGHTS: [Real; 4] = [0.5, 0.25, 0.125, 0.0625];
const TABLE: [[Real; SIDE]; 2] = [[1.0, 2.0, 3.0], [-1.0, -2.0, -3.0]];

/// The public weights.
pub const OPEN: [Real; 2] = [1.5, WEIGHT];
const WEIGHT: Real = 2.5;

fn times(m: &[[Real; SIDE]; SIDE], v: &[Real; SIDE], out: &mut [Real; SIDE]) {
    for i in 0..SIDE {
        let mut sum = 0.0;
        for j in (0..SIDE).rev() {
            sum += m[i][j] * v[j];
        }
        out[i] = sum;
    }
}

fn rows(t: &[[Real; SIDE]; 2]) -> Real {
    first(&t[1]) + t[0][2]
}

fn first(v: &[Real; SIDE]) -> Real {
    let [x, _, z] = *v;
    x - z
}

fn next(x: &mut Real) -> Real {
    *x += 1.0;
    *x * 0.5
}

fn rotate(v: &mut [Real; SIDE]) {
    *v = [v[1], v[2], v[0]];
    let copy = *v;
    let [a, b, c] = copy;
    let [b, a] = [a, b];
    v[0] = a - b * c;
}

fn swapped(m: &mut [[Real; 2]; 2]) {
    let [upper, lower] = *m;
    *m = [lower, upper];
    m[0] = m[1];
    m[1] = [m[0][1], m[0][0]];
}

pub fn run(input: &[Real; 8], output: &mut [Real; 8]) {
    let mut m = [[0.0; SIDE]; SIDE];
    for i in 0..SIDE {
        m[i][i] = input[i];
        m[i][(i + 1) % SIDE] = 1.0;
    }
    let v = [input[3], input[4] * 2.0, -input[5]];
    let mut w = [0.0; SIDE];
    times(&m, &v, &mut w);
    rotate(&mut w);
    let mut filled = [[input[6] * input[7]; 20]; 2];
    filled[1] = filled[0];
    filled[1][19] += 1.0;
    let mut ones = [1.0; 4];
    ones = [ones[0] + 1.0, 2.0, 3.0, ones[3]];
    let kept: [Real; 4] = if input[0] > 0.0 { ones } else { WEIGHTS };
    let mut square = [[input[0], input[1]], [input[2], input[3]]];
    swapped(&mut square);
    let mut counter = input[0];
    let step = next(&mut counter);
    *output = [w[0], w[1], w[2], kept[0], kept[3], step, counter, square[1][0]];
    output[4] += rows(&TABLE) + rows(&[[1.0, input[2], 3.0], v]);
    output[5] += first(&[input[0], input[1], input[2]]) + filled[1][19] + filled[0][3] + OPEN[1];
    let mut later: [Real; 2];
    later = [square[0][1], 1.0];
    later[1] = later[0];
    output[6] += later[1];
}
