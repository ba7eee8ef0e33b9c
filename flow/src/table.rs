//! All sectors of a contact, and how the one of a direction is found.

use alloc::vec::Vec;
use core::f64::consts::PI;

use crate::arcs::sectors;
use crate::chebyshev::Chebyshev;
use crate::directions::angle;
use crate::field::Field;
use crate::sector::{Maker, Sector};

/// Cells of equal size in which a sector is looked up.
pub const CELLS: usize = 256;

/// A number from 0 to 4 that grows with a direction's angle.
pub fn pseudo_angle([x, y]: [f64; 2]) -> f64 {
    let ratio = x / (x.abs() + y.abs());
    if y >= 0.0 { 1.0 - ratio } else { 3.0 + ratio }
}

/// Where a range of directions begins, as a pseudo-angle, and its number.
#[derive(Clone, Copy, Debug)]
pub struct Border {
    /// The pseudo-angle.
    pub begins: f64,
    /// The number.
    pub number: usize,
}

/// Ranges of directions, and how the one of a direction is found.
#[derive(Clone, Debug)]
pub struct Lookup {
    /// Where they begin, in order; the first at 0.
    pub borders: Vec<Border>,
    /// The last border at or before the beginning of each cell.
    pub cells: [u16; CELLS],
}

impl Lookup {
    /// Ranges that are given by where they begin.
    pub fn new(mut borders: Vec<Border>) -> Self {
        borders.sort_by(|x, y| x.begins.total_cmp(&y.begins));
        let last = borders.last().map_or(0, |border| border.number);
        borders.insert(0, Border { begins: 0.0, number: last });
        let cells = core::array::from_fn(|cell| {
            let begins = 4.0 * cell as f64 / CELLS as f64;
            borders.iter().rposition(|border| border.begins <= begins).unwrap_or(0) as u16
        });
        Self { borders, cells }
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.borders[..]) + size_of_val(&self.cells)
    }

    /// The number of the range that a pseudo-angle is in.
    #[inline]
    pub fn number(&self, place: f64) -> usize {
        let cell = ((place * (CELLS as f64 / 4.0)) as usize).min(CELLS - 1);
        let from = usize::from(self.cells[cell]);
        let borders = self.borders.get(from..).unwrap_or_default();
        let passed = borders.iter().skip(1).take_while(|border| border.begins <= place);
        borders.get(passed.count()).map_or(0, |border| border.number)
    }
}

/// The compiled flow of a contact.
#[derive(Clone, Debug)]
pub struct Table {
    /// The sectors; none if every direction is invariant.
    pub sectors: Vec<Sector>,
    /// Where they are.
    pub lookup: Lookup,
}

impl Table {
    /// The flow of a field, to a part of each quantity's size.
    pub fn new(field: &Field, tolerance: f64) -> Self {
        let maker = Maker { field, tolerance, chebyshev: Chebyshev::default() };
        let sectors = sectors(&maker);
        let lookup = Lookup::new(sectors.iter().enumerate().map(border).collect());
        Self { sectors, lookup }
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.sectors[..]) + self.lookup.bytes()
    }

    /// The sector of a direction.
    pub fn sector(&self, direction: [f64; 2]) -> Option<&Sector> {
        self.sectors.get(self.lookup.number(pseudo_angle(direction)))
    }
}

/// Where a sector begins.
fn border((number, Sector { direction, width, .. }): (usize, &Sector)) -> Border {
    let begins = angle(*direction) - 2.0 * libm::atan(width.abs());
    let begins = if begins < 0.0 { begins + 2.0 * PI } else { begins };
    Border { begins: pseudo_angle([libm::cos(begins), libm::sin(begins)]), number }
}
