/// Where a phase led: to the end of the impact, to a halt, or nowhere in the
/// steps that it may take.
#[derive(Clone, Copy, PartialEq)]
enum Outcome {
    Ended,
    Halted,
    Endless,
}

/// The impact of a contact that approaches with a velocity, normal first, under
/// a law of restitution: a slip by power series, then at most one straight line
/// to a halt, then sticking or a slip out of rest.
fn collide(
    contact: &Contact,
    velocity: &[Real; 3],
    restitution: &Restitution,
    reach: Real,
    out: &mut Impact,
) -> Status {
    let mut largest = 0.0;
    for i in 0..3 {
        if !finite(velocity[i]) {
            return Status::NotFinite;
        }
        largest = larger(largest, absolute(velocity[i]));
    }
    if !(velocity[0] < 0.0) {
        return Status::NotApproaching;
    }
    if !(restitution.e >= 0.0 && restitution.e <= 1.0) {
        return Status::RestitutionOutOfRange;
    }
    let unit = binade(largest);
    let [c, s] = contact.axis;
    let [vn, v1, v2] = [velocity[0] / unit, velocity[1] / unit, velocity[2] / unit];
    let mut at = Moment {
        impulse: 0.0,
        tangential_impulse: [0.0, 0.0],
        normal: vn,
        tangential: [c * v1 + s * v2, c * v2 - s * v1],
        normal_work: 0.0,
        friction_work: 0.0,
        #[cfg(derivatives)]
        variation: BEFORE_IMPACT,
    };
    let mut ledger = Ledger {
        restitution: *restitution,
        approach: -vn,
        restoring: false,
        since_impulse: 0.0,
        since_work: 0.0,
        compressed_impulse: 0.0,
        compressed_work: 0.0,
        restored_impulse: 0.0,
        restored_work: 0.0,
        #[cfg(derivatives)]
        since_varied: NO_TALLY,
        #[cfg(derivatives)]
        compressed_varied: NO_TALLY,
        #[cfg(derivatives)]
        restored_varied: NO_TALLY,
    };
    let slides = at.tangential[0] != 0.0 || at.tangential[1] != 0.0;
    let mut steps = 0;
    let mut outcome = Outcome::Halted;
    if slides {
        outcome = slide(contact, reach, &mut at, &mut ledger, &mut steps);
    }
    out.mode = Mode::PermanentSliding;
    if outcome == Outcome::Halted {
        out.mode = mode_from_rest(contact.sticks, slides, ledger.restoring);
        at.tangential = [0.0, 0.0];
        #[cfg(derivatives)]
        vary_rest(&mut at);
        let phase = from_rest(contact);
        outcome = go_straight(&phase, &mut at, &mut ledger);
    }
    if outcome != Outcome::Ended {
        return Status::StepLimit;
    }
    out.steps = steps;
    #[cfg(derivatives)]
    {
        if !differentiate(contact, &at, &ledger, unit, out) {
            return Status::NotFinite;
        }
    }
    report(contact, &at, ledger.compressed_impulse, unit, out)
}

/// The mode of an impact that has come to rest, or begins there.
fn mode_from_rest(sticks: bool, slid: bool, restoring: bool) -> Mode {
    if !slid {
        return if sticks { Mode::Sticking } else { Mode::SlipFromRest };
    }
    if restoring {
        return if sticks { Mode::StickingInRestitution } else { Mode::ReverseInRestitution };
    }
    if sticks { Mode::StickingInCompression } else { Mode::ReverseInCompression }
}

/// Writes a result out of the units and axes that it was found in.
fn report(contact: &Contact, at: &Moment, compressed: Real, unit: Real, out: &mut Impact) -> Status {
    let [c, s] = contact.axis;
    let [t1, t2] = at.tangential;
    let [i1, i2] = at.tangential_impulse;
    out.velocity[0] = at.normal * unit;
    out.velocity[1] = (c * t1 - s * t2) * unit;
    out.velocity[2] = (c * t2 + s * t1) * unit;
    out.impulse[0] = at.impulse * unit / contact.unit;
    out.impulse[1] = (c * i1 - s * i2) * unit / contact.unit;
    out.impulse[2] = (c * i2 + s * i1) * unit / contact.unit;
    out.compression_impulse = compressed * unit / contact.unit;
    out.normal_work = at.normal_work * unit / contact.unit * unit;
    out.friction_work = at.friction_work * unit / contact.unit * unit;
    for i in 0..3 {
        if !finite(out.velocity[i]) || !finite(out.impulse[i]) {
            return Status::NotFinite;
        }
    }
    if finite(out.normal_work) && finite(out.friction_work) {
        Status::Solved
    } else {
        Status::NotFinite
    }
}

