//! The tangential impulse of a slip, from velocities and the normal impulse:
//! `Δv_n = a p + h·I` and `Δv_t = h p + b I` are three equations for the two
//! components of `I`.

use crate::elementary::hypot;
use crate::principal::Principal;

/// Slips that change their velocity by less than this part go straight.
const SHORT: f64 = 1e-5;

/// How velocities tell the tangential impulse, in principal axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reaction {
    a: f64,
    h: [f64; 2],
    mu: f64,
    rate: f64,
    /// Whether the first axis is the one of the larger inertia, which tells its
    /// component best; the other follows from its own velocity and the normal one
    /// by least squares.
    in_order: bool,
    larger: f64,
    smaller: [f64; 2],
}

impl Reaction {
    pub(crate) fn new(contact: &Principal) -> Self {
        let Principal { a, h, b, mu, rate, .. } = *contact;
        let in_order = b[0] >= b[1];
        let [large, small] = if in_order { [0, 1] } else { [1, 0] };
        let square = b[small] * b[small] + h[small] * h[small];
        let (larger, smaller) = (1.0 / b[large], [b[small] / square, h[small] / square]);
        Self { a, h, mu, rate, in_order, larger, smaller }
    }

    /// The tangential impulse between two velocities, normal first, with a normal
    /// impulse.
    pub(crate) fn impulse(&self, from: [f64; 3], to: [f64; 3], normal: f64) -> [f64; 2] {
        let [_, x, y] = from;
        if normal * self.rate < SHORT * (x.abs() + y.abs()) {
            let [x, y] = [0.5 * x + 0.5 * to[1], 0.5 * y + 0.5 * to[2]];
            let scale = -self.mu * normal / hypot(x, y);
            return [x, y].map(|v| v * scale);
        }
        self.of_change([0, 1, 2].map(|i| to[i] - from[i]), normal)
    }

    /// The same for a change of velocity that is not too small beside it: linear.
    pub(crate) fn of_change(&self, change: [f64; 3], normal: f64) -> [f64; 2] {
        if self.mu == 0.0 {
            return [0.0; 2];
        }
        let [h1, h2] = self.h;
        let rest = [change[1] - h1 * normal, change[2] - h2 * normal];
        let push = change[0] - self.a * normal;
        let [own, shared] = self.smaller;
        if self.in_order {
            let first = rest[0] * self.larger;
            [first, own * rest[1] + shared * (push - h1 * first)]
        } else {
            let second = rest[1] * self.larger;
            [own * rest[0] + shared * (push - h2 * second), second]
        }
    }
}
