/// A contact in the principal axes of its tangential inertia and in units of
/// order one, with the friction that it slides and sticks by.
#[derive(Clone, Copy, Debug)]
struct Contact {
    a: Real,
    h: [Real; 2],
    b: [Real; 2],
    /// Kinetic friction.
    mu: Real,
    /// A bound on how fast sliding turns and slows, above zero.
    rate: Real,
    /// What rounding makes of how fast a direction turns.
    noise: Real,
    /// Whether sliding in any direction parts the bodies: then there is neither
    /// jamming nor a second compression.
    parts: bool,
    /// Minus the friction that keeps the contact point from sliding.
    holding: [Real; 2],
    /// How the normal velocity rises while it sticks.
    sticking_rate: Real,
    /// Whether it does once it is at rest.
    sticks: bool,
    /// A power of two: the unit of inertia.
    unit: Real,
    /// The first principal axis.
    axis: [Real; 2],
}

/// The least a pivot may be, relative to its diagonal entry.
const PIVOT: Real = 64.0 * EPSILON;

/// A contact from its inertia, by rows, and its friction.
fn prepare(inertia: &[Real; 9], friction: &Friction, contact: &mut Contact) -> Status {
    let [a, h1, h2, low1, b11, b12, low2, low12, b22] = *inertia;
    for i in 0..9 {
        if !finite(inertia[i]) {
            return Status::NotFinite;
        }
    }
    let symmetric = mirrored(h1, low1, a, b11) && mirrored(h2, low2, a, b22);
    if !symmetric || !mirrored(b12, low12, b11, b22) {
        return Status::NotSymmetric;
    }
    let mu = friction.kinetic;
    if !(mu >= 0.0 && friction.fixed >= mu && finite(friction.fixed)) {
        return Status::FrictionOutOfRange;
    }
    let rest = b11 - b12 * (b12 / b22);
    let coupling = h1 - h2 * (b12 / b22);
    let sticking_rate = a - h2 * (h2 / b22) - coupling * (coupling / rest);
    let definite = a > 0.0 && b22 > 0.0 && rest > PIVOT * b11 && sticking_rate > PIVOT * a;
    if !definite {
        return Status::NotPositiveDefinite;
    }
    let true_rate = length(h1, h2) + mu * (b11 + b22);
    let rate = larger(true_rate, VANISHING * a);
    if !finite(rate) {
        return Status::NotFinite;
    }
    let unit = binade(rate);
    contact.unit = unit;
    contact.a = a / unit;
    contact.mu = mu;
    contact.rate = rate / unit;
    contact.noise = 32.0 * EPSILON * (true_rate / unit);
    contact.parts = a * CLEARLY > mu * length(h1, h2);
    contact.sticking_rate = sticking_rate / unit;
    principal_axes(b11 / unit, b12 / unit, b22 / unit, contact);
    let [c, s] = contact.axis;
    contact.h[0] = c * (h1 / unit) + s * (h2 / unit);
    contact.h[1] = c * (h2 / unit) - s * (h1 / unit);
    let mut hold1 = coupling / rest;
    let mut hold2 = (h2 - b12 * hold1) / b22;
    if b11 >= b22 {
        let ratio = b12 / b11;
        hold2 = (h2 - ratio * h1) / (b22 - ratio * b12);
        hold1 = (h1 - b12 * hold2) / b11;
    }
    contact.holding[0] = c * hold1 + s * hold2;
    contact.holding[1] = c * hold2 - s * hold1;
    contact.sticks = length(hold1, hold2) <= friction.fixed;
    Status::Solved
}

/// Whether two entries across the diagonal agree, given those beside them on it.
fn mirrored(x: Real, y: Real, first: Real, second: Real) -> bool {
    absolute(x - y) <= ASYMMETRY * sqrt(absolute(first)) * sqrt(absolute(second))
}

/// The axis nearest to the first that the tangential inertia leaves in place,
/// and the inertias along and across it (Jacobi). The smaller follows from the
/// determinant, which loses least.
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
