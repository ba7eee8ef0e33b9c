//! How the velocity after impact varies with the velocity before, with friction and with
//! restitution: variational equations along the slip, closed forms along straight phases,
//! and the shift of every event.

use super::elementary::{exp, ln};
use super::inertia::Contact;
use super::number::{absolute, finite, larger, length};
use super::real::{EPSILON, Real};
use super::restitution::ImpactState;
use super::result::Law;
use super::roots::{column, expansion};
use super::seam::sqrt;
use super::step::{IMPULSE, NORMAL};
use super::straight::{ConstantRates, State};

/// Ways in which an impact may vary: by the normal velocity, the two tangential
/// ones, kinetic friction and the coefficient of restitution.
pub const VARIATIONS: usize = 5;

/// Unknowns of a slip whose variations are expanded too, by each tangential velocity and by
/// friction.
pub const VARIED_UNKNOWNS: [&str; 5] = ["vt1", "vt2", "p", "vn", "wn"];

/// The column of the expansion in which the variations begin, and how many each has.
pub const VARIED: usize = 8;
pub const VARIED_EACH: usize = 5;

/// Ways in which a planar impact may vary, in the order of its Jacobian's columns.
pub const PLANAR_VARIED_BY: [&str; 4] = ["vn", "vt", "mu", "e"];

/// How an instant of an impact varies, at equal time of a slip or equal impulse
/// of a straight phase; and the rates there, per unit of normal impulse.
#[derive(Clone, Copy, Debug)]
pub struct Variation {
    pub tangential1: [Real; VARIATIONS],
    pub tangential2: [Real; VARIATIONS],
    pub impulse: [Real; VARIATIONS],
    pub normal: [Real; VARIATIONS],
    pub work: [Real; VARIATIONS],
    pub normal_rate: Real,
    pub tangential_rate: [Real; 2],
}

/// How an impulse and its work vary.
#[derive(Clone, Copy, Debug)]
pub struct VariedTotals {
    pub impulse: [Real; VARIATIONS],
    pub work: [Real; VARIATIONS],
}

/// Nothing that varies.
pub const NO_TOTALS: VariedTotals =
    VariedTotals { impulse: [0.0; VARIATIONS], work: [0.0; VARIATIONS] };

/// The variation of the state before impact.
pub const BEFORE_IMPACT: Variation = Variation {
    tangential1: [0.0, 1.0, 0.0, 0.0, 0.0],
    tangential2: [0.0, 0.0, 1.0, 0.0, 0.0],
    impulse: [0.0; VARIATIONS],
    normal: [1.0, 0.0, 0.0, 0.0, 0.0],
    work: [0.0; VARIATIONS],
    normal_rate: 0.0,
    tangential_rate: [0.0, 0.0],
};

/// The variation of the state before impact.
pub fn before_impact() -> Variation {
    BEFORE_IMPACT
}

/// Totals that do not vary.
pub fn no_totals() -> VariedTotals {
    NO_TOTALS
}

/// Neighbours that do not differ.
pub fn no_neighbours() -> Neighbours {
    NO_NEIGHBOURS
}

/// A slip's unknowns vary at its start by the tangential velocities themselves.
pub fn begin_slip<const COLUMNS: usize>(unknowns: &mut [Real; COLUMNS]) {
    unknowns[VARIED] = 1.0;
    unknowns[VARIED + VARIED_EACH + 1] = 1.0;
}

/// The variations of a slip's unknowns. One by the normal velocity changes that
/// alone, and its work; restitution changes nothing before the end.
pub fn variation<const COLUMNS: usize>(state: &[Real; COLUMNS]) -> Variation {
    let mut varied = BEFORE_IMPACT;
    varied.work[0] = state[IMPULSE];
    for d in 0..3 {
        let from = VARIED + VARIED_EACH * d;
        varied.tangential1[d + 1] = state[from];
        varied.tangential2[d + 1] = state[from + 1];
        varied.impulse[d + 1] = state[from + 2];
        varied.normal[d + 1] = state[from + 3];
        varied.work[d + 1] = state[from + 4];
    }
    varied
}

