//! The system without what is held, scaled, and what comes back from it.

use alloc::vec;
use alloc::vec::Vec;

use nalgebra::{DMatrix, DVector, Dyn, SymmetricEigen};

use super::motion::Motion;
use super::outcome::{Event, Landing};
use super::system::{Law, Pressing, ROWS, System};
use super::{Exponent, Hold, NormalLaw, Several, free};
use crate::elementary::sqrt;
use crate::error::{Error, Field, finite};
use crate::impact::Accuracy;

/// Eigenvalues below this part of the largest count as zero.
const RANK: f64 = 1e-13;

/// Velocities that no motion has are no more than this part of the largest.
const ROUNDING: f64 = 1e-9;

/// Momentum and energy must be conserved to this part of their scale.
const CONSERVED: f64 = 1e-9;

/// The contacts that are free, with what is held answering: `D_ff − D_fh D_hh⁺ D_hf`.
pub(super) struct Eliminated {
    free: Vec<usize>,
    held: Vec<usize>,
    /// The rows of both in `D`; none where a contact has fewer than three.
    free_rows: Vec<Option<usize>>,
    held_rows: Vec<Option<usize>>,
    inertia: DMatrix<f64>,
    /// `D_hh⁺`, `D_hf`
    inverse: DMatrix<f64>,
    coupling: DMatrix<f64>,
}

fn part(matrix: &DMatrix<f64>, rows: &[Option<usize>], columns: &[Option<usize>]) -> DMatrix<f64> {
    DMatrix::from_fn(rows.len(), columns.len(), |i, j| match (rows[i], columns[j]) {
        (Some(i), Some(j)) => matrix[(i, j)],
        _ => 0.0,
    })
}

/// The eigenvectors and eigenvalues of a symmetric matrix whose entries may differ much in
/// size: of `S A S` with ones on its diagonal; and the diagonal of `S`.
fn balanced(matrix: &DMatrix<f64>) -> (SymmetricEigen<f64, Dyn>, DVector<f64>) {
    let sizes = matrix.diagonal().map(|x| if x > 0.0 { 1.0 / sqrt(x) } else { 0.0 });
    (SymmetricEigen::new(matrix.map_with_location(|i, j, x| x * sizes[i] * sizes[j])), sizes)
}

/// The pseudo-inverse of a symmetric matrix.
fn pseudo_inverse(matrix: &DMatrix<f64>) -> DMatrix<f64> {
    let (SymmetricEigen { eigenvectors, eigenvalues }, sizes) = balanced(matrix);
    let most = eigenvalues.amax();
    let inverse = eigenvalues.map(|x| if x > RANK * most { 1.0 / x } else { 0.0 });
    let inner = &eigenvectors * DMatrix::from_diagonal(&inverse) * eigenvectors.transpose();
    inner.map_with_location(|i, j, x| x * sizes[i] * sizes[j])
}

impl Eliminated {
    pub(super) fn new(several: &Several) -> Self {
        let mut next = 0;
        let rows: Vec<[Option<usize>; ROWS]> = several
            .surfaces
            .iter()
            .map(|surface| {
                let first = next;
                next += 1 + surface.tangents;
                core::array::from_fn(|d| (d <= surface.tangents).then_some(first + d))
            })
            .collect();
        let free: Vec<usize> = free(&several.surfaces).collect();
        let held: Vec<usize> = (0..rows.len()).filter(|i| !free.contains(i)).collect();
        let of = |contacts: &[usize]| -> Vec<Option<usize>> {
            contacts.iter().flat_map(|&i| rows[i]).collect()
        };
        let (free_rows, held_rows) = (of(&free), of(&held));
        let inverse = match held.is_empty() {
            true => DMatrix::zeros(0, 0),
            false => pseudo_inverse(&part(&several.inertia, &held_rows, &held_rows)),
        };
        let coupling = part(&several.inertia, &held_rows, &free_rows);
        let inertia = part(&several.inertia, &free_rows, &free_rows)
            - coupling.transpose() * &inverse * &coupling;
        Self { free, held, free_rows, held_rows, inertia, inverse, coupling }
    }

