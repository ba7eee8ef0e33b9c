//! The result of a motion of compliant contacts.

use alloc::vec::Vec;

/// How a contact slid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scenario {
    /// Sliding came to rest and reversed.
    SlipReverse,
    /// Sliding came to rest and stuck.
    SlipStick,
    /// Sliding never came to rest and was faster in the end.
    IncreasingSlip,
    /// Sliding never came to rest and was no faster in the end.
    DecreasingSlip,
    /// It did not slide, and friction held it.
    Stick,
    /// No force, or neither sliding nor friction.
    None,
}

impl Scenario {
    /// The scenario's name in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::SlipReverse => "slip_reverse",
            Self::SlipStick => "slip_stick",
            Self::IncreasingSlip => "increasing_slip",
            Self::DecreasingSlip => "decreasing_slip",
            Self::Stick => "stick",
            Self::None => "none",
        }
    }
}

/// The result for one contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// The largest normal force.
    pub peak_force: f64,
    /// The total time for which it was indented.
    pub duration: f64,
    /// Normal and tangential impulse.
    pub impulse: [f64; 2],
    /// Work of the bodies on it against the normal force: the energy lost to
    /// restitution and, in a contact that never opens, the energy stored.
    pub normal_work: f64,
    /// Work done on it by the bodies against friction.
    pub friction_work: f64,
    /// How it slid.
    pub scenario: Scenario,
}

/// A motion of compliant contacts from first touch to last.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// `u` after it.
    pub approach: Vec<f64>,
    /// `w` after it.
    pub sliding: Vec<f64>,
    /// The result for each contact.
    pub contacts: Vec<Touch>,
    /// From the first touch to the last.
    pub duration: f64,
    /// Steps made.
    pub steps: usize,
    /// The largest number of contacts with at least 1 % of the largest force at
    /// the same time, at five instants of each step.
    pub max_active_contacts: usize,
    /// The largest difference, in all steps, between the works and the changes
    /// of energy that they should equal, relative to the energy of approach or, if
    /// larger, the energy exchanged at a contact.
    pub energy_error: f64,
    /// The largest difference, in all steps, between the velocities and those that
    /// follow from the impulses, relative to the largest velocity before.
    pub momentum_error: f64,
}

/// The forces at an instant.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Time since the first touch.
    pub time: f64,
    /// Indentation of each contact; negative where it is open.
    pub indentation: Vec<f64>,
    /// Normal and tangential force at each contact.
    pub force: Vec<[f64; 2]>,
}
