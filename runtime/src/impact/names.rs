//! Names and values for users of the library; generated solvers write their own.

use core::ops::Deref;

use super::inertia::Inertia;
use super::result::{Event, EventKind, Events, Impact, Law, Mode};

impl Law {
    /// All laws, in the order of the generated closed forms.
    pub const ALL: [Self; 3] = [Self::Newton, Self::Poisson, Self::Energetic];

    /// The law's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Newton => "newton",
            Self::Poisson => "poisson",
            Self::Energetic => "energetic",
        }
    }
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

impl Default for Events {
    fn default() -> Self {
        Events::NONE
    }
}

impl Deref for Events {
    type Target = [Event];

    fn deref(&self) -> &[Event] {
        self.list.get(..self.count).unwrap_or(&self.list)
    }
}

impl<const DIMENSION: usize> Impact<DIMENSION> {
    /// No impact yet.
    pub const NONE: Self = Self {
        velocity: [0.0; DIMENSION],
        impulse: [0.0; DIMENSION],
        compression_impulse: 0.0,
        normal_work: 0.0,
        friction_work: 0.0,
        energy_change: 0.0,
        critical_friction: 0.0,
        mode: Mode::Sticking,
        events: Events::NONE,
        steps: 0,
    };

    /// The normal impulse.
    pub fn normal_impulse(&self) -> super::real::Real {
        self.impulse[0]
    }
}

impl<const DIMENSION: usize> Inertia<DIMENSION> {
    /// No inertia yet.
    pub const NONE: Self =
        Self { entries: [[0.0; DIMENSION]; DIMENSION], sticking_rate: 0.0, row: 0, column: 0 };
}