/// An instant inside a step with its rates, by the series.
pub fn vary_rates<const ROWS: usize, const COLUMNS: usize>(
    rows: &[[Real; COLUMNS]; ROWS],
    order: usize,
    t: Real,
    at: &mut State<Variation>,
) {
    let clock = slope_of(rows, IMPULSE, order, t);
    at.variation.normal_rate = slope_of(rows, NORMAL, order, t) / clock;
    at.variation.tangential_rate[0] = slope_of(rows, 0, order, t) / clock;
    at.variation.tangential_rate[1] = slope_of(rows, 1, order, t) / clock;
}

/// The slope of an unknown inside a step.
fn slope_of<const ROWS: usize, const COLUMNS: usize>(
    rows: &[[Real; COLUMNS]; ROWS],
    unknown: usize,
    order: usize,
    t: Real,
) -> Real {
    let mut series = [0.0; ROWS];
    column(rows, unknown, &mut series);
    expansion(&series, order, t).slope
}

/// Once at rest, the contact point does not move however the impact varies. Where an impact
/// begins at rest and sliding would halt at once, the impulse that stops a tangential velocity
/// `v`, which is `-b⁻¹v`, changes the normal velocity by `-hᵀb⁻¹v`.
pub fn vary_rest(contact: &Contact, halted: bool, at: &mut State<Variation>) {
    let [x, y] = contact.holding;
    if !halted && contact.critical_friction < contact.mu {
        for j in 0..VARIATIONS {
            let stopped = x * at.variation.tangential1[j] + y * at.variation.tangential2[j];
            at.variation.normal[j] -= stopped;
        }
    }
    at.variation.tangential1 = [0.0; VARIATIONS];
    at.variation.tangential2 = [0.0; VARIATIONS];
}

/// Motions beside a straight phase.
#[derive(Clone, Copy, Debug)]
pub struct Neighbours {
    /// How friction changes the rates, out of rest.
    pub normal_rate_by_mu: Real,
    pub tangential_rate_by_mu: [Real; 2],
    /// Whether it is a slip on an invariant direction `sigma`, which neighbours
    /// leave: then what acts along the direction, and across it.
    pub slides: bool,
    pub sigma: [Real; 2],
    pub along: Real,
    pub pull: Real,
    pub b_along: Real,
    pub b_across: Real,
    pub h_along: Real,
    pub h_across: Real,
    pub mu: Real,
}

/// Neighbours that do not differ.
pub const NO_NEIGHBOURS: Neighbours = Neighbours {
    normal_rate_by_mu: 0.0,
    tangential_rate_by_mu: [0.0, 0.0],
    slides: false,
    sigma: [1.0, 0.0],
    along: 0.0,
    pull: 0.0,
    b_along: 0.0,
    b_across: 0.0,
    h_along: 0.0,
    h_across: 0.0,
    mu: 0.0,
};

/// What acts on the neighbours of a slip on an invariant direction.
pub fn beside_line(contact: &Contact, c: Real, d: Real, along: Real) -> Neighbours {
    let [h1, h2] = contact.h;
    let [b1, b2] = contact.b;
    Neighbours {
        normal_rate_by_mu: 0.0,
        tangential_rate_by_mu: [0.0, 0.0],
        slides: true,
        sigma: [c, d],
        along,
        pull: contact.mu * (b1 * d * d + b2 * c * c),
        b_along: b1 * c * c + b2 * d * d,
        b_across: (b2 - b1) * c * d,
        h_along: h1 * c + h2 * d,
        h_across: h2 * c - h1 * d,
        mu: contact.mu,
    }
}

/// The variation after a further impulse `q` of a straight phase.
pub fn vary_along(phase: &ConstantRates<Variation>, from: &State<Variation>, q: Real) -> Variation {
    let beside = phase.neighbours;
    let mut varied = from.variation;
    varied.normal_rate = phase.normal_rate;
    varied.tangential_rate = phase.tangential_rate;
    for j in 0..VARIATIONS {
        varied.work[j] += from.variation.normal[j] * q;
    }
    if beside.slides {
        vary_line(&beside, from, q, &mut varied);
        return varied;
    }
    varied.tangential1[3] += beside.tangential_rate_by_mu[0] * q;
    varied.tangential2[3] += beside.tangential_rate_by_mu[1] * q;
    varied.normal[3] += beside.normal_rate_by_mu * q;
    varied.work[3] += 0.5 * beside.normal_rate_by_mu * q * q;
    varied
}

