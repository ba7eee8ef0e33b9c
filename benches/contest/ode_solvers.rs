//! The crate `ode_solvers`. Its `solout` sees the ends of steps only, and Dop853 has no
//! continuous output: within a step it is integrated again, to where the root may be.

use ode_solvers::dop_shared::IntegrationError;
use ode_solvers::{Dop853, Dopri5, OutputType, SVector, System};
use routh_integrators::Failure;

use super::field::Field;
use super::watch::{Watch, Watched};
use super::{Integrator, MOST_STEPS, refused};

/// Its two adaptive methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OdeSolvers {
    Dopri5,
    Dop853,
}

/// The crate's defaults of its controllers: beta, and the least and most factor.
const DOPRI5: (f64, f64, f64) = (0.04, 0.2, 10.0);
const DOP853: (f64, f64, f64) = (0.0, 0.333, 6.0);

impl Integrator for OdeSolvers {
    fn follow<const OVER_TAU: bool, const N: usize, W: Watch>(
        &self,
        out: &mut Watched<OVER_TAU, N, W>,
    ) -> Result<usize, Failure> {
        let (start, end, tolerances) = (out.field.start().into(), out.end(), out.tolerances());
        let repeated = Repeated { out: &mut *out, method: *self, last: (0.0, start) };
        let result = self.integrate(repeated, (0.0, end), start, tolerances, 0.0);
        out.steps(result.map_err(refused)?.0)
    }
}

impl OdeSolvers {
    /// Steps and the last state.
    fn integrate<const N: usize, S: System<f64, SVector<f64, N>>>(
        self,
        system: S,
        (from, to): (f64, f64),
        start: SVector<f64, N>,
        [relative, absolute]: [f64; 2],
        first: f64,
    ) -> Result<(usize, SVector<f64, N>), IntegrationError> {
        let (most, sparse) = (MOST_STEPS as u32, OutputType::Sparse);
        macro_rules! solve {
            ($stepper:ident, $controller:expr) => {{
                let (beta, least, largest) = $controller;
                let mut stepper = $stepper::from_param(
                    system,
                    from,
                    to,
                    0.0,
                    start,
                    relative,
                    absolute,
                    0.9,
                    beta,
                    least,
                    largest,
                    to - from,
                    first,
                    most,
                    1000,
                    sparse,
                );
                (stepper.integrate()?, stepper.y_out().last().copied())
            }};
        }
        let (stats, end) = match self {
            Self::Dopri5 => solve!(Dopri5, DOPRI5),
            Self::Dop853 => solve!(Dop853, DOP853),
        };
        let steps = stats.accepted_steps + stats.rejected_steps;
        Ok((steps as usize, end.unwrap_or(start)))
    }
}

impl<const OVER_TAU: bool, const N: usize> System<f64, SVector<f64, N>> for &Field<OVER_TAU, N> {
    #[inline]
    fn system(&self, t: f64, state: &SVector<f64, N>, rate: &mut SVector<f64, N>) {
        *rate = self.rate(t, &state.data.0[0]).into();
    }
}

/// A watched field, and what it takes to repeat its last step.
struct Repeated<'a, 'b, const OVER_TAU: bool, const N: usize, W> {
    out: &'a mut Watched<'b, OVER_TAU, N, W>,
    method: OdeSolvers,
    last: (f64, SVector<f64, N>),
}

impl<const OVER_TAU: bool, const N: usize, W: Watch> System<f64, SVector<f64, N>>
    for Repeated<'_, '_, OVER_TAU, N, W>
{
    #[inline]
    fn system(&self, t: f64, state: &SVector<f64, N>, rate: &mut SVector<f64, N>) {
        self.out.field.system(t, state, rate);
    }

    fn solout(&mut self, to: f64, state: &SVector<f64, N>, _: &SVector<f64, N>) -> bool {
        let (field, (from, start)) = (self.out.field, self.last);
        let tolerances = self.out.tolerances();
        let again = |t| self.method.integrate(field, (from, t), start, tolerances, t - from);
        let at = |t| if t > from { again(t).map_or(start, |(_, state)| state) } else { start };
        self.last = (to, *state);
        self.out.step([from, to], &state.data.0[0], |t| at(t).data.0[0])
    }
}