    pub(super) fn solve(
        &self,
        several: &Several,
        velocity: &[f64],
        accuracy: Accuracy,
    ) -> Result<Landing, Error> {
        let of = |rows: &[Option<usize>]| {
            DVector::from_fn(rows.len(), |i, _| rows[i].map_or(0.0, |i| velocity[i]))
        };
        let moving = of(&self.held_rows);
        let stop = -(&self.inverse * &moving);
        let before = of(&self.free_rows) + self.coupling.transpose() * &stop;
        self.attainable(&before)?;
        let mut landing = match self.free.len() {
            0..=2 => self.run::<2, 6>(several, &before, accuracy),
            3..=4 => self.run::<4, 12>(several, &before, accuracy),
            5..=8 => self.run::<8, 24>(several, &before, accuracy),
            _ => self.run::<16, 48>(several, &before, accuracy),
        }?;
        let pressed = DVector::from_fn(self.free_rows.len(), |i, _| {
            landing.impulse[self.free[i / ROWS]][i % ROWS]
        });
        let answer = &stop - &self.inverse * &self.coupling * pressed;
        for (i, &to) in self.held.iter().enumerate() {
            landing.impulse[to] = core::array::from_fn(|d| answer[ROWS * i + d]);
        }
        landing.energy_change += 0.5 * stop.dot(&moving);
        audit(several, velocity, &landing)?;
        Ok(landing)
    }

    /// Velocities that a motion of the bodies can have: those of the range of `D`.
    fn attainable(&self, before: &DVector<f64>) -> Result<(), Error> {
        let (SymmetricEigen { eigenvectors, eigenvalues }, sizes) = balanced(&self.inertia);
        let (scaled, most) = (before.component_mul(&sizes), eigenvalues.amax());
        let along = eigenvectors.tr_mul(&scaled);
        let lacking =
            along.zip_map(&eigenvalues, |x, value| if value > RANK * most { 0.0 } else { x });
        let lacking = eigenvectors * lacking;
        let i = lacking.iamax();
        if lacking[i].abs() <= ROUNDING * scaled.amax() {
            return Ok(());
        }
        let field = Field::entry("velocity", self.free_rows[i].unwrap_or_default());
        Err(Error::Unattainable { field, value: before[i] })
    }

