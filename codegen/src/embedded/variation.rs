/// Ways in which an impact may vary: by the normal velocity, the two tangential
/// ones, kinetic friction and the coefficient of restitution.
const VARIATIONS: usize = 5;

/// Columns of the expansion in which the variations by tangential velocities and
/// by friction begin; each has `vt1`, `vt2`, `p`, `vn`, `wn`.
const VARIED: usize = 8;
const VARIED_EACH: usize = 5;

/// How an instant of an impact varies, at equal time of a slip or equal impulse
/// of a straight phase; and the rates there, per unit of normal impulse.
#[derive(Clone, Copy)]
struct Variation {
    tangential1: [Real; VARIATIONS],
    tangential2: [Real; VARIATIONS],
    impulse: [Real; VARIATIONS],
    normal: [Real; VARIATIONS],
    work: [Real; VARIATIONS],
    normal_rate: Real,
    tangential_rate: [Real; 2],
}

/// How an impulse and its work vary.
#[derive(Clone, Copy)]
struct Tally {
    impulse: [Real; VARIATIONS],
    work: [Real; VARIATIONS],
}

/// Nothing that varies.
const NO_TALLY: Tally = Tally { impulse: [0.0; VARIATIONS], work: [0.0; VARIATIONS] };

/// The variation of the state before impact.
const BEFORE_IMPACT: Variation = Variation {
    tangential1: [0.0, 1.0, 0.0, 0.0, 0.0],
    tangential2: [0.0, 0.0, 1.0, 0.0, 0.0],
    impulse: [0.0; VARIATIONS],
    normal: [1.0, 0.0, 0.0, 0.0, 0.0],
    work: [0.0; VARIATIONS],
    normal_rate: 0.0,
    tangential_rate: [0.0, 0.0],
};

/// The variations of a slip's unknowns. One by the normal velocity changes that
/// alone, and its work; restitution changes nothing before the end.
fn variation(state: &[Real; COLUMNS]) -> Variation {
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
fn vary_rates(rows: &[[Real; COLUMNS]; ROWS], t: Real, from: &Moment) -> Moment {
    let mut at = *from;
    let mut p = [0.0; ROWS];
    series(rows, IMPULSE, &mut p);
    let clock = expansion(&p, t).slope;
    series(rows, NORMAL, &mut p);
    at.variation.normal_rate = expansion(&p, t).slope / clock;
    series(rows, 0, &mut p);
    at.variation.tangential_rate[0] = expansion(&p, t).slope / clock;
    series(rows, 1, &mut p);
    at.variation.tangential_rate[1] = expansion(&p, t).slope / clock;
    at
}

/// Once at rest, the contact point does not move however the impact varies.
fn vary_rest(at: &mut Moment) {
    at.variation.tangential1 = [0.0; VARIATIONS];
    at.variation.tangential2 = [0.0; VARIATIONS];
}

/// The variation after a further impulse `q` of a straight phase, of which
/// friction changes the rates.
fn vary_along(phase: &Straight, from: &Moment, q: Real) -> Variation {
    let mut varied = from.variation;
    for j in 0..VARIATIONS {
        varied.work[j] += from.variation.normal[j] * q;
    }
    varied.tangential1[3] += phase.tangential_rate_by_mu[0] * q;
    varied.tangential2[3] += phase.tangential_rate_by_mu[1] * q;
    varied.normal[3] += phase.normal_rate_by_mu * q;
    varied.work[3] += 0.5 * phase.normal_rate_by_mu * q * q;
    varied.normal_rate = phase.normal_rate;
    varied.tangential_rate = phase.tangential_rate;
    varied
}

/// How friction changes the rates of a slip out of rest: with it turns the
/// direction `u`, `(mu b + x) u = h`, `|u| = 1`.
fn vary_restart(contact: &Contact, u: &[Real; 2], phase: &mut Straight) {
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
    phase.tangential_rate_by_mu[0] = -contact.b[0] * c - m1 * du1;
    phase.tangential_rate_by_mu[1] = -contact.b[1] * d - m2 * du2;
    phase.normal_rate_by_mu = -(h1 * c + h2 * d) - contact.mu * (h1 * du1 + h2 * du2);
}

/// How the totals vary at a turn, where the normal velocity stays zero: it comes
/// sooner or later by `shift`, in which no work is done.
fn vary_turn(ledger: &mut Ledger, now: &Moment) {
    for j in 0..VARIATIONS {
        let shift = -now.variation.normal[j] / now.variation.normal_rate;
        let impulse = now.variation.impulse[j] + shift;
        let work = now.variation.work[j];
        if ledger.restoring {
            ledger.restored_varied.impulse[j] += impulse - ledger.since_varied.impulse[j];
            ledger.restored_varied.work[j] += work - ledger.since_varied.work[j];
        } else {
            ledger.compressed_varied.impulse[j] += impulse - ledger.since_varied.impulse[j];
            ledger.compressed_varied.work[j] += work - ledger.since_varied.work[j];
        }
        ledger.since_varied.impulse[j] = impulse;
        ledger.since_varied.work[j] = work;
    }
}

/// How much impulse later the impact ends as it varies in way `j`.
fn vary_end(ledger: &Ledger, at: &Moment, j: usize) -> Real {
    let e = ledger.restitution.e;
    let rate = at.variation.normal_rate;
    let of_e = if j == 4 { 1.0 } else { 0.0 };
    let approach = if j == 0 { -1.0 } else { 0.0 };
    let impulse = ledger.restored_varied.impulse[j] + at.variation.impulse[j]
        - ledger.since_varied.impulse[j];
    let work =
        ledger.restored_varied.work[j] + at.variation.work[j] - ledger.since_varied.work[j];
    if e == 0.0 {
        // Restitution begins, to first order in its coefficient.
        let more = match ledger.restitution.law {
            Law::Newton => ledger.approach / rate,
            Law::Poisson => ledger.compressed_impulse,
            Law::Energetic => sqrt(-2.0 * ledger.compressed_work / rate),
        };
        return of_e * more - at.variation.normal[j] / rate;
    }
    match ledger.restitution.law {
        Law::Newton => {
            (e * approach + of_e * ledger.approach - at.variation.normal[j]) / rate
        }
        Law::Poisson => {
            e * ledger.compressed_varied.impulse[j] + of_e * ledger.compressed_impulse - impulse
        }
        Law::Energetic => {
            let owed = -e * e * ledger.compressed_varied.work[j]
                - 2.0 * e * of_e * ledger.compressed_work;
            (owed - work) / at.normal
        }
    }
}

/// Writes how the velocity after impact varies, out of the units and axes that
/// it was found in.
fn differentiate(contact: &Contact, at: &Moment, ledger: &Ledger, unit: Real, out: &mut Impact) {
    let [c, s] = contact.axis;
    let rates = at.variation.tangential_rate;
    for j in 0..VARIATIONS {
        let shift = vary_end(ledger, at, j);
        let t1 = at.variation.tangential1[j] + rates[0] * shift;
        let t2 = at.variation.tangential2[j] + rates[1] * shift;
        let scale = if j < 3 { 1.0 } else { unit };
        out.jacobian[0][j] = scale * (at.variation.normal[j] + at.variation.normal_rate * shift);
        out.jacobian[1][j] = scale * (c * t1 - s * t2);
        out.jacobian[2][j] = scale * (c * t2 + s * t1);
    }
    for i in 0..3 {
        let by1 = out.jacobian[i][1];
        let by2 = out.jacobian[i][2];
        out.jacobian[i][1] = c * by1 - s * by2;
        out.jacobian[i][2] = c * by2 + s * by1;
    }
}
