//! The cheapest of the programs that say the same.
//!
//! What a frame grants to one neighbour it denies another, and whether it pays
//! shows only in the whole: so the wishes are tried one body at a time, from the
//! tips, and those that save operations of D, J and R are kept.

use nalgebra::Vector3;

use super::gauge::{Gauge, Grant};
use super::outputs::program;
use super::response::Elimination;
use super::tree::Tree;
use crate::Error;
use crate::program::ScalarProgram;
use crate::specialise::select;

/// Programs written at most, and nodes written at most for the sake of choosing.
const TRIALS: usize = 100;
const NODES: usize = 100_000;

/// The best program so far and how it came about.
pub(super) struct Choice {
    grants: Vec<Grant>,
    elimination: Elimination,
    program: ScalarProgram,
    cost: usize,
}

impl Choice {
    /// The cheapest program found for a contact.
    pub(super) fn cheapest(
        tree: &Tree,
        contact: (Option<usize>, Vector3<f64>),
        directions: &[Vector3<f64>],
    ) -> Result<ScalarProgram, Error> {
        let write = |grants: Vec<Grant>, elimination: Elimination| {
            let gauge = Gauge::new(tree, Some(contact), &grants);
            let program = program(tree, &gauge, directions, elimination)?;
            let cost = cost(&program);
            Ok::<_, Error>(Self { grants, elimination, program, cost })
        };
        let plain = vec![Grant::default(); tree.bodies.len()];
        let mut best = write(plain.clone(), Elimination::Tips)?;
        for &elimination in Elimination::choices(tree.base) {
            best = best.or(write(plain.clone(), elimination)?);
        }
        let mut written = 0;
        for (trial, (body, grant)) in alternatives(tree.bodies.len()).enumerate() {
            if trial == TRIALS || written > NODES {
                break;
            }
            let mut grants = best.grants.clone();
            grants[body] = grant(grants[body]);
            let other = write(grants, best.elimination)?;
            written += other.program.graph.nodes.len();
            best = best.or(other);
        }
        Ok(best.program)
    }

    fn or(self, other: Self) -> Self {
        if other.cost < self.cost { other } else { self }
    }
}

/// The operations of D, J and R.
fn cost(program: &ScalarProgram) -> usize {
    select(program, |name| name.starts_with(['D', 'J', 'R'])).graph.operations().total()
}

/// Every change of one thing about one body, from the tips.
fn alternatives(bodies: usize) -> impl Iterator<Item = (usize, impl Fn(Grant) -> Grant)> {
    let turns = (0..=Grant::TURNS).map(|turn| (Some(turn), None));
    let lifts = (0..=Grant::LIFTS).map(|lift| (None, Some(lift)));
    let changes: Vec<(Option<usize>, Option<usize>)> = turns.chain(lifts).collect();
    (0..bodies).rev().flat_map(move |body| {
        changes.clone().into_iter().map(move |(turn, lift)| {
            let change = move |old: Grant| Grant {
                turn: turn.unwrap_or(old.turn),
                lift: lift.unwrap_or(old.lift),
            };
            (body, change)
        })
    })
}
