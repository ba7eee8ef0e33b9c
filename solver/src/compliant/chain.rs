//! Chains of planar bodies in compliant contact (the chain paper).
//!
//! Contact `j` lies between bodies `j` and `j + 1`. All contacts touch before the
//! impact. It is brief, so that normals and arms are those before it.
//!
//! ```
//! use routh::chain::{Body, Chain, Link};
//! use routh::compliant::{Compliance, Model};
//! use routh::{Accuracy, Friction};
//!
//! let ball = |speed| Body { mass: 4.1, inertia: 0.004, velocity: [speed, 0.0, 0.0] };
//! let law = Compliance::new(2.4e10, 0.8, Friction::uniform(0.3)?, Model::Michalczyk)?;
//! let link = Link { angle: 0.0, arms: [[0.05, 0.0], [-0.05, 0.0]], law };
//! let chain = Chain::new(vec![ball(1.0), ball(0.0)], vec![link])?;
//! let impact = chain.solve(Accuracy::default())?;
//! assert!((impact.velocities[1][0] - 0.9).abs() < 1e-12);
//! # Ok::<(), routh::Error>(())
//! ```

use alloc::vec::Vec;

use nalgebra::DMatrix;
use routh_runtime::double::number::length;

use super::sizes::{bounded, sizeable};
use crate::compliant::{Compliance, Compliant, Outcome, Sample, positive};
use crate::elementary::{cos, sin};
use crate::error::{Error, Field, finite};
use crate::impact::Accuracy;

/// A planar body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Its mass.
    pub mass: f64,
    /// Its moment of inertia about its mass centre.
    pub inertia: f64,
    /// Velocity of the mass centre in x and y, and angular velocity.
    pub velocity: [f64; 3],
}

/// A contact between a body and the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// The angle of the normal, which points to the next body, from the x axis.
    pub angle: f64,
    /// From the mass centres of both bodies to the contact point.
    pub arms: [[f64; 2]; 2],
    /// The contact's force law.
    pub law: Compliance,
}

/// A chain before impact.
#[derive(Clone, Debug)]
pub struct Chain {
    bodies: Vec<Body>,
    links: Vec<Link>,
    contacts: Compliant,
}

/// A chain after impact.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainImpact {
    /// Velocities of all bodies.
    pub velocities: Vec<[f64; 3]>,
    /// The result for each contact; impulses act on the later body, along the normal
    /// and along the tangent, a quarter turn anticlockwise from it.
    pub outcome: Outcome,
    /// Kinetic energy before and after.
    pub kinetic_energy: [f64; 2],
    /// The change of total linear and angular momentum, relative to the largest
    /// momenta, or the momentum error found along the motion, whichever is larger.
    pub momentum_error: f64,
}

/// The rows of a body's Jacobian for a contact: normal and tangent.
type Projection = [[f64; 3]; 2];

impl Link {
    fn projections(&self) -> [Projection; 2] {
        let (n, t) = ([cos(self.angle), sin(self.angle)], [-sin(self.angle), cos(self.angle)]);
        self.arms.map(|[x, y]| [n, t].map(|[a, b]| [a, b, x * b - y * a]))
    }
}

impl Body {
    /// Velocity changes for unit impulses along normal and tangent.
    fn response(&self, projection: &Projection) -> Projection {
        projection.map(|[x, y, turn]| [x / self.mass, y / self.mass, turn / self.inertia])
    }
}

fn dot(x: &[f64; 3], y: &[f64; 3]) -> f64 {
    x[0] * y[0] + x[1] * y[1] + x[2] * y[2]
}

impl Chain {
    /// A chain of bodies, with a contact between each and the next.
    ///
    /// # Errors
    /// [`Error::WrongDimension`] unless there is one contact less than bodies,
    /// [`Error::NotPositive`] for a mass or an inertia, [`Error::NotFinite`],
    /// [`Error::AccuracyOutOfRange`] for numbers above 1e40 or, if positive, below 1e-40.
    pub fn new(bodies: Vec<Body>, links: Vec<Link>) -> Result<Self, Error> {
        if bodies.len() < 2 {
            let (field, found) = (Field::new("bodies"), bodies.len());
            return Err(Error::WrongDimension { field, expected: 2, found });
        }
        if links.len() != bodies.len() - 1 {
            let (field, expected) = (Field::new("contacts"), bodies.len() - 1);
            return Err(Error::WrongDimension { field, expected, found: links.len() });
        }
        for (i, body) in bodies.iter().enumerate() {
            let field = Field::entry("bodies", i);
            for (name, value) in [("mass", body.mass), ("inertia", body.inertia)] {
                sizeable(field.member(name), positive(field.member(name), value)?)?;
            }
            for (k, &v) in (0..).zip(&body.velocity) {
                bounded(field.member("velocity").at(k), v)?;
            }
        }
        for (i, link) in links.iter().enumerate() {
            let field = Field::entry("contacts", i);
            finite(field.member("angle"), link.angle)?;
            for (side, arm) in (0..).zip(&link.arms) {
                for (k, &x) in (0..).zip(arm) {
                    bounded(field.member("arms").at_both(side, k), x)?;
                }
            }
            sizeable(field.member("stiffness"), link.law.stiffness())?;
        }
        let laws = links.iter().map(|link| link.law).collect();
        let contacts = Compliant::new(response(&bodies, &links), laws)?;
        Ok(Self { bodies, links, contacts })
    }

