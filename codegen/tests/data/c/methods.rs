//! Methods, associated constants and functions, arrays by value.

/// A point.
#[derive(Clone, Copy)]
pub struct Point {
    pub x: Real,
    pub y: Real,
}

impl Point {
    /// Where it starts.
    pub const ORIGIN: Self = Self { x: 0.5, y: 0.0 };
    const SCALE: Real = 2.0;
    const COUNT: usize = 3;

    /// Of two coordinates.
    pub fn new(x: Real, y: Real) -> Self {
        Self { x, y }
    }

    pub fn norm(&self) -> Real {
        (self.x * self.x + self.y * self.y).sqrt()
    }

    fn scaled(self, by: Real) -> Self {
        Self::new(self.x * by, self.y * by * Self::SCALE)
    }

    fn push(&mut self, by: Real) -> Real {
        self.x += by;
        *self = Self { y: self.x - self.y, x: self.x };
        self.y
    }

    fn multiples(self) -> [Real; Self::COUNT] {
        let mut multiples = [self.x; Self::COUNT];
        for (i, multiple) in multiples.iter_mut().enumerate() {
            *multiple *= (i + 1) as Real;
        }
        multiples
    }
}

#[derive(Clone, Copy)]
struct Body {
    at: Point,
    speeds: [Real; 3],
    turns: usize,
}

impl Body {
    fn at_rest() -> Self {
        Self { at: Point::ORIGIN, speeds: [0.0; 3], turns: 0 }
    }

    fn turned(self) -> Self {
        Self { turns: self.turns + 1, speeds: reversed(self.speeds), at: self.at }
    }

    fn advance(&mut self, speeds: [Real; 3]) -> [Real; 3] {
        let before = self.speeds;
        self.speeds = speeds;
        self.at.push(speeds[0]);
        before
    }

    /// The loop goes through what there was before it.
    fn rotate(&mut self) {
        for v in self.speeds {
            self.speeds = [self.speeds[1], self.speeds[2] + v, self.speeds[0]];
        }
    }

    fn energy(&self) -> Real {
        let mut sum = 0.0;
        for v in self.speeds {
            sum += v * v;
        }
        sum + self.at.norm()
    }
}

fn reversed(mut v: [Real; 3]) -> [Real; 3] {
    let first = v[0];
    v[0] = v[2];
    v[2] = first;
    v
}

fn larger(x: [Real; 3], y: [Real; 3]) -> [Real; 3] {
    if x[0] > y[0] { x } else { y }
}

pub fn run(input: &[Real; 8], output: &mut [Real; 8]) {
    let mut p = Point::new(input[0], input[1]);
    output[0] = p.norm() + p.scaled(input[2]).norm();
    output[1] = p.push(input[3]);
    let mut body = Body::at_rest();
    body.at = p;
    let before = body.advance(p.multiples());
    body.speeds = reversed(body.speeds);
    let speeds = body.advance([input[5]; 3]);
    body.speeds = larger(speeds, body.speeds);
    output[2] = body.energy() + before[0];
    body.rotate();
    let turned = body.turned().turned();
    output[3] = turned.speeds[1] + turned.turns as Real + turned.energy();
    let v = [input[6], input[7], 1.0];
    output[4] = v[0];
    let [x, _, z] = reversed(larger(v, p.multiples()));
    output[5] = x - z;
    output[6] = p.push(1.0).floor() + input[0].abs();
    output[7] = [p.x, 2.0, p.y][input[7] as i32 as usize % 3];
}
