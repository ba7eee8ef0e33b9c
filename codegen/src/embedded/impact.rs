/// What came of an impact: a result, or why there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// There is a result.
    Solved,
    /// An input, or the result it leads to, is infinite or not a number.
    NotFinite,
    /// The normal velocity is not below zero.
    NotApproaching,
    /// The contact inertia is not symmetric.
    NotSymmetric,
    /// The contact inertia is not positive definite; a robot's is not where its
    /// contact point cannot move every way.
    NotPositiveDefinite,
    /// Friction is negative, or static friction below kinetic.
    FrictionOutOfRange,
    /// The coefficient of restitution does not lie between 0 and 1.
    RestitutionOutOfRange,
    /// More steps than any contact should need.
    StepLimit,
}

/// How the contact point moved during an impact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It slid throughout.
    PermanentSliding,
    /// It halted in compression and stuck.
    StickingInCompression,
    /// It halted in compression and slid off another way.
    ReverseInCompression,
    /// It halted in restitution and stuck.
    StickingInRestitution,
    /// It halted in restitution and slid off another way.
    ReverseInRestitution,
    /// It stuck from the start.
    Sticking,
    /// It began at rest and slid.
    SlipFromRest,
}

/// What a coefficient of restitution compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// Normal velocities: after impact and before.
    Newton,
    /// Normal impulses: of restitution and of compression.
    Poisson,
    /// Works of the normal force, whose ratio is the coefficient's square.
    Energetic,
}

/// A law of restitution and its coefficient, between 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Restitution {
    /// What is compared.
    pub law: Law,
    /// The coefficient.
    pub e: Real,
}

/// Coulomb friction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Friction {
    /// The static coefficient, at least the kinetic one.
    pub fixed: Real,
    /// The kinetic coefficient, at least 0.
    pub kinetic: Real,
}

/// What an impact does, normal first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// Velocity of the contact point after impact, in m/s.
    pub velocity: [Real; DIMENSION],
    /// Impulse on the contact point, in N s.
    pub impulse: [Real; DIMENSION],
    /// Normal impulse of all compression phases, in N s.
    pub compression_impulse: Real,
    /// Work of the normal force, in J.
    pub normal_work: Real,
    /// Work of friction, in J.
    pub friction_work: Real,
    /// How the contact point moved.
    pub mode: Mode,
    /// Power-series steps made.
    pub steps: usize,
}