    /// The impact.
    ///
    /// # Errors
    /// As [`Compliant::solve`].
    pub fn solve(&self, accuracy: Accuracy) -> Result<ChainImpact, Error> {
        self.observe(accuracy, 0, &mut |_| ())
    }

    /// Solves the impact and passes the forces at `points` instants of each step to the
    /// observer.
    ///
    /// # Errors
    /// As [`Compliant::solve`].
    pub fn observe(
        &self,
        accuracy: Accuracy,
        points: usize,
        observer: &mut dyn FnMut(&Sample),
    ) -> Result<ChainImpact, Error> {
        let [u, w] = self.contact_velocities();
        let outcome = self.contacts.observe(&u, &w, accuracy, points, observer)?;
        let velocities = self.velocities_after(&outcome);
        let before: Vec<_> = self.bodies.iter().map(|body| body.velocity).collect();
        let kinetic_energy = [&before, &velocities].map(|all| self.kinetic_energy(all));
        let momentum_error = outcome.momentum_error.max(self.momentum_change(&velocities));
        Ok(ChainImpact { velocities, outcome, kinetic_energy, momentum_error })
    }

    /// Approach and sliding velocity of all contacts before the impact.
    pub fn contact_velocities(&self) -> [Vec<f64>; 2] {
        let velocity = |row: usize| {
            let pairs = self.links.iter().zip(self.bodies.windows(2));
            pairs
                .map(|(link, pair)| {
                    let [first, second] = link.projections();
                    dot(&first[row], &pair[0].velocity) - dot(&second[row], &pair[1].velocity)
                })
                .collect()
        };
        [velocity(0), velocity(1)]
    }

    fn velocities_after(&self, outcome: &Outcome) -> Vec<[f64; 3]> {
        let mut velocities: Vec<_> = self.bodies.iter().map(|body| body.velocity).collect();
        for (j, (link, touch)) in self.links.iter().zip(&outcome.contacts).enumerate() {
            for (side, sign) in [(0, -1.0), (1, 1.0)] {
                let response = self.bodies[j + side].response(&link.projections()[side]);
                for (row, impulse) in response.iter().zip(touch.impulse) {
                    for (v, change) in velocities[j + side].iter_mut().zip(row) {
                        *v += sign * impulse * change;
                    }
                }
            }
        }
        velocities
    }

    fn kinetic_energy(&self, velocities: &[[f64; 3]]) -> f64 {
        let energy = |(body, [x, y, turn]): (&Body, &[f64; 3])| {
            0.5 * (body.mass * (x * x + y * y) + body.inertia * turn * turn)
        };
        self.bodies.iter().zip(velocities).map(energy).sum()
    }

    /// The change of the chain's momenta, relative to its bodies'.
    fn momentum_change(&self, velocities: &[[f64; 3]]) -> f64 {
        let (mut centre, mut change, mut scale) = ([0.0; 2], [0.0; 3], [0.0_f64; 3]);
        for (j, (body, after)) in self.bodies.iter().zip(velocities).enumerate() {
            if let Some(i) = j.checked_sub(1) {
                let [[x1, y1], [x2, y2]] = self.links[i].arms;
                centre = [centre[0] + x1 - x2, centre[1] + y1 - y2];
            }
            for (velocity, sign) in [(after, 1.0), (&body.velocity, -1.0)] {
                let [x, y] = [body.mass * velocity[0], body.mass * velocity[1]];
                let turn = [centre[0] * y, -centre[1] * x, body.inertia * velocity[2]];
                change[0] += sign * x;
                change[1] += sign * y;
                change[2] += sign * (turn[0] + turn[1] + turn[2]);
                let linear = scale[0].max(length(x, y));
                let angular = turn.iter().fold(scale[2], |most, x| most.max(x.abs()));
                scale = [linear, linear, angular];
            }
        }
        let part =
            |(change, scale): (f64, f64)| if scale > 0.0 { change.abs() / scale } else { 0.0 };
        change.into_iter().zip(scale).map(part).fold(0.0, f64::max)
    }
}

/// `G = J M⁻¹ Jᵀ`: only contacts of the same body are coupled.
fn response(bodies: &[Body], links: &[Link]) -> DMatrix<f64> {
    let mut response = DMatrix::zeros(2 * links.len(), 2 * links.len());
    for (j, body) in bodies.iter().enumerate() {
        let mut sides = Vec::new();
        if let Some(i) = j.checked_sub(1) {
            sides.push((i, links[i].projections()[1], -1.0));
        }
        if let Some(link) = links.get(j) {
            sides.push((j, link.projections()[0], 1.0));
        }
        for (i, one, sign) in &sides {
            let moved = body.response(one);
            for (k, other, other_sign) in &sides {
                for row in 0..2 {
                    for column in 0..2 {
                        response[(2 * k + row, 2 * i + column)] +=
                            sign * other_sign * dot(&other[row], &moved[column]);
                    }
                }
            }
        }
    }
    response
}