/// Neighbours of a slip on an invariant direction, whose speed is
/// `s = s0 + g q`: a velocity `x` along it and `y` across it obey
///
/// ```text
/// y' = -pull y / s - (b across) dmu    x' = -mu (b across) y / s - (b along) dmu
/// ```
///
/// so that `y = offset s + rest (s / s0)^(-pull / g)`.
pub fn vary_line(beside: &Neighbours, from: &State<Variation>, q: Real, varied: &mut Variation) {
    let [c, d] = beside.sigma;
    let pull = beside.pull;
    let s0 = length(from.tangential[0], from.tangential[1]);
    let ratio = larger(1.0 + beside.along * q / s0, 0.0);
    let decay = line_decay(beside, s0, ratio, q);
    // Integrals of y / s and of that, but for the offset, for `rest = 1`.
    let drift = if pull > 0.0 { (1.0 - decay) / pull } else { q / s0 };
    let work = if pull > 0.0 { (q - line_area(beside, s0, ratio, decay)) / pull } else { 0.0 };
    let closing = beside.along + pull;
    let resonance = RESONANCE * pull;
    let closing = if absolute(closing) < resonance { resonance } else { closing };
    for j in 0..VARIATIONS {
        let of_mu = if j == 3 { 1.0 } else { 0.0 };
        let turns = pull > 0.0 && beside.b_across != 0.0;
        let offset = if turns { -of_mu * beside.b_across / closing } else { 0.0 };
        let x = c * from.variation.tangential1[j] + d * from.variation.tangential2[j];
        let y = c * from.variation.tangential2[j] - d * from.variation.tangential1[j];
        let rest = y - offset * s0;
        let turned = offset * q + rest * drift;
        let along = x - beside.mu * beside.b_across * turned - of_mu * beside.b_along * q;
        let mut across = offset * (s0 * ratio) + rest * decay;
        if !(pull > 0.0) {
            // Without friction nothing pulls, and its beginning turns steadily.
            across = y - of_mu * beside.b_across * q;
        }
        varied.tangential1[j] = c * along - d * across;
        varied.tangential2[j] = d * along + c * across;
        varied.normal[j] -= of_mu * beside.h_along * q + beside.mu * beside.h_across * turned;
        varied.work[j] -= 0.5 * of_mu * beside.h_along * q * q
            + beside.mu * beside.h_across * (0.5 * offset * q * q + rest * work);
    }
}

/// Rates that differ by less than this part of them are taken to be this far
/// apart.
pub const RESONANCE: Real = 1e3 * EPSILON;

/// `(s / s0)^(-pull / g)`
pub fn line_decay(beside: &Neighbours, s0: Real, ratio: Real, q: Real) -> Real {
    if ratio == 0.0 {
        return if beside.pull > 0.0 { 0.0 } else { 1.0 };
    }
    if absolute(ratio - 1.0) < 1e-6 {
        return exp(-beside.pull * q / s0);
    }
    exp(-beside.pull / beside.along * ln(ratio))
}

/// The integral of that over the impulse.
pub fn line_area(beside: &Neighbours, s0: Real, ratio: Real, decay: Real) -> Real {
    let apart = beside.along - beside.pull;
    if absolute(apart) <= RESONANCE * beside.pull {
        return s0 / beside.along * ln(ratio);
    }
    s0 / apart * (decay * ratio - 1.0)
}

/// The variation at a halt itself, which comes later by what is left of the
/// speed along the direction.
pub fn vary_halt(phase: &ConstantRates<Variation>, at: &mut State<Variation>) {
    let [c, d] = phase.neighbours.sigma;
    let rate = at.variation.normal_rate;
    for j in 0..VARIATIONS {
        let along = c * at.variation.tangential1[j] + d * at.variation.tangential2[j];
        let later = -along / phase.neighbours.along;
        at.variation.impulse[j] += later;
        at.variation.normal[j] += rate * later;
        at.variation.work[j] += at.normal * later;
    }
}