/// Follows a slip to the end of the impact or to a halt.
fn slide(
    contact: &Contact,
    reach: Real,
    at: &mut Moment,
    ledger: &mut Ledger,
    steps: &mut usize,
) -> Outcome {
    let mut end = [0.0; COLUMNS];
    end[0] = at.tangential[0];
    end[1] = at.tangential[1];
    end[NORMAL] = at.normal;
    #[cfg(derivatives)]
    {
        end[VARIED] = 1.0;
        end[VARIED + VARIED_EACH + 1] = 1.0;
    }
    let mut slip = Slip {
        state: [0.0; COLUMNS],
        speed: 0.0,
        flow: Turning { across: 0.0, along: 0.0, slope: 0.0 },
        fastest: 0.0,
    };
    let mut line = Straight {
        normal_rate: 0.0,
        tangential_rate: [0.0, 0.0],
        friction: [0.0, 0.0],
        halt: UNLIMITED,
        #[cfg(derivatives)]
        neighbours: NO_NEIGHBOURS,
    };
    let mut rows = [[0.0; COLUMNS]; ROWS];
    arrive(contact, &mut slip, &end);
    for _ in 0..MOST_STEPS {
        let settled = settle(contact, &slip, at, &mut line);
        if settled == Settled::Halted {
            return Outcome::Halted;
        }
        if settled == Settled::OnLine {
            return go_straight(&line, at, ledger);
        }
        *steps += 1;
        expand(contact, &slip.state, &mut rows);
        let width = step_width(contact, &slip, &rows, reach);
        values(&rows, width, &mut end);
        let rising = contact.parts || rises(contact, &slip, &end);
        if is_eventful(&slip, &rows, width, &end, ledger, rising)
            && pass_events(&slip, &rows, width, ledger, rising, at)
        {
            return Outcome::Ended;
        }
        arrive(contact, &mut slip, &end);
    }
    Outcome::Endless
}

/// Whether the normal velocity only rises in a step. `a - mu h.sigma` is least
/// where `sigma` is nearest to `h`: at one of the step's ends, unless the
/// direction turns past `h`.
fn rises(contact: &Contact, slip: &Slip, end: &[Real; COLUMNS]) -> bool {
    let [h1, h2] = contact.h;
    let x0 = slip.state[0];
    let y0 = slip.state[1];
    let x1 = end[0];
    let y1 = end[1];
    let way = x0 * y1 - y0 * x1;
    let past = (x0 * h2 - y0 * h1) * way > 0.0 && (h1 * y1 - h2 * x1) * way > 0.0;
    let forward = x0 * x1 + y0 * y1 > 0.0;
    forward && !past && parts(contact, x0, y0) && parts(contact, x1, y1)
}

/// Whether sliding in a direction parts the bodies beyond doubt.
fn parts(contact: &Contact, x: Real, y: Real) -> bool {
    let push = contact.mu * (contact.h[0] * x + contact.h[1] * y);
    push < CLEARLY * contact.a * length(x, y)
}

/// Whether a step may have events on the way.
fn is_eventful(
    slip: &Slip,
    rows: &[[Real; COLUMNS]; ROWS],
    width: Real,
    end: &[Real; COLUMNS],
    ledger: &Ledger,
    rising: bool,
) -> bool {
    if !rising {
        if ledger.restoring {
            return true;
        }
        let mut stray = 0.0;
        for k in (1..ROWS).rev() {
            stray = (stray + absolute(rows[k][NORMAL])) * width;
        }
        return stray >= absolute(slip.state[NORMAL]);
    }
    if !ledger.restoring {
        return end[NORMAL] >= 0.0;
    }
    let now = moment(&slip.state);
    let more = owed(ledger, &now);
    match ledger.restitution.law {
        Law::Newton => end[NORMAL] >= more,
        Law::Poisson => end[IMPULSE] - now.impulse >= more,
        Law::Energetic => end[NORMAL_WORK] - now.normal_work >= more,
    }
}

