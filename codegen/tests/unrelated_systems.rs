//! Systems that have nothing to do with impact, whose series are known from
//! textbooks, come out of the same derivation.
#![cfg(feature = "symbolica")]

use routh_codegen::model::System;
use routh_codegen::program::SeriesProgram;
use routh_codegen::{Error, derive, symbolic};

/// Unknowns and their rates.
type Rates = &'static [(&'static str, &'static str)];

fn derive(parameters: &'static [&'static str], rates: Rates) -> Result<SeriesProgram, Error> {
    symbolic::run(move || {
        let system = System::parse("unrelated", "t", parameters, rates);
        derive::taylor(&system.map_err(Error::Derivation)?)
    })?
}

/// The coefficients of every unknown of a system without parameters.
fn expand(rates: Rates, start: &[f64], order: usize) -> Vec<Vec<f64>> {
    derive(&[], rates).unwrap().coefficients(&[], start, order)
}

#[track_caller]
fn assert_series(found: &[f64], expected: impl Fn(usize) -> f64) {
    for (k, &x) in found.iter().enumerate() {
        let exact = expected(k);
        assert!((x - exact).abs() <= 1e-14 * exact.abs(), "coefficient {k}: {x:e}, not {exact:e}");
    }
}

fn factorial(n: usize) -> f64 {
    (1..=n).map(|k| k as f64).product()
}

/// Coefficient `k` of `(1 + z)^alpha`.
fn binomial(alpha: f64, k: usize) -> f64 {
    (0..k).map(|j| (alpha - j as f64) / (j + 1) as f64).product()
}

/// Coefficient `k` of `log(1 + t)`.
fn logarithm(k: usize) -> f64 {
    match k {
        0 => 0.0,
        _ if k % 2 == 1 => 1.0 / k as f64,
        _ => -1.0 / k as f64,
    }
}

/// Coefficient `k` of the product of two series, and the size of its terms.
fn cauchy(x: &[f64], y: &[f64], k: usize) -> (f64, f64) {
    let terms = (0..=k).map(|j| x[j] * y[k - j]);
    terms.fold((0.0, 0.0), |(sum, size), term| (sum + term, size + term.abs()))
}

fn product(x: &[f64], y: &[f64]) -> Vec<f64> {
    (0..x.len().min(y.len())).map(|k| cauchy(x, y, k).0).collect()
}

fn derivative(x: &[f64]) -> Vec<f64> {
    (1..x.len()).map(|k| k as f64 * x[k]).collect()
}

const PENDULUM: Rates = &[("q", "w"), ("w", "-sin(q)")];

/// On the separatrix `w = 2 sech t`, the generating function of Euler's numbers.
#[test]
fn pendulum_on_its_separatrix() {
    let euler = [1, -1, 5, -61, 1385, -50521, 2_702_765, -199_360_981, 19_391_512_145_i64];
    let found = expand(PENDULUM, &[0.0, 2.0], 17);
    let sech = |k: usize| match k % 2 {
        0 => euler[k / 2] as f64 / factorial(k),
        _ => 0.0,
    };
    assert_series(&found[1][..17], |k| 2.0 * sech(k));
    assert_series(&found[0][1..], |k| 2.0 * sech(k) / (k + 1) as f64);
}

/// Swinging from the bottom with `w = 2 m`, the pendulum has `w = 2 m cn(t, m)`.
#[test]
fn pendulum_as_an_elliptic_function() {
    let m = 0.6_f64;
    let [m2, m4, m6] = [2, 4, 6].map(|n| m.powi(n));
    let cn = [
        1.0,
        -1.0,
        1.0 + 4.0 * m2,
        -(1.0 + 44.0 * m2 + 16.0 * m4),
        1.0 + 408.0 * m2 + 912.0 * m4 + 64.0 * m6,
    ];
    let found = expand(PENDULUM, &[0.0, 2.0 * m], 8);
    assert_series(&found[1], |k| match k % 2 {
        0 => 2.0 * m * cn[k / 2] / factorial(k),
        _ => 0.0,
    });
}

/// `cos x` by the cosine's own series about `x_0`.
fn cosine(x: &[f64]) -> Vec<f64> {
    let mut rest = x.to_vec();
    rest[0] = 0.0;
    let mut power = vec![0.0; x.len()];
    power[0] = 1.0;
    let mut sum = vec![0.0; x.len()];
    for n in 0..x.len() {
        let derivatives = [x[0].cos(), -x[0].sin(), -x[0].cos(), x[0].sin()];
        let factor = derivatives[n % 4] / factorial(n);
        sum.iter_mut().zip(&power).for_each(|(s, p)| *s += factor * p);
        power = product(&power, &rest);
    }
    sum
}

