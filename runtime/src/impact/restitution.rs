//! The laws of restitution, applied to the totals of compression and restitution.

use super::instances::Varies;
use super::real::Real;
use super::result::{EventKind, Events, Law, NO_EVENTS, Restitution, note};
use super::straight::State;

/// An impact while it is solved: what the laws compare, what happened, and how many steps
/// it took. Totals go over all phases, since compression may resume.
#[derive(Clone, Copy, Debug)]
pub struct ImpactState<V: Varies> {
    pub restitution: Restitution,
    /// The normal speed before impact.
    pub approach: Real,
    /// Whether the bodies separate.
    pub restoring: bool,
    /// Normal impulse and its work when the bodies last began to approach or separate.
    pub since_impulse: Real,
    pub since_work: Real,
    pub compressed_impulse: Real,
    pub compressed_work: Real,
    pub restored_impulse: Real,
    pub restored_work: Real,
    pub events: Events,
    pub steps: usize,
    pub since_varied: V::Totals,
    pub compressed_varied: V::Totals,
    pub restored_varied: V::Totals,
}

/// An impact that begins with a normal speed.
pub fn begin_impact<V: Varies>(restitution: &Restitution, approach: Real) -> ImpactState<V> {
    ImpactState {
        restitution: *restitution,
        approach,
        restoring: false,
        since_impulse: 0.0,
        since_work: 0.0,
        compressed_impulse: 0.0,
        compressed_work: 0.0,
        restored_impulse: 0.0,
        restored_work: 0.0,
        events: NO_EVENTS,
        steps: 0,
        since_varied: V::no_totals(),
        compressed_varied: V::no_totals(),
        restored_varied: V::no_totals(),
    }
}

/// Closes the current phase and begins the other; false if there were more than an impact
/// can have.
pub fn turn<V: Varies>(impact: &mut ImpactState<V>, now: &State<V>) -> bool {
    V::vary_turn(impact, now);
    let impulse = now.impulse - impact.since_impulse;
    let work = now.normal_work - impact.since_work;
    let mut kind = EventKind::CompressionEnd;
    if impact.restoring {
        kind = EventKind::Recompression;
        impact.restored_impulse += impulse;
        impact.restored_work += work;
    } else {
        impact.compressed_impulse += impulse;
        impact.compressed_work += work;
    }
    impact.restoring = !impact.restoring;
    impact.since_impulse = now.impulse;
    impact.since_work = now.normal_work;
    note(&mut impact.events, kind, now.impulse)
}

/// What ends restitution: a normal velocity by Newton's law, otherwise so much
/// more of normal impulse or of its work, counted from the last turn so that a
/// small coefficient is not lost beside the totals.
pub fn owed<V: Varies>(impact: &ImpactState<V>, now: &State<V>) -> Real {
    match impact.restitution.law {
        Law::Newton => impact.restitution.e * impact.approach,
        Law::Poisson => {
            let all = impact.restitution.e * impact.compressed_impulse - impact.restored_impulse;
            all - (now.impulse - impact.since_impulse)
        }
        Law::Energetic => {
            let e = impact.restitution.e;
            let all = -e * e * impact.compressed_work - impact.restored_work;
            all - (now.normal_work - impact.since_work)
        }
    }
}

/// Whether the impact is over as soon as compression ends.
pub fn over<V: Varies>(impact: &ImpactState<V>) -> bool {
    impact.restoring && impact.restitution.e == 0.0
}
