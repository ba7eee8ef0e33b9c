//! What each contact does, and where it is.

use super::system::{Law, System};
use crate::elementary::sqrt;

/// A contact along its normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Normal {
    /// Without a force, until its indentation rises to this level.
    Open(f64),
    Loading,
    Unloading,
    /// At rest, with the force that the others require.
    Held,
}

/// A contact along its tangents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Tangent {
    /// Without friction.
    Smooth,
    Stuck,
    /// Sliding, with friction against this direction.
    Straight([f64; 2]),
    /// Sliding, with friction against its velocity.
    Turning,
    /// Beginning to slide in this direction, with friction against its velocity.
    Leaving([f64; 2]),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Mode {
    pub(super) normal: Normal,
    pub(super) tangent: Tangent,
}

impl Mode {
    pub(super) fn is_open(&self) -> bool {
        matches!(self.normal, Normal::Open(_))
    }

    pub(super) fn is_held(&self) -> bool {
        self.normal == Normal::Held
    }

    /// Whether its force follows from its indentation.
    pub(super) fn is_elastic(&self) -> bool {
        matches!(self.normal, Normal::Loading | Normal::Unloading)
    }

    /// `c` of `x' = −c v`.
    pub(super) fn quickness(&self, law: &Law, jumps: bool) -> f64 {
        match self.normal {
            Normal::Held => 0.0,
            Normal::Unloading if !jumps => 1.0 / law.returned,
            _ => 1.0,
        }
    }

    /// `κ` of `λ = κ x^η`.
    pub(super) fn stiffness(&self, law: &Law, jumps: bool) -> f64 {
        match self.normal {
            Normal::Loading => law.stiffness,
            Normal::Unloading if jumps => law.stiffness * law.returned,
            Normal::Unloading => law.stiffness,
            Normal::Open(_) | Normal::Held => 0.0,
        }
    }
}

/// The state of one contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    /// Its indentation; a gap, below zero.
    pub(super) x: f64,
    /// Its velocity, normal first.
    pub(super) v: [f64; 3],
    /// Its impulse.
    pub(super) p: [f64; 3],
    pub(super) normal_work: f64,
    pub(super) friction_work: f64,
    /// How much of the friction of redundant contacts it takes, beside what its normal force
    /// allows.
    pub(super) share: f64,
}

impl Point {
    /// A contact that touches, before the impact.
    pub(super) fn new(v: [f64; 3]) -> Self {
        Self { x: 0.0, v, p: [0.0; 3], normal_work: 0.0, friction_work: 0.0, share: 1.0 }
    }

    /// How fast it slides.
    pub(super) fn speed(&self) -> f64 {
        let [_, v1, v2] = self.v;
        sqrt(v1 * v1 + v2 * v2)
    }

    /// The direction in which it slides.
    pub(super) fn direction(&self) -> [f64; 2] {
        let [_, v1, v2] = self.v;
        unit([v1, v2])
    }
}

/// A vector of length 1, unless it is zero.
pub(super) fn unit([x, y]: [f64; 2]) -> [f64; 2] {
    let most = x.abs().max(y.abs());
    if most == 0.0 {
        return [0.0; 2];
    }
    let [x, y] = [x / most, y / most];
    let length = sqrt(x * x + y * y);
    [x / length, y / length]
}

impl<const K: usize, const N: usize> System<K, N> {
    /// The force that a contact's indentation makes.
    pub(super) fn load(&self, contact: usize, mode: &Mode, x: f64) -> f64 {
        mode.stiffness(&self.laws[contact], self.jumps) * self.power(x.max(0.0))
    }
}
