//! The result of an impact at several contacts.

use alloc::vec::Vec;

use nalgebra::DVector;

use crate::impact::Mode;

/// What happens at a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Its indentation is largest: it unloads from now on.
    CompressionEnd,
    /// It loads again before it has opened.
    Recompression,
    /// Its slip comes to rest.
    Halt,
    /// It sticks.
    Stick,
    /// It begins to slide.
    SlipRestart,
    /// Its force ends.
    Open,
    /// It touches (again).
    Close,
    /// Without restitution, it loses its indentation at the end of compression.
    Drop,
    /// It stays at rest along its normal while others press.
    Hold,
    /// It no longer does.
    Release,
}

impl Kind {
    /// The kind as results name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::CompressionEnd => "compression_end",
            Self::Recompression => "recompression",
            Self::Halt => "halt",
            Self::Stick => "stick",
            Self::SlipRestart => "slip_restart",
            Self::Open => "open",
            Self::Close => "close",
            Self::Drop => "drop",
            Self::Hold => "hold",
            Self::Release => "release",
        }
    }
}

/// Something that happens at one of several contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// The contact.
    pub contact: usize,
    /// What happens.
    pub kind: Kind,
}

/// The result of an impact at several contacts, contact by contact.
#[derive(Clone, Debug, PartialEq)]
pub struct Landing {
    /// Joint velocities after impact, for a system of bodies; otherwise empty.
    pub qd: DVector<f64>,
    /// Velocities after impact, normal first.
    pub velocity: Vec<[f64; 3]>,
    /// Impulses.
    pub impulse: Vec<[f64; 3]>,
    /// Works of the normal forces.
    pub normal_work: Vec<f64>,
    /// Works of friction.
    pub friction_work: Vec<f64>,
    /// Change of kinetic energy.
    pub energy_change: f64,
    /// What happened, in order.
    pub events: Vec<Event>,
    /// Steps made.
    pub steps: usize,
    /// Whether the model allows no other result.
    pub unique: bool,
}

impl Landing {
    /// How a contact slid until it halted first, if it did, and what followed.
    pub fn mode(&self, contact: usize) -> Mode {
        let mut own = self.events.iter().filter(|event| event.contact == contact);
        let (mut halted, mut compressed) = (false, false);
        loop {
            let Some(Event { kind, .. }) = own.next() else { return Mode::PermanentSliding };
            return match (kind, halted, compressed) {
                (Kind::Halt, ..) => {
                    halted = true;
                    continue;
                }
                (Kind::CompressionEnd, ..) => {
                    compressed = true;
                    continue;
                }
                (Kind::Stick, false, _) => Mode::Sticking,
                (Kind::SlipRestart, false, _) => Mode::SlipFromRest,
                (Kind::Stick, true, false) => Mode::StickingInCompression,
                (Kind::Stick, true, true) => Mode::StickingInRestitution,
                (Kind::SlipRestart, true, false) => Mode::ReverseInCompression,
                (Kind::SlipRestart, true, true) => Mode::ReverseInRestitution,
                _ => continue,
            };
        }
    }
}
