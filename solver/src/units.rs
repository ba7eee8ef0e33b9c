//! Powers of two as units, so that solving is free of scale and exactly so.

use crate::elementary::scale;

/// Units in which a chosen inertia and the largest velocity are of order one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Units {
    inertia: i32,
    velocity: i32,
}

/// The exponent of a positive number's leading bit.
#[inline]
fn exponent(x: f64) -> i32 {
    match (x.to_bits() >> 52) as i32 & 0x7ff {
        0 | 0x7ff => libm::frexp(x).1 - 1,
        biased => biased - 1023,
    }
}

impl Units {
    /// Units for inertias of the size `inertia` and velocities up to `speed`,
    /// both above zero.
    pub(crate) fn new(inertia: f64, speed: f64) -> Self {
        Self { inertia: exponent(inertia), velocity: exponent(speed) }
    }

    /// The same unit of inertia with velocities up to another `speed`.
    #[inline]
    pub(crate) fn at_speed(self, speed: f64) -> Self {
        Self { velocity: exponent(speed), ..self }
    }

    /// Entries of `D` in these units.
    pub(crate) fn scale_inertia(&self, x: f64) -> f64 {
        scale(x, -self.inertia)
    }

    /// Velocities in these units.
    pub(crate) fn scale_velocity(&self, x: f64) -> f64 {
        scale(x, -self.velocity)
    }

    /// Impulses in these units.
    pub(crate) fn scale_impulse(&self, x: f64) -> f64 {
        scale(x, self.inertia - self.velocity)
    }

    /// Entries of `D` out of these units.
    #[cfg(feature = "flow")]
    pub(crate) fn inertia(&self, x: f64) -> f64 {
        scale(x, self.inertia)
    }

    /// Velocities out of these units.
    pub(crate) fn velocity(&self, x: f64) -> f64 {
        scale(x, self.velocity)
    }

    /// Impulses out of these units.
    pub(crate) fn impulse(&self, x: f64) -> f64 {
        scale(x, self.velocity - self.inertia)
    }

    /// Works out of these units.
    pub(crate) fn work(&self, x: f64) -> f64 {
        scale(x, 2 * self.velocity - self.inertia)
    }
}
