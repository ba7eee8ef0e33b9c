/// Where a phase led: to the end of the impact, to a halt, or nowhere in the
/// steps that it may take.
#[derive(Clone, Copy, PartialEq)]
enum Outcome {
    Ended,
    Halted,
    Endless,
}

/// The impact of a contact that approaches with a velocity, normal first, under
/// a law of restitution: a slip as the kernel tells it, then at most one straight
/// line to a halt, then sticking or a slip out of rest.
fn collide(
    contact: &Contact,
    velocity: &[Real; 3],
    restitution: &Restitution,
    kernel: &Kernel,
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
        outcome = slide(contact, kernel, &mut at, &mut ledger, &mut steps);
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

/// Changes between compression and restitution in one step, at most: a slip's
/// normal velocity crosses zero three times at most.
const MOST_TURNS: usize = 8;

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
