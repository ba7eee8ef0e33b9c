//! All sectors of a contact, and how the one of a direction is found.

use alloc::vec::Vec;
use core::f64::consts::PI;

use crate::arcs::sectors;
use crate::chebyshev::Chebyshev;
use crate::directions::angle;
use crate::field::Field;
use crate::sector::{Maker, Refusal, Sector};

/// Buckets of equal size in which a sector is looked up.
pub const BUCKETS: usize = 256;

/// A number from 0 to 4 that grows with a direction's angle.
///
/// ```
/// use routh_flow::pseudo_angle;
/// let quarters = [[1.0, 0.0], [0.0, 2.0], [-3.0, 0.0], [0.0, -0.1]].map(pseudo_angle);
/// assert_eq!(quarters, [0.0, 1.0, 2.0, 3.0]);
/// ```
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
///
/// ```
/// use routh_flow::{Border, Lookup, pseudo_angle};
/// let halves = Lookup::new(vec![Border { begins: 1.0, number: 7 }, Border { begins: 3.0, number: 8 }]);
/// assert_eq!(halves.number(pseudo_angle([-1.0, 0.2])), 7);
/// assert_eq!(halves.number(pseudo_angle([1.0, 0.2])), 8); // round the circle
/// ```
#[derive(Clone, Debug)]
pub struct Lookup {
    /// Where they begin, in order; the first at 0.
    pub borders: Vec<Border>,
    /// The last border at or before the beginning of each bucket.
    pub buckets: [u16; BUCKETS],
}

impl Lookup {
    /// Ranges that are given by where they begin.
    pub fn new(mut borders: Vec<Border>) -> Self {
        borders.sort_by(|x, y| x.begins.total_cmp(&y.begins));
        let last = borders.last().map_or(0, |border| border.number);
        borders.insert(0, Border { begins: 0.0, number: last });
        let buckets = core::array::from_fn(|bucket| {
            let begins = 4.0 * bucket as f64 / BUCKETS as f64;
            borders.iter().rposition(|border| border.begins <= begins).unwrap_or(0) as u16
        });
        Self { borders, buckets }
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.borders[..]) + size_of_val(&self.buckets)
    }

    /// The number of the range that a pseudo-angle is in.
    #[inline]
    pub fn number(&self, place: f64) -> usize {
        let bucket = ((place * (BUCKETS as f64 / 4.0)) as usize).min(BUCKETS - 1);
        let mut at = usize::from(self.buckets[bucket]);
        while self.borders.get(at + 1).is_some_and(|next| next.begins <= place) {
            at += 1;
        }
        self.borders.get(at).map_or(0, |border| border.number)
    }
}

/// The compiled flow of a contact.
///
/// ```
/// use routh_flow::{Field, Table};
/// let field = Field { a: 1.2, h: [0.05, 0.31], b: [1.3, 0.4], mu: 0.3 };
/// let table = Table::new(&field, Table::FINEST);
/// assert!(table.refusals.is_empty());
/// assert!(table.bytes() < 50_000);
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    /// The sectors; none if every direction is invariant.
    pub sectors: Vec<Sector>,
    /// Why some have no functions.
    pub refusals: Vec<Refusal>,
    /// Where they are.
    pub lookup: Lookup,
}

impl Table {
    /// The finest tolerance that rounding leaves to most polynomials.
    pub const FINEST: f64 = 5e-14;

