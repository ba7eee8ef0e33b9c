//! A contact: its inertia `D = J M⁻¹ Jᵀ = [a hᵀ; h b]` checked, then in the principal axes
//! of `b` and in units of order one.

use super::number::{absolute, exponent, finite, larger, length, scale};
use super::real::{ASYMMETRY, CLEARLY, EPSILON, Real, UNLIMITED, VANISHING};
use super::result::{Friction, Status};
use super::seam::sqrt;

/// The least a pivot may be, relative to its diagonal entry.
pub const PIVOT: Real = 64.0 * EPSILON;

/// How far products of friction and inertia must stay from the largest number.
pub const SPARE: Real = 1e4;

/// A contact inertia that is checked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inertia<const DIMENSION: usize> {
    /// Its entries, exactly symmetric.
    pub entries: [[Real; DIMENSION]; DIMENSION],
    /// What the other rows leave of the normal inertia: `dv_n/dp` while the contact point
    /// sticks.
    pub sticking_rate: Real,
    /// The entry at fault, where one is.
    pub row: usize,
    pub column: usize,
}

/// Checks an inertia matrix and makes it exactly symmetric.
pub fn check_inertia<const DIMENSION: usize>(
    given: &[[Real; DIMENSION]; DIMENSION],
    inertia: &mut Inertia<DIMENSION>,
) -> Status {
    for i in 0..DIMENSION {
        inertia.row = i;
        for j in 0..DIMENSION {
            inertia.column = j;
            if !finite(given[i][j]) {
                return Status::NotFinite;
            }
        }
    }
    for i in 0..DIMENSION {
        inertia.row = i;
        inertia.entries[i][i] = given[i][i];
        for j in 0..i {
            inertia.column = j;
            if !mirrored(given[i][j], given[j][i], given[i][i], given[j][j]) {
                return Status::NotSymmetric;
            }
            inertia.entries[i][j] = 0.5 * given[i][j] + 0.5 * given[j][i];
            inertia.entries[j][i] = inertia.entries[i][j];
        }
    }
    // Each pivot is compared with its diagonal entry, which tells definiteness whatever
    // the units of the rows.
    let mut rest = inertia.entries;
    for k in (0..DIMENSION).rev() {
        let value = inertia.entries[k][k];
        let left = rest[k][k];
        inertia.row = k;
        inertia.column = k;
        inertia.sticking_rate = left;
        if !(value > 0.0 && left > PIVOT * value) {
            return Status::NotPositiveDefinite;
        }
        for i in 0..k {
            let factor = rest[i][k] / left;
            for j in 0..k {
                rest[i][j] -= factor * rest[k][j];
            }
        }
    }
    Status::Solved
}

/// Whether two entries across the diagonal agree, given those beside them on it.
pub fn mirrored(x: Real, y: Real, first: Real, second: Real) -> bool {
    absolute(x - y) <= ASYMMETRY * sqrt(absolute(first)) * sqrt(absolute(second))
}

/// Whether friction is not negative, and static friction at least the kinetic.
pub fn in_range(friction: &Friction) -> bool {
    friction.kinetic >= 0.0
        && friction.static_friction >= friction.kinetic
        && finite(friction.static_friction)
}

/// A contact in the principal axes of its tangential inertia and in units of order one,
/// with the friction that it slides and sticks by.
#[derive(Clone, Copy, Debug)]
pub struct Contact {
    pub a: Real,
    pub h: [Real; 2],
    pub b: [Real; 2],
    /// Kinetic friction.
    pub mu: Real,
    /// A bound on how fast sliding turns and slows, above zero.
    pub rate: Real,
    /// Whether sliding in any direction separates the bodies: then there is neither
    /// jamming nor a second compression.
    pub always_separates: bool,
    /// Minus the friction that keeps the contact point from sliding.
    pub holding: [Real; 2],
    /// The length of that.
    pub critical_friction: Real,
    /// How the normal velocity rises while it sticks.
    pub sticking_rate: Real,
    /// Whether it does once it is at rest.
    pub sticks: bool,
    /// The unit of inertia, as a power of two.
    pub unit: i32,
    /// The first principal axis.
    pub axis: [Real; 2],
}

