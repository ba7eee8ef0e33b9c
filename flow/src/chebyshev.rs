//! Functions on −1..1 by their values at Chebyshev's points.

/// The degree in which functions are found.
pub(crate) const FINE: usize = 18;

/// Points on which they are.
pub(crate) const POINTS: usize = FINE + 1;

/// Values at the points, from 1 down to −1.
pub(crate) type Values = [f64; POINTS];

/// `cos(π j / FINE)` for any `j`.
fn cosine(j: usize) -> f64 {
    let j = j % (2 * FINE);
    let folded = if j > FINE { 2 * FINE - j } else { j };
    // As sines, so that the points are symmetric and the middle one is 0.
    libm::sin(core::f64::consts::PI * (0.5 * FINE as f64 - folded as f64) / FINE as f64)
}

/// Points, the matrix that differentiates, and what leads to coefficients.
#[derive(Debug)]
pub(crate) struct Chebyshev {
    pub(crate) points: Values,
    pub(crate) derivative: [[f64; POINTS]; POINTS],
    cosines: [f64; 2 * FINE],
}

impl Chebyshev {
    pub(crate) fn new() -> Self {
        let points: Values = core::array::from_fn(cosine);
        let weight = |j: usize| {
            let end = if j == 0 || j == FINE { 2.0 } else { 1.0 };
            if j % 2 == 0 { end } else { -end }
        };
        let mut derivative = [[0.0; POINTS]; POINTS];
        for (i, row) in derivative.iter_mut().enumerate() {
            let mut sum = 0.0;
            for j in (0..POINTS).filter(|&j| j != i) {
                row[j] = weight(i) / weight(j) / (points[i] - points[j]);
                sum -= row[j];
            }
            row[i] = sum;
        }
        Self { points, derivative, cosines: core::array::from_fn(cosine) }
    }

    /// A function at the points.
    pub(crate) fn sample(&self, f: impl Fn(f64) -> f64) -> Values {
        self.points.map(f)
    }

    /// Coefficients of Chebyshev's polynomials.
    pub(crate) fn coefficients(&self, values: &Values) -> Values {
        core::array::from_fn(|k| {
            let inner = (1..FINE).map(|j| values[j] * self.cosines[j * k % (2 * FINE)]);
            let ends = 0.5 * (values[0] + if k % 2 == 0 { values[FINE] } else { -values[FINE] });
            let scale = if k == 0 || k == FINE { 1.0 } else { 2.0 };
            (ends + inner.sum::<f64>()) * scale / FINE as f64
        })
    }

    /// The integral from 0 of a function given by coefficients, likewise.
    pub(crate) fn integral(&self, coefficients: &Values) -> Values {
        let mut integral = [0.0; POINTS];
        let above = |k: usize| coefficients.get(k).copied().unwrap_or(0.0);
        integral[1] = above(0) - 0.5 * above(2);
        for (k, x) in integral.iter_mut().enumerate().skip(2) {
            *x = (above(k - 1) - above(k + 1)) / (2 * k) as f64;
        }
        let centre: f64 = (1..POINTS / 2 + 1)
            .filter(|k| 2 * k < POINTS)
            .map(|k| if k % 2 == 0 { integral[2 * k] } else { -integral[2 * k] })
            .sum();
        integral[0] = -centre;
        integral
    }
}

/// Powers' coefficients of a sum of Chebyshev's polynomials.
pub(crate) fn powers<const M: usize>(coefficients: &Values) -> [f64; M] {
    let (mut power, mut before, mut current) = ([0.0; M], [0.0; M], [0.0; M]);
    before[0] = 1.0;
    current[1] = 1.0;
    power[0] = coefficients[0];
    power[1] = coefficients[1];
    for &c in &coefficients[2..M] {
        let mut next = [0.0; M];
        for k in 0..M {
            next[k] = if k > 0 { 2.0 * current[k - 1] } else { 0.0 } - before[k];
            power[k] += c * next[k];
        }
        (before, current) = (current, next);
    }
    power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponential_comes_back() {
        let chebyshev = Chebyshev::new();
        let values = chebyshev.sample(libm::exp);
        for (row, value) in chebyshev.derivative.iter().zip(values) {
            let slope: f64 = row.iter().zip(values).map(|(x, y)| x * y).sum();
            assert!((slope - value).abs() < 1e-13);
        }
        let coefficients = chebyshev.coefficients(&values);
        let power = powers::<16>(&coefficients);
        let integral = powers::<16>(&chebyshev.integral(&coefficients));
        for x in [-1.0, -0.3, 0.0, 0.5, 1.0] {
            assert!((crate::field::value(&power, x) - libm::exp(x)).abs() < 1e-15);
            assert!((crate::field::value(&integral, x) - libm::expm1(x)).abs() < 1e-15);
        }
    }
}
