//! The friction of least energy: minimises `½ fᵀ A f + fᵀ c` over the discs `|f_i| ≤ r_i`.
//!
//! At the least there is a multiplier `λ_i ≥ 0` for each disc, with which
//!
//! ```text
//! A f + c + λ_i f_i = 0        λ_i s_i = 0        s_i = (r_i² − |f_i|²) / 2
//! ```
//!
//! so that a contact either has no acceleration or its friction is largest and against it. A
//! primal-dual interior-point method keeps `λ_i s_i = ε` and lets `ε` fall; unlike an exchange
//! of contacts that slide it cannot cycle, and a singular `A` makes no difference.

use super::modes::unit;
use super::system::ROWS;
use crate::elementary::sqrt;

/// Newton steps at most; ten to twenty are usual.
const ROUNDS: usize = 300;

/// How much of the way to the border a step goes.
const SHORT: f64 = 0.99;

/// By how much `ε` falls in a step, and where the last one was short.
const FALL: f64 = 0.1;
const CAREFUL: f64 = 0.5;

/// All `λ_i s_i` are kept above this part of their mean: next to the edge of one disc steps
/// would be short. How often steps are halved at most for this.
const ALONG: f64 = 0.01;
const SHORTER: usize = 30;

/// Where `ε`, and what the accelerations lack, are rounding.
const ROUNDING: f64 = 1e-14;

/// A small `ε`, and the steps that make all `λ_i s_i` equal to it.
const SMALL: f64 = 1e-9;
const CENTRING: usize = 4;

/// The discs of contacts at rest, row by row of their tangents.
pub(super) struct Discs<const K: usize, const N: usize> {
    /// The rows of the system, in order.
    pub(super) rows: [usize; N],
    pub(super) count: usize,
    /// How the accelerations along these rows respond to friction along them.
    pub(super) response: [[f64; N]; N],
    /// The accelerations without friction.
    pub(super) without: [f64; N],
    pub(super) radius: [f64; K],
}

/// The friction of least energy.
pub(super) struct Least<const K: usize> {
    pub(super) friction: [[f64; 2]; K],
    /// The direction in which each contact moves or, if it does not, would be pulled.
    pub(super) along: [[f64; 2]; K],
    /// Which contacts move.
    pub(super) moves: [bool; K],
    /// Their accelerations, as parts of those that matter.
    pub(super) accelerations: [f64; K],
    /// `s_i / r_i²`: what is left of each disc. Where many frictions hold the contacts this one
    /// is that of least `Σ |f_i|² / (r_i² left_i)` too.
    pub(super) left: [f64; K],
    pub(super) radius: [f64; K],
}

/// Of one disc, in units in which its radius is 1: the friction, `λ` and `s`.
#[derive(Clone, Copy)]
struct Disc {
    friction: [f64; 2],
    multiplier: f64,
    within: f64,
}

impl Disc {
    /// After this part of a change of the friction and of `λ`.
    fn moved(self, ([dx, dy], more): ([f64; 2], f64), part: f64) -> Self {
        let [x, y] = self.friction;
        let (along, square) = (x * dx + y * dy, dx * dx + dy * dy);
        Self {
            friction: [x + part * dx, y + part * dy],
            multiplier: self.multiplier + part * more,
            within: self.within - part * along - 0.5 * part * part * square,
        }
    }
}

impl<const K: usize, const N: usize> Discs<K, N> {
    /// The friction of least energy, where accelerations of this size matter: as `ε` vanishes
    /// or, if it need only be as far from the edges as it can, with a small one.
    pub(super) fn least(&self, most: f64, inside: bool) -> Least<K> {
        let mut discs = [Disc { friction: [0.0; 2], multiplier: 2.0, within: 0.5 }; K];
        let until = if inside { SMALL } else { ROUNDING };
        if most > 0.0 && self.count > 0 {
            let mut fall = FALL;
            for _ in 0..ROUNDS {
                let Some(part) = self.step(&mut discs, most, fall, until) else { break };
                fall = if part < CAREFUL { CAREFUL } else { FALL };
            }
            for _ in 0..if inside { CENTRING } else { 0 } {
                self.step(&mut discs, most, 1.0, 0.0);
            }
        }
        Least {
            friction: core::array::from_fn(|i| discs[i].friction.map(|x| x * self.radius[i])),
            along: discs.map(|disc| unit(disc.friction.map(|x| -x))),
            moves: discs.map(|disc| disc.multiplier > disc.within),
            accelerations: discs.map(|disc| disc.multiplier),
            left: discs.map(|disc| disc.within),
            radius: self.radius,
        }
    }

    fn own(&self, u: usize) -> (usize, usize) {
        (self.rows[u] / ROWS, self.rows[u] % ROWS - 1)
    }

    /// The contacts with a disc, each once.
    fn contacts(&self) -> impl Iterator<Item = usize> {
        (0..self.count).map(|u| self.own(u)).filter(|(_, d)| *d == 0).map(|(i, _)| i)
    }

