//! Invariant directions: the zeros of `f(φ) = c h₂ − d h₁ + Δ c d`, where
//! `Δ = μ (b₁ − b₂)`.
//!
//! Between the axes `f/(cd) = Δ + h₂/d − h₁/c`. In the quadrant of `h`, and in
//! the opposite one, that is monotone and takes every value: one zero each. In
//! one of the other two it is `|Δ|` less the convex `|h₁/c| + |h₂/d|`, which is
//! least, `(|h₁|^⅔ + |h₂|^⅔)^{3/2}`, where `|c| : |d| = |h₁|^⅓ : |h₂|^⅓`: two
//! zeros, one on each side of that, if `h` lies inside the astroid, and none
//! outside. So every zero is bracketed whatever the numbers, double ones too,
//! and an `h` on an axis is the limit of one beside it.

use alloc::vec::Vec;

use crate::field::Field;

/// Halvings that leave nothing of a quadrant, down to the smallest numbers.
const HALVINGS: usize = 1100;

/// The invariant directions of a field in the order of their angles; none if all
/// directions are.
pub(crate) fn invariant_directions(field: &Field) -> Vec<[f64; 2]> {
    let [h1, h2] = field.h;
    let delta = field.mu * (field.b[0] - field.b[1]);
    let mut found = Vec::with_capacity(4);
    if h1 == 0.0 && h2 == 0.0 {
        if delta != 0.0 {
            found.extend([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]]);
        }
        return found;
    }
    let [s1, s2] = [1.0_f64.copysign(h1), 1.0_f64.copysign(h2)];
    let (first, last) = ([1.0, 0.0], [0.0, 1.0]);
    found.push(zero(field, [s1, s2], (first, last), false));
    found.push(zero(field, [-s1, -s2], (first, last), true));
    let [r1, r2] = [libm::cbrt(h1.abs()), libm::cbrt(h2.abs())];
    let length = libm::hypot(r1, r2);
    if length * length * length < delta.abs() {
        let quadrant = if delta > 0.0 { [s1, -s2] } else { [-s1, s2] };
        let least = [r1 / length, r2 / length];
        found.push(zero(field, quadrant, (first, least), delta > 0.0));
        found.push(zero(field, quadrant, (least, last), delta < 0.0));
    }
    found.sort_by(|x, y| angle(*x).total_cmp(&angle(*y)));
    found.dedup();
    found
}

/// The angle of a direction, from 0 to 2π.
pub(crate) fn angle([c, d]: [f64; 2]) -> f64 {
    let angle = libm::atan2(d, c);
    if angle < 0.0 { angle + 2.0 * core::f64::consts::PI } else { angle }
}

/// The angle from one to another, forward.
pub(crate) fn forward(from: f64, to: f64) -> f64 {
    let gap = to - from;
    if gap > 0.0 { gap } else { gap + 2.0 * core::f64::consts::PI }
}

/// The zero in a range of a quadrant, given by its signs, in which the mirrored
/// `f` rises through zero or falls.
fn zero(
    field: &Field,
    [s1, s2]: [f64; 2],
    (mut from, mut to): ([f64; 2], [f64; 2]),
    rises: bool,
) -> [f64; 2] {
    let [h1, h2] = [field.h[0] * s1, field.h[1] * s2];
    let delta = field.mu * (field.b[0] - field.b[1]);
    for _ in 0..HALVINGS {
        let sum = [from[0] + to[0], from[1] + to[1]];
        let length = libm::hypot(sum[0], sum[1]);
        let [c, d] = sum.map(|x| x / length);
        if [c, d] == from || [c, d] == to {
            break;
        }
        let across = c * h2 - d * h1 + delta * (c * d);
        if (across < 0.0) == rises {
            from = [c, d];
        } else {
            to = [c, d];
        }
    }
    let [c, d] = to;
    [c * s1, d * s2]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(h: [f64; 2], b: [f64; 2]) -> Field {
        Field { a: 1.0, h, b, mu: 1.0 }
    }

    #[test]
    fn directions_are_invariant_and_their_number_is_the_astroids() {
        let sizes = [0.0, 1e-300, 1e-8, 0.1, 0.3, 0.35355339, 0.36, 1.0, 30.0];
        for h1 in sizes {
            for h2 in sizes {
                for (s1, s2) in [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)] {
                    for b in [[1.0, 2.0], [2.0, 1.0], [1.0, 1.0]] {
                        let field = field([s1 * h1, s2 * h2], b);
                        let found = invariant_directions(&field);
                        let size = h1 + h2 + 1.0;
                        for e in &found {
                            assert!(
                                field.turning(*e).across.abs() <= 1e-15 * size,
                                "{field:?} {e:?}"
                            );
                        }
                        let inside = h1.powf(2.0 / 3.0) + h2.powf(2.0 / 3.0) < (b[0] - b[1]).abs();
                        let count = if inside { 4 } else { 2 };
                        let every = h1 == 0.0 && h2 == 0.0 && b[0] == b[1];
                        assert_eq!(
                            found.len(),
                            if every { 0 } else { count },
                            "{field:?} {found:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn axes_are_found_exactly() {
        let found = invariant_directions(&field([0.0, 0.5], [2.0, 1.0]));
        assert!(found.contains(&[0.0, 1.0]) && found.contains(&[0.0, -1.0]), "{found:?}");
        let across = found.iter().filter(|e| (e[1] + 0.5).abs() < 1e-15).count();
        assert_eq!((found.len(), across), (4, 2));
    }
}
