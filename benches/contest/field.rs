//! Sliding as ordinary differential equations: over the impulse, `v' = h − μ b v/|v|`,
//! or over `τ` with `dp = |v| dτ`, `v' = h |v| − μ b v`, which is regular at rest. In
//! whole impacts with the normal work, `dW = v_n dp`; `v_n` follows from `p` and `v`.

use routh_rivals::impact::Course;
use routh_solver::Contact;

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
#[derive(Clone, Copy, Debug)]
pub(super) struct Sliding {
    h: [f64; 2],
    /// `μ b`: 11, 12, 22.
    friction: [f64; 3],
    v0: [f64; 2],
    /// `v_n` as a sum over 1, `p` and `v`.
    normal: [f64; 4],
    /// About the impulse of the whole.
    span: f64,
}

impl Sliding {
    /// The slip of an impact that begins.
    pub(super) fn new(contact: &Contact<3>, mu: f64, course: &Course) -> Self {
        let [[_, h1, h2], [_, b11, b12], [_, _, b22]] = *contact.inertia();
        let [x, y, ..] = course.state();
        let constant = course.normal(0.0, [0.0; 2]);
        let along = |p, v| course.normal(p, v) - constant;
        Self {
            h: [h1, h2],
            friction: [b11, b12, b22].map(|b| mu * b),
            v0: [x, y],
            normal: [
                constant,
                along(1.0, [0.0; 2]),
                along(0.0, [1.0, 0.0]),
                along(0.0, [0.0, 1.0]),
            ],
            span: course.without_friction(),
        }
    }

    #[inline]
    fn normal(&self, p: f64, [x, y]: [f64; 2]) -> f64 {
        let [constant, by_impulse, by_x, by_y] = self.normal;
        constant + by_impulse * p + by_x * x + by_y * y
    }

    /// The velocity at the beginning.
    pub(super) fn start(&self) -> [f64; 2] {
        self.v0
    }

    /// The normal work of an impulse `q` after `p`, given the integral of `v`.
    pub(super) fn normal_work(&self, p: f64, q: f64, [x, y]: [f64; 2]) -> f64 {
        let [constant, by_impulse, by_x, by_y] = self.normal;
        (constant + by_impulse * (p + 0.5 * q)) * q + by_x * x + by_y * y
    }

    /// The little impulse that is left of a slip that all but halts, along its direction.
    pub(super) fn left_to_halt(&self, [x, y]: [f64; 2]) -> f64 {
        let [dx, dy] = self.over_impulse([x, y]);
        let closing = x * dx + y * dy;
        if closing < 0.0 { -(x * x + y * y) / closing } else { 0.0 }
    }

    #[inline]
    fn over_impulse(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let ([h1, h2], [b11, b12, b22]) = (self.h, self.friction);
        let speed = (x * x + y * y).sqrt();
        let inverse = if speed > 0.0 { 1.0 / speed } else { 0.0 };
        let (c, d) = (x * inverse, y * inverse);
        [h1 - (b11 * c + b12 * d), h2 - (b12 * c + b22 * d)]
    }

    /// The rate over `τ`, and the speed.
    #[inline]
    fn over_tau(&self, [x, y]: [f64; 2]) -> ([f64; 2], f64) {
        let ([h1, h2], [b11, b12, b22]) = (self.h, self.friction);
        let speed = (x * x + y * y).sqrt();
        ([h1 * speed - (b11 * x + b12 * y), h2 * speed - (b12 * x + b22 * y)], speed)
    }
}

/// A system of `N` equations: of `v`, over `τ` also of `p`, and of `W` if there is one more.
pub(super) struct Field<const OVER_TAU: bool, const N: usize>(pub(super) Sliding);

impl<const OVER_TAU: bool, const N: usize> Field<OVER_TAU, N> {
    const HAS_WORK: bool = N > if OVER_TAU { 3 } else { 2 };

    /// The state at the beginning: nothing but velocity.
    pub(super) fn start(&self) -> [f64; N] {
        let mut start = [0.0; N];
        start[..2].copy_from_slice(&self.0.v0);
        start
    }

    /// About how long it is to be followed.
    pub(super) fn span(&self) -> f64 {
        let Sliding { span, v0: [x, y], .. } = self.0;
        if OVER_TAU { span / x.hypot(y) } else { span }
    }

    /// The size of its states.
    pub(super) fn scale(&self) -> f64 {
        let [x, y] = self.0.v0;
        x.abs().max(y.abs())
    }

    /// The rate of a state.
    #[inline]
    pub(super) fn rate(&self, t: f64, state: &[f64; N]) -> [f64; N] {
        let Point { p, v, .. } = self.point(t, state);
        let ([dx, dy], speed) =
            if OVER_TAU { self.0.over_tau(v) } else { (self.0.over_impulse(v), 1.0) };
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
