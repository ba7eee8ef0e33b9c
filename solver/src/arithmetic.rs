//! What the control of steps needs of numbers, alone or in lanes.

use crate::elementary;
use crate::kernels::Real;

/// Numbers with the rough functions that steps are chosen by.
pub(crate) trait Arithmetic: Real {
    fn rough_log2(self) -> Self;
    fn rough_exp2(self) -> Self;
}

impl Arithmetic for f64 {
    #[inline(always)]
    fn rough_log2(self) -> Self {
        elementary::rough_log2(self)
    }

    #[inline(always)]
    fn rough_exp2(self) -> Self {
        elementary::rough_exp2(self)
    }
}
