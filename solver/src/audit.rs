//! What every impact in space is checked for before it is returned: momentum, energy and
//! restitution. Ordinary contacts pass by orders of magnitude; where directions differ in
//! inertia by sixteen orders and more, rounding may decide an impact.

use crate::error::Error;
use crate::principal::Principal;
use crate::restitution::Target;
use crate::straight::Moment;

/// The most of its scale by which anything may be off.
const LEAST_LIMIT: f64 = 1e-8;

/// The same as a multiple of the tolerance to which the impact was followed.
const LIMIT: f64 = 1e3;

/// An impact at its end.
pub(crate) struct Audit<'a> {
    pub(crate) contact: &'a Principal,
    /// The velocity before.
    pub(crate) before: [f64; 3],
    pub(crate) after: &'a Moment,
    /// The change of kinetic energy, from velocities and impulse.
    pub(crate) energy: f64,
    pub(crate) tolerance: f64,
    pub(crate) steps: usize,
}

impl Audit<'_> {
    /// Checks `v⁺ − v⁻ = D I`, row by row.
    pub(crate) fn momentum(&self, velocity: [f64; 3], impulse: [f64; 3]) -> Result<(), Error> {
        let Principal { a, h: [h1, h2], b: [b1, b2], .. } = *self.contact;
        let speed = size(self.before).max(size(velocity));
        let rows = [[a, h1, h2], [h1, b1, 0.0], [h2, 0.0, b2]];
        for (i, row) in rows.into_iter().enumerate() {
            let change = row[0] * impulse[0] + row[1] * impulse[1] + row[2] * impulse[2];
            let scale = speed.max(size(row) * size(impulse));
            self.balanced("momentum", velocity[i] - self.before[i] - change, scale)?;
        }
        Ok(())
    }

    /// Checks `ΔT = W_n + W_t`.
    pub(crate) fn energy(&self, velocity: [f64; 3], impulse: [f64; 3]) -> Result<(), Error> {
        let off = self.energy - self.after.normal_work - self.after.friction_work;
        self.balanced("energy", off, self.work(velocity, impulse))
    }

    /// Checks that nothing of restitution is left to come.
    pub(crate) fn restitution(&self, left: Target) -> Result<(), Error> {
        let Moment { normal, tangential: [t1, t2], impulse, .. } = *self.after;
        let velocity = [normal, t1, t2];
        let [i1, i2] = self.after.tangential_impulse;
        let (off, scale) = match left {
            Target::NormalVelocity(v) => (normal - v, size(self.before).max(size(velocity))),
            Target::Impulse(more) => (more, impulse),
            Target::NormalWork(more) => (more, self.work(velocity, [impulse, i1, i2])),
        };
        self.balanced("restitution", off, scale)
    }

    /// The size of the works.
    fn work(&self, velocity: [f64; 3], impulse: [f64; 3]) -> f64 {
        let Moment { normal_work, friction_work, .. } = *self.after;
        size([normal_work, friction_work, self.energy]).max(1e-3 * size(velocity) * size(impulse))
    }

    /// Checks that a difference is small beside its scale; what is not a number is
    /// found elsewhere.
    fn balanced(&self, what: &'static str, off: f64, scale: f64) -> Result<(), Error> {
        let most = LEAST_LIMIT.max(LIMIT * self.tolerance);
        if off.abs() > most * scale {
            let value = off.abs() / scale;
            return Err(Error::NotConserved { what, value, most, steps: self.steps });
        }
        Ok(())
    }
}

/// The largest magnitude.
fn size([x, y, z]: [f64; 3]) -> f64 {
    x.abs().max(y.abs()).max(z.abs())
}
