/// What slips are followed by: power series of a tolerance.
#[derive(Clone, Copy)]
struct Kernel {
    /// The logarithm to base two of the tolerance, over the order.
    reach: Real,
}

/// Follows a slip to the end of the impact or to a halt.
fn slide(
    contact: &Contact,
    kernel: &Kernel,
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
        let width = step_width(contact, &slip, &rows, kernel.reach);
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
