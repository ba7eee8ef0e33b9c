//! References as other names of places, loops through arrays, shadowing, early
//! returns from within expressions, and places that a value reads while it is stored.

#[derive(Clone, Copy)]
struct Link {
    length: Real,
    ends: [[Real; 2]; 2],
    load: Option<Real>,
}

const LONG: Link = Link { length: 2.0, ends: [[1.0, 0.5], [0.25, 4.0]], load: Some(3.0) };

impl Link {
    fn stretch(&mut self, by: Real) -> Real {
        if let Some(load) = &mut self.load {
            *load += by;
        }
        for end in &mut self.ends {
            for x in end.iter_mut() {
                *x *= by;
            }
        }
        self.length = self.lengthen(by);
        self.length
    }

    fn lengthen(&mut self, by: Real) -> Real {
        self.length += by;
        self.length * 0.5
    }

    fn sum(&self) -> Real {
        let Link { length, ends, load } = self;
        let mut sum = *length;
        for end in ends {
            for x in end {
                sum += x * 0.5;
            }
        }
        match load {
            Some(load) => sum - load,
            None => sum,
        }
    }

    fn first(&self) -> [Real; 2] {
        self.ends[0]
    }
}

fn swap(x: &mut [Real; 2], y: &mut [Real; 2]) {
    let kept = *x;
    *x = *y;
    *y = kept;
}

fn next(n: &mut usize) -> usize {
    *n = (*n + 1) % 3;
    *n
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
            values[0]
        });
    scaled + 1.0
}

pub fn run(input: &[Real; 8], output: &mut [Real; 8]) {
    let mut link = Link { length: input[0], ends: LONG.ends, load: LONG.load };
    let alias = &link;
    output[0] = alias.sum() + LONG.sum();
    let wide = &mut link.ends[1];
    wide[0] = input[1];
    *wide = [wide[1], wide[0]];
    output[1] = link.stretch(input[2]);
    let [near, far] = &mut link.ends;
    swap(near, far);
    let old = &link;
    link = Link { ends: [old.ends[1], old.first()], length: old.length, load: None };
    output[2] = link.sum();
    let mut totals = [0.0; 2];
    for (i, total) in totals.iter_mut().enumerate() {
        for (j, &x) in input.iter().enumerate() {
            if (i + j) % 2 == 0 {
                continue;
            }
            *total += x;
            if *total > 5.0 {
                break;
            }
        }
    }
    output[3] = totals[0] - totals[1];
    let mut links = [link, LONG];
    let mut most = 0.0;
    for link in &mut links {
        let length = link.stretch(0.5);
        if let Link { load: Some(load), .. } = link {
            most = *load + length;
        }
    }
    for end in &LONG.ends {
        most += end[0] * end[1];
    }
    output[4] = most + links[1].sum();
    let mut i = 1;
    let mut v = [input[3], input[4], input[5]];
    v[next(&mut i)] = 3.0;
    v = [v[i], v[0], v[1] + i as Real];
    for x in v {
        v = [v[1], v[2] + x, v[0]];
    }
    let x = v[0] + 1.0;
    let x = { let x = x * 2.0; x - 1.0 } + x;
    output[5] = x - v[1] * v[2];
    output[6] = found(input, input[6]);
    let small = if x > 0.0 { -7 } else { 7 };
    let mut count = 0;
    count -= small / 2;
    output[7] = (small % 4 + count) as Real;
}
