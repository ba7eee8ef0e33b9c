//! The sliding flow's directions: how fast one turns, the invariant ones, and the one in
//! which sliding restarts.

use super::inertia::Contact;
use super::instances::{Number, Varies};
use super::number::{absolute, finite, larger, length, smaller};
use super::real::{EPSILON, Real};
use super::straight::ConstantRates;

/// How the flow acts on a direction `sigma = (c, d)`, with `F = h - mu b sigma`.
#[derive(Clone, Copy, Debug)]
pub struct DirectionRates<T> {
    /// How fast it turns: `F` across it.
    pub across: T,
    /// How fast the speed's logarithm grows: `F` along it.
    pub along: T,
    /// How `across` changes with the direction's angle.
    pub slope: T,
}

/// How near an invariant direction must be for Newton's method to be sure of it.
pub const NEAR: Real = 1e-2;

/// The flow of `h` and `m = mu b` at a direction.
#[inline(always)]
pub fn direction_rates<T: Number>(h: &[T; 2], m: &[T; 2], c: T, d: T) -> DirectionRates<T> {
    let f1 = h[0] - m[0] * c;
    let f2 = h[1] - m[1] * d;
    let along = c * f1 + d * f2;
    let across_m = m[0] * d * d + m[1] * c * c;
    DirectionRates { across: c * f2 - d * f1, along, slope: -across_m - along }
}

impl Contact {
    /// How the flow acts on a direction.
    #[inline(always)]
    pub fn rates_at(&self, sigma: [Real; 2]) -> DirectionRates<Real> {
        let m = [self.mu * self.b[0], self.mu * self.b[1]];
        direction_rates(&self.h, &m, sigma[0], sigma[1])
    }

    /// The invariant direction next to another, by Newton's method in the angle, if there is
    /// one near by.
    pub fn nearest_invariant(&self, from: [Real; 2]) -> Option<[Real; 2]> {
        let mut sigma = from;
        for _ in 0..8 {
            let flow = self.rates_at(sigma);
            let angle = -flow.across / flow.slope;
            let [c, d] = sigma;
            // A small component may decide: it is wanted as exactly as the other.
            if absolute(angle) <= EPSILON * smaller(absolute(c), absolute(d)) {
                break;
            }
            let turned = [c - angle * d, d + angle * c];
            let size = length(turned[0], turned[1]);
            sigma = [turned[0] / size, turned[1] / size];
            let away = absolute(sigma[0] * from[1] - sigma[1] * from[0]);
            if !(away <= NEAR) {
                return None;
            }
        }
        Some(sigma)
    }

    /// A bound on how fast the normal velocity changes.
    pub fn push(&self) -> Real {
        self.a + (1.0 + smaller(self.mu, 1.0)) * length(self.h[0], self.h[1])
    }

    /// A bound on how much the normal velocity changes with the tangential one, other than
    /// steadily.
    pub fn lever(&self) -> Real {
        absolute(self.h[0]) / self.b[0] + absolute(self.h[1]) / self.b[1]
    }

    /// The direction `u` in which sliding restarts after a halt: `(mu b + x) u = h` with
    /// `|u| = 1` and `x > 0`. `|u(x)|` falls, so that Newton's method on its inverse rises to
    /// the root without overshooting.
    pub fn restart_direction(&self) -> [Real; 2] {
        let [m1, m2] = [self.mu * self.b[0], self.mu * self.b[1]];
        let [h1, h2] = self.h;
        let mut shift = larger(length(h1, h2) - larger(m1, m2), 0.0);
        let mut u = [h1, h2];
        for _ in 0..100 {
            u = [h1 / (m1 + shift), h2 / (m2 + shift)];
            let [c, d] = u;
            let size = length(c, d);
            let curvature = c * c / (m1 + shift) + d * d / (m2 + shift);
            let next = shift + (size - 1.0) * size * size / curvature;
            if !finite(next) || next <= shift {
                break;
            }
            shift = next;
        }
        let size = length(u[0], u[1]);
        [u[0] / size, u[1] / size]
    }

    /// The speed on an invariant direction that a velocity beside it comes to have, once what
    /// differs has decayed. What decays is an eigenvector of the flow's linear part
    /// `h sigmaᵀ - mu b`, and the left eigenvector of the other eigenvalue does not see it.
    pub fn speed_on_line(&self, sigma: [Real; 2], velocity: [Real; 2]) -> Real {
        let [c, d] = sigma;
        let flow = self.rates_at(sigma);
        let seen = [
            c * (self.mu * self.b[1] + flow.along) * velocity[0],
            d * (self.mu * self.b[0] + flow.along) * velocity[1],
        ];
        (seen[0] + seen[1]) / -flow.slope
    }

    /// Sliding with a given speed on an invariant direction.
    pub fn on_line<V: Varies>(&self, sigma: [Real; 2], speed: Real) -> ConstantRates<V> {
        let [c, d] = sigma;
        let [h1, h2] = self.h;
        let [m1, m2] = [self.mu * self.b[0], self.mu * self.b[1]];
        // `h - mu b sigma` is `along sigma` here, and so without terms that cancel.
        let along = if absolute(c) >= absolute(d) { h1 / c - m1 } else { h2 / d - m2 };
        ConstantRates {
            normal_rate: self.a - self.mu * (h1 * c + h2 * d),
            tangential_rate: [along * c, along * d],
            friction: [-self.mu * c, -self.mu * d],
            halt: if along < 0.0 { -speed / along } else { Real::INFINITY },
            neighbours: V::beside_line(self, c, d, along),
        }
    }

    /// Whether friction at a slip presses the bodies together more than their impulse parts
    /// them.
    pub fn jams(&self, tangential: &[Real; 2]) -> bool {
        let [v1, v2] = *tangential;
        self.mu * (self.h[0] * v1 + self.h[1] * v2) > self.a * length(v1, v2)
    }

    /// What follows once the contact point is at rest.
    pub fn from_rest<V: Varies>(&self) -> ConstantRates<V> {
        if self.sticks {
            return ConstantRates {
                normal_rate: self.sticking_rate,
                tangential_rate: [0.0, 0.0],
                friction: [-self.holding[0], -self.holding[1]],
                halt: Real::INFINITY,
                neighbours: V::no_neighbours(),
            };
        }
        let sigma = self.restart_direction();
        let mut phase = self.on_line(sigma, 0.0);
        phase.halt = Real::INFINITY;
        V::vary_restart(self, &sigma, &mut phase);
        phase
    }
}
