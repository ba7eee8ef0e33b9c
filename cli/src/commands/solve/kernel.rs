//! The kernels that solve impacts in space.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use clap::ValueEnum;
use rayon::prelude::*;
use routh::{Accuracy, Error, Field, Flow, Impact, solve_batch};
use routh_integrators::impact;

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

impl Kernel {
    pub(super) fn new(name: Name, accuracy: Accuracy) -> Self {
        match name {
            Name::Series => Self::Series(accuracy),
            Name::Flow => Self::Flow(Flows::default()),
            // The number of steps that suits a tolerance at order 4.
            Name::Rk4 => {
                Self::Rk4 { steps: (2.0 * accuracy.tolerance().powf(-0.25)).ceil() as usize }
            }
        }
    }

    /// Solves impacts on all cores.
    pub(super) fn solve(
        &mut self,
        collisions: &[&Collision<3>],
    ) -> Vec<Result<Impact<3>, Rejection>> {
        match self {
            Self::Series(accuracy) => {
                let bare: Vec<_> = collisions.iter().map(|collision| collision.bare()).collect();
                let impacts = solve_batch(&bare, *accuracy).into_iter();
                impacts.map(|impact| impact.map_err(Rejection::from)).collect()
            }
            Self::Flow(flows) => {
                let shared: Vec<_> = collisions.iter().map(|c| flows.of(c)).collect();
                let solve = |(c, flow): (&&Collision<3>, Arc<OnceLock<Flow>>)| {
                    let flow = flow.get_or_init(|| Flow::compact(&c.contact, c.friction));
                    Ok(flow.solve(c.velocity, c.restitution)?)
                };
                collisions.par_iter().zip(shared).map(solve).collect()
            }
            Self::Rk4 { steps } => {
                let solve = |c: &&Collision<3>| {
                    let (field, value) = (Field::entry("velocity", 0), c.velocity[0]);
                    if value >= 0.0 {
                        return Err(Error::NotApproaching { field, value }.into());
                    }
                    Ok(impact::follow(&c.contact, c.velocity, c.friction, c.restitution, *steps)?)
                };
                collisions.par_iter().map(solve).collect()
            }
        }
    }
}

/// The most flows that are kept for later impacts: some megabytes.
const MOST: usize = 256;

/// The flows of contacts seen lately, by the bits of inertia and friction; the first
/// impact that needs a flow makes it.
#[derive(Default)]
pub(super) struct Flows(HashMap<[u64; 11], Arc<OnceLock<Flow>>>);

impl Flows {
    /// The flow of an impact's contact, the same for all impacts there.
    fn of(&mut self, Collision { contact, friction, .. }: &Collision<3>) -> Arc<OnceLock<Flow>> {
        let [[d11, d12, d13], [d21, d22, d23], [d31, d32, d33]] = *contact.inertia();
        let (held, kinetic) = (friction.static_friction(), friction.kinetic());
        let key = [d11, d12, d13, d21, d22, d23, d31, d32, d33, held, kinetic].map(f64::to_bits);
        if self.0.len() >= MOST && !self.0.contains_key(&key) {
            self.0.clear();
        }
        self.0.entry(key).or_default().clone()
    }
}
