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

/// A system of `N` equations.
pub(super) trait Field<const N: usize> {
    /// Whether it is over `τ`.
    const REGULAR: bool;

    /// What it describes.
    fn sliding(&self) -> &Sliding;
    /// The rate of a state.
    fn rate(&self, t: f64, state: &[f64; N]) -> [f64; N];
    /// What a state means.
    fn point(&self, t: f64, state: &[f64; N]) -> Point;

    /// The state at the beginning: nothing but velocity.
    fn start(&self) -> [f64; N] {
        let mut start = [0.0; N];
        start[..2].copy_from_slice(&self.sliding().v0);
        start
    }

    /// About how long it is to be followed.
    fn span(&self) -> f64 {
        let Sliding { span, v0: [x, y], .. } = *self.sliding();
        if Self::REGULAR { span / x.hypot(y) } else { span }
    }

    /// The size of its states.
    fn scale(&self) -> f64 {
        let [x, y] = self.sliding().v0;
        x.abs().max(y.abs())
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
    pub(super) fn new(contact: &Contact<3>, mu: f64, v0: [f64; 2], span: f64) -> Self {
        let [[_, h1, h2], [_, b11, b12], [_, _, b22]] = *contact.inertia();
        let friction = [b11, b12, b22].map(|b| mu * b);
        Self { h: [h1, h2], friction, v0, normal: [0.0; 4], span }
    }

    /// With the normal velocity of an impact.
    pub(super) fn with_normal(mut self, course: &Course) -> Self {
        let constant = course.normal(0.0, [0.0; 2]);
        let along = |p, v| course.normal(p, v) - constant;
        self.normal =
            [constant, along(1.0, [0.0; 2]), along(0.0, [1.0, 0.0]), along(0.0, [0.0, 1.0])];
        self
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
    fn regular(&self, [x, y]: [f64; 2]) -> ([f64; 2], f64) {
        let ([h1, h2], [b11, b12, b22]) = (self.h, self.friction);
        let speed = (x * x + y * y).sqrt();
        ([h1 * speed - (b11 * x + b12 * y), h2 * speed - (b12 * x + b22 * y)], speed)
    }
}

/// `v` over `p`.
pub(super) struct OverImpulse(pub(super) Sliding);
/// `v`, `W` over `p`.
pub(super) struct OverImpulseWorking(pub(super) Sliding);
/// `v`, `p` over `τ`.
pub(super) struct Regular(pub(super) Sliding);
/// `v`, `p`, `W` over `τ`.
pub(super) struct RegularWorking(pub(super) Sliding);

impl Field<2> for OverImpulse {
    const REGULAR: bool = false;

    fn sliding(&self) -> &Sliding {
        &self.0
    }

    #[inline]
    fn rate(&self, _: f64, v: &[f64; 2]) -> [f64; 2] {
        self.0.over_impulse(*v)
    }

    fn point(&self, p: f64, v: &[f64; 2]) -> Point {
        Point { p, v: *v, work: 0.0 }
    }
}

impl Field<3> for OverImpulseWorking {
    const REGULAR: bool = false;

    fn sliding(&self) -> &Sliding {
        &self.0
    }

    #[inline]
    fn rate(&self, p: f64, &[x, y, _]: &[f64; 3]) -> [f64; 3] {
        let [dx, dy] = self.0.over_impulse([x, y]);
        [dx, dy, self.0.normal(p, [x, y])]
    }

    fn point(&self, p: f64, &[x, y, work]: &[f64; 3]) -> Point {
        Point { p, v: [x, y], work }
    }
}

impl Field<3> for Regular {
    const REGULAR: bool = true;

    fn sliding(&self) -> &Sliding {
        &self.0
    }

    #[inline]
    fn rate(&self, _: f64, &[x, y, _]: &[f64; 3]) -> [f64; 3] {
        let ([dx, dy], speed) = self.0.regular([x, y]);
        [dx, dy, speed]
    }

    fn point(&self, _: f64, &[x, y, p]: &[f64; 3]) -> Point {
        Point { p, v: [x, y], work: 0.0 }
    }
}

impl Field<4> for RegularWorking {
    const REGULAR: bool = true;

    fn sliding(&self) -> &Sliding {
        &self.0
    }

    #[inline]
    fn rate(&self, _: f64, &[x, y, p, _]: &[f64; 4]) -> [f64; 4] {
        let ([dx, dy], speed) = self.0.regular([x, y]);
        [dx, dy, speed, speed * self.0.normal(p, [x, y])]
    }

    fn point(&self, _: f64, &[x, y, p, work]: &[f64; 4]) -> Point {
        Point { p, v: [x, y], work }
    }
}
