//! Compression and restitution, and the law that compares them.

use routh_solver::{Law, Restitution};

/// Whether the bodies approach or part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Compression,
    Restitution,
}

/// Impulse and work of the phases so far.
#[derive(Clone, Debug)]
pub(super) struct Phases {
    restitution: Restitution,
    approach: f64,
    pub(super) stage: Stage,
    /// Impulse and work at the last turn.
    since: [f64; 2],
    /// Of all compressions that have ended.
    compressed: [f64; 2],
    /// Of all restitutions that have ended.
    restored: [f64; 2],
}

impl Phases {
    pub(super) fn new(restitution: Restitution, approach: f64) -> Self {
        Self {
            restitution,
            approach,
            stage: Stage::Compression,
            since: [0.0; 2],
            compressed: [0.0; 2],
            restored: [0.0; 2],
        }
    }

    /// The impulse of the whole impact if there were no friction.
    pub(super) fn without_friction(&self, a: f64) -> f64 {
        (1.0 + self.restitution.e()) * self.approach / a
    }

    pub(super) fn compression_impulse(&self) -> f64 {
        self.compressed[0]
    }

    /// Ends a phase and begins the other.
    pub(super) fn turn(&mut self, p: f64, work: f64) {
        let (total, next) = match self.stage {
            Stage::Compression => (&mut self.compressed, Stage::Restitution),
            Stage::Restitution => (&mut self.restored, Stage::Compression),
        };
        total[0] += p - self.since[0];
        total[1] += work - self.since[1];
        (self.since, self.stage) = ([p, work], next);
    }

    /// What restitution lacks of the velocity, impulse or work at which it ends.
    pub(super) fn missing(&self, p: f64, normal: f64, work: f64) -> f64 {
        let e = self.restitution.e();
        match self.restitution.law() {
            Law::Newton => e * self.approach - normal,
            Law::Poisson => e * self.compressed[0] - self.restored[0] - (p - self.since[0]),
            Law::Energetic => {
                -e * e * self.compressed[1] - self.restored[1] - (work - self.since[1])
            }
        }
    }

    /// The impulse to the end of restitution at a constant rate of `v_n`.
    pub(super) fn left(&self, p: f64, normal: f64, work: f64, rate: f64) -> f64 {
        let missing = self.missing(p, normal, work);
        if missing <= 0.0 {
            return 0.0;
        }
        match self.restitution.law() {
            Law::Newton => missing / rate,
            Law::Poisson => missing,
            Law::Energetic => {
                2.0 * missing / (normal + (normal * normal + 2.0 * rate * missing).sqrt())
            }
        }
    }
}
