//! Sectors of directions, on each of which a few functions tell every slip.
//!
//! While the flow turns from one direction to another, with `ρ` and `ε` the rate of `v_n`
//! and the direction that it leads to, and `w` a weight,
//!
//! ```text
//! p            grows by  −Δ(w π)              (w π)'  = −s
//! v_n          by  ρ Δp − Δ(w χ)              (w χ)'  = −s (a − μ h·σ − ρ)
//! W_n          by  (v_n + w χ) Δp + ½ρ Δp² + Δ(w² ω)        (w² ω)' = −s w χ
//! ∫σ dp        by  ε Δp − Δ(w κ)              (w κ)'  = −s (σ − ε)
//! ```
//!
//! Between invariant directions the weight is `s` itself, `ln s` grows as `L`,
//! and all functions are smooth however fast `s` falls. Next to an invariant
//! direction `w = |x|^γ`, `s = w A`, and all are analytic in `x`; but `π`
//! is without its constant `−1/g`, for which `p` grows by `Δw / g` besides, and `κ` without
//! `2t / μb` across the direction: with little friction these would be large, and most of
//! them cancel.

use routh_runtime::double::orbit::FUNCTIONS;

use crate::chebyshev::{Chebyshev, powers};
use crate::field::{Field, Local, value};
use crate::smooth::{END, MIDDLE, POINTS, Right, Values, solve};

/// The degree of the functions' polynomials.
pub const DEGREE: usize = 12;

/// Coefficients of one power: of `L` or `A`, `π`, `χ`, `ω` and both components of `κ`.
pub type Row = [f64; FUNCTIONS];

/// The functions' coefficients, lowest power first, in `x = t / width`.
pub type Rows = [Row; DEGREE + 1];

/// Why a sector has no functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// Two of its exponents differ by an integer.
    #[error("the exponents at an invariant direction are in resonance")]
    Resonant,
    /// The normal velocity turns next to its invariant direction.
    #[error("the normal velocity turns next to an invariant direction")]
    Turning,
    /// Invariant directions are almost one, or tangential inertias so far apart
    /// that rounding would be felt.
    #[error("invariant directions are almost one, or tangential inertias far apart")]
    Degenerate,
}

/// A range of directions about a reference.
pub type Sector = routh_runtime::double::orbit::Sector<{ DEGREE + 1 }>;

/// A sector's functions at a place.
pub(crate) fn functions(sector: &Sector, x: f64) -> Row {
    core::array::from_fn(|i| sector.rows.iter().rev().fold(0.0, |sum, row| sum * x + row[i]))
}

/// What makes sectors of a field to a tolerance.
pub(crate) struct Maker<'a> {
    pub(crate) field: &'a Field,
    pub(crate) tolerance: f64,
    pub(crate) chebyshev: Chebyshev<POINTS>,
}

/// Change of the speed's logarithm above which only smooth functions will do.
const STIFF: f64 = 1.5;

/// Rounding in a solution, as a part of its largest coefficient.
const ROUNDING: f64 = 4e-15;

