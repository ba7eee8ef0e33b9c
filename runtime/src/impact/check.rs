//! What every impact in space is checked for before it is returned: momentum, energy and
//! restitution. Ordinary contacts pass with a wide margin; where directions differ in
//! inertia by sixteen orders and more, rounding may decide an impact.

use super::inertia::Contact;
use super::instances::Varies;
use super::number::{absolute, larger};
use super::real::{EPSILON, LEAST_IMBALANCE, Real};
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

/// Whether a result balances; NaN passes, and `is_finite` rejects it.
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
    let rounding = rounding_of_rows(contact, after);
    let normal_row = Row { terms: [contact.a * p, h1 * i1, h2 * i2], rounding: rounding[0] };
    let first_row = Row { terms: [h1 * p, b1 * i1, 0.0], rounding: rounding[1] };
    let second_row = Row { terms: [h2 * p, 0.0, b2 * i2], rounding: rounding[2] };
    let normal = normal_row.off_by(after.normal - before.normal, speed);
    let first = first_row.off_by(t1 - s1, speed);
    let second = second_row.off_by(t2 - s2, speed);
    let energy = energy_change(before, after);
    let after_speed = larger(absolute(after.normal), size_of(t1, t2));
    let product = 1e-3 * after_speed * larger(absolute(p), size_of(i1, i2));
    let works = size_of(after.normal_work, after.friction_work);
    let work = larger(larger(works, absolute(energy)), product);
    let inexact =
        rounding[0] * absolute(p) + rounding[1] * absolute(i1) + rounding[2] * absolute(i2);
    let unbalanced = absolute(energy - after.normal_work - after.friction_work) - inexact;
    let more = impact.owed(after);
    let left = match impact.restitution.law {
        Law::Newton => absolute(after.normal - more) / speed,
        Law::Poisson => absolute(more) / absolute(p),
        Law::Energetic => absolute(more) / work,
    };
    Imbalance {
        momentum: larger(normal, larger(first, second)),
        energy: larger(unbalanced, 0.0) / work,
        restitution: left,
    }
}

/// Units in the last place by which the terms of `D I` may be off, all together.
const LAST_PLACES: Real = 32.0;

/// What rounding alone does to each row of `D I` in the principal axes. Where `D` is nearly
/// singular in a direction oblique to the given axes, rows in that direction are small
/// differences of the given ones, and no more exact than these.
fn rounding_of_rows<V: Varies>(contact: &Contact, after: &State<V>) -> [Real; 3] {
    let [c, s] = contact.axis;
    let [b1, b2] = contact.b;
    let [h1, h2] = contact.outward(contact.h);
    let [i1, i2] = contact.outward(after.tangential_impulse);
    let p = after.impulse;
    let b12 = c * s * (b1 - b2);
    let normal = larger(absolute(contact.a * p), size_of(h1 * i1, h2 * i2));
    let first = larger(absolute(h1 * p), size_of((c * c * b1 + s * s * b2) * i1, b12 * i2));
    let second = larger(absolute(h2 * p), size_of(b12 * i1, (s * s * b1 + c * c * b2) * i2));
    let part = LAST_PLACES * EPSILON;
    let [c, s] = [part * absolute(c), part * absolute(s)];
    [part * normal, c * first + s * second, c * second + s * first]
}

/// A row of `D I`: its terms, and what rounding alone does to them.
#[derive(Clone, Copy, Debug)]
struct Row {
    terms: [Real; 3],
    rounding: Real,
}

impl Row {
    /// By how much a change of velocity is not the sum of the terms, as a part of a speed or
    /// of the largest term.
    fn off_by(&self, change: Real, speed: Real) -> Real {
        let [x, y, z] = self.terms;
        let largest = larger(absolute(x), size_of(y, z));
        let off = absolute(change - (x + y + z)) - self.rounding;
        larger(off, 0.0) / larger(speed, largest)
    }
}

/// The larger magnitude.
fn size_of(x: Real, y: Real) -> Real {
    larger(absolute(x), absolute(y))
}
