//! The crate `numeris`: it has neither events nor a callback, so its dense output of
//! about as long as is needed is searched, and continued while that is not enough.

use numeris::Vector;
use numeris::ode::{AdaptiveSettings, RKAdaptive, RKTS54, RKV98};
use routh_integrators::Failure;

use super::watch::{Watch, Watched};
use super::{Integrator, MOST_STEPS, refused};

/// Parts of the span that it is followed for at a time.
const PART: f64 = 0.5;

/// Some of its explicit methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numeris {
    Tsitouras54,
    Verner98,
}

impl Integrator for Numeris {
    fn follow<const OVER_TAU: bool, const N: usize, W: Watch>(
        &self,
        out: &mut Watched<OVER_TAU, N, W>,
    ) -> Result<usize, Failure> {
        match self {
            Self::Tsitouras54 => parts::<RKTS54, _, _, _, _, _>(out),
            Self::Verner98 => parts::<RKV98, _, _, _, _, _>(out),
        }
    }
}

fn parts<R, W, const STAGES: usize, const TERMS: usize, const OVER_TAU: bool, const N: usize>(
    out: &mut Watched<OVER_TAU, N, W>,
) -> Result<usize, Failure>
where
    R: RKAdaptive<STAGES, TERMS>,
    W: Watch,
{
    let (field, [rel_tol, abs_tol]) = (out.field, out.tolerances());
    let part = PART * field.span();
    let mut settings = AdaptiveSettings {
        rel_tol,
        abs_tol,
        min_step: f64::EPSILON * part,
        max_steps: MOST_STEPS,
        dense_output: true,
        ..AdaptiveSettings::default()
    };
    let (mut from, mut state, mut steps) = (0.0, Vector::from_array(field.start()), 0);
    while steps < MOST_STEPS {
        let rate = |t, y: &Vector<f64, N>| Vector::from_array(field.rate(t, &array(y)));
        let solution = R::integrate(from, from + part, &state, rate, &settings).map_err(refused)?;
        steps += solution.accepted + solution.rejected;
        let Some(dense) = &solution.dense else { return Err(refused("no dense output")) };
        for (i, &start) in dense.t.iter().enumerate() {
            let end = dense.t.get(i + 1).copied().unwrap_or(solution.t);
            let reached = dense.y.get(i + 1).unwrap_or(&solution.y);
            let at = |t| array(&R::interpolate(t, &solution).unwrap_or(dense.y[i]));
            if out.step([start, end], &array(reached), at) {
                return Ok(steps);
            }
        }
        (from, state) = (solution.t, solution.y);
        settings.initial_step = Some(solution.next_step);
    }
    Err(Failure::StepLimit { steps, impulse: out.watch.reached() })
}

fn array<const N: usize>(vector: &Vector<f64, N>) -> [f64; N] {
    std::array::from_fn(|i| vector[i])
}
