//! Numbers in SIMD lanes, for kernels that expand several slips at once. Each lane
//! gives the same bits as a single `f64`.

use core::ops::{Add, Div, Mul, Neg, Sub};

use routh_runtime::double::instances::Number;
use routh_runtime::double::number::{rough_exp2, rough_log2};

use crate::kernels::Real;

/// The number of lanes: two registers of AVX2, so that additions overlap.
pub(crate) const WIDTH: usize = 8;

/// Numbers side by side.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Lanes(pub(crate) [f64; WIDTH]);

impl Lanes {
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        let mut lanes = self.0;
        for (x, y) in lanes.iter_mut().zip(other.0) {
            *x = f(*x, y);
        }
        Self(lanes)
    }
}

macro_rules! operators {
    ($($operator:ident $function:ident $symbol:tt)*) => {$(
        impl $operator for Lanes {
            type Output = Self;

            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                self.zip(other, |x, y| x $symbol y)
            }
        }
    )*};
}

operators! { Add add + Sub sub - Mul mul * Div div / }

impl Neg for Lanes {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.map(|x| -x))
    }
}

impl Real for Lanes {
    #[inline(always)]
    fn real(x: f64) -> Self {
        Self([x; WIDTH])
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.map(Real::sqrt))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.map(f64::abs))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.zip(other, Real::max)
    }
}

impl Number for Lanes {
    #[inline(always)]
    fn real(x: f64) -> Self {
        Real::real(x)
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Real::sqrt(self)
    }

    #[inline(always)]
    fn absolute(self) -> Self {
        self.abs()
    }

    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        self.max(other)
    }

    #[inline(always)]
    fn rough_log2(self) -> Self {
        Self(self.0.map(rough_log2))
    }

    #[inline(always)]
    fn rough_exp2(self) -> Self {
        Self(self.0.map(rough_exp2))
    }
}

/// The values of several polynomials in each lane, given by a row of
/// coefficients for each order, summed as [`values`](routh_runtime::double::step::values) does.
#[inline(always)]
pub(crate) fn values<const Q: usize>(rows: &[[Lanes; Q]], t: Lanes) -> [Lanes; Q] {
    let square = t * t;
    let mut values = [<Lanes as Real>::real(0.0); Q];
    for i in 0..Q {
        let (mut even, mut odd) = (<Lanes as Real>::real(0.0), <Lanes as Real>::real(0.0));
        let pairs = rows.chunks_exact(2);
        if let [last] = pairs.remainder() {
            even = last[i];
        }
        for pair in pairs.rev() {
            even = even * square + pair[0][i];
            odd = odd * square + pair[1][i];
        }
        values[i] = odd * t + even;
    }
    values
}
