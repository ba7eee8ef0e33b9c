//! `Option`, `Result`, `?`, `if let`, `let … else`, `matches!`.

#[derive(Clone, Copy, PartialEq)]
pub enum Status {
    TooSmall,
    TooLarge = 4,
}

#[derive(Clone, Copy)]
struct Range {
    low: Real,
    high: Option<Real>,
}

impl Range {
    fn check(&self, x: Real) -> Result<Real, Status> {
        if x < self.low {
            return Err(Status::TooSmall);
        }
        match self.high {
            Some(high) => if x > high { Err(Status::TooLarge) } else { Ok(high - x) },
            None => Ok(x),
        }
    }

    fn width(&self) -> Option<Real> {
        Some(self.high? - self.low)
    }

    fn both(&self, x: Real, y: Real) -> Result<(Real, Real), Status> {
        Ok((self.check(x)? * 2.0, self.check(y)? + self.check(x)?))
    }

    fn certain(&self, x: Real) -> Result<(), Status> {
        self.check(x)?;
        Ok(())
    }
}

fn take(left: &mut usize) -> Option<usize> {
    if *left == 0 {
        return None;
    }
    *left -= 1;
    Some(*left)
}

fn best(values: &[Real; 8]) -> Option<(usize, Real)> {
    let mut best = None;
    for (i, &x) in values.iter().enumerate() {
        match best {
            Some((_, most)) => if x > most { best = Some((i, x)) },
            None => best = Some((i, x)),
        }
    }
    best
}

fn number(result: Result<(Real, Real), Status>) -> Real {
    match result {
        Ok((x, y)) => x - y,
        Err(Status::TooSmall) => -10.0,
        Err(other) => other as usize as Real,
    }
}

pub fn run(input: &[Real; 8], output: &mut [Real; 8]) {
    let high = if input[1] > 0.0 { Some(input[1] + 1.0) } else { None };
    let range = Range { low: input[0] - 2.0, high };
    output[0] = number(range.both(input[2], input[3]));
    output[1] = range.width().unwrap_or(-1.0);
    let mut left = 5;
    let mut sum = 0.0;
    loop {
        let Some(n) = take(&mut left) else { break };
        if n == 2 {
            continue;
        }
        sum += n as Real * input[n];
    }
    output[2] = sum;
    output[3] = matches!(range.check(input[4]), Err(Status::TooLarge)) as usize as Real;
    if let Some(width) = range.width() {
        output[4] = width;
    } else if let Ok(x) = range.check(input[5]) {
        output[4] = x;
    } else {
        output[4] = range.certain(input[6]).is_ok() as usize as Real;
    }
    let Some((i, x)) = best(input) else { return };
    output[5] = x + i as Real;
    let mut count = 3;
    output[6] = take(&mut count).unwrap_or(9) as Real;
    output[6] += count as Real;
    let Ok(found) = range.check(input[7]) else {
        output[7] = input[7];
        return;
    };
    output[7] = found;
}
