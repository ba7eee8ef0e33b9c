//! The crate `differential-equations`, watched by a `Solout` of its own kind.

use differential_equations::control::ControlFlag;
use differential_equations::interpolate::Interpolation;
use differential_equations::methods::ExplicitRungeKutta;
use differential_equations::ode::{ODE, solve_ode};
use differential_equations::solout::Solout;
use differential_equations::solution::Solution;
use routh_integrators::Failure;

use super::field::Field;
use super::watch::{Watch, Watched};
use super::{Integrator, MOST_STEPS, refused};

/// Some of its explicit methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DifferentialEquations {
    Dop853,
    Verner98,
}

impl Integrator for DifferentialEquations {
    fn follow<const OVER_TAU: bool, const N: usize, W: Watch>(
        &self,
        out: &mut Watched<OVER_TAU, N, W>,
    ) -> Result<usize, Failure> {
        let [relative, absolute] = out.tolerances();
        let (field, start, end) = (out.field, out.field.start(), out.end());
        macro_rules! solve {
            ($method:ident) => {{
                let method = ExplicitRungeKutta::$method().rtol(relative).atol(absolute);
                solve_ode(&mut method.max_steps(MOST_STEPS), field, 0.0, end, &start, out)
            }};
        }
        let solution = match self {
            Self::Dop853 => solve!(dop853),
            Self::Verner98 => solve!(rkv988e),
        };
        out.steps(solution.map_err(refused)?.steps.total())
    }
}

impl<const OVER_TAU: bool, const N: usize> ODE<f64, [f64; N]> for Field<OVER_TAU, N> {
    #[inline]
    fn diff(&self, t: f64, state: &[f64; N], rate: &mut [f64; N]) {
        *rate = self.rate(t, state);
    }
}

impl<const OVER_TAU: bool, const N: usize, W: Watch> Solout<f64, [f64; N]>
    for Watched<'_, OVER_TAU, N, W>
{
    fn solout<I: Interpolation<f64, [f64; N]> + ?Sized>(
        &mut self,
        to: f64,
        from: f64,
        end: &[f64; N],
        start: &[f64; N],
        dense: &mut I,
        _: &mut Solution<f64, [f64; N]>,
    ) -> ControlFlag<f64, [f64; N]> {
        if to == from {
            return ControlFlag::Continue;
        }
        let done = self.step([from, to], end, |t| dense.interpolate(t).unwrap_or(*start));
        if done { ControlFlag::Terminate } else { ControlFlag::Continue }
    }
}
