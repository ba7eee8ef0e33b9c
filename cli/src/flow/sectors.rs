//! The sectors of a compiled flow, in the axes of its contact.

use std::f64::consts::TAU;

use routh_flow::{Field, Passage, Refusal, Sector, Table};
use routh_solver::Flow;

use crate::input::Rubbing;

/// An invariant direction of sliding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Direction {
    /// From 0 to 2π.
    pub(crate) angle: f64,
    /// Whether directions turn towards it.
    pub(crate) attracts: bool,
    /// `g`: how fast the speed changes along it, over the impulse.
    pub(crate) along: f64,
    /// The angle to each side at which its sector ends.
    pub(crate) reach: f64,
}

/// The sectors of a contact's flow.
pub(crate) struct Sectors {
    /// Rising in angle.
    pub(crate) directions: Vec<Direction>,
    /// The angles at which sectors begin, rising.
    pub(crate) borders: Vec<f64>,
    /// Why some have no tables.
    pub(crate) refusals: Vec<Refusal>,
}

impl Direction {
    pub(crate) fn unit(&self) -> [f64; 2] {
        [self.angle.cos(), self.angle.sin()]
    }
}

impl Sectors {
    pub(crate) fn of(rubbing: &Rubbing) -> Self {
        let [[a, h1, h2], [_, b11, b12], [_, _, b22]] = *rubbing.contact.inertia();
        // The angle of a principal axis of b.
        let axis = 0.5 * (2.0 * b12).atan2(b11 - b22);
        let (c, d) = (axis.cos(), axis.sin());
        let (mean, aside) = (0.5 * (b11 + b22), (0.5 * (b11 - b22)).hypot(b12));
        let field = Field {
            a,
            h: [c * h1 + d * h2, c * h2 - d * h1],
            b: [mean + aside, mean - aside],
            mu: rubbing.friction.kinetic(),
        };
        let sectors = Table::new(&field, Flow::TOLERANCE).sectors;
        let mut directions: Vec<_> = sectors.iter().filter_map(|s| direction(s, axis)).collect();
        directions.sort_by(|x, y| x.angle.total_cmp(&y.angle));
        let begins = |sector: &Sector| (middle(sector, axis) - reach(sector)).rem_euclid(TAU);
        let mut borders: Vec<_> = sectors.iter().map(begins).collect();
        borders.sort_by(f64::total_cmp);
        let refusals = sectors.iter().filter_map(|sector| match sector.passage {
            Passage::Refused(refusal) => Some(refusal),
            _ => None,
        });
        Self { directions, borders, refusals: refusals.collect() }
    }
}

/// The angle from a sector's reference to its borders.
fn reach(sector: &Sector) -> f64 {
    2.0 * sector.width.abs().atan()
}

/// The angle of a sector's reference.
fn middle(sector: &Sector, axis: f64) -> f64 {
    let [c, d] = sector.direction;
    (d.atan2(c) + axis).rem_euclid(TAU)
}

/// The invariant direction of a sector that has one.
fn direction(sector: &Sector, axis: f64) -> Option<Direction> {
    let attracts = match sector.passage {
        Passage::Inward => true,
        Passage::Outward { .. } => false,
        Passage::Through { .. } | Passage::Refused(_) => return None,
    };
    let angle = middle(sector, axis);
    Some(Direction { angle, attracts, along: sector.along, reach: reach(sector) })
}

#[cfg(test)]
mod tests {
    use routh_solver::{Contact, Friction};

    use super::*;

    #[test]
    fn sectors_are_as_many_as_the_solvers() {
        let contact = Contact::new([
            [9.009e-3, -0.342e-3, 1.845e-3],
            [-0.342e-3, 9.307e-3, 2.26e-3],
            [1.845e-3, 2.26e-3, 3.922e-3],
        ]);
        let contact = contact.unwrap();
        for mu in [0.1, 0.3, 0.7] {
            let friction = Friction::uniform(mu).unwrap();
            let flow = Flow::compact(&contact, friction);
            let sectors = Sectors::of(&Rubbing { contact, friction });
            assert_eq!(sectors.borders.len(), flow.table().sectors.len());
            assert_eq!(sectors.refusals.len(), flow.refusals().count());
        }
    }
}
