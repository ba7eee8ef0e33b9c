//! The crate `ode_solvers`. Its `solout` sees the ends of steps only, and Dop853 has no
//! continuous output: within a step it is integrated again, to where the root may be.

use ode_solvers::dop_shared::IntegrationError;
use ode_solvers::{Dop853, Dopri5, OutputType, SVector, System};
use routh_rivals::Failure;

use super::field::Field;
use super::watch::Watch;
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
    fn follow<const OVER_TAU: bool, const N: usize>(
        &self,
        field: &Field<OVER_TAU, N>,
        tolerance: f64,
        watch: &mut impl Watch,
    ) -> Result<usize, Failure> {
        let (start, end) = (field.start().into(), 1e3 * field.span());
        let mut done = false;
        let watched =
            Watched { field, method: *self, tolerance, watch, last: (0.0, start), done: &mut done };
        let scale = tolerance * field.scale();
        let result = self.integrate(watched, (0.0, end), start, [tolerance, scale], 0.0);
        let (steps, _) = result.map_err(refused)?;
        done.then_some(steps).ok_or(Failure::Stuck { impulse: watch.reached() })
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

/// A field alone.
struct Alone<'a, const OVER_TAU: bool, const N: usize>(&'a Field<OVER_TAU, N>);

impl<const OVER_TAU: bool, const N: usize> System<f64, SVector<f64, N>> for Alone<'_, OVER_TAU, N> {
    #[inline]
    fn system(&self, t: f64, state: &SVector<f64, N>, rate: &mut SVector<f64, N>) {
        *rate = self.0.rate(t, &state.data.0[0]).into();
    }
}

/// A field whose steps are watched.
struct Watched<'a, const OVER_TAU: bool, const N: usize, W> {
    field: &'a Field<OVER_TAU, N>,
    method: OdeSolvers,
    tolerance: f64,
    watch: &'a mut W,
    last: (f64, SVector<f64, N>),
    done: &'a mut bool,
}

impl<const OVER_TAU: bool, const N: usize, W: Watch> System<f64, SVector<f64, N>>
    for Watched<'_, OVER_TAU, N, W>
{
    #[inline]
    fn system(&self, t: f64, state: &SVector<f64, N>, rate: &mut SVector<f64, N>) {
        *rate = self.field.rate(t, &state.data.0[0]).into();
    }

    fn solout(&mut self, to: f64, state: &SVector<f64, N>, _: &SVector<f64, N>) -> bool {
        let (from, start) = self.last;
        let (field, method) = (self.field, self.method);
        let tolerances = [self.tolerance, self.tolerance * field.scale()];
        let end = field.point(to, &state.data.0[0]);
        *self.done = self.watch.step(from, to, end, |t| {
            if t <= from {
                return field.point(from, &start.data.0[0]);
            }
            let again = method.integrate(Alone(field), (from, t), start, tolerances, t - from);
            field.point(t, &again.map_or(start, |(_, state)| state).data.0[0])
        });
        self.last = (to, *state);
        *self.done
    }
}
