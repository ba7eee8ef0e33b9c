//! Roots of the polynomials of a power-series step: the first one, never missed, because
//! Bernstein coefficients bound a polynomial on its interval and their sign changes bound
//! its roots (Descartes).
//!
//! A polynomial has `ROWS` coefficients, lowest first, of which those up to its degree
//! count.

use super::number::{absolute, larger, power_of_two, smaller};
use super::real::{DISPLACED, EPSILON, Real};
use super::seam::sqrt;

/// A polynomial's value, slope and half its curvature.
#[derive(Clone, Copy, Debug)]
pub struct Expansion {
    pub value: Real,
    pub slope: Real,
    pub bend: Real,
}

/// A degree that `ROWS` coefficients have room for: so no index is beyond them.
#[inline(always)]
pub fn bounded<const ROWS: usize>(degree: usize) -> usize {
    if degree < ROWS { degree } else { ROWS - 1 }
}

/// The series of one unknown.
pub fn column<const ROWS: usize, const COLUMNS: usize>(
    rows: &[[Real; COLUMNS]; ROWS],
    unknown: usize,
    series: &mut [Real; ROWS],
) {
    let inside = if unknown < COLUMNS { unknown } else { 0 };
    for k in 0..ROWS {
        series[k] = rows[k][inside];
    }
}

/// The value of a polynomial. Even and odd powers are summed apart, so as not to wait for
/// each other.
pub fn value<const ROWS: usize>(p: &[Real; ROWS], degree: usize, t: Real) -> Real {
    let degree = bounded::<ROWS>(degree);
    let square = t * t;
    let mut odd = 0.0;
    let mut even = if degree & 1 == 0 { p[degree] } else { 0.0 };
    for half in (0..(degree + 1) / 2).rev() {
        odd = odd * square + p[2 * half + 1];
        even = even * square + p[2 * half];
    }
    odd * t + even
}

/// The expansion of a polynomial at a place.
pub fn expansion<const ROWS: usize>(p: &[Real; ROWS], degree: usize, t: Real) -> Expansion {
    let degree = bounded::<ROWS>(degree);
    let mut at = Expansion { value: 0.0, slope: 0.0, bend: 0.0 };
    for k in (0..degree + 1).rev() {
        at.bend = at.bend * t + at.slope;
        at.slope = at.slope * t + at.value;
        at.value = at.value * t + p[k];
    }
    at
}

/// `f(x) = x q(from + x) - more`: how much more than so much a polynomial `p` has risen
/// since a place, as `p(t) - p(from) = (t - from) q(t)`. Nothing is lost where that is
/// little beside the polynomial itself.
#[derive(Clone, Copy, Debug)]
pub struct Excess<const ROWS: usize> {
    pub quotient: [Real; ROWS],
    pub degree: usize,
    pub from: Real,
    pub more: Real,
}

/// Halvings that take any interval to its last bit.
const HALVINGS: usize = 2200;

/// A step of Halley's method that changes no more than this part leads to the last bit:
/// the next one would change its cube.
const LAST_STEP: Real = 1e-6;

/// Halley's step is taken if it is at least this part of Newton's: near a turning point it
/// is short though the root is far.
const LEAST_STEP: Real = 0.25;

impl<const ROWS: usize> Excess<ROWS> {
    /// The excess of a polynomial over so much more than its value at a place.
    fn of(p: &[Real; ROWS], degree: usize, from: Real, more: Real) -> Self {
        let degree = bounded::<ROWS>(degree);
        let mut quotient = [0.0; ROWS];
        let mut coefficient = 0.0;
        for k in (1..degree + 1).rev() {
            coefficient = coefficient * from + p[k];
            quotient[k - 1] = coefficient;
        }
        Self { quotient, degree: degree - 1, from, more }
    }

    /// The excess at a distance from its place.
    fn at(&self, x: Real) -> Expansion {
        let q = expansion(&self.quotient, self.degree, self.from + x);
        Expansion {
            value: x * q.value - self.more,
            slope: q.value + x * q.slope,
            bend: q.slope + x * q.bend,
        }
    }

    /// The root of an excess between a place where it is at or below zero and one where it is
    /// at or above, by Halley's method, kept inside by bisection.
    fn root(&self, below: Real, above: Real, guess: Real) -> Real {
        let mut lo = below;
        let mut hi = above;
        let mut t = guess;
        for _ in 0..HALVINGS {
            let at = self.at(t);
            if at.value == 0.0 {
                return t;
            }
            if at.value < 0.0 {
                lo = t;
            } else {
                hi = t;
            }
            let halley = t - at.value * at.slope / (at.slope * at.slope - at.value * at.bend);
            let far = absolute(halley - t) * at.slope < LEAST_STEP * absolute(at.value);
            let inside = at.slope > 0.0 && !far && halley > lo && halley < hi;
            let next = if inside { halley } else { 0.5 * (lo + hi) };
            let change = absolute(next - t);
            let converged = inside && change <= LAST_STEP * absolute(t);
            if converged || change <= EPSILON * absolute(t) {
                return next;
            }
            t = next;
        }
        t
    }
}

