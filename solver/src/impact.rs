//! What an impact does, and what happens on the way.

use core::ops::Deref;

use crate::error::{Error, Field, finite};

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

impl EventKind {
    /// The event's name in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::CompressionEnd => "compression_end",
            Self::Recompression => "recompression",
            Self::Halt => "halt",
            Self::Stick => "stick",
            Self::SlipRestart => "slip_restart",
        }
    }
}

/// An event and the normal impulse at which it happens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// What happens.
    pub kind: EventKind,
    /// The normal impulse so far.
    pub impulse: f64,
}

/// The most events that one impact can have.
///
/// The sliding direction turns one way between two invariant directions, so
/// `dv_n/dp` changes sign at most twice before a halt and `v_n` crosses zero at
/// most three times; after a halt it only rises: two compressions more, a halt
/// and what follows it.
pub(crate) const MOST_EVENTS: usize = 8;

/// The events of an impact, in order; a slice without allocation.
#[derive(Clone, Copy, Debug)]
pub struct Events {
    list: [Event; MOST_EVENTS],
    length: usize,
}

impl Default for Events {
    fn default() -> Self {
        let none = Event { kind: EventKind::Halt, impulse: 0.0 };
        Self { list: [none; MOST_EVENTS], length: 0 }
    }
}

impl Events {
    /// Appends an event; `false` if there is no room, which no contact needs.
    pub(crate) fn push(&mut self, kind: EventKind, impulse: f64) -> bool {
        let Some(slot) = self.list.get_mut(self.length) else { return false };
        *slot = Event { kind, impulse };
        self.length += 1;
        true
    }

    /// The same events with impulses in other units.
    pub(crate) fn map_impulses(mut self, f: impl Fn(f64) -> f64) -> Self {
        self.list[..self.length].iter_mut().for_each(|event| event.impulse = f(event.impulse));
        self
    }
}

impl Deref for Events {
    type Target = [Event];

    fn deref(&self) -> &[Event] {
        &self.list[..self.length]
    }
}

impl PartialEq for Events {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

/// How the contact point moved during an impact.
///
/// Planar and spatial impacts have the same modes: "another way" is the opposite one in
/// the plane, and in space the direction in which sliding restarts.
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

impl Mode {
    /// The mode's name in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::PermanentSliding => "permanent_sliding",
            Self::StickingInCompression => "sticking_in_compression",
            Self::ReverseInCompression => "reverse_in_compression",
            Self::StickingInRestitution => "sticking_in_restitution",
            Self::ReverseInRestitution => "reverse_in_restitution",
            Self::Sticking => "sticking",
            Self::SlipFromRest => "slip_from_rest",
        }
    }
}

/// What an impact does to a contact with `N` velocities, normal first.
///
/// ```
/// use routh_solver::{Contact, EventKind, Friction, Law, Mode, Restitution};
/// let rod = Contact::new([[2.5, -1.5], [-1.5, 2.5]])?;
/// let restitution = Restitution::new(Law::Poisson, 0.82)?;
/// let impact = rod.solve([-1.0, 0.6], Friction::new(0.73, 0.7)?, restitution)?;
/// assert_eq!(impact.mode, Mode::StickingInCompression);
/// let kinds: Vec<_> = impact.events.iter().map(|event| event.kind).collect();
/// assert_eq!(kinds, [EventKind::Halt, EventKind::Stick, EventKind::CompressionEnd]);
/// let works = impact.normal_work + impact.friction_work;
/// assert!((works - impact.energy_change).abs() < 1e-14 && works < 0.0);
/// # Ok::<(), routh_solver::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact<const N: usize> {
    /// Velocity after impact.
    pub velocity: [f64; N],
    /// Impulse on the contact point.
    pub impulse: [f64; N],
    /// Normal impulse of all compression phases.
    pub compression_impulse: f64,
    /// Work of the normal force.
    pub normal_work: f64,
    /// Work of friction.
    pub friction_work: f64,
    /// Change of kinetic energy, from velocities and impulse.
    pub energy_change: f64,
    /// The least static friction that holds this contact without sliding.
    pub critical_friction: f64,
    /// How the contact point moved.
    pub mode: Mode,
    /// What happened on the way.
    pub events: Events,
    /// Power-series steps made.
    pub steps: usize,
}

impl<const N: usize> Impact<N> {
    /// The normal impulse.
    pub fn normal_impulse(&self) -> f64 {
        self.impulse[0]
    }

    /// The impact, unless its size is beyond floating-point numbers.
    pub(crate) fn finite(self) -> Result<Self, Error> {
        let vectors = [("velocity", &self.velocity), ("impulse", &self.impulse)];
        for (name, vector) in vectors {
            for (i, &x) in vector.iter().enumerate() {
                finite(Field::entry(name, i), x)?;
            }
        }
        for (name, x) in [
            ("normal_work", self.normal_work),
            ("friction_work", self.friction_work),
            ("energy_change", self.energy_change),
            ("critical_friction", self.critical_friction),
        ] {
            finite(Field::new(name), x)?;
        }
        Ok(self)
    }
}