/// How friction changes the rates of a slip out of rest: with it turns the
/// direction `u`, `(mu b + x) u = h`, `|u| = 1`.
pub fn vary_restart(contact: &Contact, u: &[Real; 2], phase: &mut ConstantRates<Variation>) {
    let [c, d] = *u;
    let [h1, h2] = contact.h;
    let m1 = contact.mu * contact.b[0];
    let m2 = contact.mu * contact.b[1];
    let shift = c * (h1 - m1 * c) + d * (h2 - m2 * d);
    let k1 = m1 + shift;
    let k2 = m2 + shift;
    let by_mu = c * c * contact.b[0] / k1 + d * d * contact.b[1] / k2;
    let by_shift = c * c / k1 + d * d / k2;
    let slope = -by_mu / by_shift;
    let du1 = -(contact.b[0] + slope) * c / k1;
    let du2 = -(contact.b[1] + slope) * d / k2;
    phase.neighbours.tangential_rate_by_mu[0] = -contact.b[0] * c - m1 * du1;
    phase.neighbours.tangential_rate_by_mu[1] = -contact.b[1] * d - m2 * du2;
    phase.neighbours.slides = false;
    phase.neighbours.normal_rate_by_mu = -(h1 * c + h2 * d) - contact.mu * (h1 * du1 + h2 * du2);
}

/// How the totals vary at a turn, where the normal velocity stays zero: it comes
/// sooner or later by `shift`, in which no work is done.
pub fn vary_turn(impact: &mut ImpactState<Variation>, now: &State<Variation>) {
    for j in 0..VARIATIONS {
        let shift = -now.variation.normal[j] / now.variation.normal_rate;
        let impulse = now.variation.impulse[j] + shift;
        let work = now.variation.work[j];
        if impact.restoring {
            impact.restored_varied.impulse[j] += impulse - impact.since_varied.impulse[j];
            impact.restored_varied.work[j] += work - impact.since_varied.work[j];
        } else {
            impact.compressed_varied.impulse[j] += impulse - impact.since_varied.impulse[j];
            impact.compressed_varied.work[j] += work - impact.since_varied.work[j];
        }
        impact.since_varied.impulse[j] = impulse;
        impact.since_varied.work[j] = work;
    }
}

/// How much impulse later the impact ends as it varies in way `j`.
pub fn vary_end(impact: &ImpactState<Variation>, at: &State<Variation>, j: usize) -> Real {
    let e = impact.restitution.e;
    let rate = at.variation.normal_rate;
    let of_e = if j == 4 { 1.0 } else { 0.0 };
    let approach = if j == 0 { -1.0 } else { 0.0 };
    let impulse = impact.restored_varied.impulse[j] + at.variation.impulse[j]
        - impact.since_varied.impulse[j];
    let work = impact.restored_varied.work[j] + at.variation.work[j] - impact.since_varied.work[j];
    if e == 0.0 {
        // Restitution begins, to first order in its coefficient.
        let more = match impact.restitution.law {
            Law::Newton => impact.approach / rate,
            Law::Poisson => impact.compressed_impulse,
            Law::Energetic => sqrt(-2.0 * impact.compressed_work / rate),
        };
        return of_e * more - at.variation.normal[j] / rate;
    }
    match impact.restitution.law {
        Law::Newton => (e * approach + of_e * impact.approach - at.variation.normal[j]) / rate,
        Law::Poisson => {
            e * impact.compressed_varied.impulse[j] + of_e * impact.compressed_impulse - impulse
        }
        Law::Energetic => {
            let owed =
                -e * e * impact.compressed_varied.work[j] - 2.0 * e * of_e * impact.compressed_work;
            (owed - work) / at.normal
        }
    }
}

/// Writes how the velocity after impact varies, out of the units and axes that
/// it was found in; whether that is finite.
pub fn differentiate(
    contact: &Contact,
    at: &State<Variation>,
    impact: &ImpactState<Variation>,
    unit: Real,
    jacobian: &mut [[Real; VARIATIONS]; 3],
) -> bool {
    let [c, s] = contact.axis;
    let rates = at.variation.tangential_rate;
    for j in 0..VARIATIONS {
        let shift = vary_end(impact, at, j);
        let t1 = at.variation.tangential1[j] + rates[0] * shift;
        let t2 = at.variation.tangential2[j] + rates[1] * shift;
        let scale = if j < 3 { 1.0 } else { unit };
        jacobian[0][j] = scale * (at.variation.normal[j] + at.variation.normal_rate * shift);
        jacobian[1][j] = scale * (c * t1 - s * t2);
        jacobian[2][j] = scale * (c * t2 + s * t1);
    }
    for i in 0..3 {
        let by1 = jacobian[i][1];
        let by2 = jacobian[i][2];
        jacobian[i][1] = c * by1 - s * by2;
        jacobian[i][2] = c * by2 + s * by1;
    }
    for i in 0..3 {
        for j in 0..VARIATIONS {
            if !finite(jacobian[i][j]) {
                return false;
            }
        }
    }
    true
}