/// Where in a range a polynomial that only rises there has risen by so much.
pub fn rise<const ROWS: usize>(
    p: &[Real; ROWS],
    degree: usize,
    more: Real,
    from: Real,
    to: Real,
) -> Option<Real> {
    if more <= 0.0 {
        return Some(from);
    }
    let width = to - from;
    let f = Excess::of(p, degree, from, more);
    let q = expansion(&f.quotient, f.degree, to);
    let total = width * q.value;
    if !(total >= more) {
        return None;
    }
    // The parabola through the start, with the end's value and slope.
    let last = total + width * width * q.slope;
    let linear = larger(2.0 * total - last, 0.0);
    let root = sqrt(larger(linear * linear + 4.0 * (total - linear) * more, 0.0));
    let guess = width * smaller(2.0 * more / (linear + root), 1.0);
    Some(from + f.root(0.0, width, guess))
}

/// `sum |p_k| t^k` without the first: how far a polynomial strays from its start.
pub fn span<const ROWS: usize>(p: &[Real; ROWS], degree: usize, t: Real) -> Real {
    let degree = bounded::<ROWS>(degree);
    let mut stray = 0.0;
    for k in (1..degree + 1).rev() {
        stray = (stray + absolute(p[k])) * t;
    }
    stray
}

/// A polynomial on a part of its range, which becomes `0..1`.
fn localise<const ROWS: usize>(
    p: &[Real; ROWS],
    degree: usize,
    from: Real,
    width: Real,
    local: &mut [Real; ROWS],
) {
    let degree = bounded::<ROWS>(degree);
    *local = *p;
    if from != 0.0 {
        for k in 0..degree {
            for j in (k..degree).rev() {
                local[j] += from * local[j + 1];
            }
        }
    }
    let mut power = 1.0;
    for k in 0..degree + 1 {
        local[k] *= power;
        power *= width;
    }
}

/// The first place in a range at which a polynomial crosses a level the given way;
/// `at_level` says that it starts there.
pub fn first_crossing<const ROWS: usize>(
    p: &[Real; ROWS],
    degree: usize,
    level: Real,
    from: Real,
    to: Real,
    upward: bool,
    at_level: bool,
) -> Option<Real> {
    let width = to - from;
    if !(width > 0.0) {
        return None;
    }
    let degree = bounded::<ROWS>(degree);
    let start = absolute(p[0] - level);
    if from == 0.0 && start > DISPLACED && span(p, degree, width) < start {
        return None;
    }
    let mut local = [0.0; ROWS];
    localise(p, degree, from, width, &mut local);
    local[0] -= level;
    if !upward {
        for k in 0..degree + 1 {
            local[k] = -local[k];
        }
    }
    // From here on the crossing is upward and the range `0..1`.
    let mut last = degree;
    if at_level || (local[0] >= 0.0 && local[0] <= DISPLACED) {
        for k in 0..degree {
            local[k] = local[k + 1];
        }
        last = degree - 1;
    }
    if local[0] >= 0.0 {
        return Some(from);
    }
    let at = search(&local, last)?;
    Some(from + width * at)
}

/// Halvings before two roots count as one.
const DEPTH: usize = 48;

/// The first upward crossing of zero in `0..1`, part by part from the left: each is a number
/// of as many binary digits as the interval was halved. Since the sign changes of all parts
/// together are no more than the degree, so many parts are enough.
fn search<const ROWS: usize>(p: &[Real; ROWS], degree: usize) -> Option<Real> {
    let degree = bounded::<ROWS>(degree);
    let mut whole = [0.0; ROWS];
    to_bernstein(p, degree, &mut whole);
    let mut number: u64 = 0;
    let mut depth = 0;
    let mut lo = 0.0;
    for _ in 0..ROWS * DEPTH {
        if lo >= 1.0 {
            return None;
        }
        let hi = lo + power_of_two(-(depth as i32));
        let mut part = whole;
        for level in 0..depth {
            halve(&mut part, degree, (number >> (depth - 1 - level)) & 1 == 1);
        }
        let changes = sign_changes(&part, degree);
        let first = part[0];
        let last = part[degree];
        let narrow = depth == DEPTH;
        if changes == 1 && first <= 0.0 {
            return Some(root_between(p, degree, lo, hi));
        }
        if first < 0.0 && (last == 0.0 || (narrow && last > 0.0)) && (changes == 0 || narrow) {
            return Some(hi);
        }
        if changes <= 1 || narrow {
            // On to the next part, as wide as the halvings so far allow.
            lo = hi;
            number += 1;
            while depth > 0 && number & 1 == 0 {
                number >>= 1;
                depth -= 1;
            }
        } else {
            number <<= 1;
            depth += 1;
        }
    }
    None
}