    /// Solves for at most so many contacts, in units in which the fastest velocity, the
    /// largest inertia along a normal and the stiffest contact are about 1.
    fn run<const K: usize, const N: usize>(
        &self,
        several: &Several,
        before: &DVector<f64>,
        accuracy: Accuracy,
    ) -> Result<Landing, Error> {
        let count = self.free.len();
        let normal = |i: usize| self.inertia[(ROWS * i, ROWS * i)];
        let most = binade((0..count).map(normal).fold(0.0, f64::max));
        let speed = |i: usize| before.rows(ROWS * i, ROWS).norm();
        let fastest = binade((0..count).map(speed).fold(0.0, f64::max));
        let stiffness = |i: usize| several.surfaces[self.free[i]].stiffness;
        let stiffest = (0..count).map(|i| stiffness(i) * (normal(i) / most)).fold(0.0, f64::max);
        let law = |i: usize| {
            let i = i.min(count - 1);
            let surface = &several.surfaces[self.free[i]];
            Law {
                pressing: match surface.hold {
                    Hold::Plastic => Pressing::Plastic,
                    Hold::Unilateral | Hold::Held => Pressing::Elastic,
                },
                stiffness: stiffness(i) / stiffest,
                returned: surface.restitution * surface.restitution,
                static_friction: surface.friction.static_friction(),
                kinetic_friction: surface.friction.kinetic(),
                tangents: surface.tangents,
            }
        };
        let inside = |i: usize| i < ROWS * count;
        let entry = |i: usize, j: usize| {
            if inside(i) && inside(j) { self.inertia[(i, j)] / most } else { 0.0 }
        };
        let system = System::<K, N> {
            count,
            inertia: core::array::from_fn(|i| core::array::from_fn(|j| entry(i, j))),
            laws: core::array::from_fn(law),
            hertz: several.exponent == Exponent::Hertz,
            jumps: several.law == NormalLaw::Michalczyk,
        };
        let velocities = core::array::from_fn(|i| {
            core::array::from_fn(|d| {
                let row = ROWS * i + d;
                if inside(row) { before[row] / fastest } else { 0.0 }
            })
        });
        let mut motion = Motion::new(&system, velocities, accuracy);
        let normals = (0..count).map(|i| before[ROWS * i]).enumerate();
        let slowest = normals.min_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((i, value)) = slowest.filter(|(_, least)| *least >= 0.0 && !motion.presses()) {
            let row = self.free_rows[ROWS * i].unwrap_or_default();
            return Err(Error::NotApproaching { field: Field::entry("velocity", row), value });
        }
        motion.run()?;
        let (unit, energy) = (fastest / most, fastest * (fastest / most));
        let all = several.surfaces.len();
        let mut landing = Landing {
            qd: DVector::zeros(0),
            velocity: vec![[0.0; 3]; all],
            impulse: vec![[0.0; 3]; all],
            normal_work: vec![0.0; all],
            friction_work: vec![0.0; all],
            energy_change: 0.0,
            events: Vec::with_capacity(motion.events.len()),
            steps: motion.steps,
            unique: motion.unique,
        };
        for (point, &to) in motion.points.iter().zip(&self.free) {
            landing.velocity[to] = point.v.map(|v| v * fastest);
            landing.impulse[to] = point.p.map(|p| p * unit);
            landing.normal_work[to] = point.normal_work * energy;
            landing.friction_work[to] = point.friction_work * energy;
            landing.energy_change += (point.normal_work + point.friction_work) * energy;
        }
        let outward = |event: &Event| Event { contact: self.free[event.contact], ..*event };
        landing.events.extend(motion.events.iter().map(outward));
        Ok(landing)
    }
}

/// The power of two next below a number, by which scaling is exact.
fn binade(x: f64) -> f64 {
    let power = f64::from_bits(x.to_bits() & (0x7ff << 52));
    if power > 0.0 { power } else { x }
}

/// Checks that momentum and energy are conserved, no contact makes energy or has more friction
/// than it can, and all is finite.
fn audit(several: &Several, velocity: &[f64], landing: &Landing) -> Result<(), Error> {
    let before = DVector::from_column_slice(velocity);
    let [after, impulse] = [&landing.velocity, &landing.impulse].map(|rows| several.flat(rows));
    for (name, rows) in [("velocity", &after), ("impulse", &impulse)] {
        for (i, &x) in rows.iter().enumerate() {
            finite(Field::entry(name, i), x)?;
        }
    }
    let check = |what, lacking: f64, size: f64| match lacking <= CONSERVED * size {
        true => Ok(()),
        false => {
            let (value, most, steps) = (lacking / size, CONSERVED, landing.steps);
            Err(Error::NotConserved { what, value, most, steps })
        }
    };
    let lacking = &after - &before - &several.inertia * &impulse;
    check("momentum", lacking.amax(), before.amax())?;
    let size = impulse.abs().dot(&(before.abs() + after.abs()));
    let work = 0.5 * impulse.dot(&(&before + &after));
    check("energy", (work - landing.energy_change).abs(), size)?;
    let works = landing.normal_work.iter().chain(&landing.friction_work);
    check("work", works.fold(0.0, |most: f64, work| most.max(*work)), size)?;
    for (row, surface) in landing.impulse.iter().zip(&several.surfaces) {
        if surface.hold != Hold::Held {
            let [normal, x, y] = *row;
            let beyond = sqrt(x * x + y * y) - surface.friction.static_friction() * normal;
            check("friction", beyond, impulse.amax())?;
        }
    }
    Ok(())
}