/// Goes through the events of a step; whether the impact ends there, and then
/// the moment at which it does.
fn pass_events(
    slip: &Slip,
    rows: &[[Real; COLUMNS]; ROWS],
    width: Real,
    ledger: &mut Ledger,
    rising: bool,
    at: &mut Moment,
) -> bool {
    let mut normal = [0.0; ROWS];
    series(rows, NORMAL, &mut normal);
    let mut from = 0.0;
    let mut at_zero = false;
    *at = moment(&slip.state);
    for _ in 0..MOST_TURNS {
        let mut next = NEVER;
        if rising && !ledger.restoring {
            next = rise(&normal, -at.normal, from, width);
        } else if !rising {
            next = first_crossing(&normal, 0.0, from, width, !ledger.restoring, at_zero);
        }
        if ledger.restoring {
            let until = if next == NEVER { width } else { next };
            let law = ledger.restitution.law;
            let end = restored(rows, &normal, from, until, law, owed(ledger, at), rising);
            if end != NEVER {
                *at = inside(rows, end);
                return true;
            }
        }
        if next == NEVER {
            return false;
        }
        *at = inside(rows, next);
        turn(ledger, at);
        if over(ledger) {
            return true;
        }
        at.normal = 0.0;
        from = next;
        at_zero = true;
    }
    false
}

/// Changes between compression and restitution in one step, at most: a slip's
/// normal velocity crosses zero three times at most.
const MOST_TURNS: usize = 8;

/// All quantities of an impact inside a step.
fn inside(rows: &[[Real; COLUMNS]; ROWS], t: Real) -> Moment {
    let mut state = [0.0; COLUMNS];
    values(rows, t, &mut state);
    let at = moment(&state);
    #[cfg(derivatives)]
    let at = vary_rates(rows, t, &at);
    at
}

/// Where in a range of a step of restitution the impact ends.
fn restored(
    rows: &[[Real; COLUMNS]; ROWS],
    normal: &[Real; ROWS],
    from: Real,
    to: Real,
    law: Law,
    more: Real,
    rising: bool,
) -> Real {
    let mut p = [0.0; ROWS];
    if law != Law::Newton {
        let unknown = if law == Law::Poisson { IMPULSE } else { NORMAL_WORK };
        series(rows, unknown, &mut p);
        return rise(&p, more, from, to);
    }
    if rising {
        let already = expansion(normal, from).value;
        return rise(normal, more - already, from, to);
    }
    first_crossing(normal, more, from, to, true, false)
}

/// Follows constant rates to the end of the impact or to a halt.
fn go_straight(phase: &Straight, at: &mut Moment, ledger: &mut Ledger) -> Outcome {
    let halts = phase.halt < UNLIMITED;
    let halt = at.impulse + phase.halt;
    for _ in 0..MOST_TURNS {
        let to_halt = if halts { halt - at.impulse } else { UNLIMITED };
        let to_turn = impulse_to_turn(phase, at, ledger.restoring);
        if ledger.restoring {
            let q = impulse_owed(phase, at, ledger.restitution.law, owed(ledger, at));
            if q < UNLIMITED && q <= to_turn && q <= to_halt {
                *at = advance(phase, at, q);
                return Outcome::Ended;
            }
        }
        if halts && to_halt <= to_turn {
            *at = advance(phase, at, to_halt);
            #[cfg(derivatives)]
            vary_halt(phase, at);
            return Outcome::Halted;
        }
        if to_turn >= UNLIMITED {
            return Outcome::Endless;
        }
        *at = advance(phase, at, to_turn);
        at.normal = 0.0;
        turn(ledger, at);
        if over(ledger) {
            return Outcome::Ended;
        }
    }
    Outcome::Endless
}
