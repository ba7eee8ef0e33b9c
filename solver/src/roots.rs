//! Roots of the polynomials of a power-series step: the first one, never
//! missed, because Bernstein coefficients bound a polynomial on its interval
//! and their sign changes bound its roots (Descartes).

use crate::elementary::sqrt;

/// Coefficients in a row, enough for the highest order.
pub(crate) const LENGTH: usize = 65;

/// A value this far on the wrong side, in units of order one, is a zero that
/// rounding displaced.
const NOISE: f64 = 1e-14;

/// Halvings before two roots count as one.
const DEPTH: usize = 48;

/// Halvings that take any interval to its last bit.
const HALVINGS: usize = 2200;

/// Which way a quantity crosses its level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Crossing {
    Upward,
    Downward,
}

/// A polynomial's coefficients, lowest first.
pub(crate) trait Polynomial:
    DoubleEndedIterator<Item = f64> + ExactSizeIterator + Clone
{
}

impl<I: DoubleEndedIterator<Item = f64> + ExactSizeIterator + Clone> Polynomial for I {}

/// A polynomial's value. Even and odd powers are summed apart, so as not to
/// wait for each other.
#[inline]
pub(crate) fn value(mut polynomial: impl Polynomial, t: f64) -> f64 {
    if t == 0.0 {
        return polynomial.next().unwrap_or(0.0);
    }
    let square = t * t;
    let (mut even, mut odd) = (0.0, 0.0);
    let mut falling = polynomial.rev();
    if falling.len() % 2 == 1 {
        even = falling.next().unwrap_or(0.0);
    }
    while let (Some(x), Some(y)) = (falling.next(), falling.next()) {
        odd = odd * square + x;
        even = even * square + y;
    }
    odd * t + even
}

/// `Σ |x_k| t^k` without the first: how far a polynomial strays from its start.
#[inline]
pub(crate) fn span(polynomial: impl Polynomial, t: f64) -> f64 {
    polynomial.skip(1).rev().fold(0.0, |sum, x| (sum + x.abs()) * t)
}

/// A polynomial's value, slope and half its curvature.
#[inline]
fn expansion(row: &[f64], t: f64) -> [f64; 3] {
    row.iter().rev().fold([0.0; 3], |[value, slope, bend], &x| {
        [value * t + x, slope * t + value, bend * t + slope]
    })
}

/// `q(t)`, its slope and half its curvature, where `p(t) − p(from) =
/// (t − from) q(t)`, by division.
#[inline]
fn quotient(polynomial: impl Polynomial, from: f64, t: f64) -> [f64; 3] {
    let mut coefficient = 0.0;
    let [mut value, mut slope, mut bend] = [0.0; 3];
    for x in polynomial.skip(1).rev() {
        coefficient = coefficient * from + x;
        bend = bend * t + slope;
        slope = slope * t + value;
        value = value * t + coefficient;
    }
    [value, slope, bend]
}

/// The values of several polynomials, given by a row of coefficients for each
/// order.
#[inline]
pub(crate) fn values<const Q: usize>(
    rows: impl DoubleEndedIterator<Item = [f64; Q]> + ExactSizeIterator,
    t: f64,
) -> [f64; Q] {
    let square = t * t;
    let (mut even, mut odd) = ([0.0; Q], [0.0; Q]);
    let mut falling = rows.rev();
    if falling.len() % 2 == 1 {
        even = falling.next().unwrap_or(even);
    }
    while let (Some(x), Some(y)) = (falling.next(), falling.next()) {
        for i in 0..Q {
            odd[i] = odd[i] * square + x[i];
            even[i] = even[i] * square + y[i];
        }
    }
    core::array::from_fn(|i| odd[i] * t + even[i])
}

/// A step of Halley's method that changes no more than this part leads to the
/// last bit: the next one would change its cube.
const CONVERGED: f64 = 1e-6;

/// Halley's step is taken if it is at least this part of Newton's.
const LEAST_STEP: f64 = 0.25;

/// Halley's method, kept inside a bracket by bisection, on a function that is
/// at or below zero at `lo` and at or above it at `hi`; it yields value, slope
/// and half the curvature.
fn bracketed(function: impl Fn(f64) -> [f64; 3], (mut lo, mut hi): (f64, f64), guess: f64) -> f64 {
    let mut t = guess;
    for _ in 0..HALVINGS {
        let [excess, slope, bend] = function(t);
        if excess == 0.0 {
            return t;
        }
        if excess < 0.0 {
            lo = t;
        } else {
            hi = t;
        }
        let halley = t - excess * slope / (slope * slope - excess * bend);
        // Near a turning point Halley's step is short though the root is far.
        let far = (halley - t).abs() * slope < LEAST_STEP * excess.abs();
        let inside = slope > 0.0 && !far && halley > lo && halley < hi;
        let next = if inside { halley } else { 0.5 * (lo + hi) };
        let change = (next - t).abs();
        if change <= f64::EPSILON * t.abs() || inside && change <= CONVERGED * t.abs() {
            return next;
        }
        t = next;
    }
    t
}