impl Maker<'_> {
    /// Coefficients of the powers of a function given at the points, if what is
    /// left out and what is lost in rounding are less than the tolerance of a
    /// size; unless strictly so, twenty times as much may be lost.
    fn economised(&self, values: &Values, size: f64, strict: bool) -> Option<[f64; DEGREE + 1]> {
        let coefficients = self.chebyshev.coefficients(values);
        let rest: f64 = coefficients[DEGREE + 1..].iter().map(|x| x.abs()).sum();
        let rounding = ROUNDING * coefficients.iter().map(|x| x.abs()).sum::<f64>();
        let allowed = self.tolerance * size;
        let fits = match strict {
            true => rest.max(rounding) <= allowed,
            false => rounding <= 20.0 * allowed && rest <= allowed.max(rounding),
        };
        fits.then(|| powers(&coefficients))
    }

    /// What errors of impulse, normal velocity and normal work are compared with
    /// at a speed of one.
    fn sizes(&self) -> [f64; 3] {
        let rate = self.field.rate().max(self.field.a);
        [1.0 / rate, 1.0, 1.0 / rate]
    }

    fn largest(values: &Values) -> f64 {
        values.iter().fold(0.0_f64, |x, y| x.max(y.abs()))
    }

    /// Functions as rows, if they are smooth enough.
    fn rows(&self, functions: [&Values; FUNCTIONS], strict: bool) -> Option<Rows> {
        let [impulse, normal, work] = self.sizes();
        let speed = (impulse / Self::largest(functions[1])).min(1.0);
        let sizes = [speed, impulse, normal, work, impulse, impulse];
        let mut rows = [[0.0; FUNCTIONS]; DEGREE + 1];
        for (i, size) in sizes.into_iter().enumerate() {
            let powers = self.economised(functions[i], size, strict)?;
            rows.iter_mut().zip(powers).for_each(|(row, x)| row[i] = x);
        }
        Some(rows)
    }

    /// The functions between two directions that are not invariant, `width` to
    /// each side of a reference, given what smooth ones are at 1 and the direction that
    /// slips lead to; and what those are at −1.
    ///
    /// Where the speed changes little, functions that vanish at 1 are smooth too,
    /// and smaller.
    pub(crate) fn piece(
        &self,
        e: [f64; 2],
        width: f64,
        limit: [f64; 2],
        end: Row,
    ) -> Option<(Rows, Row)> {
        let rate = self.field.normal_rate(limit);
        let local = Local::about(self.field, e);
        let chebyshev = &self.chebyshev;
        let at = |polynomial: &[f64]| chebyshev.sample(|x| value(polynomial, width * x));
        let (turn, growth) = (at(&local.turn), at(&local.growth));
        if turn.iter().any(|x| x * turn[0] <= 0.0) {
            return None;
        }
        let turn = turn.map(|x| x / width);
        let square = chebyshev.sample(|x| square(width * x));
        let excess = chebyshev.sample(|x| excess(&local, width * x, rate));
        let away = [0, 1].map(|i| chebyshev.sample(|x| away(e, limit, width * x)[i]));
        let l = self.integrated(&core::array::from_fn(|i| growth[i] / turn[i]));
        let doubled = growth.map(|x| 2.0 * x);
        let beginning = |[_, pi, chi, omega, k1, k2]: Row| -> Option<[Values; FUNCTIONS]> {
            let right = |values: &Values, given: f64| Right { values: values.map(|x| -x), given };
            let [a1, a2] = &away;
            let once = [right(&square, pi), right(&excess, chi), right(a1, k1), right(a2, k2)];
            let [pi, chi, k1, k2] = solve(chebyshev, &turn, &growth, END, &once)?;
            let twice = [right(&core::array::from_fn(|i| square[i] * chi[i]), omega)];
            let [omega] = solve(chebyshev, &turn, &doubled, END, &twice)?;
            Some([l, pi, chi, omega, k1, k2])
        };
        let begin = POINTS - 1;
        let smooth = beginning(end)?;
        let rows = match (l[0] - l[begin]).abs() < STIFF {
            true => self.rows(beginning([0.0; FUNCTIONS])?.each_ref(), false),
            false => self.rows(smooth.each_ref(), false),
        };
        Some((rows?, smooth.map(|values| values[begin])))
    }

    /// The integral of a function from the middle, at the points.
    fn integrated(&self, slope: &Values) -> Values {
        let integral = self.chebyshev.integral(&self.chebyshev.coefficients(slope));
        let power: [f64; POINTS] = powers(&integral);
        self.chebyshev.sample(|x| value(&power, x))
    }

    /// The functions about an invariant direction, up to `width` from it. Other
    /// than the smooth ones are infinite there. All but `A` are zero in the
    /// middle, and how they begin is known in closed form: friction may be so
    /// little that their equations hardly tell.
    pub(crate) fn chart(&self, e: [f64; 2], width: f64, strict: bool) -> Option<Rows> {
        let local = Local::about_invariant(self.field, e);
        let chart = Chart::new(self.field, &local);
        let chebyshev = &self.chebyshev;
        let at = |polynomial: &[f64]| chebyshev.sample(|x| value(polynomial, width * x));
        let reduced = at(&chart.reduced);
        let turn = at(&local.turn).map(|x| x / width);
        let logarithm = at(&chart.logarithm);
        let l = self.integrated(&core::array::from_fn(|i| width * logarithm[i] / reduced[i]));
        let a = l.map(libm::exp);
        let rest = at(&chart.rest);
        let excess = at(&chart.excess);
        let [pi, chi, omega] = chart.first;
        let once = [
            Right {
                values: core::array::from_fn(|i| {
                    let t = width * chebyshev.points[i];
                    let more = if t == 0.0 { 0.0 } else { libm::expm1(l[i]) / t };
                    rest[i] - square(t) * more
                }),
                given: pi,
            },
            Right { values: core::array::from_fn(|i| -a[i] * excess[i]), given: chi },
            Right {
                values: core::array::from_fn(|i| {
                    let t = width * chebyshev.points[i];
                    2.0 * t * (1.0 + t * t) * a[i]
                }),
                given: 0.0,
            },
            Right {
                values: core::array::from_fn(|i| {
                    let t = width * chebyshev.points[i];
                    2.0 * (reduced[i] / chart.reduced[0] - (1.0 + t * t) * a[i])
                }),
                given: 0.0,
            },
        ];
        let growth = reduced.map(|x| chart.once * x);
        let [pi, chi, along, across] = solve(chebyshev, &turn, &growth, MIDDLE, &once)?;
        let values = core::array::from_fn(|i| -square(width * chebyshev.points[i]) * a[i] * chi[i]);
        let growth = reduced.map(|x| chart.twice * x);
        let twice = [Right { values, given: omega }];
        let [omega] = solve(chebyshev, &turn, &growth, MIDDLE, &twice)?;
        let whole =
            |y: &Values| -> Values { core::array::from_fn(|i| width * chebyshev.points[i] * y[i]) };
        let [pi, chi, omega, along, across] = [pi, chi, omega, along, across].map(|y| whole(&y));
        let [c, d] = e;
        let turned =
            |x: f64, y: f64| -> Values { core::array::from_fn(|i| x * along[i] + y * across[i]) };
        self.rows([&a, &pi, &chi, &omega, &turned(c, -d), &turned(d, c)], strict)
    }

    /// The same so near to the invariant direction that `t²` is nothing.
    pub(crate) fn linear_chart(&self, e: [f64; 2], width: f64) -> Option<Rows> {
        let local = Local::about_invariant(self.field, e);
        let chart = Chart::new(self.field, &local);
        let mut rows = [[0.0; FUNCTIONS]; DEGREE + 1];
        rows[0][0] = 1.0;
        let [pi, chi, omega] = chart.first.map(|x| width * x);
        rows[1] = [width * chart.logarithm[0] / chart.reduced[0], pi, chi, omega, 0.0, 0.0];
        let [_, _, work] = self.sizes();
        (ROUNDING * omega.abs() <= self.tolerance * work).then_some(rows)
    }
}

