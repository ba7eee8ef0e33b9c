//! What a run of an integrator yields.

/// A motion as an integrator followed it, and what that took.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The velocity at each of the problem's impulses.
    pub velocity: Vec<[f64; 2]>,
    /// Steps, those rejected included.
    pub steps: usize,
    /// Evaluations of the right-hand side; an expansion of a series is one.
    pub evaluations: usize,
}

/// Why an integrator did not reach the last impulse.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Failure {
    /// It took all the steps it may.
    #[error("{steps} steps end at impulse {impulse}")]
    StepLimit {
        /// How many.
        steps: usize,
        /// How far they lead.
        impulse: f64,
    },
    /// It cannot go on from rest.
    #[error("the motion is at rest at impulse {impulse}")]
    AtRest {
        /// Where.
        impulse: f64,
    },
    /// Its steps became too small, or the problem too stiff for it.
    #[error("no step is small enough at impulse {impulse}")]
    Stuck {
        /// Where.
        impulse: f64,
    },
    /// It refuses the problem.
    #[error("{0}")]
    Refused(String),
}
