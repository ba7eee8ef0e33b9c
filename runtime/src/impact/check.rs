//! What every impact in space is checked for before it is returned: momentum, energy and
//! restitution. Ordinary contacts pass with a wide margin; where directions differ in
//! inertia by sixteen orders and more, rounding may decide an impact.

use super::inertia::Contact;
use super::instances::Varies;
use super::number::{absolute, larger};
use super::real::{LEAST_IMBALANCE, Real};
use super::restitution::ImpactState;
use super::result::Law;
use super::straight::State;

/// What may be off, as a multiple of the tolerance.
const MOST_IMBALANCE: Real = 1e3;

/// By how much a result is off, as a part of each quantity's scale.
#[derive(Clone, Copy, Debug)]
pub struct Imbalance {
    pub momentum: Real,
    pub energy: Real,
    pub restitution: Real,
}

/// The most by which a result may be off that was followed to a tolerance.
pub fn most_imbalance(tolerance: Real) -> Real {
    larger(LEAST_IMBALANCE, MOST_IMBALANCE * tolerance)
}

/// Whether a result balances; NaN is found elsewhere.
pub fn balances(off: &Imbalance, tolerance: Real) -> bool {
    let most = most_imbalance(tolerance);
    !(off.momentum > most || off.energy > most || off.restitution > most)
}

/// The change of kinetic energy between two states, from velocities and impulse.
pub fn energy_change<V: Varies>(before: &State<V>, after: &State<V>) -> Real {
    let [i1, i2] = after.tangential_impulse;
    0.5 * after.impulse * (before.normal + after.normal)
        + 0.5 * i1 * (before.tangential[0] + after.tangential[0])
        + 0.5 * i2 * (before.tangential[1] + after.tangential[1])
}

/// What a state at the end of an impact is off by: `v⁺ - v⁻ = D I` in each row, beside the
/// largest of its terms; the works beside the change of energy; and what is left of
/// restitution.
pub fn imbalance<V: Varies>(
    contact: &Contact,
    before: &State<V>,
    after: &State<V>,
    impact: &ImpactState<V>,
) -> Imbalance {
    let [h1, h2] = contact.h;
    let [b1, b2] = contact.b;
    let [i1, i2] = after.tangential_impulse;
    let p = after.impulse;
    let [s1, s2] = before.tangential;
    let [t1, t2] = after.tangential;
    let tangential = larger(size_of(s1, s2), size_of(t1, t2));
    let speed = larger(tangential, size_of(before.normal, after.normal));
    let normal_row = row(after.normal - before.normal, contact.a * p, h1 * i1, h2 * i2, speed);
    let first_row = row(t1 - s1, h1 * p, b1 * i1, 0.0, speed);
    let second_row = row(t2 - s2, h2 * p, 0.0, b2 * i2, speed);
    let energy = energy_change(before, after);
    let after_speed = larger(absolute(after.normal), size_of(t1, t2));
    let product = 1e-3 * after_speed * larger(absolute(p), size_of(i1, i2));
    let works = size_of(after.normal_work, after.friction_work);
    let work = larger(larger(works, absolute(energy)), product);
    let more = impact.owed(after);
    let left = match impact.restitution.law {
        Law::Newton => absolute(after.normal - more) / speed,
        Law::Poisson => absolute(more) / absolute(p),
        Law::Energetic => absolute(more) / work,
    };
    Imbalance {
        momentum: larger(normal_row, larger(first_row, second_row)),
        energy: absolute(energy - after.normal_work - after.friction_work) / work,
        restitution: left,
    }
}

/// What a row of `D I` is off by from a change of velocity.
fn row(change: Real, x: Real, y: Real, z: Real, speed: Real) -> Real {
    let largest = larger(absolute(x), size_of(y, z));
    absolute(change - (x + y + z)) / larger(speed, largest)
}

/// The larger magnitude.
fn size_of(x: Real, y: Real) -> Real {
    larger(absolute(x), absolute(y))
}