#[test]
fn pendulum_conserves_energy() {
    let found = expand(PENDULUM, &[0.7, -1.3], 25);
    let (q, w) = (&found[0], &found[1]);
    assert_series(&derivative(q), |k| w[k]);
    for (k, cos) in cosine(q).into_iter().enumerate().skip(1) {
        let (square, size) = cauchy(w, w, k);
        assert!((square / 2.0 - cos).abs() <= 1e-13 * size, "coefficient {k}");
    }
}

#[test]
fn lorenz_by_nested_products() {
    let rates: Rates = &[("x", "s*(y - x)"), ("y", "x*(r - z) - y"), ("z", "x*y - b*z")];
    let (s, r, b) = (10.0, 28.0, 8.0 / 3.0);
    let program = derive(&["s", "r", "b"], rates).unwrap();
    let found = program.coefficients(&[s, r, b], &[1.0, -2.0, 20.0], 30);
    let (mut x, mut y, mut z) = (vec![1.0], vec![-2.0], vec![20.0]);
    for k in 0..30 {
        let (xz, xy) = (cauchy(&x, &z, k).0, cauchy(&x, &y, k).0);
        let n = (k + 1) as f64;
        let next = [s * (y[k] - x[k]) / n, (r * x[k] - xz - y[k]) / n, (xy - b * z[k]) / n];
        x.push(next[0]);
        y.push(next[1]);
        z.push(next[2]);
    }
    for k in 0..=30 {
        let scale = x[k].abs().max(y[k].abs()).max(z[k].abs());
        for (found, exact) in found.iter().zip([&x, &y, &z]) {
            assert!((found[k] - exact[k]).abs() <= 1e-14 * scale, "coefficient {k}");
        }
    }
}

const KEPLER: Rates =
    &[("x", "u"), ("y", "v"), ("u", "-x/(x^2 + y^2)^(3/2)"), ("v", "-y/(x^2 + y^2)^(3/2)")];

/// Rounding in `x² + y² = 1` spreads over the later coefficients, which fall as
/// `1/k!`: relative to them the bound grows as `3^k`.
#[test]
fn kepler_on_a_circle() {
    let found = expand(KEPLER, &[1.0, 0.0, 0.0, 1.0], 30);
    let cos = |k: usize| [1.0, 0.0, -1.0, 0.0][k % 4] / factorial(k);
    let sin = |k: usize| [0.0, 1.0, 0.0, -1.0][k % 4] / factorial(k);
    for k in 0..=30 {
        let bound = 1e-16 * 3_f64.powi(k as i32) / factorial(k);
        for (found, exact) in [(found[0][k], cos(k)), (found[1][k], sin(k))] {
            assert!((found - exact).abs() <= bound, "coefficient {k}: {found:e}, not {exact:e}");
        }
    }
}

/// `x''² (x² + y²)³ = x²` on an eccentric orbit, by products alone.
#[test]
fn kepler_on_an_ellipse() {
    let order = 24;
    let found = expand(KEPLER, &[1.0, 0.25, -0.125, 1.25], order);
    let (x, y) = (&found[0], &found[1]);
    let squares: Vec<f64> = product(x, x).iter().zip(product(y, y)).map(|(a, b)| a + b).collect();
    let cube = product(&product(&squares, &squares), &squares);
    for x in [x, y] {
        let force = derivative(&derivative(x));
        let force = product(&force, &force);
        for k in 0..order - 1 {
            let ((left, size), (right, _)) = (cauchy(&force, &cube, k), cauchy(x, x, k));
            assert!((left - right).abs() <= 1e-13 * size, "coefficient {k}: {left:e}, {right:e}");
        }
    }
}

#[test]
fn exponential_and_logarithm() {
    let exponential: Rates = &[("y", "exp(-y)")];
    assert_series(&expand(exponential, &[0.0], 30)[0], logarithm);
    let logarithmic: Rates = &[("t", "1"), ("y", "log(1 + t)")];
    assert_series(&expand(logarithmic, &[0.0, 0.0], 30)[1], |k| match k {
        0 => 0.0,
        _ => logarithm(k - 1) / k as f64,
    });
}

#[test]
fn quotients() {
    let reciprocal: Rates = &[("t", "1"), ("y", "1/(1 + t)")];
    assert_series(&expand(reciprocal, &[0.0, 0.0], 30)[1], logarithm);
    let quotient: Rates = &[("t", "1"), ("y", "-y/(1 + t)")];
    assert_series(&expand(quotient, &[0.0, 1.0], 30)[1], |k| binomial(-1.0, k));
    let scaled: Rates = &[("t", "1"), ("y", "-3*y/(2 + 2*t)")];
    assert_series(&expand(scaled, &[0.0, 1.0], 30)[1], |k| binomial(-1.5, k));
}

