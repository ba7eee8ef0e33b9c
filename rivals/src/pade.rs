//! The series in `τ`, `dp = s dτ`, with every step continued beyond its radius
//! of convergence by the diagonal Padé approximants of `v_t1`, `v_t2` and `p`,
//! from the step's own coefficients.
//!
//! A step is as long as the approximants satisfy the equation to within the
//! tolerance: with `d = x' − f(x)` their defect, which grows like `τ^N`, the
//! error is about `τ d/(N+1)`.

mod rational;

use routh_solver::kernels;

use crate::problem::Problem;
use crate::run::{Failure, Run};
use rational::{MOST_DEGREE, Rational};

/// The highest order of the series; its approximants are of half the degree.
pub const MOST_ORDER: usize = 2 * MOST_DEGREE;
/// Steps that a motion may take.
pub const MOST_STEPS: usize = 10_000;

/// The speed, relative to the first, at which a motion is at rest.
const REST: f64 = 1e-16;
/// The longest step, in units in which rates are about one.
const LONGEST: f64 = 50.0;
/// Lengths of a step that are tried.
const TRIALS: usize = 4;
/// The first of them, in steps of the series alone.
const FIRST: f64 = 1.5;
/// A length is good enough if its error is above this part of the tolerance.
const ENOUGH: f64 = 0.1;
/// The most that a trial is longer or shorter than the one before.
const CHANGE: f64 = 2.0;

/// A contact in the principal axes of `μ b`, in units in which rates are about one.
struct Principal {
    rate: f64,
    axis: [f64; 2],
    constants: [f64; 4],
}

/// A step from unit velocity: `v_t1`, `v_t2` and `p` in units of the radius of
/// convergence, and how far they are good for.
struct Step {
    unit: f64,
    unknowns: [Rational; 3],
    width: f64,
    end: [f64; 3],
}

/// Follows a motion with series of an even order up to [`MOST_ORDER`], within a
/// tolerance relative to the velocity.
///
/// # Errors
/// [`Failure::AtRest`], [`Failure::StepLimit`].
pub fn follow(problem: &Problem, tolerance: f64, order: usize) -> Result<Run, Failure> {
    let order = (order & !1).clamp(2, MOST_ORDER);
    let contact = Principal::new(problem);
    let mut velocity = Vec::with_capacity(problem.impulse.len());
    let (mut p, mut steps, [x, y]) = (0.0, 0, problem.v0);
    let mut speed = x.hypot(y);
    let mut sigma = contact.inward([x / speed, y / speed]);
    let rest = REST * speed;
    let mut asked = problem.impulse.iter().copied().peekable();
    while asked.peek().is_some() {
        if steps == MOST_STEPS {
            return Err(Failure::StepLimit { steps, impulse: p });
        }
        if speed.is_nan() || speed <= rest {
            return Err(Failure::AtRest { impulse: p });
        }
        let step = Step::new(&contact.constants, sigma, order, tolerance);
        let unit = speed / contact.rate;
        let [x, y, reach] = step.end;
        while let Some(next) = asked.next_if(|next| next - p <= unit * reach) {
            let v = step.velocity(step.when((next - p) / unit));
            velocity.push(contact.outward(v).map(|x| speed * x));
        }
        let fallen = x.hypot(y);
        (sigma, speed, p) = ([x / fallen, y / fallen], speed * fallen, p + unit * reach);
        steps += 1;
    }
    Ok(Run { velocity, steps, evaluations: steps })
}

impl Principal {
    fn new(problem: &Problem) -> Self {
        let [b11, b12, b22] = problem.friction;
        let rate = problem.h[0].hypot(problem.h[1]) + b11 + b22;
        let half = 0.5 * (b11 - b22);
        let root = half.hypot(b12).copysign(half);
        let tangent = if b12 == 0.0 { 0.0 } else { b12 / (half + root) };
        let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
        let axis = [cosine, cosine * tangent];
        let [h1, h2] = along(axis, problem.h).map(|h| h / rate);
        let mean = 0.5 * (b11 + b22);
        let constants = [-(mean + root) / rate, h1, -(mean - root) / rate, h2];
        Self { rate, axis, constants }
    }

    fn inward(&self, vector: [f64; 2]) -> [f64; 2] {
        along(self.axis, vector)
    }

    fn outward(&self, vector: [f64; 2]) -> [f64; 2] {
        let [c, s] = self.axis;
        along([c, -s], vector)
    }
}

