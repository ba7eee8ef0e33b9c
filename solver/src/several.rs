//! Several contacts in space: compliant ones in the limit of rigidity.

mod instant;
mod kinks;
mod modes;
mod motion;
mod outcome;
mod reaction;
mod rest;
mod step;
mod system;

use alloc::vec::Vec;

use nalgebra::{DMatrix, DVector};

pub use outcome::{Event, Kind, Landing};

use crate::contact::{Friction, finite_entries};
use crate::error::{Error, Field, finite};
use crate::impact::Accuracy;
use motion::Motion;
use system::{Law, Pressing, ROWS, System};

/// How a contact is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// It presses and opens; without restitution, as in the limit of little restitution.
    Unilateral,
    /// Once it no longer approaches it stays, until it would have to be pulled.
    Plastic,
    /// It never moves: a hinge, a planted foot, a closed loop.
    Held,
}

/// The law of one of several contacts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// Its stiffness relative to those of the others.
    pub stiffness: f64,
    /// Its coefficient of restitution, of energy.
    pub restitution: f64,
    /// Its friction.
    pub friction: Friction,
    /// How it is kept.
    pub hold: Hold,
    /// Directions in which it can slide: 2 in space, 1 in the plane, 0 without friction.
    pub tangents: usize,
}

/// How a contact that unloads differs from one that loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NormalLaw {
    /// Its indentation falls faster, and its force is continuous.
    Bistiffness,
    /// Its force is less.
    Michalczyk,
}

/// The power of the indentation that the normal force follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exponent {
    /// 3/2: round bodies (Hertz).
    ThreeHalves,
    /// 1
    One,
}

/// Several contacts of one system.
#[derive(Clone, Debug)]
pub struct Several {
    inertia: DMatrix<f64>,
    surfaces: Vec<Surface>,
    law: NormalLaw,
    exponent: Exponent,
}

/// The most contacts.
const MOST: usize = 8;

impl Several {
    /// Contacts with the inertia `D = J M⁻¹ Jᵀ`, rows contact by contact, normal first.
    ///
    /// # Errors
    /// None yet.
    pub fn new(
        inertia: DMatrix<f64>,
        surfaces: Vec<Surface>,
        law: NormalLaw,
        exponent: Exponent,
    ) -> Result<Self, Error> {
        finite_entries("D", &inertia)?;
        Ok(Self { inertia, surfaces, law, exponent })
    }

    /// The velocities after impact.
    ///
    /// # Errors
    /// None yet.
    pub fn solve(&self, velocity: &[f64], accuracy: Accuracy) -> Result<Landing, Error> {
        let mut rows = Vec::new();
        let mut next = 0;
        for surface in &self.surfaces {
            let first = next;
            next += 1 + surface.tangents;
            rows.push(core::array::from_fn::<_, 3, _>(|d| (first + d < next).then_some(first + d)));
        }
        let of = |hold: bool| -> Vec<usize> {
            (0..self.surfaces.len()).filter(|&i| (self.surfaces[i].hold == Hold::Held) == hold).collect()
        };
        let (held, free) = (of(true), of(false));
        let all = |contacts: &[usize]| -> Vec<Option<usize>> {
            contacts.iter().flat_map(|&i| rows[i]).collect()
        };
        let (held_rows, free_rows) = (all(&held), all(&free));
        let part = |rows: &[Option<usize>], columns: &[Option<usize>]| {
            DMatrix::from_fn(rows.len(), columns.len(), |i, j| match (rows[i], columns[j]) {
                (Some(i), Some(j)) => self.inertia[(i, j)],
                _ => 0.0,
            })
        };
        let vector = |rows: &[Option<usize>]| {
            DVector::from_fn(rows.len(), |i, _| rows[i].map_or(0.0, |i| velocity[i]))
        };
        let mut inertia = part(&free_rows, &free_rows);
        let mut before = vector(&free_rows);
        let kept = (!held.is_empty()).then(|| {
            let own = part(&held_rows, &held_rows);
            let most = own.amax();
            let inverse = own.pseudo_inverse(1e-10 * most).unwrap_or_default();
            let coupling = part(&held_rows, &free_rows);
            (&inverse * coupling, -(&inverse * vector(&held_rows)))
        });
        if let Some((response, stop)) = &kept {
            inertia -= part(&free_rows, &held_rows) * response;
            before += part(&free_rows, &held_rows) * stop;
        }
        let count = free.len();
        let fastest = before.amax();
        let most = (0..count).map(|i| inertia[(ROWS * i, ROWS * i)]).fold(0.0, f64::max);
        let stiffest = (0..count)
            .map(|i| self.surfaces[free[i]].stiffness * inertia[(ROWS * i, ROWS * i)] / most)
            .fold(0.0, f64::max);
        let law = |i: usize| {
            let surface = &self.surfaces[free[i.min(count - 1)]];
            Law {
                pressing: match surface.hold {
                    Hold::Plastic => Pressing::Plastic,
                    _ => Pressing::Elastic,
                },
                stiffness: surface.stiffness / stiffest,
                returned: surface.restitution * surface.restitution,
                static_friction: surface.friction.static_friction(),
                kinetic_friction: surface.friction.kinetic(),
                tangents: surface.tangents,
            }
        };
        let entry = |i: usize, j: usize| {
            if i < ROWS * count && j < ROWS * count { inertia[(i, j)] / most } else { 0.0 }
        };
        let system = System::<MOST, { 3 * MOST }> {
            count,
            inertia: core::array::from_fn(|i| core::array::from_fn(|j| entry(i, j))),
            laws: core::array::from_fn(law),
            hertz: self.exponent == Exponent::ThreeHalves,
            jumps: self.law == NormalLaw::Michalczyk,
        };
        let velocities = core::array::from_fn(|i| {
            core::array::from_fn(|d| if i < count { before[ROWS * i + d] / fastest } else { 0.0 })
        });
        let mut motion = Motion::new(&system, velocities, accuracy);
        motion.run()?;
        let (unit, energy) = (fastest / most, fastest * fastest / most);
        let mut landing = Landing {
            velocity: alloc::vec![[0.0; 3]; self.surfaces.len()],
            impulse: alloc::vec![[0.0; 3]; self.surfaces.len()],
            normal_work: alloc::vec![0.0; self.surfaces.len()],
            friction_work: alloc::vec![0.0; self.surfaces.len()],
            energy_change: 0.0,
            events: motion.events.iter().map(|e| Event { contact: free[e.contact], ..*e }).collect(),
            steps: motion.steps,
            unique: motion.unique,
        };
        for (i, point) in motion.points[..count].iter().enumerate() {
            let to = free[i];
            landing.velocity[to] = point.v.map(|v| v * fastest);
            landing.impulse[to] = point.p.map(|p| p * unit);
            landing.normal_work[to] = point.normal_work * energy;
            landing.friction_work[to] = point.friction_work * energy;
            landing.energy_change += (point.normal_work + point.friction_work) * energy;
        }
        if let Some((response, stop)) = &kept {
            let pressed = DVector::from_fn(ROWS * count, |i, _| motion.points[i / ROWS].p[i % ROWS] * unit);
            let impulse = stop - response * pressed;
            for (i, &to) in held.iter().enumerate() {
                landing.impulse[to] = core::array::from_fn(|d| impulse[ROWS * i + d]);
            }
            landing.energy_change += 0.5 * stop.dot(&vector(&held_rows));
        }
        finite(Field::new("energy_change"), landing.energy_change)?;
        Ok(landing)
    }
}
