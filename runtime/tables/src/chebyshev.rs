//! Functions on −1..1 by their values at Chebyshev's points.

/// `N` points, the matrix that differentiates, and what leads to coefficients.
#[derive(Debug)]
pub(crate) struct Chebyshev<const N: usize> {
    /// The points, from 1 down to −1.
    pub points: [f64; N],
    pub(crate) derivative: [[f64; N]; N],
}

impl<const N: usize> Default for Chebyshev<N> {
    fn default() -> Self {
        let last = (N - 1) as f64;
        // As sines, so that the points are symmetric and a middle one is 0.
        let points: [f64; N] = core::array::from_fn(|j| {
            libm::sin(core::f64::consts::PI * (0.5 * last - j as f64) / last)
        });
        let weight = |j: usize| {
            let end = if j == 0 || j == N - 1 { 2.0 } else { 1.0 };
            if j.is_multiple_of(2) { end } else { -end }
        };
        let mut derivative = [[0.0; N]; N];
        for (i, row) in derivative.iter_mut().enumerate() {
            let mut sum = 0.0;
            for j in (0..N).filter(|&j| j != i) {
                row[j] = weight(i) / weight(j) / (points[i] - points[j]);
                sum -= row[j];
            }
            row[i] = sum;
        }
        Self { points, derivative }
    }
}

impl<const N: usize> Chebyshev<N> {
    /// `cos(π j / (N − 1))` for any `j`.
    fn cosine(&self, j: usize) -> f64 {
        let period = 2 * (N - 1);
        let j = j % period;
        self.points[if j < N { j } else { period - j }]
    }

    /// A function at the points.
    pub(crate) fn sample(&self, f: impl Fn(f64) -> f64) -> [f64; N] {
        self.points.map(f)
    }

    /// Coefficients of Chebyshev's polynomials.
    pub(crate) fn coefficients(&self, values: &[f64; N]) -> [f64; N] {
        let last = N - 1;
        core::array::from_fn(|k| {
            let inner = (1..last).map(|j| values[j] * self.cosine(j * k));
            let ends = 0.5 * (values[0] + if k % 2 == 0 { values[last] } else { -values[last] });
            let scale = if k == 0 || k == last { 1.0 } else { 2.0 };
            (ends + inner.sum::<f64>()) * scale / last as f64
        })
    }

    /// The integral from 0 of a function given by coefficients, likewise.
    pub(crate) fn integral(&self, coefficients: &[f64; N]) -> [f64; N] {
        let mut integral = [0.0; N];
        let above = |k: usize| coefficients.get(k).copied().unwrap_or(0.0);
        integral[1] = above(0) - 0.5 * above(2);
        for (k, x) in integral.iter_mut().enumerate().skip(2) {
            *x = (above(k - 1) - above(k + 1)) / (2 * k) as f64;
        }
        let centre: f64 = (1..N / 2 + 1)
            .filter(|k| 2 * k < N)
            .map(|k| if k % 2 == 0 { integral[2 * k] } else { -integral[2 * k] })
            .sum();
        integral[0] = -centre;
        integral
    }
}

/// Coefficients of powers of a sum of the first `M` of Chebyshev's polynomials.
pub(crate) fn powers<const M: usize>(coefficients: &[f64]) -> [f64; M] {
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
        let chebyshev = Chebyshev::<19>::default();
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
