//! Phases with constant rates in the normal impulse: sliding on an invariant
//! direction and sticking. Everything is at most quadratic in `q`, the impulse
//! since the phase began.

use crate::elementary::sqrt;
use crate::restitution::{Tally, Target};

/// The state of an impact at one instant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    pub(crate) impulse: f64,
    pub(crate) tangential_impulse: [f64; 2],
    pub(crate) normal: f64,
    pub(crate) tangential: [f64; 2],
    pub(crate) normal_work: f64,
    pub(crate) friction_work: f64,
}

impl Moment {
    /// The state before impact.
    pub(crate) fn before_impact([normal, t1, t2]: [f64; 3]) -> Self {
        Self {
            impulse: 0.0,
            tangential_impulse: [0.0; 2],
            normal,
            tangential: [t1, t2],
            normal_work: 0.0,
            friction_work: 0.0,
        }
    }

    pub(crate) fn tally(&self) -> Tally {
        Tally { impulse: self.impulse, work: self.normal_work }
    }
}

/// Constant rates per unit of normal impulse, for as long as they last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Straight {
    pub(crate) normal_rate: f64,
    pub(crate) tangential_rate: [f64; 2],
    pub(crate) friction: [f64; 2],
    /// The impulse after which sliding halts.
    pub(crate) halt: Option<f64>,
}

impl Straight {
    /// The state after a further impulse `q`.
    pub(crate) fn advance(&self, from: &Moment, q: f64) -> Moment {
        let Self { normal_rate, tangential_rate: [r1, r2], friction: [g1, g2], .. } = *self;
        let [t1, t2] = from.tangential;
        let power = g1 * t1 + g2 * t2;
        let power_rate = g1 * r1 + g2 * r2;
        Moment {
            impulse: from.impulse + q,
            tangential_impulse: [
                from.tangential_impulse[0] + g1 * q,
                from.tangential_impulse[1] + g2 * q,
            ],
            normal: from.normal + normal_rate * q,
            tangential: [t1 + r1 * q, t2 + r2 * q],
            normal_work: from.normal_work + (from.normal + 0.5 * normal_rate * q) * q,
            friction_work: from.friction_work + (power + 0.5 * power_rate * q) * q,
        }
    }

    /// The impulse to a target of restitution, if the phase leads there.
    pub(crate) fn until(&self, from: &Moment, target: Target) -> Option<f64> {
        let q = match target {
            Target::NormalVelocity(v) if from.normal >= v => 0.0,
            Target::NormalVelocity(v) => (v - from.normal) / self.normal_rate,
            Target::Impulse(more) => more.max(0.0),
            Target::NormalWork(more) if more <= 0.0 => 0.0,
            Target::NormalWork(more) => {
                let discriminant = from.normal * from.normal + 2.0 * self.normal_rate * more;
                if discriminant < 0.0 {
                    return None;
                }
                2.0 * more / (from.normal + sqrt(discriminant))
            }
        };
        (q.is_finite() && q >= 0.0).then_some(q)
    }
}
