/// Totals of compression and of restitution, which the laws compare when
/// compression resumes.
#[derive(Clone, Copy)]
struct Ledger {
    restitution: Restitution,
    /// The normal speed before impact.
    approach: Real,
    /// Whether the bodies part.
    restoring: bool,
    /// Normal impulse and its work when the bodies last began to approach or part.
    since_impulse: Real,
    since_work: Real,
    compressed_impulse: Real,
    compressed_work: Real,
    restored_impulse: Real,
    restored_work: Real,
    #[cfg(derivatives)]
    since_varied: Tally,
    #[cfg(derivatives)]
    compressed_varied: Tally,
    #[cfg(derivatives)]
    restored_varied: Tally,
}

/// Closes the current phase and begins the other.
fn turn(ledger: &mut Ledger, now: &Moment) {
    #[cfg(derivatives)]
    vary_turn(ledger, now);
    let impulse = now.impulse - ledger.since_impulse;
    let work = now.normal_work - ledger.since_work;
    if ledger.restoring {
        ledger.restored_impulse += impulse;
        ledger.restored_work += work;
    } else {
        ledger.compressed_impulse += impulse;
        ledger.compressed_work += work;
    }
    ledger.restoring = !ledger.restoring;
    ledger.since_impulse = now.impulse;
    ledger.since_work = now.normal_work;
}

/// What ends restitution: a normal velocity by Newton's law, otherwise so much
/// more of normal impulse or of its work, counted from the last turn so that a
/// small coefficient is not lost beside the totals.
fn owed(ledger: &Ledger, now: &Moment) -> Real {
    match ledger.restitution.law {
        Law::Newton => ledger.restitution.e * ledger.approach,
        Law::Poisson => {
            let all = ledger.restitution.e * ledger.compressed_impulse - ledger.restored_impulse;
            all - (now.impulse - ledger.since_impulse)
        }
        Law::Energetic => {
            let e = ledger.restitution.e;
            let all = -e * e * ledger.compressed_work - ledger.restored_work;
            all - (now.normal_work - ledger.since_work)
        }
    }
}

/// Whether the impact is over as soon as compression ends.
fn over(ledger: &Ledger) -> bool {
    ledger.restoring && ledger.restitution.e == 0.0
}
