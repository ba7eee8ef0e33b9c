//! The crate `ivp`: Hairer and Wanner's codes, watched from `solout`.

use ivp::ivp::FirstOrderSystem;
use ivp::prelude::{ControlFlag, StepInterpolant};
use ivp::solout::SolOut;
use routh_rivals::Failure;
use routh_rivals::dormand_prince::Method;

use super::field::Field;
use super::watch::Watch;
use super::{Integrator, MOST_STEPS, refused};

impl Integrator for Method {
    fn follow<const OVER_TAU: bool, const N: usize>(
        &self,
        field: &Field<OVER_TAU, N>,
        tolerance: f64,
        watch: &mut impl Watch,
    ) -> Result<usize, Failure> {
        let mut out = Out { field, watch, done: false };
        let span = (field.start(), 1e3 * field.span());
        let tolerances = [tolerance, tolerance * field.scale()];
        let result =
            self.integrate(&Equations(field), span, tolerances, (true, MOST_STEPS), &mut out);
        let (steps, done) = (result.map_err(refused)?.steps.total, out.done);
        done.then_some(steps).ok_or(Failure::Stuck { impulse: watch.reached() })
    }
}

struct Equations<'a, const OVER_TAU: bool, const N: usize>(&'a Field<OVER_TAU, N>);

impl<const OVER_TAU: bool, const N: usize> FirstOrderSystem for Equations<'_, OVER_TAU, N> {
    #[inline]
    fn derivative(&self, t: f64, state: &[f64], rate: &mut [f64]) {
        if let Some(state) = state.first_chunk::<N>() {
            rate.copy_from_slice(&self.0.rate(t, state));
        }
    }
}

struct Out<'a, const OVER_TAU: bool, const N: usize, W> {
    field: &'a Field<OVER_TAU, N>,
    watch: &'a mut W,
    done: bool,
}

impl<const OVER_TAU: bool, const N: usize, W: Watch> SolOut for Out<'_, OVER_TAU, N, W> {
    fn solout(
        &mut self,
        from: f64,
        to: &mut f64,
        state: &mut [f64],
        interpolant: Option<&StepInterpolant<'_>>,
    ) -> ControlFlag {
        let (Some(dense), Some(end)) = (interpolant, state.first_chunk::<N>()) else {
            return ControlFlag::Continue;
        };
        self.done = self.watch.step(from, *to, self.field.point(*to, end), |t| {
            let mut at = [0.0; N];
            dense.interpolate(t, &mut at);
            self.field.point(t, &at)
        });
        if self.done { ControlFlag::Interrupt } else { ControlFlag::Continue }
    }
}