/// The root in a part of `0..1` with one crossing. A root that rounding makes at the end is
/// no rise.
fn root_between<const ROWS: usize>(p: &[Real; ROWS], degree: usize, lo: Real, hi: Real) -> Real {
    let f = Excess::of(p, degree, 0.0, -p[0]);
    let end = f.at(hi);
    let nearer = absolute(f.at(lo).value) < absolute(end.value);
    f.root(lo, hi, if nearer || end.slope <= 0.0 { lo } else { hi })
}

/// Coefficients of powers as those of Bernstein's polynomials on `0..1`.
fn to_bernstein<const ROWS: usize>(p: &[Real; ROWS], degree: usize, bernstein: &mut [Real; ROWS]) {
    let degree = bounded::<ROWS>(degree);
    let mut binomial = 1.0;
    for j in 0..degree + 1 {
        bernstein[j] = p[j] / binomial;
        binomial *= (degree - j) as Real / (j + 1) as Real;
    }
    for k in 1..degree + 1 {
        for i in (k..degree + 1).rev() {
            bernstein[i] += bernstein[i - 1];
        }
    }
}

/// Bernstein coefficients on the left or the right half of an interval (de Casteljau).
fn halve<const ROWS: usize>(bernstein: &mut [Real; ROWS], degree: usize, right: bool) {
    let degree = bounded::<ROWS>(degree);
    for k in 1..degree + 1 {
        if right {
            for i in 0..degree + 1 - k {
                bernstein[i] = 0.5 * (bernstein[i] + bernstein[i + 1]);
            }
        } else {
            for i in (k..degree + 1).rev() {
                bernstein[i] = 0.5 * (bernstein[i - 1] + bernstein[i]);
            }
        }
    }
}

/// How often coefficients change sign.
fn sign_changes<const ROWS: usize>(bernstein: &[Real; ROWS], degree: usize) -> usize {
    let degree = bounded::<ROWS>(degree);
    let mut changes = 0;
    let mut last = 0.0;
    for k in 0..degree + 1 {
        let x = bernstein[k];
        if (last < 0.0 && x > 0.0) || (last > 0.0 && x < 0.0) {
            changes += 1;
        }
        if x != 0.0 {
            last = x;
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A polynomial with these roots, rising for ever.
    fn of_roots(roots: &[Real]) -> [Real; 21] {
        let mut row = [0.0; 21];
        row[0] = 1.0;
        for (degree, root) in roots.iter().enumerate() {
            for k in (0..=degree).rev() {
                row[k + 1] += row[k];
                row[k] *= -root;
            }
        }
        row
    }

    fn crossing<const ROWS: usize>(row: &[Real; ROWS], from: Real, upward: bool) -> Option<Real> {
        first_crossing(row, ROWS - 1, 0.0, from, 1.0, upward, from > 0.0)
    }

    /// Far as numbers of this precision tell it.
    const ABOUT: Real = 1e8 * EPSILON;

    #[test]
    fn the_first_of_many_roots_is_found() {
        let row = of_roots(&[0.3, 0.31, 0.7]);
        let [up, down, again] = [(0.0, true), (0.3, false), (0.31, true)]
            .map(|(from, upward)| crossing(&row, from, upward).unwrap());
        assert!((up - 0.3).abs() < 1e3 * ABOUT, "{up}");
        assert!((down - 0.31).abs() < 1e3 * ABOUT, "{down}");
        assert!((again - 0.7).abs() < ABOUT, "{again}");
    }

    #[test]
    fn a_root_at_the_end_is_one() {
        assert_eq!(crossing(&[-1.0, 0.5, 0.5], 0.0, true), Some(1.0));
        assert_eq!(crossing(&of_roots(&[1.5]), 0.0, true), None);
    }

    #[test]
    fn a_pair_that_stays_off_is_no_root() {
        // (t − ½)² + a little, from above: comes near zero, never crosses.
        assert_eq!(crossing(&[0.25 + ABOUT, -1.0, 1.0], 0.0, false), None);
    }

    #[test]
    fn a_root_on_a_halving_point_is_kept() {
        let root = crossing(&of_roots(&[0.5, 0.75, 0.875]), 0.0, true).unwrap();
        assert!((root - 0.5).abs() < 8.0 * EPSILON);
    }

    #[test]
    fn a_turning_point_at_the_end_is_not_taken_for_a_root() {
        // 1/8 − (t − 1)²: rises through zero at 1 − √⅛ and is flat at 1, but for rounding.
        for slope in [-4.0 * EPSILON, 0.0, 4.0 * EPSILON, ABOUT] {
            let root = crossing(&[-0.875, 2.0 + slope, -1.0], 0.0, true).unwrap();
            assert!((root - 0.646_446_6).abs() < 1e-7 + ABOUT, "{slope}: {root}");
        }
    }

    /// A minimum that rounding alone would take below zero.
    #[test]
    fn a_fourfold_root_that_is_none_is_not_found() {
        let mut row = of_roots(&[0.6, 0.6, 0.6, 0.6]);
        row[0] += 1e3 * EPSILON;
        assert_eq!(crossing(&row, 0.0, false), None);
    }
}
