//! The cheapest of several equivalent programs.
//!
//! A simplification of a frame for one neighbour excludes others, and only the whole
//! program shows whether it pays. So simplifications are tried one body at a time, from
//! the tips, and kept if they save operations of D, J and R.

use nalgebra::Vector3;

use super::Base;
use super::frames::{Frames, Simplifications};
use super::outputs::program;
use super::response::Elimination;
use super::tree::Tree;
use crate::Error;
use crate::program::ScalarProgram;
use crate::specialise::select;

/// A budget for the search: about this many nodes are written in all.
const NODES: usize = 100_000;

/// The best program so far and the choices that gave it.
pub(super) struct Choice {
    simplifications: Vec<Simplifications>,
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
        let write = |simplifications: Vec<Simplifications>, elimination: Elimination| {
            let frames = Frames::new(tree, Some(contact), &simplifications);
            let program = program(tree, &frames, directions, elimination)?;
            let cost = cost(&program);
            Ok::<_, Error>(Self { simplifications, elimination, program, cost })
        };
        let plain = vec![Simplifications::default(); tree.bodies.len()];
        let mut best = write(plain.clone(), Elimination::Tips)?;
        if tree.base == Base::Floating {
            best = best.or(write(plain, Elimination::Linear)?);
        }
        let mut budget = NODES;
        for (body, change) in changes(tree.bodies.len()) {
            let mut simplifications = best.simplifications.clone();
            change.apply(&mut simplifications[body]);
            if simplifications == best.simplifications {
                continue;
            }
            let other = write(simplifications, best.elimination)?;
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

/// A change to one body's simplifications.
#[derive(Clone, Copy)]
enum Change {
    Turn(usize),
    Lift(usize),
}

impl Change {
    fn apply(self, simplifications: &mut Simplifications) {
        match self {
            Self::Turn(turn) => simplifications.turn = turn,
            Self::Lift(lift) => simplifications.lift = lift,
        }
    }
}

/// Every change for every body, from the tips.
fn changes(bodies: usize) -> impl Iterator<Item = (usize, Change)> {
    let turns = (0..=Simplifications::TURNS).map(Change::Turn);
    let lifts = (0..=Simplifications::LIFTS).map(Change::Lift);
    let changes: Vec<Change> = turns.chain(lifts).collect();
    (0..bodies).rev().flat_map(move |body| {
        let changes = changes.clone();
        changes.into_iter().map(move |change| (body, change))
    })
}
