//! The cheapest of the programs that say the same.
//!
//! What a frame grants to one neighbour it denies another, and whether it pays
//! shows only in the whole: so the wishes are tried one body at a time, from the
//! tips, and those that save operations of D, J and R are kept.

use nalgebra::Vector3;

use super::Base;
use super::gauge::{Gauge, Grant};
use super::outputs::program;
use super::response::Elimination;
use super::tree::Tree;
use crate::Error;
use crate::program::ScalarProgram;
use crate::specialise::select;

/// About how many nodes to write for the sake of choosing.
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
        if tree.base == Base::Floating {
            best = best.or(write(plain, Elimination::Linear)?);
        }
        let mut budget = NODES;
        for (body, change) in changes(tree.bodies.len()) {
            let mut grants = best.grants.clone();
            change.apply(&mut grants[body]);
            if grants == best.grants {
                continue;
            }
            let other = write(grants, best.elimination)?;
            let nodes = other.program.graph.nodes.len();
            best = best.or(other);
            budget = match budget.checked_sub(nodes) {
                Some(rest) => rest,
                None => break,
            };
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

/// Another wish for a body's frame to grant.
#[derive(Clone, Copy)]
enum Change {
    Turn(usize),
    Lift(usize),
}

impl Change {
    fn apply(self, grant: &mut Grant) {
        match self {
            Self::Turn(turn) => grant.turn = turn,
            Self::Lift(lift) => grant.lift = lift,
        }
    }
}

/// Every change for every body, from the tips.
fn changes(bodies: usize) -> impl Iterator<Item = (usize, Change)> {
    let turns = (0..=Grant::TURNS).map(Change::Turn);
    let lifts = (0..=Grant::LIFTS).map(Change::Lift);
    let changes: Vec<Change> = turns.chain(lifts).collect();
    (0..bodies).rev().flat_map(move |body| {
        let changes = changes.clone();
        changes.into_iter().map(move |change| (body, change))
    })
}
