//! Phases with constant rates in the normal impulse: sliding on an invariant direction,
//! and sticking. Everything is at most quadratic in the impulse since the phase began.

use super::instances::Varies;
use super::number::{finite, larger};
use super::real::Real;
use super::result::Law;
use super::seam::sqrt;

/// The state of an impact at one instant.
#[derive(Clone, Copy, Debug)]
pub struct State<V: Varies> {
    pub impulse: Real,
    pub tangential_impulse: [Real; 2],
    pub normal: Real,
    pub tangential: [Real; 2],
    pub normal_work: Real,
    pub friction_work: Real,
    pub variation: V,
}

/// Rates per unit of normal impulse that stay as they are: sliding on an
/// invariant direction, or sticking.
#[derive(Clone, Copy, Debug)]
pub struct ConstantRates<V: Varies> {
    pub normal_rate: Real,
    pub tangential_rate: [Real; 2],
    pub friction: [Real; 2],
    /// The impulse after which sliding halts; infinite if it does not.
    pub halt: Real,
    pub neighbours: V::Neighbours,
}

impl<V: Varies> ConstantRates<V> {
    /// The state after a further impulse `q`.
    pub fn advance(&self, from: &State<V>, q: Real) -> State<V> {
        let [g1, g2] = self.friction;
        let [r1, r2] = self.tangential_rate;
        let [t1, t2] = from.tangential;
        let power = g1 * t1 + g2 * t2;
        let power_rate = g1 * r1 + g2 * r2;
        State {
            impulse: from.impulse + q,
            tangential_impulse: [
                from.tangential_impulse[0] + g1 * q,
                from.tangential_impulse[1] + g2 * q,
            ],
            normal: from.normal + self.normal_rate * q,
            tangential: [t1 + r1 * q, t2 + r2 * q],
            normal_work: from.normal_work + (from.normal + 0.5 * self.normal_rate * q) * q,
            friction_work: from.friction_work + (power + 0.5 * power_rate * q) * q,
            variation: V::vary_along(self, from, q),
        }
    }

    /// The impulse to the end of restitution; infinite if the phase does not lead there.
    pub fn impulse_owed(&self, from: &State<V>, law: Law, owed: Real) -> Real {
        let mut q = owed;
        match law {
            Law::Newton => {
                q = if from.normal >= owed { 0.0 } else { (owed - from.normal) / self.normal_rate };
            }
            Law::Poisson => {
                q = larger(q, 0.0);
            }
            Law::Energetic => {
                let square = from.normal * from.normal + 2.0 * self.normal_rate * owed;
                if owed <= 0.0 {
                    q = 0.0;
                } else if square >= 0.0 {
                    q = 2.0 * owed / (from.normal + sqrt(square));
                } else {
                    q = Real::INFINITY;
                }
            }
        }
        if finite(q) && q >= 0.0 { q } else { Real::INFINITY }
    }

    /// The impulse to the next change between compression and restitution.
    pub fn impulse_to_turn(&self, from: &State<V>, restoring: bool) -> Real {
        let rate = self.normal_rate;
        let leaves = if restoring { rate < 0.0 } else { rate > 0.0 };
        if leaves { larger(-from.normal / rate, 0.0) } else { Real::INFINITY }
    }
}
