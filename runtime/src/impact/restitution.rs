//! The laws of restitution, applied to the totals of compression and restitution.

use super::instances::Varies;
use super::real::Real;
use super::result::{EventKind, Events, Law, Restitution};
use super::straight::State;

/// A coefficient of restitution below this restores little work.
const LITTLE_RESTORED: Real = 0.0625;

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
    /// Whether tables tell something of it less exactly than series would.
    pub inexact: bool,
    /// The part by which impulses from tables may be off, other than by their tolerance.
    pub deviation: Real,
    pub since_varied: V::Totals,
    pub compressed_varied: V::Totals,
    pub restored_varied: V::Totals,
}

impl<V: Varies> ImpactState<V> {
    /// An impact that begins with a normal speed.
    pub fn begin(restitution: &Restitution, approach: Real) -> Self {
        Self {
            restitution: *restitution,
            approach,
            restoring: false,
            since_impulse: 0.0,
            since_work: 0.0,
            compressed_impulse: 0.0,
            compressed_work: 0.0,
            restored_impulse: 0.0,
            restored_work: 0.0,
            events: Events::NONE,
            steps: 0,
            inexact: false,
            deviation: 0.0,
            since_varied: V::no_totals(),
            compressed_varied: V::no_totals(),
            restored_varied: V::no_totals(),
        }
    }

    /// Closes the current phase and begins the other; false if there were more than an impact
    /// can have.
    pub fn turn(&mut self, now: &State<V>) -> bool {
        V::vary_turn(self, now);
        let impulse = now.impulse - self.since_impulse;
        let work = now.normal_work - self.since_work;
        let mut kind = EventKind::CompressionEnd;
        if self.restoring {
            kind = EventKind::Recompression;
            self.restored_impulse += impulse;
            self.restored_work += work;
        } else {
            self.compressed_impulse += impulse;
            self.compressed_work += work;
        }
        self.restoring = !self.restoring;
        self.since_impulse = now.impulse;
        self.since_work = now.normal_work;
        self.events.note(kind, now.impulse)
    }

    /// What ends restitution: a normal velocity by Newton's law, otherwise so much
    /// more of normal impulse or of its work, counted from the last turn so that a
    /// small coefficient is not lost beside the totals.
    pub fn owed(&self, now: &State<V>) -> Real {
        match self.restitution.law {
            Law::Newton => self.restitution.e * self.approach,
            Law::Poisson => {
                let all = self.restitution.e * self.compressed_impulse - self.restored_impulse;
                all - (now.impulse - self.since_impulse)
            }
            Law::Energetic => {
                let e = self.restitution.e;
                let all = -e * e * self.compressed_work - self.restored_work;
                all - (now.normal_work - self.since_work)
            }
        }
    }

    /// Whether the impact is over as soon as compression ends.
    pub fn is_over(&self) -> bool {
        self.restoring && self.restitution.e == 0.0
    }

    /// Whether restitution begins now and needs so little work that a series expanded before
    /// is not exact enough for it: its error grows with the order while this hardly grows.
    pub fn restores_little(&self) -> bool {
        let energetic = self.restitution.law == Law::Energetic;
        self.restoring && energetic && self.restitution.e < LITTLE_RESTORED
    }
}
