//! The sliding flow's directions: how fast one turns, the invariant ones, and the one in
//! which sliding restarts.

use super::inertia::Contact;
use super::instances::{Number, Varies};
use super::number::{absolute, finite, larger, length};
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
            if flow.across == 0.0 || absolute(angle) <= EPSILON {
                break;
            }
            let [c, d] = [sigma[0] - angle * sigma[1], sigma[1] + angle * sigma[0]];
            let size = length(c, d);
            sigma = [c / size, d / size];
            let away = absolute(sigma[0] * from[1] - sigma[1] * from[0]);
            if !(away <= NEAR) {
                return None;
            }
        }
        Some(sigma)
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

    /// Sliding with a given speed on an invariant direction.
    pub fn on_line<V: Varies>(&self, sigma: [Real; 2], speed: Real) -> ConstantRates<V> {
        let [c, d] = sigma;
        let along = self.rates_at(sigma).along;
        ConstantRates {
            normal_rate: self.a - self.mu * (self.h[0] * c + self.h[1] * d),
            tangential_rate: [along * c, along * d],
            friction: [-self.mu * c, -self.mu * d],
            halt: if along < 0.0 { -speed / along } else { Real::INFINITY },
            neighbours: V::beside_line(self, c, d, along),
        }
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
