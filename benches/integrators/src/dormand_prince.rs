//! Dormand and Prince's adaptive Runge-Kutta methods 5(4) and 8(5,3): Hairer and
//! Wanner's codes in the translation of the crate `ivp`, with dense output in
//! those steps only that hold an impulse asked for.

use ivp::ivp::FirstOrderSystem;
use ivp::methods::{DOP853, DOPRI5, IntegrationResult, Tolerance};
use ivp::prelude::{ControlFlag, Status, StepInterpolant};
use ivp::solout::SolOut;

use crate::problem::Problem;
use crate::run::{Failure, Run};

/// Steps that a motion may take.
pub const MOST_STEPS: usize = 20_000;

/// One of the two methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Order 5 with an error estimate of order 4.
    Dopri5,
    /// Order 8 with error estimates of orders 5 and 3.
    Dop853,
}

impl Method {
    /// Its order.
    pub fn order(self) -> usize {
        match self {
            Self::Dopri5 => 5,
            Self::Dop853 => 8,
        }
    }

    /// Integrates from zero to an end, with a relative and an absolute tolerance, in
    /// at most so many steps; `out` sees every step, with dense output or only where
    /// it asks for that.
    ///
    /// # Errors
    /// Those of `ivp`.
    pub fn integrate<const N: usize>(
        self,
        system: &impl FirstOrderSystem,
        (start, end): ([f64; N], f64),
        tolerances: [f64; 2],
        (dense_output, max_steps): (bool, usize),
        out: &mut impl SolOut,
    ) -> Result<IntegrationResult, ivp::error::Error> {
        let [relative, absolute] = tolerances.map(Tolerance::Scalar);
        macro_rules! solve {
            ($method:ident) => {{
                let method = $method { dense_output, max_steps, ..Default::default() };
                method.solve(system, 0.0, &start, end, relative, absolute, Some(out))
            }};
        }
        match self {
            Self::Dopri5 => solve!(DOPRI5),
            Self::Dop853 => solve!(DOP853),
        }
    }
}

impl FirstOrderSystem for Problem {
    #[inline]
    fn derivative(&self, _: f64, v: &[f64], dv: &mut [f64]) {
        if let (&[x, y], [dx, dy]) = (v, dv) {
            [*dx, *dy] = self.rate([x, y]);
        }
    }
}

/// The velocities at the impulses asked for, as steps reach them.
struct Sampling<'a> {
    problem: &'a Problem,
    velocity: Vec<[f64; 2]>,
    reached: f64,
}

impl Sampling<'_> {
    fn fill(
        &mut self,
        system: &impl FirstOrderSystem,
        method: Method,
        tolerance: f64,
    ) -> Result<IntegrationResult, ivp::error::Error> {
        let (problem, sparse) = (self.problem, (false, MOST_STEPS));
        let tolerances = [tolerance, tolerance * problem.scale()];
        method.integrate(system, (problem.v0, problem.end()), tolerances, sparse, self)
    }
}

impl SolOut for Sampling<'_> {
    fn solout(
        &mut self,
        _: f64,
        p: &mut f64,
        v: &mut [f64],
        interpolant: Option<&StepInterpolant<'_>>,
    ) -> ControlFlag {
        self.reached = *p;
        let asked = &self.problem.impulse;
        while let Some(&next) = asked.get(self.velocity.len()) {
            let mut at = [0.0; 2];
            match interpolant {
                // The end of a step may be a hair before the last impulse.
                _ if (next - *p).abs() <= f64::EPSILON * next => at.copy_from_slice(v),
                Some(dense) if next < *p => dense.interpolate(next, &mut at),
                _ => return ControlFlag::XOut(next),
            }
            self.velocity.push(at);
        }
        ControlFlag::Continue
    }
}

/// Follows a motion with a relative tolerance, and an absolute one that is as
/// large for the initial velocity.
///
/// # Errors
/// [`Failure::StepLimit`], [`Failure::Stuck`], [`Failure::Refused`].
pub fn follow(problem: &Problem, method: Method, tolerance: f64) -> Result<Run, Failure> {
    let velocity = Vec::with_capacity(problem.impulse.len());
    let mut sampling = Sampling { problem, velocity, reached: 0.0 };
    let result = sampling.fill(problem, method, tolerance);
    let result = result.map_err(|error| Failure::Refused(format!("{error:?}")))?;
    let Sampling { velocity, reached: impulse, .. } = sampling;
    match result.status {
        _ if velocity.len() == problem.impulse.len() => {
            Ok(Run { velocity, steps: result.steps.total, evaluations: result.evals.ode })
        }
        Status::NeedLargerNMax => Err(Failure::StepLimit { steps: MOST_STEPS, impulse }),
        _ => Err(Failure::Stuck { impulse }),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    struct Counted<'a>(&'a Problem, Cell<usize>);

    impl FirstOrderSystem for Counted<'_> {
        fn derivative(&self, p: f64, v: &[f64], dv: &mut [f64]) {
            self.1.set(self.1.get() + 1);
            self.0.derivative(p, v, dv);
        }
    }

    #[test]
    fn the_crate_counts_its_evaluations_rightly() {
        let inertia = [[1.3, 0.4, -0.2], [0.4, 2.1, 0.5], [-0.2, 0.5, 0.9]];
        let problem = Problem::new(inertia, 0.15, [0.7, -1.1], &[0.5, 1.0, 4.0]);
        for method in [Method::Dopri5, Method::Dop853] {
            let system = Counted(&problem, Cell::new(0));
            let mut sampling = Sampling { problem: &problem, velocity: Vec::new(), reached: 0.0 };
            let result = sampling.fill(&system, method, 1e-9).unwrap();
            assert_eq!(result.evals.ode, system.1.get());
        }
    }
}
