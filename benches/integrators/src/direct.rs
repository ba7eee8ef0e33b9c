//! The adaptive power series of `v_t` in the impulse itself, as the spatial
//! paper has it, to any order: `r = |v_t|` by the recurrence of the square
//! root, `σ = v_t/r` by that of the quotient, `v_t' = h − μ b σ`.
//!
//! It is singular at rest: its radius of convergence shrinks with `|v_t|`.

use crate::problem::Problem;
use crate::run::{Failure, Run};

/// The highest order.
pub const MOST_ORDER: usize = 64;
/// Steps that a motion may take.
pub const MOST_STEPS: usize = 10_000;

/// An expansion about a point, in units in which speed and rate are about one:
/// the speed there, and the impulse in which it would be lost.
#[derive(Clone, Debug)]
pub struct Expansion {
    speed: f64,
    unit: f64,
    order: usize,
    velocity: [[f64; 2]; MOST_ORDER + 1],
}

/// Follows a motion with series of an order up to [`MOST_ORDER`], in steps whose
/// last two terms are within a tolerance relative to the velocity.
///
/// # Errors
/// [`Failure::AtRest`], [`Failure::StepLimit`].
pub fn follow(problem: &Problem, tolerance: f64, order: usize) -> Result<Run, Failure> {
    let mut velocity = Vec::with_capacity(problem.impulse.len());
    let mut asked = problem.impulse.iter().copied().peekable();
    let steps = watched(problem, tolerance, order, |p, expansion, width| {
        while let Some(next) = asked.next_if(|next| next - p <= width) {
            velocity.push(expansion.at(next - p));
        }
        asked.peek().is_none()
    })?;
    Ok(Run { velocity, steps, evaluations: steps })
}

/// Shows every step of a motion, its impulse, expansion and width, until one is said to
/// be the last: how many there were.
///
/// # Errors
/// As [`follow`]; [`Failure::Stuck`] where a step leads nowhere.
pub fn watched(
    problem: &Problem,
    tolerance: f64,
    order: usize,
    mut is_last: impl FnMut(f64, &Expansion, f64) -> bool,
) -> Result<usize, Failure> {
    let (mut p, mut v) = (0.0, problem.v0);
    for steps in 1..=MOST_STEPS {
        if v == [0.0; 2] {
            return Err(Failure::AtRest { impulse: p });
        }
        let expansion = Expansion::new(problem, v, order.min(MOST_ORDER));
        let width = expansion.width(tolerance);
        if is_last(p, &expansion, width) {
            return Ok(steps);
        }
        if p + width <= p {
            return Err(Failure::Stuck { impulse: p });
        }
        v = expansion.at(width);
        p += width;
    }
    Err(Failure::StepLimit { steps: MOST_STEPS, impulse: p })
}

/// The coefficients of the series about a velocity, from the constant one to that of
/// an order up to [`MOST_ORDER`]; none at rest.
pub fn coefficients(problem: &Problem, v0: [f64; 2], order: usize) -> Vec<[f64; 2]> {
    if v0 == [0.0; 2] {
        return Vec::new();
    }
    let order = order.min(MOST_ORDER);
    let Expansion { speed, unit, velocity, .. } = Expansion::new(problem, v0, order);
    let terms = velocity[..=order].iter().zip(0..);
    terms.map(|(term, k)| term.map(|x| x * speed / unit.powi(k))).collect()
}

impl Expansion {
    /// The series about a velocity other than rest, to an order up to [`MOST_ORDER`].
    pub fn new(problem: &Problem, v0: [f64; 2], order: usize) -> Self {
        let [b11, b12, b22] = problem.friction;
        let speed = v0[0].hypot(v0[1]);
        let rate = problem.h.iter().chain(&problem.friction).fold(0.0, |r: f64, x| r + x.abs());
        let (mut v, mut r) = ([[0.0; 2]; MOST_ORDER + 1], [0.0; MOST_ORDER]);
        let mut sigma = [[0.0; 2]; MOST_ORDER];
        (v[0], r[0]) = (v0.map(|x| x / speed), 1.0);
        for k in 0..order {
            if k > 0 {
                let squares: f64 = (0..=k).map(|j| dot(v[j], v[k - j])).sum();
                let inner: f64 = (1..k).map(|j| r[j] * r[k - j]).sum();
                r[k] = 0.5 * (squares - inner);
            }
            let mut quotient = v[k];
            for j in 1..=k {
                quotient = [0, 1].map(|i| quotient[i] - r[j] * sigma[k - j][i]);
            }
            sigma[k] = quotient;
            let [c, d] = quotient;
            let [h1, h2] = if k == 0 { problem.h } else { [0.0; 2] };
            let next = [h1 - (b11 * c + b12 * d), h2 - (b12 * c + b22 * d)];
            v[k + 1] = next.map(|x| x / (rate * (k + 1) as f64));
        }
        Self { speed, unit: speed / rate, order, velocity: v }
    }

    /// The impulse up to which the last two terms are within a tolerance.
    pub fn width(&self, tolerance: f64) -> f64 {
        let width = |k: usize| (tolerance / norm(self.velocity[k])).powf(1.0 / k as f64);
        self.unit * width(self.order).min(width(self.order - 1))
    }

    /// The velocity after an impulse.
    pub fn at(&self, p: f64) -> [f64; 2] {
        let t = p / self.unit;
        let terms = self.velocity[..=self.order].iter().rev();
        let [x, y] = terms.fold([0.0; 2], |sum, term| [0, 1].map(|i| sum[i] * t + term[i]));
        [x * self.speed, y * self.speed]
    }

    /// The velocity's integral over an impulse.
    pub fn integral(&self, p: f64) -> [f64; 2] {
        let t = p / self.unit;
        let terms = self.velocity[..=self.order].iter().enumerate().rev();
        let [x, y] = terms.fold([0.0; 2], |sum, (k, term)| {
            let part = 1.0 / (k + 1) as f64;
            [0, 1].map(|i| sum[i] * t + part * term[i])
        });
        [x * self.speed * p, y * self.speed * p]
    }
}

fn dot(x: [f64; 2], y: [f64; 2]) -> f64 {
    x[0] * y[0] + x[1] * y[1]
}

fn norm(x: [f64; 2]) -> f64 {
    x[0].abs().max(x[1].abs())
}
