//! References as locals, in patterns and in loops, and what they are other names
//! of.

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
        self.length += by;
        self.length
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

fn add(to: &mut Real, x: Real) -> Real {
    *to += x;
    *to
}

fn swap(x: &mut [Real; 2], y: &mut [Real; 2]) {
    let kept = *x;
    *x = *y;
    *y = kept;
}

fn pick(c: bool, x: &[Real; 2], y: &[Real; 2]) -> Real {
    let chosen = if c { x } else { y };
    chosen[0] - chosen[1]
}

pub fn run(input: &[Real; 8], output: &mut [Real; 8]) {
    let mut link = Link { length: input[0], ..LONG };
    let alias = &link;
    output[0] = alias.sum() + LONG.sum();
    let wide = &mut link.ends[1];
    wide[0] = input[1];
    *wide = [wide[1], wide[0]];
    output[1] = link.sum() + link.stretch(input[2]) * link.sum();
    output[2] = add(&mut link.length, link.ends[0][1]) + add(&mut link.ends[1][0], 0.5);
    let [near, far] = &mut link.ends;
    swap(near, far);
    output[3] = pick(input[3] > 0.0, &link.ends[0], &link.first());
    let old = &link;
    link = Link { ends: [old.ends[1], old.first()], length: old.length, load: None };
    output[4] = link.sum();
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
    output[5] = totals[0] - totals[1];
    let mut links = [link, LONG, Link { load: Some(input[4]), ..link }];
    let mut most = 0.0;
    for link in &mut links {
        let length = link.stretch(0.5);
        if let Link { load: Some(load), .. } = link
            && *load > most
        {
            most = *load + length;
        }
    }
    output[6] = most + links[2].sum();
    let mut x = input[5];
    let before = &[x, add(&mut x, 1.0), x];
    output[7] = before[0] + before[1] * before[2] + (&links)[1].sum();
}
