//! The crate `diffsol`: its explicit method, Tsitouras's 5(4), step by step with its
//! own interpolation.

use diffsol::{NalgebraMat, NalgebraVec, OdeBuilder, OdeSolverMethod, Vector as _};
use routh_rivals::Failure;

use super::field::Field;
use super::watch::Watch;
use super::{Integrator, MOST_STEPS, refused};

/// Its explicit method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tsitouras45;

type Vector = NalgebraVec<f64>;

impl Integrator for Tsitouras45 {
    fn follow<const N: usize, F: Field<N>, W: Watch>(
        &self,
        field: &F,
        tolerance: f64,
        watch: &mut W,
    ) -> Result<usize, Failure> {
        let start = field.start();
        let problem = OdeBuilder::<NalgebraMat<f64>>::new()
            .rtol(tolerance)
            .atol([tolerance * field.scale()])
            .rhs(|state: &[f64], _: &[f64], t, rate: &mut [f64]| {
                if let Some(state) = state.first_chunk::<N>() {
                    rate.copy_from_slice(&field.rate(t, state));
                }
            })
            .init(|_: &[f64], _, state: &mut [f64]| state.copy_from_slice(&start), N)
            .build()
            .map_err(refused)?;
        let mut solver = problem.tsit45().map_err(refused)?;
        let mut between = Vector::zeros(N, Default::default());
        for steps in 1..=MOST_STEPS {
            let from = solver.state().t;
            solver.step().map_err(refused)?;
            let to = solver.state().t;
            let end = field.point(to, &array(solver.state().y));
            let done = watch.step(from, to, end, |t| {
                let _ = solver.interpolate_inplace(t, &mut between);
                field.point(t, &array(&between))
            });
            if done {
                return Ok(steps);
            }
        }
        Err(Failure::StepLimit { steps: MOST_STEPS, impulse: watch.reached() })
    }
}

fn array<const N: usize>(vector: &Vector) -> [f64; N] {
    let slice = vector.batch_as_slice(0);
    std::array::from_fn(|i| slice[i])
}
