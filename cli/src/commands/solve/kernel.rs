//! The kernels that solve impacts in space.

use clap::ValueEnum;
use rayon::prelude::*;
use routh_integrators::impact;
use routh_solver::{Accuracy, solve_batch};

use super::Solution;
use super::flows::{Flows, Shared};
use crate::input::{Collision, Rejection};

/// A kernel as it is asked for.
#[derive(Clone, Copy, ValueEnum)]
pub(super) enum Name {
    Series,
    Flow,
    Rk4,
}

/// A kernel with what it needs.
pub(super) enum Kernel {
    Series(Accuracy),
    Flow(Flows),
    Rk4 { steps: usize },
}

/// An impact with its place among others, and likewise what becomes of it.
type Placed = (usize, Collision<3>);
type Solved = (usize, Result<Solution, Rejection>);

impl Kernel {
    pub(super) fn new(name: Name, accuracy: Accuracy) -> Self {
        match name {
            Name::Series => Self::Series(accuracy),
            Name::Flow => Self::Flow(Flows::default()),
            Name::Rk4 => Self::Rk4 { steps: steps(accuracy.tolerance()) },
        }
    }

    /// Solves impacts on all cores.
    pub(super) fn solve(&mut self, placed: Vec<Placed>) -> Vec<Solved> {
        match self {
            Self::Series(accuracy) => by_series(placed, *accuracy),
            Self::Flow(flows) => {
                let shared = |(place, c): Placed| (place, flows.of(&c), c);
                let shared: Vec<_> = placed.into_iter().map(shared).collect();
                let solved =
                    shared.into_par_iter().map(|(place, flow, c)| (place, by_flow(&flow, &c)));
                solved.collect()
            }
            Self::Rk4 { steps } => {
                let solved = placed.into_par_iter().map(|(place, c)| (place, by_steps(&c, *steps)));
                solved.collect()
            }
        }
    }
}

/// The number of steps that suits a tolerance at order 4.
fn steps(tolerance: f64) -> usize {
    (2.0 * tolerance.powf(-0.25)).ceil() as usize
}

fn by_series(placed: Vec<Placed>, accuracy: Accuracy) -> Vec<Solved> {
    let bare: Vec<_> = placed.iter().map(|(_, collision)| collision.bare()).collect();
    let impacts = solve_batch(&bare, accuracy);
    let solved = placed.into_iter().zip(impacts).map(|((place, collision), impact)| {
        let robot = collision.robot.as_ref();
        let solution = impact.map_err(Rejection::from);
        (place, solution.and_then(|impact| Solution::new(&impact, robot)))
    });
    solved.collect()
}

fn by_flow(flow: &Shared, collision: &Collision<3>) -> Result<Solution, Rejection> {
    let impact = flow.solve(collision)?;
    Solution::new(&impact, collision.robot.as_ref())
}

fn by_steps(collision: &Collision<3>, steps: usize) -> Result<Solution, Rejection> {
    let Collision { contact, velocity, friction, restitution, robot } = collision;
    let impact = impact::follow(contact, *velocity, *friction, *restitution, steps)?;
    Solution::new(&impact, robot.as_ref())
}
