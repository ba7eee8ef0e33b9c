//! The crate `ivp`: Hairer and Wanner's codes, watched from `solout`.

use ivp::ivp::FirstOrderSystem;
use ivp::methods::{DOP853, DOPRI5, Tolerance};
use ivp::prelude::{ControlFlag, StepInterpolant};
use ivp::solout::SolOut;
use routh_rivals::Failure;
use routh_rivals::dormand_prince::Method;

use super::field::Field;
use super::watch::Watch;
use super::{Integrator, MOST_STEPS, refused};

impl Integrator for Method {
    fn follow<const N: usize, F: Field<N>, W: Watch>(
        &self,
        field: &F,
        tolerance: f64,
        watch: &mut W,
    ) -> Result<usize, Failure> {
        let system = Sized::<N, F>(field);
        let mut out = Out::<N, F, W> { field, watch, done: false };
        let (start, end) = (field.start(), 1e3 * field.span());
        let relative = Tolerance::Scalar(tolerance);
        let absolute = Tolerance::Scalar(tolerance * field.scale());
        let (dense_output, max_steps) = (true, MOST_STEPS);
        let result = match self {
            Self::Dopri5 => DOPRI5 { dense_output, max_steps, ..Default::default() }.solve(
                &system,
                0.0,
                &start,
                end,
                relative,
                absolute,
                Some(&mut out),
            ),
            Self::Dop853 => DOP853 { dense_output, max_steps, ..Default::default() }.solve(
                &system,
                0.0,
                &start,
                end,
                relative,
                absolute,
                Some(&mut out),
            ),
        };
        let (steps, done) = (result.map_err(refused)?.steps.total, out.done);
        done.then_some(steps).ok_or(Failure::Stuck { impulse: watch.reached() })
    }
}

/// A field with the size of its states.
struct Sized<'a, const N: usize, F>(&'a F);

impl<const N: usize, F: Field<N>> FirstOrderSystem for Sized<'_, N, F> {
    #[inline]
    fn derivative(&self, t: f64, state: &[f64], rate: &mut [f64]) {
        if let Some(state) = state.first_chunk::<N>() {
            rate.copy_from_slice(&self.0.rate(t, state));
        }
    }
}

struct Out<'a, const N: usize, F, W> {
    field: &'a F,
    watch: &'a mut W,
    done: bool,
}

impl<const N: usize, F: Field<N>, W: Watch> SolOut for Out<'_, N, F, W> {
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
