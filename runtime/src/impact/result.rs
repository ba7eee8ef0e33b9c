//! What an impact is given, and what comes of it.

use super::real::Real;

/// What came of an impact: a result, or why there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// There is a result.
    Solved,
    /// An input, or the result it leads to, is infinite or not a number.
    NotFinite,
    /// The normal velocity is not below zero, nor is it zero where friction jams.
    NotApproaching,
    /// The contact inertia is not symmetric.
    NotSymmetric,
    /// The contact inertia is not positive definite; a robot's is not where its
    /// contact point cannot move every way.
    NotPositiveDefinite,
    /// Friction is negative, or static friction below kinetic, or products of friction and
    /// inertia overflow.
    FrictionOutOfRange,
    /// The coefficient of restitution does not lie between 0 and 1.
    RestitutionOutOfRange,
    /// More steps than any contact should need.
    StepLimit,
    /// Momentum, energy or restitution do not balance: directions differ in inertia by so
    /// many orders that rounding decides.
    NotConserved,
    /// Tables are not exact enough for this impact: it grazes, hardly separates, or begins
    /// next to a direction that repels slips. Series solve it.
    Inexact,
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
    pub static_friction: Real,
    /// The kinetic coefficient, at least 0.
    pub kinetic: Real,
}

/// What happens at an instant of an impact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// The normal velocity rises through zero.
    CompressionEnd,
    /// The normal velocity falls back through zero.
    Recompression,
    /// Sliding halts.
    Halt,
    /// Sticking begins.
    Stick,
    /// Sliding begins out of rest.
    SlipRestart,
}

/// An event and the normal impulse at which it happens, in N s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// What happens.
    pub kind: EventKind,
    /// The normal impulse so far.
    pub impulse: Real,
}

/// The most events that one impact can have.
///
/// The sliding direction turns one way between two invariant directions, so the rate of
/// the normal velocity changes sign at most twice before a halt and the velocity crosses
/// zero at most three times; after a halt it only rises: two compressions more, a halt and
/// what follows it.
pub const MOST_EVENTS: usize = 8;

/// The events of an impact, in order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Events {
    /// The events; only the first `count` happened.
    pub list: [Event; MOST_EVENTS],
    /// How many there are.
    pub count: usize,
}

impl Events {
    /// Nothing has happened yet.
    pub const NONE: Self =
        Self { list: [Event { kind: EventKind::Halt, impulse: 0.0 }; MOST_EVENTS], count: 0 };

    /// Appends an event; whether there was room, which no contact exceeds.
    #[inline]
    pub fn note(&mut self, kind: EventKind, impulse: Real) -> bool {
        let next = self.count;
        if next >= MOST_EVENTS {
            return false;
        }
        self.list[next] = Event { kind, impulse };
        self.count = next + 1;
        true
    }
}

/// What an impact does, normal first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact<const DIMENSION: usize> {
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
    /// Change of kinetic energy, from velocities and impulse, in J.
    pub energy_change: Real,
    /// The least static friction that holds this contact without sliding.
    pub critical_friction: Real,
    /// How the contact point moved.
    pub mode: Mode,
    /// What happened on the way.
    pub events: Events,
    /// Power-series steps made.
    pub steps: usize,
}
