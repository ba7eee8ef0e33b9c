//! What the runtime takes from outside: the square root, which is exact everywhere, and
//! bit patterns. Generated files bring their own.

use super::real::{Bits, Real};

/// The square root.
#[inline(always)]
pub fn sqrt(x: Real) -> Real {
    #[cfg(feature = "std")]
    return x.sqrt();
    #[cfg(not(feature = "std"))]
    return libm::Libm::<Real>::sqrt(x);
}

/// The bit pattern of a number.
#[inline(always)]
pub fn bits(x: Real) -> Bits {
    x.to_bits()
}

/// The number of a bit pattern.
#[inline(always)]
pub fn from_bits(pattern: Bits) -> Real {
    Real::from_bits(pattern)
}
