//! All sectors of a contact, and how the one of a direction is found.

use alloc::vec::Vec;
use core::f64::consts::PI;

use crate::arcs::sectors;
use crate::chebyshev::Chebyshev;
use crate::directions::angle;
use crate::field::Field;
use crate::sector::{Maker, Sector};

/// Cells of equal size in which a sector is looked up.
pub const CELLS: usize = 64;

/// A number from 0 to 4 that grows with a direction's angle.
pub fn pseudo_angle([x, y]: [f64; 2]) -> f64 {
    let ratio = x / (x.abs() + y.abs());
    if y >= 0.0 { 1.0 - ratio } else { 3.0 + ratio }
}

/// Where a sector begins, as a pseudo-angle.
#[derive(Clone, Copy, Debug)]
pub struct Lookup {
    /// The pseudo-angle of its border.
    pub begins: f64,
    /// The sector.
    pub sector: usize,
}

/// The compiled flow of a contact.
#[derive(Clone, Debug)]
pub struct Table {
    /// The sectors; none if every direction is invariant.
    pub sectors: Vec<Sector>,
    /// Their borders in order.
    pub borders: Vec<Lookup>,
    /// The last border before each cell begins.
    pub cells: [u16; CELLS],
}

impl Table {
    /// The flow of a field, to a part of each quantity's size.
    pub fn new(field: &Field, tolerance: f64) -> Self {
        let maker = Maker { field, tolerance, chebyshev: Chebyshev::new() };
        let sectors = sectors(&maker);
        let mut borders: Vec<Lookup> = sectors.iter().enumerate().map(border).collect();
        borders.sort_by(|x, y| x.begins.total_cmp(&y.begins));
        let last = borders.len().wrapping_sub(1);
        let cells = core::array::from_fn(|cell| {
            let begins = 4.0 * cell as f64 / CELLS as f64;
            let before = borders.iter().rposition(|border| border.begins <= begins);
            before.unwrap_or(last) as u16
        });
        Self { sectors, borders, cells }
    }

    /// The sector of a direction.
    pub fn sector(&self, direction: [f64; 2]) -> Option<&Sector> {
        let place = pseudo_angle(direction);
        let cell = (place * (CELLS as f64 / 4.0)) as usize;
        let mut at = usize::from(self.cells[cell.min(CELLS - 1)]);
        if at + 1 == self.borders.len()
            && place >= self.borders[0].begins
            && place < self.borders[at].begins
        {
            at = 0;
        }
        while at + 1 < self.borders.len() && self.borders[at + 1].begins <= place {
            at += 1;
        }
        self.sectors.get(self.borders.get(at)?.sector)
    }
}

/// Where a sector begins.
fn border((sector, Sector { direction, width, .. }): (usize, &Sector)) -> Lookup {
    let begins = angle(*direction) - 2.0 * libm::atan(width.abs());
    let begins = if begins < 0.0 { begins + 2.0 * PI } else { begins };
    Lookup { begins: pseudo_angle([libm::cos(begins), libm::sin(begins)]), sector }
}