impl Step {
    fn new(constants: &[f64; 4], sigma: [f64; 2], order: usize, tolerance: f64) -> Self {
        let mut rows = [[0.0; 3]; MOST_ORDER + 1];
        expand(constants, &[sigma[0], sigma[1], 0.0], order, &mut rows);
        let size = |k: usize| rows[k][0].abs().max(rows[k][1].abs());
        let radius = |k: usize| size(k).powf(-1.0 / k as f64);
        let unit = radius(order).min(radius(order - 1)).min(LONGEST);
        let mut power = 1.0;
        let mut series = [[0.0; MOST_ORDER + 1]; 3];
        for (k, row) in rows[..=order].iter().enumerate() {
            for i in 0..3 {
                series[i][k] = row[i] * power;
            }
            power *= unit;
        }
        let unknowns = [0, 1, 2].map(|i| Rational::new(&series[i][..=order]));
        let mut step = Self { unit, unknowns, width: 0.0, end: [0.0; 3] };
        let alone = tolerance.powf(1.0 / order as f64);
        step.lengthen(constants, order, tolerance, FIRST * alone);
        if step.width < alone {
            let end = |i: usize| series[i][..=order].iter().rev().fold(0.0, |x, c| x * alone + c);
            (step.width, step.end) = (alone, [0, 1, 2].map(end));
        }
        step
    }

    /// Finds about the longest step that the tolerance allows.
    fn lengthen(&mut self, constants: &[f64; 4], order: usize, tolerance: f64, first: f64) {
        let mut x = first;
        for _ in 0..TRIALS {
            let (end, error) = self.trial(constants, order, x);
            let speed = (end[0] * end[0] + end[1] * end[1]).sqrt();
            let part = error / (tolerance * speed);
            if part <= 1.0 && x > self.width && self.unknowns.iter().all(|u| u.is_regular(x)) {
                (self.width, self.end) = (x, end);
            }
            if (ENOUGH..=1.0).contains(&part) || part.is_nan() {
                return;
            }
            let change = (0.5 / part).powf(1.0 / (order + 1) as f64);
            x *= change.clamp(1.0 / CHANGE, CHANGE);
        }
    }

    /// The approximants at a place, and their error there by their defect.
    fn trial(&self, [m1, h1, m2, h2]: &[f64; 4], order: usize, x: f64) -> ([f64; 3], f64) {
        let [[v1, slope1], [v2, slope2], [p, slope]] = [0, 1, 2].map(|i| self.unknowns[i].at(x));
        let s = (v1 * v1 + v2 * v2).sqrt();
        let defects = [
            slope1 - self.unit * (m1 * v1 + h1 * s),
            slope2 - self.unit * (m2 * v2 + h2 * s),
            slope - self.unit * s,
        ];
        let defect = defects.iter().fold(0.0, |most: f64, d| most.max(d.abs()));
        ([v1, v2, p], x * defect / (order + 1) as f64)
    }

    fn velocity(&self, x: f64) -> [f64; 2] {
        [self.unknowns[0].at(x)[0], self.unknowns[1].at(x)[0]]
    }

    /// Where the impulse is reached: Newton's method, kept inside a bracket.
    fn when(&self, impulse: f64) -> f64 {
        let (mut low, mut high) = (0.0, self.width);
        let mut x = self.width * impulse / self.end[2];
        for _ in 0..60 {
            let [p, slope] = self.unknowns[2].at(x);
            if p < impulse {
                low = x
            } else {
                high = x
            }
            let newton = x - (p - impulse) / slope;
            if (newton - x).abs() <= 1e-9 * x {
                return newton;
            }
            x = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        }
        x
    }
}

/// Straight-line kernels where there are any, loops otherwise.
fn expand(constants: &[f64; 4], start: &[f64; 3], order: usize, rows: &mut Rows) {
    macro_rules! straight {
        ($kernel:path) => {
            if let Some(rows) = rows.first_chunk_mut() {
                $kernel(constants, start, rows);
            }
        };
    }
    match order {
        12 => straight!(kernels::velocity_12),
        16 => straight!(kernels::velocity_16),
        20 => straight!(kernels::velocity_20),
        24 => straight!(kernels::velocity_24),
        _ => kernels::velocity_any(constants, start, order, rows),
    }
}

type Rows = [[f64; 3]; MOST_ORDER + 1];

fn along([c, s]: [f64; 2], [x, y]: [f64; 2]) -> [f64; 2] {
    [c * x + s * y, c * y - s * x]
}
