//! The sliding flow's directions: how fast one turns, the invariant ones, and the one in
//! which sliding restarts.

use super::inertia::Contact;
use super::instances::{Number, Varies};
use super::number::{absolute, finite, larger, length};
use super::real::{EPSILON, Real, UNLIMITED};
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

/// The flow of a contact at a direction.
#[inline(always)]
pub fn turning(contact: &Contact, c: Real, d: Real) -> DirectionRates<Real> {
    let m = [contact.mu * contact.b[0], contact.mu * contact.b[1]];
    direction_rates(&contact.h, &m, c, d)
}

/// Takes a direction to the invariant one next to it, by Newton's method in the angle;
/// whether there is one near by.
pub fn approach_invariant(contact: &Contact, sigma: &mut [Real; 2]) -> bool {
    let [start_c, start_d] = *sigma;
    for _ in 0..8 {
        let flow = turning(contact, sigma[0], sigma[1]);
        let angle = -flow.across / flow.slope;
        if flow.across == 0.0 || absolute(angle) <= EPSILON {
            return true;
        }
        let c = sigma[0] - angle * sigma[1];
        let d = sigma[1] + angle * sigma[0];
        let size = length(c, d);
        sigma[0] = c / size;
        sigma[1] = d / size;
        let away = absolute(sigma[0] * start_d - sigma[1] * start_c);
        if !(away <= NEAR) {
            return false;
        }
    }
    true
}

/// The direction `u` in which sliding restarts after a halt: `(mu b + x) u = h` with
/// `|u| = 1` and `x > 0`. `|u(x)|` falls, so that Newton's method on its inverse rises to
/// the root without overshooting.
pub fn restart(contact: &Contact, u: &mut [Real; 2]) {
    let m1 = contact.mu * contact.b[0];
    let m2 = contact.mu * contact.b[1];
    let [h1, h2] = contact.h;
    let mut shift = larger(length(h1, h2) - larger(m1, m2), 0.0);
    let mut c = h1;
    let mut d = h2;
    for _ in 0..100 {
        c = h1 / (m1 + shift);
        d = h2 / (m2 + shift);
        let size = length(c, d);
        let curvature = c * c / (m1 + shift) + d * d / (m2 + shift);
        let next = shift + (size - 1.0) * size * size / curvature;
        if !finite(next) || next <= shift {
            break;
        }
        shift = next;
    }
    let size = length(c, d);
    u[0] = c / size;
    u[1] = d / size;
}

/// Sliding with a given speed on an invariant direction.
pub fn on_line<V: Varies>(contact: &Contact, sigma: &[Real; 2], speed: Real) -> ConstantRates<V> {
    let [c, d] = *sigma;
    let along = turning(contact, c, d).along;
    ConstantRates {
        normal_rate: contact.a - contact.mu * (contact.h[0] * c + contact.h[1] * d),
        tangential_rate: [along * c, along * d],
        friction: [-contact.mu * c, -contact.mu * d],
        halt: if along < 0.0 { -speed / along } else { UNLIMITED },
        neighbours: V::beside_line(contact, c, d, along),
    }
}

/// What follows once the contact point is at rest.
pub fn from_rest<V: Varies>(contact: &Contact) -> ConstantRates<V> {
    if contact.sticks {
        return ConstantRates {
            normal_rate: contact.sticking_rate,
            tangential_rate: [0.0, 0.0],
            friction: [-contact.holding[0], -contact.holding[1]],
            halt: UNLIMITED,
            neighbours: V::no_neighbours(),
        };
    }
    let mut sigma = [0.0, 0.0];
    restart(contact, &mut sigma);
    let mut phase = on_line(contact, &sigma, 0.0);
    phase.halt = UNLIMITED;
    V::vary_restart(contact, &sigma, &mut phase);
    phase
}
