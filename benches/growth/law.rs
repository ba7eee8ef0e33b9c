//! Laws of growth, and what they are when fitted to points.

use nalgebra::{DMatrix, DVector};

/// How something grows with `x`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Law {
    /// `factor · x^exponent`
    Power { factor: f64, exponent: f64 },
    /// Coefficients of `1`, `x`, `x²` and so on.
    Polynomial(Vec<f64>),
    /// `at_one + decade · log₁₀(1/x)`
    Logarithm { at_one: f64, decade: f64 },
}

impl Law {
    /// The power nearest to points, in logarithms; none for fewer than two.
    pub(crate) fn power(points: &[[f64; 2]]) -> Option<Self> {
        let logs: Vec<_> = points.iter().map(|p| p.map(f64::ln)).collect();
        let [first, exponent] = line(&logs)?;
        Some(Self::Power { factor: first.exp(), exponent })
    }

    /// The polynomial of some powers that is relatively nearest to points; none for
    /// fewer points than powers.
    pub(crate) fn polynomial(points: &[[f64; 2]], powers: &[i32]) -> Option<Self> {
        if points.len() < powers.len() {
            return None;
        }
        let entry = |i: usize, j: usize| points[i][0].powi(powers[j]) / points[i][1];
        let matrix = DMatrix::from_fn(points.len(), powers.len(), entry);
        let ones = DVector::repeat(points.len(), 1.0);
        let solved = matrix.svd(true, true).solve(&ones, 1e-14).ok()?;
        let degree = powers.iter().copied().max()?;
        let coefficient =
            |k: i32| powers.iter().position(|power| *power == k).map_or(0.0, |j| solved[j]);
        Some(Self::Polynomial((0..=degree).map(coefficient).collect()))
    }

    /// The logarithm nearest to points.
    pub(crate) fn logarithm(points: &[[f64; 2]]) -> Option<Self> {
        let logs: Vec<_> = points.iter().map(|[x, y]| [-x.log10(), *y]).collect();
        let [at_one, decade] = line(&logs)?;
        Some(Self::Logarithm { at_one, decade })
    }

    pub(crate) fn at(&self, x: f64) -> f64 {
        match self {
            Self::Power { factor, exponent } => factor * x.powf(*exponent),
            Self::Polynomial(coefficients) => {
                coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c)
            }
            Self::Logarithm { at_one, decade } => at_one - decade * x.log10(),
        }
    }

    /// The law in words, of a variable.
    pub(crate) fn text(&self, x: &str) -> String {
        match self {
            Self::Power { factor, exponent } => {
                format!("{} {x}^{exponent:.2}", figures(*factor))
            }
            Self::Polynomial(coefficients) => {
                let terms = coefficients.iter().enumerate().rev().filter(|(_, c)| **c != 0.0);
                let mut text = String::new();
                for (k, c) in terms {
                    let sign = match (text.is_empty(), *c < 0.0) {
                        (true, false) => "",
                        (true, true) => "−",
                        (false, false) => " + ",
                        (false, true) => " − ",
                    };
                    let power = match k {
                        0 => String::new(),
                        1 => format!(" {x}"),
                        2 => format!(" {x}²"),
                        3 => format!(" {x}³"),
                        _ => format!(" {x}^{k}"),
                    };
                    text += &format!("{sign}{}{power}", figures(c.abs()));
                }
                text
            }
            Self::Logarithm { at_one, decade } => {
                format!("{} + {} per decade", figures(*at_one), figures(*decade))
            }
        }
    }

    /// The largest factor by which points differ from the law.
    pub(crate) fn departure(&self, points: &[[f64; 2]]) -> f64 {
        points.iter().map(|[x, y]| (y / self.at(*x)).ln().abs()).fold(0.0, f64::max).exp()
    }
}

/// Three figures of a number, in the form that is shortest to read.
pub(crate) fn figures(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let digits = 2 - value.abs().log10().floor() as i32;
    if !(-3..=5).contains(&digits) {
        return format!("{value:.2e}");
    }
    let text = format!("{value:.*}", digits.max(0) as usize);
    if text.contains('.') {
        return text.trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    text
}

/// Height at zero and slope of the line nearest to points.
fn line(points: &[[f64; 2]]) -> Option<[f64; 2]> {
    let many = points.len() as f64;
    if points.len() < 2 {
        return None;
    }
    let mean = |k: usize| points.iter().map(|p| p[k]).sum::<f64>() / many;
    let [x, y] = [mean(0), mean(1)];
    let along: f64 = points.iter().map(|p| (p[0] - x) * (p[0] - x)).sum();
    let both: f64 = points.iter().map(|p| (p[0] - x) * (p[1] - y)).sum();
    let slope = both / along;
    Some([y - slope * x, slope])
}
