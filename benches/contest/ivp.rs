//! The crate `ivp`: Hairer and Wanner's codes, watched from `solout`.

use ivp::ivp::FirstOrderSystem;
use ivp::prelude::{ControlFlag, StepInterpolant};
use ivp::solout::SolOut;
use routh_integrators::Failure;
use routh_integrators::dormand_prince::Method;

use super::field::Field;
use super::watch::{Watch, Watched};
use super::{Integrator, MOST_STEPS, refused};

impl Integrator for Method {
    fn follow<const OVER_TAU: bool, const N: usize, W: Watch>(
        &self,
        out: &mut Watched<OVER_TAU, N, W>,
    ) -> Result<usize, Failure> {
        let (field, span, tolerances) =
            (out.field, (out.field.start(), out.end()), out.tolerances());
        let result = self.integrate(field, span, tolerances, (true, MOST_STEPS), out);
        out.steps(result.map_err(refused)?.steps.total)
    }
}

impl<const OVER_TAU: bool, const N: usize> FirstOrderSystem for Field<OVER_TAU, N> {
    #[inline]
    fn derivative(&self, t: f64, state: &[f64], rate: &mut [f64]) {
        if let Some(state) = state.first_chunk::<N>() {
            rate.copy_from_slice(&self.rate(t, state));
        }
    }
}

impl<const OVER_TAU: bool, const N: usize, W: Watch> SolOut for Watched<'_, OVER_TAU, N, W> {
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
        let done = self.step([from, *to], end, |t| {
            let mut at = [0.0; N];
            dense.interpolate(t, &mut at);
            at
        });
        if done { ControlFlag::Interrupt } else { ControlFlag::Continue }
    }
}
