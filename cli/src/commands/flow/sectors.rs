//! The sectors of a compiled flow, in the axes of its contact.

use std::f64::consts::TAU;

use routh::Flow;
use routh_flow::{Passage, Refusal, Sector};

use crate::input::SlidingContact;

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
    /// The tables' size.
    pub(crate) bytes: usize,
}

impl Direction {
    pub(crate) fn unit(&self) -> [f64; 2] {
        [self.angle.cos(), self.angle.sin()]
    }
}

impl Sectors {
    pub(crate) fn of(sliding: &SlidingContact) -> Self {
        let flow = Flow::compact(&sliding.contact, sliding.friction);
        let sectors = &flow.table().sectors;
        let mut directions: Vec<_> = sectors.iter().filter_map(|s| direction(&flow, s)).collect();
        directions.sort_by(|x, y| x.angle.total_cmp(&y.angle));
        let begins = |sector: &Sector| (middle(&flow, sector) - reach(sector)).rem_euclid(TAU);
        let mut borders: Vec<_> = sectors.iter().map(begins).collect();
        borders.sort_by(f64::total_cmp);
        let refusals = flow.refusals().collect();
        Self { directions, borders, refusals, bytes: flow.bytes() }
    }
}

/// The angle from a sector's reference to its borders.
fn reach(sector: &Sector) -> f64 {
    2.0 * sector.width.abs().atan()
}

/// The angle of a sector's reference.
fn middle(flow: &Flow, sector: &Sector) -> f64 {
    let [c, d] = flow.outward(sector.direction);
    d.atan2(c).rem_euclid(TAU)
}

/// The invariant direction of a sector that has one, with tables or without.
fn direction(flow: &Flow, sector: &Sector) -> Option<Direction> {
    let has_one = match sector.passage {
        Passage::Inward | Passage::Outward => true,
        Passage::Through => false,
        Passage::Refused => sector.slope != 0.0,
    };
    has_one.then(|| Direction {
        angle: middle(flow, sector),
        attracts: sector.slope < 0.0,
        along: flow.rate(sector.along),
        reach: reach(sector),
    })
}

#[cfg(test)]
mod tests {
    use routh::{Contact, Friction};

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
            let sectors = Sectors::of(&SlidingContact { contact, friction });
            assert_eq!(sectors.borders.len(), flow.table().sectors.len());
            assert_eq!(sectors.refusals.len(), flow.refusals().count());
        }
    }
}
