//! Sliding as ordinary differential equations: over the impulse, `v' = h − μ b v/|v|`,
//! or over `τ` with `dp = |v| dτ`, `v' = h |v| − μ b v`, which is regular at rest. In
//! whole impacts with the normal work, `dW = v_n dp`; `v_n` follows from `p` and `v`.

use routh_integrators::Problem;
use routh_integrators::impact::SlidingImpact;

/// Where a slip is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Point {
    /// Normal impulse.
    pub(super) p: f64,
    /// Sliding velocity.
    pub(super) v: [f64; 2],
    /// Normal work, if it is integrated.
    pub(super) work: f64,
}

impl Point {
    pub(super) fn speed(&self) -> f64 {
        let [x, y] = self.v;
        (x * x + y * y).sqrt()
    }
}

/// The constants of a slip.
#[derive(Clone, Debug)]
pub(super) struct Sliding {
    problem: Problem,
    /// `v_n` as a sum over 1, `p` and `v`.
    normal: [f64; 4],
    /// About the impulse of the whole.
    span: f64,
}

impl Sliding {
    /// The slip of an impact that begins.
    pub(super) fn new(impact: &SlidingImpact) -> Self {
        let constant = impact.normal(0.0, [0.0; 2]);
        let along = |p, v| impact.normal(p, v) - constant;
        let [by_impulse, by_x, by_y] =
            [(1.0, [0.0; 2]), (0.0, [1.0, 0.0]), (0.0, [0.0, 1.0])].map(|(p, v)| along(p, v));
        let normal = [constant, by_impulse, by_x, by_y];
        Self { problem: impact.problem().clone(), normal, span: impact.without_friction() }
    }

    #[inline]
    fn normal(&self, p: f64, [x, y]: [f64; 2]) -> f64 {
        let [constant, by_impulse, by_x, by_y] = self.normal;
        constant + by_impulse * p + by_x * x + by_y * y
    }

    /// The velocity at the beginning.
    pub(super) fn start(&self) -> [f64; 2] {
        self.problem.start()
    }

    /// The normal work of an impulse `q` after `p`, given the integral of `v`.
    pub(super) fn normal_work(&self, p: f64, q: f64, [x, y]: [f64; 2]) -> f64 {
        let [constant, by_impulse, by_x, by_y] = self.normal;
        (constant + by_impulse * (p + 0.5 * q)) * q + by_x * x + by_y * y
    }

    /// The little impulse that is left of a slip that all but halts, along its direction.
    pub(super) fn left_to_halt(&self, [x, y]: [f64; 2]) -> f64 {
        let [dx, dy] = self.problem.rate([x, y]);
        let closing = x * dx + y * dy;
        if closing < 0.0 { -(x * x + y * y) / closing } else { 0.0 }
    }
}

/// A system of `N` equations: of `v`, over `τ` also of `p`, and of `W` if there is one more.
pub(super) struct Field<const OVER_TAU: bool, const N: usize>(pub(super) Sliding);

impl<const OVER_TAU: bool, const N: usize> Field<OVER_TAU, N> {
    const HAS_WORK: bool = N > if OVER_TAU { 3 } else { 2 };

    /// The state at the beginning: nothing but velocity.
    pub(super) fn start(&self) -> [f64; N] {
        let mut start = [0.0; N];
        start[..2].copy_from_slice(&self.0.start());
        start
    }

    /// About how long it is to be followed.
    pub(super) fn span(&self) -> f64 {
        let [x, y] = self.0.start();
        if OVER_TAU { self.0.span / x.hypot(y) } else { self.0.span }
    }

    /// The size of its states.
    pub(super) fn scale(&self) -> f64 {
        self.0.problem.scale()
    }

    /// The rate of a state.
    #[inline]
    pub(super) fn rate(&self, t: f64, state: &[f64; N]) -> [f64; N] {
        let Point { p, v, .. } = self.point(t, state);
        let problem = &self.0.problem;
        let ([dx, dy], speed) =
            if OVER_TAU { problem.rate_over_tau(v) } else { (problem.rate(v), 1.0) };
        let mut rate = [0.0; N];
        (rate[0], rate[1]) = (dx, dy);
        if OVER_TAU {
            rate[2] = speed;
        }
        if Self::HAS_WORK {
            rate[N - 1] = speed * self.0.normal(p, v);
        }
        rate
    }

    /// What a state means.
    #[inline]
    pub(super) fn point(&self, t: f64, state: &[f64; N]) -> Point {
        Point {
            p: if OVER_TAU { state[2] } else { t },
            v: [state[0], state[1]],
            work: if Self::HAS_WORK { state[N - 1] } else { 0.0 },
        }
    }
}