    /// The part of a step of Newton's method that stays within the discs, once it is made;
    /// none, if there is nothing left.
    fn step(&self, discs: &mut [Disc; K], most: f64, fall: f64, until: f64) -> Option<f64> {
        let number = self.contacts().count() as f64;
        let left = |i: usize| discs[i].multiplier * discs[i].within;
        let mean = self.contacts().fold(0.0, |sum, i| sum + left(i)) / number;
        let epsilon = fall * mean;
        let mut matrix = [[0.0; N]; N];
        let mut change = [0.0; N];
        let mut lacking = 0.0_f64;
        for u in 0..self.count {
            let (i, d) = self.own(u);
            let Disc { friction, multiplier, within } = discs[i];
            let mut rate = self.without[u] / most + multiplier * friction[d];
            for (w, entry) in matrix[u].iter_mut().enumerate().take(self.count) {
                let (j, e) = self.own(w);
                let response = self.response[u][w] * (self.radius[j] / most);
                rate += response * discs[j].friction[e];
                *entry = response;
                if i == j {
                    *entry += multiplier / within * friction[d] * friction[e];
                }
            }
            matrix[u][u] += multiplier;
            lacking = lacking.max(rate.abs());
            change[u] = -rate - friction[d] * (epsilon / within - multiplier);
        }
        if mean <= until && lacking <= 10.0 * until || !solve(&mut matrix, &mut change, self.count)
        {
            return None;
        }
        let mut changes = [([0.0; 2], 0.0); K];
        for (u, change) in change.iter().enumerate().take(self.count) {
            let (i, d) = self.own(u);
            changes[i].0[d] = *change;
        }
        let mut part = 1.0 / SHORT;
        for i in self.contacts() {
            let Disc { friction: [x, y], multiplier, within } = discs[i];
            let ([dx, dy], more) = &mut changes[i];
            let (along, square) = (x * *dx + y * *dy, *dx * *dx + *dy * *dy);
            *more = (epsilon + multiplier * along) / within - multiplier;
            if *more < 0.0 {
                part = part.min(-multiplier / *more);
            }
            // Of |f + t df|² = 1 the positive root.
            let root = sqrt(along * along + 2.0 * within * square);
            if square > 0.0 {
                part = part.min(2.0 * within / (along + root));
            }
        }
        part = (SHORT * part).min(1.0);
        let before = *discs;
        for _ in 0..SHORTER {
            for i in self.contacts() {
                discs[i] = before[i].moved(changes[i], part);
            }
            let left = |i: usize| discs[i].multiplier * discs[i].within;
            let mean = self.contacts().fold(0.0, |sum, i| sum + left(i)) / number;
            if self.contacts().all(|i| left(i) >= ALONG * mean) {
                break;
            }
            part *= CAREFUL;
        }
        Some(part)
    }
}

/// Solves a system of linear equations in place, by elimination with pivots; whether it could.
fn solve<const N: usize>(matrix: &mut [[f64; N]; N], right: &mut [f64; N], count: usize) -> bool {
    for k in 0..count {
        let size = |i: &usize| matrix[*i][k].abs();
        let pivot = (k..count).max_by(|i, j| size(i).total_cmp(&size(j))).unwrap_or(k);
        if !(matrix[pivot][k].abs() > 0.0 && matrix[pivot][k].is_finite()) {
            return false;
        }
        matrix.swap(k, pivot);
        right.swap(k, pivot);
        let row = matrix[k];
        for i in k + 1..count {
            let part = matrix[i][k] / row[k];
            for (x, y) in matrix[i].iter_mut().zip(&row).take(count).skip(k) {
                *x -= part * y;
            }
            right[i] -= part * right[k];
        }
    }
    for k in (0..count).rev() {
        let known = (k + 1..count).fold(0.0, |sum, j| sum + matrix[k][j] * right[j]);
        right[k] = (right[k] - known) / matrix[k][k];
    }
    right[..count].iter().all(|x| x.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three contacts of which two are redundant, with discs of very different sizes: each has
    /// no acceleration, or the largest friction against it.
    #[test]
    fn contacts_rest_or_slide_against_friction() {
        for round in 0..10_000_u32 {
            let number = |i: u32| f64::from(round * 64 + i).sin() * 1e3 % 1.0;
            let half: [[f64; 4]; 6] = core::array::from_fn(|u| {
                core::array::from_fn(|i| number(10 * u as u32 + i as u32))
            });
            let mut discs = Discs::<3, 9> {
                rows: [1, 2, 4, 5, 7, 8, 0, 0, 0],
                count: 6,
                response: [[0.0; 9]; 9],
                without: [0.0; 9],
                radius: [0, 1, 2].map(|i| 10_f64.powf(3.0 * number(60 + i) - 1.0)),
            };
            let force: [f64; 4] = core::array::from_fn(|i| number(40 + i as u32));
            let product = |x: &[f64; 4], y: &[f64; 4]| (0..4).map(|i| x[i] * y[i]).sum::<f64>();
            for u in 0..6 {
                discs.without[u] = product(&half[u], &force);
                for w in 0..6 {
                    discs.response[u][w] = product(&half[u], &half[w]);
                }
            }
            let least = discs.least(1.0, false);
            for i in 0..3 {
                let rate = [0, 1].map(|d| {
                    let u = 2 * i + d;
                    let made = |w: usize| discs.response[u][w] * least.friction[w / 2][w % 2];
                    discs.without[u] + (0..6).map(made).sum::<f64>()
                });
                let ([f1, f2], radius) = (least.friction[i], discs.radius[i]);
                let moving = rate[0].hypot(rate[1]);
                assert!(f1.hypot(f2) <= radius * (1.0 + 1e-12), "{round}");
                let against = f1 * rate[0] + f2 * rate[1] + radius * moving;
                assert!(against <= 1e-9 * radius, "{round}: {against:e}");
                assert!(least.moves[i] || moving < 1e-6, "{round}: {moving:e}");
            }
        }
    }
}