/// Where in `0..=1` the parabola with slope `last` at the end has risen by
/// `more` of `total`; nothing is lost where that is little.
fn parabola(total: f64, last: f64, more: f64) -> f64 {
    let linear = (2.0 * total - last).max(0.0);
    let root = sqrt((linear * linear + 4.0 * (total - linear) * more).max(0.0));
    (2.0 * more / (linear + root)).min(1.0)
}

/// The `t` in `from..=to` at which a polynomial that only rises there has risen
/// by `more` since `from`, if it does. Nothing is lost where `more` is small
/// beside the polynomial itself.
pub(crate) fn rise(polynomial: impl Polynomial, more: f64, from: f64, to: f64) -> Option<f64> {
    if more <= 0.0 {
        return Some(from);
    }
    let length = to - from;
    let [mean, slope, _] = quotient(polynomial.clone(), from, to);
    let total = length * mean;
    if total.is_nan() || total < more {
        return None;
    }
    let guess = length * parabola(total, total + length * length * slope, more);
    let excess = |x: f64| {
        let [q, slope, bend] = quotient(polynomial.clone(), from, from + x);
        [x * q - more, q + x * slope, slope + x * bend]
    };
    Some(from + bracketed(excess, (0.0, length), guess))
}

/// The first `t` in `from..=to` at which a polynomial of the given order
/// crosses `level` the given way. `at_level` says that it starts there.
pub(crate) fn first_crossing(
    polynomial: impl Polynomial,
    level: f64,
    from: f64,
    to: f64,
    way: Crossing,
    at_level: bool,
) -> Option<f64> {
    let width = to - from;
    if width <= 0.0 {
        return None;
    }
    if from == 0.0 && stays_off(polynomial.clone(), level, width) {
        return None;
    }
    let mut local = [0.0; LENGTH];
    let local = local.get_mut(..polynomial.len())?;
    restrict(polynomial, level, from, width, local);
    if way == Crossing::Downward {
        local.iter_mut().for_each(|x| *x = -*x);
    }
    // From here on the crossing is upward and the interval 0..=1.
    let displaced = local[0] >= 0.0 && local[0] <= NOISE;
    let local = if at_level || displaced { &local[1..] } else { &local[..] };
    let first = *local.first()?;
    if first >= 0.0 {
        return Some(from);
    }
    let mut bernstein = [0.0; LENGTH];
    let bernstein = &mut bernstein[..local.len()];
    to_bernstein(local, bernstein);
    search(local, bernstein, 0.0, 1.0, DEPTH).map(|u| from + width * u)
}

/// Whether a polynomial is too far from a level at 0 to reach it by `width`.
fn stays_off(polynomial: impl Polynomial, level: f64, width: f64) -> bool {
    let first = polynomial.clone().next().map_or(0.0, |x| (x - level).abs());
    first > NOISE && span(polynomial, width) < first
}

/// Coefficients of `p(from + width u) − level` in `u`.
fn restrict(polynomial: impl Polynomial, level: f64, from: f64, width: f64, local: &mut [f64]) {
    local.iter_mut().zip(polynomial).for_each(|(slot, x)| *slot = x);
    if from != 0.0 {
        for k in 0..local.len() {
            for j in (k..local.len() - 1).rev() {
                local[j] += from * local[j + 1];
            }
        }
    }
    let mut power = 1.0;
    for x in local.iter_mut() {
        *x *= power;
        power *= width;
    }
    local[0] -= level;
}

fn to_bernstein(power: &[f64], bernstein: &mut [f64]) {
    let n = power.len() - 1;
    let mut binomial = 1.0;
    for (j, (b, a)) in bernstein.iter_mut().zip(power).enumerate() {
        *b = a / binomial;
        binomial *= (n - j) as f64 / (j + 1) as f64;
    }
    for k in 1..=n {
        for i in (k..=n).rev() {
            bernstein[i] += bernstein[i - 1];
        }
    }
}

fn sign_changes(values: &[f64]) -> usize {
    let mut changes = 0;
    let mut last = 0.0;
    for &x in values.iter().filter(|x| **x != 0.0) {
        changes += usize::from(last * x.signum() < 0.0);
        last = x.signum();
    }
    changes
}