/// A contact from a checked inertia and its friction.
pub fn prepare(inertia: &Inertia<3>, friction: &Friction, contact: &mut Contact) -> Status {
    let [a, h1, h2] = inertia.entries[0];
    let b11 = inertia.entries[1][1];
    let b12 = inertia.entries[1][2];
    let b22 = inertia.entries[2][2];
    if !in_range(friction) {
        return Status::FrictionOutOfRange;
    }
    // In units of the largest entry on the diagonal, no product overflows.
    let mu = friction.kinetic;
    let largest = exponent(larger(a, larger(b11, b22)));
    let push = length(scale(h1, -largest), scale(h2, -largest));
    let slowing = mu * (scale(b11, -largest) + scale(b22, -largest));
    let rate = larger(push + slowing, scale(a, -largest) * VANISHING);
    if !finite(rate) {
        return Status::FrictionOutOfRange;
    }
    let more = exponent(rate);
    let unit = largest + more;
    contact.unit = unit;
    contact.mu = mu;
    contact.rate = scale(rate, -more);
    contact.a = scale(a, -unit);
    contact.sticking_rate = scale(inertia.sticking_rate, -unit);
    principal_axes(scale(b11, -unit), scale(b12, -unit), scale(b22, -unit), contact);
    // Strong friction must leave the least inertia a number beside its own products.
    let least = SPARE / UNLIMITED;
    let numbers = contact.a >= least && contact.b[0] >= least && contact.b[1] >= least;
    if mu > 1.0 && !numbers {
        return Status::FrictionOutOfRange;
    }
    let scaled_h1 = scale(h1, -unit);
    let scaled_h2 = scale(h2, -unit);
    contact.always_separates = contact.a * CLEARLY > mu * length(scaled_h1, scaled_h2);
    contact.h = contact.inward([scaled_h1, scaled_h2]);
    let holding = holding_friction([h1, h2], [b11, b12, b22]);
    contact.holding = contact.inward(holding);
    contact.critical_friction = length(holding[0], holding[1]);
    contact.sticks = contact.critical_friction <= friction.static_friction;
    Status::Solved
}

/// `b⁻¹h`: minus the friction, per unit of normal impulse, that keeps the contact point
/// from sliding. Eliminating from the larger pivot loses least.
pub fn holding_friction(h: [Real; 2], b: [Real; 3]) -> [Real; 2] {
    let [h1, h2] = h;
    let [b11, b12, b22] = b;
    if b11 >= b22 {
        let ratio = b12 / b11;
        let second = (h2 - ratio * h1) / (b22 - ratio * b12);
        [(h1 - b12 * second) / b11, second]
    } else {
        let ratio = b12 / b22;
        let first = (h1 - ratio * h2) / (b11 - ratio * b12);
        [first, (h2 - b12 * first) / b22]
    }
}

/// The axis nearest to the first that the tangential inertia leaves in place, and the
/// inertias along and across it (Jacobi). The smaller follows from the determinant, which
/// loses least.
fn principal_axes(b11: Real, b12: Real, b22: Real, contact: &mut Contact) {
    contact.axis = [1.0, 0.0];
    contact.b = [b11, b22];
    if b12 == 0.0 {
        return;
    }
    let half = 0.5 * (b11 - b22);
    let root = length(half, b12);
    let tangent = b12 / (absolute(half) + root);
    let cosine = 1.0 / sqrt(1.0 + tangent * tangent);
    let large = 0.5 * (b11 + b22) + root;
    let small = (b11 - b12 * (b12 / b22)) * (b22 / large);
    if half >= 0.0 {
        contact.axis = [cosine, cosine * tangent];
        contact.b = [large, small];
    } else {
        contact.axis = [cosine, -cosine * tangent];
        contact.b = [small, large];
    }
}

impl Contact {
    /// A contact without inertia.
    pub const NONE: Self = Self {
        a: 0.0,
        h: [0.0, 0.0],
        b: [0.0, 0.0],
        mu: 0.0,
        rate: 0.0,
        always_separates: false,
        holding: [0.0, 0.0],
        critical_friction: 0.0,
        sticking_rate: 0.0,
        sticks: false,
        unit: 0,
        axis: [1.0, 0.0],
    };

    /// A tangential vector in the principal axes.
    pub fn inward(&self, vector: [Real; 2]) -> [Real; 2] {
        let [c, s] = self.axis;
        let [x, y] = vector;
        [c * x + s * y, c * y - s * x]
    }

    /// A tangential vector of the principal axes in the contact's own.
    pub fn outward(&self, vector: [Real; 2]) -> [Real; 2] {
        let [c, s] = self.axis;
        let [x, y] = vector;
        [c * x - s * y, c * y + s * x]
    }
}
