//! Sectors of directions, on each of which four functions tell every slip.
//!
//! From a direction with speed `s`, with `ρ` a rate of the normal velocity that
//! does not change on an arc:
//!
//! ```text
//! ln s     grows as L does
//! p        grows as −s π  does        (s π)'  = −s
//! v_n − ρ p  as −s χ                  (s χ)'  = −s (a − μ h·σ − ρ)
//! W_n      as ½ρ p² and −s² ω besides (s² ω)' = −s² χ
//! ```
//!
//! All four are smooth in the direction however fast `s` falls.

use crate::chebyshev::{Chebyshev, POINTS, Values, powers};
use crate::field::{Field, Local, value};
use crate::smooth::{Equation, solve};

/// The degree of the functions' polynomials.
pub const DEGREE: usize = 12;

/// Coefficients of one power: of `L`, `π`, `χ` and `ω`.
pub type Row = [f64; 4];

/// The functions' coefficients, lowest power first, in `x = t / width`.
pub type Rows = [Row; DEGREE + 1];

/// How the flow passes a sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passage {
    /// From −1 to 1, into the sector `next`.
    Through {
        /// The sector after it.
        next: usize,
    },
    /// Out of its invariant direction, into `below` or `above`.
    Outward {
        /// The sector beside −1.
        below: usize,
        /// The sector beside 1.
        above: usize,
    },
    /// Into its invariant direction.
    Inward,
    /// Not to be told by its functions.
    Refused(Refusal),
}

/// Why a sector has no functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// Along its invariant direction the speed neither grows nor falls.
    #[error("friction is critical: on an invariant direction the speed neither grows nor falls")]
    Critical,
    /// Two of its exponents differ by an integer.
    #[error("the exponents at an invariant direction are in resonance")]
    Resonant,
    /// The normal velocity turns next to its invariant direction.
    #[error("the normal velocity turns next to an invariant direction")]
    Turning,
    /// Two invariant directions are almost one.
    #[error("two invariant directions are almost one")]
    Double,
}

/// A range of directions about a reference.
#[derive(Clone, Copy, Debug)]
pub struct Sector {
    /// The reference direction.
    pub direction: [f64; 2],
    /// `t` at `x = 1`, where `t` is the tangent of half the angle from the
    /// reference; its sign is that of the flow in a sector that is passed through.
    pub width: f64,
    /// How the flow passes it.
    pub passage: Passage,
    /// Whether the normal velocity rises in it.
    pub rises: bool,
    /// `γ`: about an invariant direction `ln s` grows as `γ ln|x|` besides.
    pub exponent: f64,
    /// `g` on the invariant direction.
    pub along: f64,
    /// `ρ`.
    pub rate: f64,
    /// `L`, `π`, `χ`, `ω`.
    pub rows: Rows,
}

impl Sector {
    /// The functions at a place.
    pub fn functions(&self, x: f64) -> Row {
        core::array::from_fn(|i| self.rows.iter().rev().fold(0.0, |sum, row| sum * x + row[i]))
    }
}

/// What makes sectors of a field to a tolerance.
pub(crate) struct Maker<'a> {
    pub(crate) field: &'a Field,
    pub(crate) tolerance: f64,
    pub(crate) chebyshev: Chebyshev,
}

/// Rounding in a solution, as a part of its largest coefficient.
const ROUNDING: f64 = 1e-15;

