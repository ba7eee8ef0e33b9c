//! The program of one choice of frames and order of elimination.

use nalgebra::Vector3;

use super::arithmetic::{Arithmetic, Term};
use super::definite::massless;
use super::dynamics::Dynamics;
use super::frames::Frames;
use super::response::{Elimination, Response};
use super::tree::Tree;
use crate::Error;
use crate::program::{ScalarId, ScalarProgram};
use crate::specialise::select;

/// Writes out D, J, R, M and the contact point.
pub(super) fn program(
    tree: &Tree,
    frames: &Frames,
    directions: &[Vector3<f64>],
    elimination: Elimination,
) -> Result<ScalarProgram, Error> {
    let mut dynamics = Dynamics::new(tree.base, frames, directions);
    let response =
        Response::new(&mut dynamics, elimination).map_err(|velocity| massless(tree, velocity))?;
    let Dynamics { arithmetic, inertia, jacobian, tip } = dynamics;
    let mut outputs = Outputs { arithmetic, named: Vec::new() };
    outputs.matrix("D", response.contact_inertia, |i, j| (i, i + j))?;
    outputs.matrix("J", jacobian, |i, j| (i, j))?;
    outputs.matrix("R", response.velocities, |i, j| (i, j))?;
    outputs.matrix("M", inertia, |i, j| (i, j))?;
    for (k, term) in tip.into_iter().flatten().enumerate() {
        outputs.push(format!("tip_{k}"), term)?;
    }
    let graph = outputs.arithmetic.finish();
    let program = ScalarProgram { name: String::new(), graph, outputs: outputs.named };
    Ok(select(&program, |_| true))
}

/// Names and nodes of a program's outputs.
struct Outputs {
    arithmetic: Arithmetic,
    named: Vec<(String, ScalarId)>,
}

impl Outputs {
    fn push(&mut self, name: String, term: Term) -> Result<(), Error> {
        let id = self.arithmetic.id(term);
        self.named.push((name.clone(), id.ok_or(Error::Overflow(name))?));
        Ok(())
    }

    /// Adds a matrix, given by rows, whose stored entries have the given indices.
    fn matrix(
        &mut self,
        name: &str,
        rows: Vec<Vec<Term>>,
        index: impl Fn(usize, usize) -> (usize, usize),
    ) -> Result<(), Error> {
        for (i, row) in rows.into_iter().enumerate() {
            for (j, term) in row.into_iter().enumerate() {
                let (i, j) = index(i, j);
                self.push(format!("{name}_{i}_{j}"), term)?;
            }
        }
        Ok(())
    }
}
