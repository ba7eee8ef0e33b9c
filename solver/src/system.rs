//! What a slip is followed in: its sliding velocity alone, or its impulses and
//! works too. Each is a generated system.

use crate::kernels::{self, Real};
use crate::principal::Principal;
use crate::roots::LENGTH;

/// A generated system in `Q` unknowns, of which the first are `vt1`, `vt2`, `p`.
pub(crate) trait System<const Q: usize> {
    /// What its kernels need of the contact.
    type Constants: Copy + core::fmt::Debug;

    fn constants(contact: &Principal) -> Self::Constants;

    /// Taylor coefficients 0 to `order` in `τ`.
    fn expand(
        constants: &Self::Constants,
        start: &[f64; Q],
        order: usize,
        rows: &mut [[f64; Q]; LENGTH],
    );

    /// The same in `η`, given `c_1` and `c_2` of a [`Stretch`](crate::stretch::Stretch).
    fn expand_stretched(
        contact: &Principal,
        stretch: [f64; 2],
        start: &[f64; Q],
        order: usize,
        rows: &mut [[f64; Q]; LENGTH],
    );

    /// How large a row of coefficients is, as far as a step must be accurate.
    fn size<T: Real>(row: &[T; Q], rate: T) -> T;
}

/// `vt1`, `vt2`, `p`
#[derive(Clone, Copy, Debug)]
pub(crate) struct Velocity;

/// `vt1`, `vt2`, `p`, `it1`, `it2`, `vn`, `wn`, `wt`
#[derive(Clone, Copy, Debug)]
pub(crate) struct Works;

impl System<3> for Velocity {
    type Constants = [f64; 4];

    fn constants(contact: &Principal) -> Self::Constants {
        let Principal { h: [h1, h2], b: [b1, b2], mu, .. } = *contact;
        kernels::velocity_constants(h1, h2, b1, b2, mu)
    }

    fn expand(
        constants: &Self::Constants,
        start: &[f64; 3],
        order: usize,
        rows: &mut [[f64; 3]; LENGTH],
    ) {
        kernels::velocity(constants, start, order, rows);
    }

    fn expand_stretched(
        contact: &Principal,
        [c1, c2]: [f64; 2],
        start: &[f64; 3],
        order: usize,
        rows: &mut [[f64; 3]; LENGTH],
    ) {
        let Principal { h: [h1, h2], b: [b1, b2], mu, .. } = *contact;
        let constants = &kernels::stretched_velocity_constants(h1, h2, b1, b2, mu, c1, c2);
        kernels::stretched_velocity(constants, start, order, rows);
    }

    #[inline(always)]
    fn size<T: Real>(row: &[T; 3], _: T) -> T {
        row[0].abs().max(row[1].abs())
    }
}

impl System<8> for Works {
    type Constants = [f64; 8];

    fn constants(contact: &Principal) -> Self::Constants {
        let Principal { a, h: [h1, h2], b: [b1, b2], mu, .. } = *contact;
        kernels::works_constants(a, h1, h2, b1, b2, mu)
    }

    fn expand(
        constants: &Self::Constants,
        start: &[f64; 8],
        order: usize,
        rows: &mut [[f64; 8]; LENGTH],
    ) {
        kernels::works(constants, start, order, rows);
    }

    fn expand_stretched(
        contact: &Principal,
        [c1, c2]: [f64; 2],
        start: &[f64; 8],
        order: usize,
        rows: &mut [[f64; 8]; LENGTH],
    ) {
        let Principal { a, h: [h1, h2], b: [b1, b2], mu, .. } = *contact;
        let constants = &kernels::stretched_works_constants(a, h1, h2, b1, b2, mu, c1, c2);
        kernels::stretched_works(constants, start, order, rows);
    }

    /// Works are products of exponentials where speeds are exponentials, so
    /// their series converge more slowly.
    #[inline(always)]
    fn size<T: Real>(row: &[T; 8], rate: T) -> T {
        let [t1, t2, .., normal_work, friction_work] = row;
        let work = normal_work.abs().max(friction_work.abs());
        t1.abs().max(t2.abs()).max(work * rate)
    }
}
