//! The response to an impulse at the contact: `D = J M⁻¹ Jᵀ` and `M⁻¹ Jᵀ`.
//!
//! With `M = Lᵀ Δ L`, eliminated from the last velocity to the first,
//!
//! ```text
//! y_k = L⁻ᵀ J_kᵀ,   D_kl = Σ_i y_ki y_li / Δ_i,   M⁻¹Jᵀ = L⁻¹ Δ⁻¹ y.
//! ```
//!
//! Eliminated from the tips, branches cause no fill-in. The linear velocities of a
//! free base may go first instead: their block of M is the mass times the identity
//! and the contact's directions are orthonormal, so that their part of D is the
//! identity over the mass. It fills in where there are branches, and is cheaper
//! where there are none.

use std::ops::Range;

use super::arithmetic::{Arithmetic, Term};
use super::dynamics::{Dynamics, FREE};

/// Which velocities are eliminated first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Elimination {
    /// Those of the tips, those of a free base last.
    Tips,
    /// The linear ones of a free base, then those of the tips.
    Linear,
}

impl Elimination {
    /// The velocities, last to be eliminated first.
    fn order(self, n: usize) -> Vec<usize> {
        match self {
            Self::Tips => (0..n).collect(),
            Self::Linear => (FREE / 2..n).chain(0..FREE / 2).collect(),
        }
    }
}

/// The effect of unit impulses in the contact's directions.
pub(super) struct Response {
    /// `J M⁻¹ Jᵀ`, its upper triangle alone.
    pub(super) contact_inertia: Vec<Vec<Term>>,
    /// `M⁻¹ Jᵀ`, a row for each velocity.
    pub(super) velocities: Vec<Vec<Term>>,
}

impl Response {
    /// The response of a robot; `Err` names a velocity that has no inertia.
    pub(super) fn new(dynamics: &mut Dynamics, elimination: Elimination) -> Result<Self, usize> {
        let order = elimination.order(dynamics.inertia.len());
        let a = &mut dynamics.arithmetic;
        let entry = |i: usize, j: usize| dynamics.inertia[i.max(j)][i.min(j)];
        let lower = (0..order.len())
            .map(|i| order[..=i].iter().map(|&j| entry(order[i], j)).collect())
            .collect();
        let factors = Factors::new(a, lower).map_err(|position| order[position])?;
        let half: Vec<Vec<Term>> = dynamics
            .jacobian
            .iter()
            .map(|row| factors.first_half(a, order.iter().map(|&i| row[i]).collect()))
            .collect();
        let scaled: Vec<Vec<Term>> = half.iter().map(|y| factors.scaled(a, y)).collect();
        let (block, isotropic) = match elimination {
            Elimination::Tips => (0..order.len(), Term::ZERO),
            Elimination::Linear => (0..order.len() - FREE / 2, factors.inverse[order.len() - 1]),
        };
        let contact_inertia = contact_inertia(a, &half, &scaled, block, isotropic);
        let mut velocities = vec![vec![Term::ZERO; half.len()]; order.len()];
        for (k, z) in scaled.into_iter().enumerate() {
            for (x, &i) in factors.second_half(a, z).into_iter().zip(&order) {
                velocities[i][k] = x;
            }
        }
        Ok(Self { contact_inertia, velocities })
    }
}

/// `δ_kl isotropic + Σ_i y_ki y_li / Δ_i` over a range of i, for k ≤ l.
fn contact_inertia(
    a: &mut Arithmetic,
    half: &[Vec<Term>],
    scaled: &[Vec<Term>],
    block: Range<usize>,
    isotropic: Term,
) -> Vec<Vec<Term>> {
    let mut entry = |k: usize, l: usize| {
        let sum = a.dot(&half[k][block.clone()], &scaled[l][block.clone()]);
        if k == l { a.add(sum, isotropic) } else { sum }
    };
    (0..half.len()).map(|k| (k..half.len()).map(|l| entry(k, l)).collect()).collect()
}

/// `M = Lᵀ Δ L`.
struct Factors {
    /// Rows of L, without their ones.
    lower: Vec<Vec<Term>>,
    /// `1 / Δ`.
    inverse: Vec<Term>,
}

impl Factors {
    /// Factors the matrix with the given lower triangle; `Err` is where a pivot is
    /// zero.
    fn new(a: &mut Arithmetic, mut lower: Vec<Vec<Term>>) -> Result<Self, usize> {
        let mut rows = Vec::with_capacity(lower.len());
        let mut inverse = Vec::with_capacity(lower.len());
        while let Some(mut row) = lower.pop() {
            let pivot = row.pop().unwrap_or(Term::ZERO);
            let over = a.inverse(pivot).ok_or(lower.len())?;
            let quotients: Vec<_> = row.iter().map(|&x| a.mul(x, over)).collect();
            for (other, &quotient) in lower.iter_mut().zip(&quotients) {
                for (x, &factor) in other.iter_mut().zip(&row) {
                    let product = a.mul(quotient, factor);
                    *x = a.sub(*x, product);
                }
            }
            rows.push(quotients);
            inverse.push(over);
        }
        rows.reverse();
        inverse.reverse();
        Ok(Self { lower: rows, inverse })
    }

    /// `L⁻ᵀ x`.
    fn first_half(&self, a: &mut Arithmetic, mut x: Vec<Term>) -> Vec<Term> {
        for (k, row) in self.lower.iter().enumerate().rev() {
            let pivot = x[k];
            for (x, &factor) in x.iter_mut().zip(row) {
                let product = a.mul(factor, pivot);
                *x = a.sub(*x, product);
            }
        }
        x
    }

    /// `Δ⁻¹ x`.
    fn scaled(&self, a: &mut Arithmetic, x: &[Term]) -> Vec<Term> {
        x.iter().zip(&self.inverse).map(|(&x, &inverse)| a.mul(x, inverse)).collect()
    }

    /// `L⁻¹ x`.
    fn second_half(&self, a: &mut Arithmetic, mut x: Vec<Term>) -> Vec<Term> {
        for (k, row) in self.lower.iter().enumerate() {
            let sum = a.dot(row, &x[..k]);
            x[k] = a.sub(x[k], sum);
        }
        x
    }
}