/// The first upward crossing in `lo..=hi`, where `bernstein` describes the
/// polynomial `power` on that part of the unit interval.
fn search(power: &[f64], bernstein: &[f64], lo: f64, hi: f64, depth: usize) -> Option<f64> {
    let (first, last) = (bernstein[0], bernstein[bernstein.len() - 1]);
    match sign_changes(bernstein) {
        0 => (first < 0.0 && last == 0.0).then_some(hi),
        1 if first <= 0.0 => {
            // A root that rounding makes at the end is no rise.
            let [end, slope, _] = expansion(power, hi);
            let nearer = expansion(power, lo)[0].abs() < end.abs();
            let guess = if nearer || slope <= 0.0 { lo } else { hi };
            Some(bracketed(|t| expansion(power, t), (lo, hi), guess))
        }
        1 => None,
        _ if depth == 0 => (first < 0.0 && last >= 0.0).then_some(hi),
        _ => {
            let (mut left, mut right) = ([0.0; LENGTH], [0.0; LENGTH]);
            let n = bernstein.len();
            let (left, right) = (&mut left[..n], &mut right[..n]);
            halve(bernstein, left, right);
            let middle = 0.5 * (lo + hi);
            search(power, left, lo, middle, depth - 1)
                .or_else(|| search(power, right, middle, hi, depth - 1))
        }
    }
}

/// De Casteljau's subdivision at the middle.
fn halve(bernstein: &[f64], left: &mut [f64], right: &mut [f64]) {
    right.copy_from_slice(bernstein);
    for (k, slot) in left.iter_mut().enumerate() {
        *slot = right[0];
        for i in 0..right.len() - 1 - k {
            right[i] = 0.5 * (right[i] + right[i + 1]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polynomial(roots: &[f64]) -> [f64; LENGTH] {
        let mut row = [0.0; LENGTH];
        row[0] = 1.0;
        for (degree, root) in roots.iter().enumerate() {
            for k in (0..=degree).rev() {
                row[k + 1] += row[k];
                row[k] *= -root;
            }
        }
        row
    }

    #[test]
    fn the_first_of_many_roots_is_found() {
        let row = polynomial(&[0.3, 0.30001, 0.7]);
        let row = &row[..21];
        let up =
            first_crossing(row.iter().copied(), 0.0, 0.0, 1.0, Crossing::Upward, false).unwrap();
        assert!((up - 0.3).abs() < 1e-10, "{up}");
        let down =
            first_crossing(row.iter().copied(), 0.0, 0.3, 1.0, Crossing::Downward, true).unwrap();
        assert!((down - 0.30001).abs() < 1e-8, "{down}");
        let again =
            first_crossing(row.iter().copied(), 0.0, 0.30001, 1.0, Crossing::Upward, true).unwrap();
        assert!((again - 0.7).abs() < 1e-8, "{again}");
    }

    #[test]
    fn a_root_at_the_end_is_one() {
        let row = [-1.0, 0.5, 0.5];
        let up = first_crossing(row.iter().copied(), 0.0, 0.0, 1.0, Crossing::Upward, false);
        assert_eq!(up, Some(1.0));
    }

    #[test]
    fn a_pair_that_stays_off_is_no_root() {
        // (t − ½)² + 1e-9 from above: comes near zero, never crosses.
        let row = [0.25 + 1e-9, -1.0, 1.0];
        assert_eq!(
            first_crossing(row.iter().copied(), 0.0, 0.0, 1.0, Crossing::Downward, false),
            None
        );
    }

    #[test]
    fn a_root_on_a_halving_point_is_kept() {
        let row = polynomial(&[0.5, 0.75, 0.875]);
        let root =
            first_crossing(row[..21].iter().copied(), 0.0, 0.0, 1.0, Crossing::Upward, false)
                .unwrap();
        assert!((root - 0.5).abs() < 1e-15);
    }

    #[test]
    fn a_turning_point_at_the_end_is_not_taken_for_a_root() {
        // 1/8 − (t − 1)²: rises through zero at 1 − √⅛ and is flat at 1, but for rounding.
        for slope in [-1e-15, 0.0, 1e-15, 1e-9] {
            let row = [-0.875, 2.0 + slope, -1.0];
            let root = first_crossing(row.iter().copied(), 0.0, 0.0, 1.0, Crossing::Upward, false)
                .unwrap();
            assert!((root - (1.0 - 0.125_f64.sqrt())).abs() < 1e-8, "{slope}: {root}");
        }
    }

    #[test]
    fn beyond_the_interval_is_not_inside() {
        let row = polynomial(&[1.5]);
        assert_eq!(
            first_crossing(row[..21].iter().copied(), 0.0, 0.0, 1.0, Crossing::Upward, false),
            None
        );
    }
}