/// `q² = (1 + t²)²`
fn square(t: f64) -> f64 {
    (1.0 + t * t) * (1.0 + t * t)
}

/// `q² (a − μ h·σ − ρ)`
fn excess(local: &Local, t: f64, rate: f64) -> f64 {
    let q = 1.0 + t * t;
    q * (value(&local.normal, t) - rate * q)
}

/// `q² (σ − ε)`, at a tangent of half the angle from a reference direction.
fn away([c, d]: [f64; 2], limit: [f64; 2], t: f64) -> [f64; 2] {
    let q = 1.0 + t * t;
    let [n, m] = [1.0 - t * t, 2.0 * t];
    [q * ((c * n - d * m) - q * limit[0]), q * ((d * n + c * m) - q * limit[1])]
}

/// The field's polynomials about an invariant direction, with `turn = t reduced`,
/// and how the functions begin there.
struct Chart {
    /// `turn / t`
    reduced: [f64; 6],
    /// `(growth − γ reduced) / t`
    logarithm: [f64; 5],
    /// `(reduced/f' − q²) / t`
    rest: [f64; 5],
    /// `q² (a − μ h·σ − ρ) / t`
    excess: [f64; 4],
    /// `1 + γ`
    once: f64,
    /// `1 + 2γ`
    twice: f64,
    /// What `π`, `χ` and `ω` are over `t` in the middle.
    first: [f64; 3],
}

impl Chart {
    fn new(field: &Field, local: &Local) -> Self {
        let [_, mixed, across] = local.b;
        let ([hx, hy], mu) = (local.h, field.mu);
        let growth = |k: usize| local.growth.get(k).copied().unwrap_or(0.0);
        let (along, across_m) = (growth(0), mu * across);
        let slope = -across_m - along;
        let mut reduced: [f64; 6] = core::array::from_fn(|k| local.turn[k + 1]);
        reduced[0] = slope;
        let exponent = along / slope;
        let square = [0.0, 2.0, 0.0, 1.0, 0.0];
        let chi = -2.0 * mu * mixed / across;
        Self {
            reduced,
            logarithm: core::array::from_fn(|k| growth(k + 1) - exponent * reduced[k + 1]),
            rest: core::array::from_fn(|k| reduced[k + 1] / slope - square[k]),
            excess: [-2.0 * mu * hy, 2.0 * mu * hx, -2.0 * mu * hy, 2.0 * mu * hx],
            once: -across_m / slope,
            twice: (along - across_m) / slope,
            first: [
                -(5.0 + 3.0 * exponent) * (mixed / across) / slope,
                chi,
                -chi / (along - across_m),
            ],
        }
    }
}
