//! The reference: the same motion in forty digits, by series in `τ` with
//! `dp = s dτ`, `s = |v_t|`, where it is regular to the end:
//! `v' = h s − μ b v`, `s² = v·v`, `p' = s`.
//!
//! Every input is taken for the binary number that it is, so that only the
//! errors of the methods are measured.

mod number;

use num_bigfloat::{BigFloat, ONE, ZERO};

use crate::problem::Problem;
use crate::rest;
use crate::run::Failure;
use number::{Pair, dot, exact, power_of_two, times, whole};

/// Steps that a motion may take.
pub const MOST_STEPS: usize = 10_000;

const ORDER: usize = 40;
/// The last two terms of a step, relative to the velocity.
const TOLERANCE: f64 = 1e-37;
/// The speed, relative to the first, at which a motion has halted: the impulse
/// left is as small.
const HALTED: f64 = 1e-37;

/// Halvings of a range: more than forty digits.
const HALVINGS: usize = 140;

/// The longest step, in units of the flow's own time: on a longer one the terms
/// of what has all but decayed still grow at the last order, and say nothing of
/// those that are left out.
const LONGEST: f64 = ORDER as f64 / 4.0;

/// A problem in units in which its velocity, `h` and `μ b` are about one.
struct Scaled {
    h: Pair,
    mu: BigFloat,
    b: [BigFloat; 3],
    v0: Pair,
    impulse: Vec<BigFloat>,
    velocity_unit: f64,
}

/// An expansion from unit velocity; all is proportional to the speed.
struct Expansion {
    v: Vec<Pair>,
    p: Vec<BigFloat>,
}

/// The velocity at each of the problem's impulses, correctly rounded or nearly
/// so; after a halt, that of the sticking or restarted motion.
///
/// # Errors
/// [`Failure::StepLimit`].
pub fn follow(problem: &Problem) -> Result<Vec<[f64; 2]>, Failure> {
    let scaled = Scaled::new(problem);
    let velocity = scaled.follow().map_err(|reached| {
        let impulse = problem.impulse.get(reached).copied().unwrap_or_default();
        Failure::StepLimit { steps: MOST_STEPS, impulse }
    })?;
    Ok(velocity.into_iter().map(|v| v.map(|x| x.to_f64() * scaled.velocity_unit)).collect())
}

impl Scaled {
    fn new(problem: &Problem) -> Self {
        let velocity_unit = power_of_two(problem.scale());
        let largest = problem.h.iter().chain(&problem.friction).chain(&problem.b);
        let inertia_unit = power_of_two(largest.fold(0.0, |most, x| most.max(x.abs())));
        let impulse = problem.impulse.iter().map(|p| exact(p / velocity_unit * inertia_unit));
        Self {
            h: problem.h.map(|h| exact(h / inertia_unit)),
            mu: exact(problem.mu),
            b: problem.b.map(|b| exact(b / inertia_unit)),
            v0: problem.v0.map(|v| exact(v / velocity_unit)),
            impulse: impulse.collect(),
            velocity_unit,
        }
    }

    /// The velocities, or how many there are when the steps are used up.
    fn follow(&self) -> Result<Vec<Pair>, usize> {
        let [b11, _, b22] = self.b;
        let rate = dot(self.h, self.h).sqrt() + self.mu * (b11 + b22);
        let longest = LONGEST / rate.to_f64();
        let (mut p, mut v) = (ZERO, self.v0);
        let mut velocity = Vec::with_capacity(self.impulse.len());
        for _ in 0..MOST_STEPS {
            let Some(&end) = self.impulse.last() else { return Ok(velocity) };
            let speed = dot(v, v).sqrt();
            if speed.to_f64() < HALTED {
                let rate = self.rate_from_rest();
                let asked = self.impulse[velocity.len()..].iter();
                velocity.extend(asked.map(|&next| times(next - p, rate)));
                return Ok(velocity);
            }
            let expansion = self.expand(v.map(|x| x / speed));
            let rest = ((end - p) / speed).to_f64();
            let width = exact(expansion.width().min(2.0 * rest).min(longest));
            let reach = expansion.impulse(width);
            while let Some(&next) = self.impulse.get(velocity.len()) {
                let asked = (next - p) / speed;
                if asked > reach {
                    break;
                }
                velocity.push(times(speed, expansion.velocity(expansion.when(asked, width))));
            }
            if velocity.len() == self.impulse.len() {
                return Ok(velocity);
            }
            v = times(speed, expansion.velocity(width));
            p += speed * reach;
        }
        Err(velocity.len())
    }

    fn rate_from_rest(&self) -> Pair {
        let (h, mu, b) = (self.h, self.mu, self.b);
        if rest::solve(b, h).is_none_or(|u| dot(u, u) <= mu * mu) {
            return [ZERO; 2];
        }
        rest::restart_rate(b.map(|b| mu * b), h, dot(h, h).sqrt(), HALVINGS)
    }

    /// `x_{k+1} = (h s_k − μ b v_k)/(k+1)` for `v`, and `s_k` from `s² = v·v`.
    fn expand(&self, v0: Pair) -> Expansion {
        let [h1, h2] = self.h;
        let [b11, b12, b22] = self.b.map(|b| self.mu * b);
        let (mut v, mut s, mut p) = (vec![v0], vec![ONE], vec![ZERO]);
        for k in 0..ORDER {
            if k > 0 {
                let squares = (0..=k).fold(ZERO, |sum, j| sum + dot(v[j], v[k - j]));
                let inner = (1..k).fold(ZERO, |sum, j| sum + s[j] * s[k - j]);
                s.push((squares - inner) / whole(2));
            }
            let next = whole(k as u64 + 1);
            let [x, y] = v[k];
            let rate = [h1 * s[k] - (b11 * x + b12 * y), h2 * s[k] - (b12 * x + b22 * y)];
            v.push(rate.map(|x| x / next));
            p.push(s[k] / next);
        }
        Expansion { v, p }
    }
}

impl Expansion {
    fn width(&self) -> f64 {
        let width = |k: usize| {
            let norm = self.v[k].map(|x| x.to_f64().abs());
            (TOLERANCE / norm[0].max(norm[1])).powf(1.0 / k as f64)
        };
        width(ORDER).min(width(ORDER - 1))
    }

    fn velocity(&self, t: BigFloat) -> Pair {
        let terms = self.v.iter().rev();
        terms.fold([ZERO; 2], |sum, term| [0, 1].map(|i| sum[i] * t + term[i]))
    }

    fn impulse(&self, t: BigFloat) -> BigFloat {
        self.p.iter().rev().fold(ZERO, |sum, &term| sum * t + term)
    }

    /// The `τ` in a step at which the impulse is reached: bisection in few
    /// digits, then Newton's method in all.
    fn when(&self, impulse: BigFloat, width: BigFloat) -> BigFloat {
        let terms: Vec<f64> = self.p.iter().map(BigFloat::to_f64).collect();
        let rough = |t: f64| terms.iter().rev().fold(0.0, |sum, term| sum * t + term);
        let (wanted, mut low, mut high) = (impulse.to_f64(), 0.0, width.to_f64());
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if rough(middle) < wanted { low = middle } else { high = middle }
        }
        let mut t = exact(0.5 * (low + high));
        for _ in 0..3 {
            let v = self.velocity(t);
            t -= (self.impulse(t) - impulse) / dot(v, v).sqrt();
        }
        t
    }
}
