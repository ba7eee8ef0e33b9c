//! Diagonal Padé approximants from the Taylor coefficients of a step.

/// The highest degree of numerator and denominator.
pub(super) const MOST_DEGREE: usize = 20;
/// A pivot below this part of the largest coefficient is zero but for rounding.
const SINGULAR: f64 = 1e-15;

/// `P(x)/Q(x)`, the powers of `x` lowest first; `Q(0) = 1`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rational {
    numerator: [f64; 2 * MOST_DEGREE + 1],
    denominator: [f64; MOST_DEGREE + 1],
    above: usize,
    below: usize,
}

impl Rational {
    /// The approximant `[m/m]` of the series with coefficients 0 to `2m`:
    ///
    /// ```text
    /// Σ_j q_j c_(m+i−j) = −c_(m+i),  i, j = 1…m        p_k = c_k + Σ_(j≤k) q_j c_(k−j)
    /// ```
    ///
    /// and the series itself where the first system is singular.
    pub(super) fn new(series: &[f64]) -> Self {
        let degree = (series.len() - 1) / 2;
        let mut denominator = [0.0; MOST_DEGREE + 1];
        denominator[0] = 1.0;
        let mut numerator = [0.0; 2 * MOST_DEGREE + 1];
        let Some(q) = denominators(series, degree) else {
            numerator[..series.len()].copy_from_slice(series);
            return Self { numerator, denominator, above: series.len() - 1, below: 0 };
        };
        denominator[1..=degree].copy_from_slice(&q[..degree]);
        for k in 0..=degree {
            let earlier = (1..=k).map(|j| denominator[j] * series[k - j]);
            numerator[k] = series[k] + earlier.sum::<f64>();
        }
        Self { numerator, denominator, above: degree, below: degree }
    }

    /// Value and slope.
    #[inline]
    pub(super) fn at(&self, x: f64) -> [f64; 2] {
        let [p, p_slope] = horner(&self.numerator[..=self.above], x);
        let [q, q_slope] = horner(&self.denominator[..=self.below], x);
        let (inverse, value) = (1.0 / q, p / q);
        [value, (p_slope - value * q_slope) * inverse]
    }

    /// Whether no pole shows up to `x`: the denominator is above zero there and
    /// at the quarters before it.
    pub(super) fn is_regular(&self, x: f64) -> bool {
        let terms = &self.denominator[..=self.below];
        [0.25, 0.5, 0.75, 1.0].iter().all(|part| horner(terms, part * x)[0] > 0.0)
    }
}

#[inline]
fn horner(terms: &[f64], x: f64) -> [f64; 2] {
    terms.iter().rev().fold([0.0; 2], |[value, slope], term| [value * x + term, slope * x + value])
}

/// `q_1` to `q_m` by elimination with pivots, if the system is regular.
fn denominators(series: &[f64], degree: usize) -> Option<[f64; MOST_DEGREE]> {
    let mut rows = [[0.0; MOST_DEGREE + 1]; MOST_DEGREE];
    let mut largest = 0.0_f64;
    for (i, row) in rows[..degree].iter_mut().enumerate() {
        for (j, slot) in row[..degree].iter_mut().enumerate() {
            *slot = series[degree + i - j];
            largest = largest.max(slot.abs());
        }
        row[degree] = -series[degree + i + 1];
    }
    for k in 0..degree {
        let pivot = (k..degree).max_by(|&i, &j| rows[i][k].abs().total_cmp(&rows[j][k].abs()))?;
        rows.swap(k, pivot);
        let (done, rest) = rows[..degree].split_at_mut(k + 1);
        let row = &done[k];
        if row[k].is_nan() || row[k].abs() <= SINGULAR * largest {
            return None;
        }
        let inverse = 1.0 / row[k];
        for other in rest {
            let factor = other[k] * inverse;
            for (x, y) in other[k..=degree].iter_mut().zip(&row[k..=degree]) {
                *x -= factor * y;
            }
        }
    }
    let mut q = [0.0; MOST_DEGREE];
    for k in (0..degree).rev() {
        let known: f64 = (k + 1..degree).map(|j| rows[k][j] * q[j]).sum();
        q[k] = (rows[k][degree] - known) / rows[k][k];
    }
    Some(q)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponential_has_its_known_approximant() {
        let series = [1.0, 1.0, 0.5, 1.0 / 6.0, 1.0 / 24.0];
        let rational = Rational::new(&series);
        let (p, q) = (&rational.numerator[..3], &rational.denominator[..3]);
        for (found, wanted) in p.iter().zip([1.0, 0.5, 1.0 / 12.0]) {
            assert!((found - wanted).abs() < 1e-14, "{p:?}");
        }
        for (found, wanted) in q.iter().zip([1.0, -0.5, 1.0 / 12.0]) {
            assert!((found - wanted).abs() < 1e-14, "{q:?}");
        }
    }

    #[test]
    fn a_square_root_is_continued_beyond_its_radius() {
        let mut series = [1.0; 21];
        for k in 1..21 {
            series[k] = series[k - 1] * (1.5 - k as f64) / k as f64;
        }
        let [value, slope] = Rational::new(&series).at(3.0);
        assert!((value - 2.0).abs() < 1e-8 && (slope - 0.25).abs() < 1e-7, "{value} {slope}");
    }

    #[test]
    fn a_polynomial_of_low_degree_is_itself() {
        let mut series = [0.0; 13];
        (series[0], series[1], series[2]) = (0.3, -1.5, 0.25);
        let rational = Rational::new(&series);
        assert_eq!((rational.at(2.0), rational.below), ([-1.7, -0.5], 0));
        assert!(rational.is_regular(1e9));
    }
}