    /// The flow of a field, to a part of each quantity's size.
    pub fn new(field: &Field, tolerance: f64) -> Self {
        let maker = Maker { field, tolerance, chebyshev: Chebyshev::default() };
        let (sectors, refusals) = sectors(&maker);
        let lookup = Lookup::new(sectors.iter().enumerate().map(border).collect());
        Self { sectors, refusals, lookup }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::{Local, value};
    use crate::sector::functions;
    use routh_runtime::double::orbit::{FUNCTIONS, Passage};

    const FIELDS: [Field; 5] = [
        Field { a: 1.2, h: [0.05, 0.31], b: [1.3, 0.4], mu: 0.3 },
        Field { a: 0.4, h: [0.05, -0.02], b: [1.3, 0.4], mu: 0.9 },
        Field { a: 2.0, h: [0.3, 0.1], b: [1.0, 1.0], mu: 0.5 },
        Field { a: 1.0, h: [0.0, 0.0], b: [2.0, 0.7], mu: 0.8 },
        Field { a: 0.3, h: [0.4, 0.3], b: [1.0, 0.5], mu: 1.5 },
    ];

    fn place(sector: &Sector, [c, d]: [f64; 2]) -> f64 {
        let [e1, e2] = sector.direction;
        (e1 * d - e2 * c) / ((1.0 + (e1 * c + e2 * d)) * sector.width)
    }

    #[test]
    fn every_direction_is_in_its_sector() {
        for field in FIELDS {
            let table = Table::new(&field, 1e-13);
            for i in 0..3000 {
                let angle = 2.0 * PI * f64::from(i) / 3000.0;
                let direction = [libm::cos(angle), libm::sin(angle)];
                let x = place(table.sector(direction).unwrap(), direction);
                assert!(x.abs() < 1.0 + 1e-9, "{field:?} {angle} {x}");
            }
        }
    }

    #[test]
    fn sectors_lead_into_each_other() {
        for field in FIELDS {
            let Table { sectors, .. } = Table::new(&field, 1e-13);
            for sector in &sectors {
                let [below, above] = sector.next.map(|next| next as usize);
                let leads = match sector.passage {
                    Passage::Through => [Some((1.0, above)), None],
                    Passage::Outward => [Some((-1.0, below)), Some((1.0, above))],
                    Passage::Inward => [None; 2],
                    Passage::Refused => panic!("{field:?}"),
                };
                for (x, next) in leads.into_iter().flatten() {
                    let t = 2.0 * libm::atan(sector.width * x) + angle(sector.direction);
                    let x = place(&sectors[next], [libm::cos(t), libm::sin(t)]);
                    let enters = match sectors[next].passage {
                        Passage::Inward => x.abs() - 1.0,
                        _ => x + 1.0,
                    };
                    assert!(enters.abs() < 1e-9, "{field:?} {sector:?} {x}");
                }
            }
        }
    }

    /// What each function's equation leaves: with `w` the weight, `w' = w G/q²`
    /// between charts and `w' = γ w t'/t` in one.
    #[test]
    fn functions_solve_their_equations() {
        for field in FIELDS {
            for sector in Table::new(&field, 1e-13).sectors {
                let chart = sector.passage != Passage::Through;
                let local = match chart {
                    true => Local::about_invariant(&field, sector.direction),
                    false => Local::about(&field, sector.direction),
                };
                for i in 0..40 {
                    let x = f64::from(i) / 20.0 - 0.975;
                    let t = sector.width * x;
                    let q = 1.0 + t * t;
                    let pace = value(&local.turn, t) / (q * q) / sector.width;
                    let slope: [f64; FUNCTIONS] = core::array::from_fn(|i| {
                        let rows = sector.rows.iter().enumerate().skip(1).rev();
                        rows.fold(0.0, |sum, (k, row)| sum * x + k as f64 * row[i]) * pace
                    });
                    let growth = value(&local.growth, t) / (q * q);
                    let excess = value(&local.normal, t) / q - sector.rate;
                    let [l, pi, chi, omega, k1, k2] = functions(&sector, x);
                    let (first, speed, weight) = match chart {
                        true => {
                            let weight = sector.along / sector.slope * pace / x;
                            (slope[0] / l + weight - growth, l, weight)
                        }
                        false => (slope[0] - growth, 1.0, growth),
                    };
                    // What a chart leaves out: of π the constant −1/g, of κ 2t/μb across.
                    let constant = if chart { weight / sector.along } else { 0.0 };
                    let lag = if chart { 2.0 / -(sector.along + sector.slope) } else { 0.0 };
                    let across = lag * (sector.width * pace + weight * t);
                    let ([c, d], [e1, e2]) = (sector.direction, sector.limit);
                    let [n, m] = [(1.0 - t * t) / q, 2.0 * t / q];
                    let left = [
                        first,
                        slope[1] + weight * pi + speed - constant,
                        slope[2] + weight * chi + speed * excess,
                        slope[3] + 2.0 * weight * omega + speed * chi,
                        slope[4] + weight * k1 - e2 * across + speed * (c * n - d * m - e1),
                        slope[5] + weight * k2 + e1 * across + speed * (d * n + c * m - e2),
                    ];
                    assert!(left.iter().all(|x| x.abs() < 1e-10), "{field:?} {x} {left:?}");
                }
            }
        }
    }
}
