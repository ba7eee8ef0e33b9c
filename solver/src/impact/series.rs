//! Integrates slips by power series: the generated kernels behind the algorithm's
//! interface.

use routh_runtime::double::follow::Outcome;
use routh_runtime::double::inertia::Contact;
use routh_runtime::double::instances::{BySeries, Expand, Slide};
use routh_runtime::double::restitution::ImpactState;
use routh_runtime::double::series::{Kernel, slide};
use routh_runtime::double::straight::State;

use super::accuracy::Accuracy;
use super::stretch::slide_stretched;
use crate::kernels;

/// Rows of coefficients of the highest order.
pub(crate) const ROWS: usize = 65;

/// The expansion of velocities, impulses and works, of any order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Works {
    pub(crate) constants: [f64; 8],
    order: usize,
}

impl Works {
    pub(crate) fn new(contact: &Contact, order: usize) -> Self {
        let &Contact { a, h: [h1, h2], b: [b1, b2], mu, .. } = contact;
        Self { constants: kernels::works_constants(a, h1, h2, b1, b2, mu), order }
    }
}

impl<const ROWS: usize> Expand<ROWS, 8> for Works {
    #[inline]
    fn expand(&self, _: &Contact, state: &[f64; 8], rows: &mut [[f64; 8]; ROWS]) {
        kernels::works(&self.constants, state, self.order, rows);
    }
}

/// The expansion of velocities, impulses and works, and of their derivatives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variations {
    constants: [f64; 12],
    order: usize,
}

impl<const ROWS: usize> Expand<ROWS, 23> for Variations {
    fn expand(&self, _: &Contact, state: &[f64; 23], rows: &mut [[f64; 23]; ROWS]) {
        kernels::varied_any(&self.constants, state, self.order, rows);
    }
}

/// Power series of a contact and of its derivatives to an accuracy.
pub(super) fn varied(contact: &Contact, accuracy: Accuracy) -> BySeries<Variations, ROWS, 23> {
    let &Contact { a, h: [h1, h2], b: [b1, b2], mu, .. } = contact;
    let constants = kernels::varied_constants(a, h1, h2, b1, b2, mu);
    let expansion = Variations { constants, order: accuracy.order() };
    BySeries(Kernel { control: accuracy.control(), expansion })
}

/// Power series of a contact to an accuracy.
#[derive(Clone, Copy, Debug)]
pub(super) struct Series {
    kernel: Kernel<Works>,
    is_stretched: bool,
}

impl Series {
    pub(super) fn new(contact: &Contact, accuracy: Accuracy) -> Self {
        let expansion = Works::new(contact, accuracy.order());
        let kernel = Kernel { control: accuracy.control(), expansion };
        Self { kernel, is_stretched: accuracy.is_stretched() }
    }
}

impl Slide<()> for Series {
    /// With as many rows as the order has, where there is straight-line code for it.
    fn slide(
        &self,
        contact: &Contact,
        at: &mut State<()>,
        impact: &mut ImpactState<()>,
    ) -> Outcome {
        let kernel = &self.kernel;
        if self.is_stretched {
            return slide_stretched(kernel, contact, at, impact);
        }
        match kernel.control.order {
            12 => slide::<_, _, 13, 8>(kernel, contact, at, impact),
            16 => slide::<_, _, 17, 8>(kernel, contact, at, impact),
            20 => slide::<_, _, 21, 8>(kernel, contact, at, impact),
            24 => slide::<_, _, 25, 8>(kernel, contact, at, impact),
            _ => slide::<_, _, ROWS, 8>(kernel, contact, at, impact),
        }
    }
}