/// The tangent's coefficients are the tangent numbers over factorials.
#[test]
fn tangent() {
    let numbers = [1.0, 2.0, 16.0, 272.0, 7936.0, 353_792.0, 22_368_256.0, 1_903_757_312.0];
    assert_series(&expand(&[("y", "1 + y^2")], &[0.0], 16)[0], |k| match k % 2 {
        1 => numbers[k / 2] / factorial(k),
        _ => 0.0,
    });
}

/// `y' = y^n`, `y(0) = 1` is `(1 + (1 − n) t)^(1/(1 − n))`.
#[test]
fn powers() {
    let cases: [(Rates, f64); 9] = [
        (&[("y", "y^3")], 3.0),
        (&[("y", "y^7")], 7.0),
        (&[("y", "y^(-2)")], -2.0),
        (&[("y", "sqrt(y)")], 0.5),
        (&[("y", "y^(3/2)")], 1.5),
        (&[("y", "y^(-1/2)")], -0.5),
        (&[("y", "y^(-5/2)")], -2.5),
        (&[("y", "y^(1/3)")], 1.0 / 3.0),
        (&[("y", "y^(-2/3)")], -2.0 / 3.0),
    ];
    for (rates, n) in cases {
        let power = |k: usize| binomial(1.0 / (1.0 - n), k) * (1.0 - n).powi(k as i32);
        assert_series(&expand(rates, &[1.0], 20)[0], power);
    }
}

#[test]
fn square_root_of_a_series() {
    let rates: Rates = &[("t", "1"), ("y", "sqrt(1 + t)")];
    assert_series(&expand(rates, &[0.0, 0.0], 30)[1], |k| match k {
        0 => 0.0,
        _ => binomial(0.5, k - 1) / k as f64,
    });
}

/// Fresnel's integrals.
#[test]
fn sine_and_cosine_of_a_series() {
    let rates: Rates = &[("t", "1"), ("s", "sin(t^2)"), ("c", "cos(t^2)")];
    let found = expand(rates, &[0.0, 0.0, 0.0], 30);
    let fresnel = |k: usize, first: usize| match k % 4 == (2 * first + 1) % 4 {
        true => {
            let n = (k - 1) / 2;
            let sign = if (n / 2).is_multiple_of(2) { 1.0 } else { -1.0 };
            sign / (factorial(n) * k as f64)
        }
        false => 0.0,
    };
    assert_series(&found[1], |k| fresnel(k, 1));
    assert_series(&found[2], |k| fresnel(k, 0));
}

#[test]
fn functions_of_parameters() {
    let rates: Rates = &[("y", "y*sqrt(m)*exp(n)*log(m)*m^(1/3)/(sin(n) + cos(m)^2)")];
    let program = derive(&["m", "n"], rates).unwrap();
    let (m, n) = (2.5_f64, 0.3_f64);
    let rate = m.sqrt() * n.exp() * m.ln() * m.cbrt() / (n.sin() + m.cos().powi(2));
    let found = &program.coefficients(&[m, n], &[1.0], 10)[0];
    assert_series(found, |k| rate.powi(k as i32) / factorial(k));
}

#[test]
fn rates_that_are_constant() {
    assert_series(&expand(&[("y", "3/2")], &[2.0], 4)[0], |k| [2.0, 1.5, 0.0, 0.0, 0.0][k]);
    assert_series(&expand(&[("y", "0")], &[2.0], 2)[0], |k| [2.0, 0.0, 0.0][k]);
    let program = derive(&["m"], &[("y", "m")]).unwrap();
    assert_series(&program.coefficients(&[7.0], &[2.0], 3)[0], |k| [2.0, 7.0, 0.0, 0.0][k]);
}

#[test]
fn unknown_symbols_are_named() {
    let error = derive(&["m"], &[("y", "m*y + stranger")]).unwrap_err();
    assert!(matches!(error, Error::UnknownSymbol(name) if name == "stranger"));
}

#[test]
fn operations_without_a_rule_are_refused() {
    let rates: [Rates; 5] = [
        &[("y", "gamma_function(y)")],
        &[("y", "y^y")],
        &[("y", "2^y")],
        &[("y", "y^m")],
        &[("y", "1 + sin(unheard_of(y))")],
    ];
    for rates in rates {
        let error = derive(&["m"], rates).unwrap_err();
        assert!(matches!(error, Error::Unsupported(_)), "{rates:?}: {error}");
    }
}

#[test]
fn text_that_is_no_expression_is_refused() {
    let error = derive(&[], &[("y", "1 + (y")]).unwrap_err();
    assert!(matches!(error, Error::Derivation(_)), "{error}");
}
