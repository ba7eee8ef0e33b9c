//! Sliding as the papers write it, in the normal impulse `p`:
//! `dv_t/dp = h − μ b v_t/|v_t|`.

/// A sliding motion, and the impulses at which it is asked for.
#[derive(Clone, Debug)]
pub struct Problem {
    pub(crate) h: [f64; 2],
    /// `μ b`, symmetric: 11, 12, 22.
    pub(crate) friction: [f64; 3],
    pub(crate) mu: f64,
    pub(crate) b: [f64; 3],
    pub(crate) v0: [f64; 2],
    pub(crate) impulse: Vec<f64>,
}

impl Problem {
    /// A motion at a contact of the given inertia, normal first, with friction
    /// `mu` and tangential velocity `v0` at zero impulse. The impulses are put
    /// in rising order, each once.
    pub fn new(inertia: [[f64; 3]; 3], mu: f64, v0: [f64; 2], impulse: &[f64]) -> Self {
        let [[_, h1, h2], [_, b11, b12], [_, _, b22]] = inertia;
        let b = [b11, b12, b22];
        let mut impulse = impulse.to_vec();
        impulse.sort_by(f64::total_cmp);
        impulse.dedup();
        Self { h: [h1, h2], friction: b.map(|b| mu * b), mu, b, v0, impulse }
    }

    /// The velocity at zero impulse.
    pub fn start(&self) -> [f64; 2] {
        self.v0
    }

    /// The impulses, rising.
    pub fn impulse(&self) -> &[f64] {
        &self.impulse
    }

    /// The last impulse, or zero if none is asked for.
    pub fn end(&self) -> f64 {
        self.impulse.last().copied().unwrap_or_default()
    }

    /// The right-hand side; at rest, that without friction.
    #[inline]
    pub fn rate(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [h1, h2] = self.h;
        let [b11, b12, b22] = self.friction;
        let speed = (x * x + y * y).sqrt();
        let inverse = if speed > 0.0 { 1.0 / speed } else { 0.0 };
        let (c, d) = (x * inverse, y * inverse);
        [h1 - (b11 * c + b12 * d), h2 - (b12 * c + b22 * d)]
    }

    /// The rate over `τ` with `dp = |v| dτ`, and the speed.
    #[inline]
    pub fn rate_over_tau(&self, [x, y]: [f64; 2]) -> ([f64; 2], f64) {
        let ([h1, h2], [b11, b12, b22]) = (self.h, self.friction);
        let speed = (x * x + y * y).sqrt();
        ([h1 * speed - (b11 * x + b12 * y), h2 * speed - (b12 * x + b22 * y)], speed)
    }

    /// A bound on the rate.
    pub(crate) fn fastest(&self) -> f64 {
        let [b11, _, b22] = self.friction;
        self.h[0].hypot(self.h[1]) + b11 + b22
    }

    /// The larger component of the initial velocity, or one at rest: the unit
    /// of absolute tolerances.
    pub fn scale(&self) -> f64 {
        let largest = self.v0[0].abs().max(self.v0[1].abs());
        if largest > 0.0 { largest } else { 1.0 }
    }
}
