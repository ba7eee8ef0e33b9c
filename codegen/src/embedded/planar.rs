/// A planar contact in units of order one, with the friction that it slides and
/// sticks by: inertia `[a c; c b]`.
#[derive(Clone, Copy, Debug)]
struct Contact {
    a: Real,
    b: Real,
    c: Real,
    /// Kinetic friction.
    mu: Real,
    /// Whether it sticks once it is at rest.
    sticks: bool,
    /// A power of two: the unit of inertia.
    unit: Real,
}

/// A planar contact before impact, and how the impact will end.
#[derive(Clone, Copy)]
struct Approach {
    a: Real,
    b: Real,
    c: Real,
    mu: Real,
    /// The direction of sliding.
    sigma: Real,
    e: Real,
    vn: Real,
    vt: Real,
}

/// The least a pivot may be, relative to its diagonal entry.
const PIVOT: Real = 64.0 * EPSILON;

/// A contact from its inertia, by rows, and its friction.
fn prepare(inertia: &[Real; 4], friction: &Friction, contact: &mut Contact) -> Status {
    let [a, c, low, b] = *inertia;
    for i in 0..4 {
        if !finite(inertia[i]) {
            return Status::NotFinite;
        }
    }
    if absolute(c - low) > ASYMMETRY * sqrt(absolute(a)) * sqrt(absolute(b)) {
        return Status::NotSymmetric;
    }
    let mu = friction.kinetic;
    if !(mu >= 0.0 && friction.fixed >= mu && finite(friction.fixed)) {
        return Status::FrictionOutOfRange;
    }
    if !(a > 0.0 && b > 0.0 && a - c * (c / b) > PIVOT * a) {
        return Status::NotPositiveDefinite;
    }
    let unit = binade(a);
    contact.unit = unit;
    contact.a = a / unit;
    contact.b = b / unit;
    contact.c = c / unit;
    contact.mu = mu;
    contact.sticks = absolute(c) / b <= friction.fixed;
    Status::Solved
}

/// The impact of a contact that approaches with a velocity, normal first, under
/// a law of restitution: its mode, and then the closed form of that.
fn collide(
    contact: &Contact,
    velocity: &[Real; 2],
    restitution: &Restitution,
    out: &mut Impact,
) -> Status {
    let [vn, vt] = *velocity;
    if !finite(vn) || !finite(vt) {
        return Status::NotFinite;
    }
    if !(vn < 0.0) {
        return Status::NotApproaching;
    }
    if !(restitution.e >= 0.0 && restitution.e <= 1.0) {
        return Status::RestitutionOutOfRange;
    }
    let unit = binade(larger(absolute(vn), absolute(vt)));
    // Out of rest, sliding can only begin the way the coupling pushes.
    let way = if vt == 0.0 { contact.c } else { vt };
    let approach = Approach {
        a: contact.a,
        b: contact.b,
        c: contact.c,
        mu: contact.mu,
        sigma: if way < 0.0 { -1.0 } else { 1.0 },
        e: restitution.e,
        vn: vn / unit,
        vt: vt / unit,
    };
    out.mode = mode(&approach, contact.sticks);
    out.steps = 0;
    evaluate(&approach, out.mode, restitution.law, out);
    for i in 0..2 {
        out.velocity[i] *= unit;
        out.impulse[i] = out.impulse[i] * unit / contact.unit;
        if !finite(out.velocity[i]) || !finite(out.impulse[i]) {
            return Status::NotFinite;
        }
    }
    #[cfg(derivatives)]
    {
        for i in 0..2 {
            out.jacobian[i][2] *= unit;
            out.jacobian[i][3] *= unit;
            if vt == 0.0 {
                out.jacobian[i][1] = 0.0;
            }
            for j in 0..4 {
                if !finite(out.jacobian[i][j]) {
                    return Status::NotFinite;
                }
            }
        }
    }
    out.compression_impulse = out.compression_impulse * unit / contact.unit;
    out.normal_work = out.normal_work * unit / contact.unit * unit;
    out.friction_work = out.friction_work * unit / contact.unit * unit;
    if finite(out.normal_work) && finite(out.friction_work) {
        Status::Solved
    } else {
        Status::NotFinite
    }
}

/// The mode, from where the initial slip would halt and end.
fn mode(approach: &Approach, sticks: bool) -> Mode {
    if approach.vt == 0.0 {
        return if sticks { Mode::Sticking } else { Mode::SlipFromRest };
    }
    let normal_rate = approach.a - approach.mu * approach.c * approach.sigma;
    let slowing = approach.mu * approach.b - approach.c * approach.sigma;
    if slowing <= 0.0 {
        return Mode::PermanentSliding;
    }
    let halt = absolute(approach.vt) / slowing;
    // A jamming start does not part the bodies and halts before compression ends.
    if approach.vn + normal_rate * halt <= 0.0 {
        return if sticks { Mode::StickingInCompression } else { Mode::ReverseInCompression };
    }
    // While sliding lasts, the three laws agree.
    if normal_rate * halt >= -(1.0 + approach.e) * approach.vn {
        return Mode::PermanentSliding;
    }
    if sticks { Mode::StickingInRestitution } else { Mode::ReverseInRestitution }
}