impl Maker<'_> {
    /// Coefficients of the powers of a function given at the points, if what is
    /// left out is less than the tolerance of a size.
    fn economised(&self, values: &Values, size: f64) -> Option<[f64; DEGREE + 1]> {
        let coefficients = self.chebyshev.coefficients(values);
        let rest: f64 = coefficients[DEGREE + 1..].iter().map(|x| x.abs()).sum();
        let rounding = ROUNDING * coefficients.iter().map(|x| x.abs()).sum::<f64>();
        (rest + rounding <= self.tolerance * size).then(|| powers(&coefficients))
    }

    fn largest(values: &Values) -> f64 {
        values.iter().fold(0.0_f64, |x, y| x.max(y.abs()))
    }

    /// Four functions as rows, if they are smooth enough.
    fn rows(&self, [l, pi, chi, omega]: [&Values; 4]) -> Option<Rows> {
        let impulse = Self::largest(pi);
        let normal = self.field.a * impulse;
        let l = self.economised(l, 1.0)?;
        let pi = self.economised(pi, impulse)?;
        let chi = self.economised(chi, normal)?;
        let omega = self.economised(omega, normal * impulse)?;
        Some(core::array::from_fn(|k| [l[k], pi[k], chi[k], omega[k]]))
    }

    /// The functions between two directions that are not invariant, `width` to
    /// each side of a reference, given what they are at 1.
    pub(crate) fn piece(&self, e: [f64; 2], width: f64, rate: f64, end: Row) -> Option<Rows> {
        let local = Local::about(self.field, e);
        let sample = |polynomial: &[f64]| self.chebyshev.sample(|x| value(polynomial, width * x));
        let (turn, growth) = (sample(&local.turn), sample(&local.growth));
        if turn.iter().any(|x| x * turn[0] <= 0.0) {
            return None;
        }
        let square = self.chebyshev.sample(|x| square(width * x));
        let excess = self.chebyshev.sample(|x| excess(&local, width * x, rate));
        let scaled = turn.map(|x| x / width);
        let equation = |growth: Values, right: Values, end: f64| Equation {
            turn: scaled,
            growth,
            right,
            end: Some(end),
        };
        let chebyshev = &self.chebyshev;
        let pi = solve(chebyshev, &equation(growth, square.map(|x| -x), end[1]))?;
        let chi = solve(chebyshev, &equation(growth, excess.map(|x| -x), end[2]))?;
        let right = core::array::from_fn(|i| -square[i] * chi[i]);
        let omega = solve(chebyshev, &equation(growth.map(|x| 2.0 * x), right, end[3]))?;
        let slope: Values = core::array::from_fn(|i| growth[i] / scaled[i]);
        let l = self.integrated(&slope);
        self.rows([&l, &pi, &chi, &omega])
    }

    /// The integral of a function from the middle, at the points.
    fn integrated(&self, slope: &Values) -> Values {
        let integral = self.chebyshev.integral(&self.chebyshev.coefficients(slope));
        let power: [f64; POINTS] = powers(&integral);
        self.chebyshev.sample(|x| value(&power, x))
    }

    /// The functions about an invariant direction, up to `width` from it: where
    /// only the smooth solution is finite, so that nothing is given.
    ///
    /// Each is `y₀ + y₁ t + t² ψ`, with the first two in closed form: friction
    /// may be so little that their equations hardly have a solution.
    pub(crate) fn chart(&self, e: [f64; 2], width: f64) -> Option<Rows> {
        let local = Local::about_invariant(self.field, e);
        let chart = Chart::new(self.field, &local);
        let chebyshev = &self.chebyshev;
        let at = |polynomial: &[f64]| chebyshev.sample(|x| value(polynomial, width * x));
        let turn = at(&local.turn).map(|x| x / width);
        let equation = |growth, right| Equation { turn, growth, right, end: None };
        let once = at(&added(&chart.reduced, &chart.sum));
        let twice = at(&chart.sum.map(|x| 2.0 * x));
        let [pi, chi, omega] = chart.remainders(&local, self.field.mu);
        let psi_pi = solve(chebyshev, &equation(once, at(&pi)))?;
        let psi_chi = solve(chebyshev, &equation(once, at(&chi)))?;
        let (rest, square) = (at(&omega), chebyshev.sample(|x| square(width * x)));
        let right = core::array::from_fn(|i| rest[i] - square[i] * psi_chi[i]);
        let psi_omega = solve(chebyshev, &equation(twice, right))?;
        let whole = |[y0, y1]: [f64; 2], psi: &Values| -> Values {
            core::array::from_fn(|i| {
                let t = width * chebyshev.points[i];
                y0 + t * (y1 + t * psi[i])
            })
        };
        let slope = {
            let (top, bottom) = (at(&chart.logarithm), at(&chart.reduced));
            core::array::from_fn(|i| width * top[i] / bottom[i])
        };
        let l = self.integrated(&slope);
        if !chart.is_well(self.tolerance, width, self.field.a) {
            return None;
        }
        let rounding = ROUNDING * width * width;
        let well = |psi: &Values, size: f64| rounding * Self::largest(psi) <= self.tolerance * size;
        let impulse = chart.pi[0].abs();
        let normal = self.field.a * impulse;
        if !(well(&psi_pi, impulse) && well(&psi_chi, normal) && well(&psi_omega, normal * impulse))
        {
            return None;
        }
        self.rows([
            &l,
            &whole(chart.pi, &psi_pi),
            &whole(chart.chi, &psi_chi),
            &whole(chart.omega, &psi_omega),
        ])
    }

    /// The same so near to the invariant direction that `t²` is nothing.
    pub(crate) fn linear_chart(&self, e: [f64; 2], width: f64) -> Option<Rows> {
        let local = Local::about_invariant(self.field, e);
        let chart = Chart::new(self.field, &local);
        let mut rows = [[0.0; 4]; DEGREE + 1];
        rows[0] = [0.0, chart.pi[0], chart.chi[0], chart.omega[0]];
        let l = chart.logarithm[0] / chart.reduced[0];
        rows[1] = [l, chart.pi[1], chart.chi[1], chart.omega[1]].map(|x| width * x);
        chart.is_well(self.tolerance, width, self.field.a).then_some(rows)
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

fn added<const M: usize>(x: &[f64; M], y: &[f64; M]) -> [f64; M] {
    core::array::from_fn(|k| x[k] + y[k])
}

/// The field's polynomials about an invariant direction, with `turn = t reduced`,
/// and how the functions begin there.
struct Chart {
    /// `turn / t`
    reduced: [f64; 6],
    /// `reduced + growth`, whose first is minus what `μ b` is across.
    sum: [f64; 6],
    /// `(growth − γ reduced) / t`
    logarithm: [f64; 5],
    pi: [f64; 2],
    chi: [f64; 2],
    omega: [f64; 2],
}

impl Chart {
    fn new(field: &Field, local: &Local) -> Self {
        let [_, mixed, across] = local.b;
        let growth: [f64; 6] =
            core::array::from_fn(|k| local.growth.get(k).copied().unwrap_or(0.0));
        let along = growth[0];
        let across_m = field.mu * across;
        let mut reduced: [f64; 6] = core::array::from_fn(|k| local.turn[k + 1]);
        reduced[0] = -across_m - along;
        let mut sum = added(&reduced, &growth);
        sum[0] = -across_m;
        let exponent = along / reduced[0];
        let logarithm = core::array::from_fn(|k| growth[k + 1] - exponent * reduced[k + 1]);
        let chi = -2.0 * field.mu * mixed / across;
        Self {
            reduced,
            sum,
            logarithm,
            pi: [-1.0 / along, 2.0 * (mixed / across) / along],
            chi: [0.0, chi],
            omega: [0.0, -chi / (along - across_m)],
        }
    }

    /// Whether no two exponents are so near to each other that the first
    /// coefficients are lost in rounding.
    fn is_well(&self, tolerance: f64, width: f64, a: f64) -> bool {
        let impulse = self.pi[0];
        ROUNDING * width * self.omega[1].abs() <= tolerance * a * impulse * impulse
    }

    /// What is left on the right for `ψ`, divided by `t²`.
    fn remainders(&self, local: &Local, mu: f64) -> [[f64; 5]; 3] {
        let growth = |k: usize| local.growth.get(k).copied().unwrap_or(0.0);
        let turn = |k: usize| local.turn.get(k).copied().unwrap_or(0.0);
        let [hx, hy] = local.h;
        let square = [1.0, 0.0, 2.0, 0.0, 1.0];
        let excess = [0.0, 2.0 * mu * hy, -2.0 * mu * hx, 2.0 * mu * hy, -2.0 * mu * hx];
        let at = |p: &[f64; 5], k: usize| p.get(k).copied().unwrap_or(0.0);
        let ([p0, p1], [_, c1], [_, w1]) = (self.pi, self.chi, self.omega);
        [
            core::array::from_fn(|j| {
                let k = j + 2;
                -at(&square, k) - p1 * turn(k) - p0 * growth(k) - p1 * growth(k - 1)
            }),
            core::array::from_fn(|j| {
                let k = j + 2;
                at(&excess, k) - c1 * turn(k) - c1 * growth(k - 1)
            }),
            core::array::from_fn(|j| {
                let k = j + 2;
                -c1 * at(&square, k - 1) - w1 * turn(k) - 2.0 * w1 * growth(k - 1)
            }),
        ]
    }
}
