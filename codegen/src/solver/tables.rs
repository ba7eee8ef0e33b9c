//! The compiled flow of one contact as a generated solver holds it.

use routh_flow::{Border, DEGREE, Field, Passage, Pieces, Row, Rows, Sector, Table};
use routh_runtime::double::inertia::Contact;
use routh_runtime::double::orbit::FUNCTIONS;
use routh_runtime::double::pieces::RestRates;

use crate::robot::{no_flow, no_pieces};
use crate::{Error, Precision};

/// Sectors of the largest tables that are taken.
pub(crate) const MOST_SECTORS: usize = 256;

/// Cells of equal size in which a sector is looked up.
pub(crate) const BUCKETS: usize = 64;

/// A sector that no slip enters, where there is room for one.
pub(crate) const NO_SECTOR: Sector = Sector {
    direction: [1.0, 0.0],
    limit: [1.0, 0.0],
    width: 1.0,
    slope: 0.0,
    along: 0.0,
    rate: 0.0,
    rows: [[0.0; FUNCTIONS]; DEGREE + 1],
    passage: Passage::Inward,
    rises: false,
    next: [0; 2],
};

/// Tables in the numbers of a precision.
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    pub(crate) sectors: Vec<Sector>,
    /// Where sectors begin, in their order; the first at zero.
    pub(crate) borders: Vec<(f64, u32)>,
    /// The last border before each cell begins.
    pub(crate) buckets: [u32; BUCKETS],
    /// Of the functions' polynomials.
    pub(crate) degree: usize,
    /// What the functions are true to.
    pub(crate) tolerance: f64,
    /// Polynomials that solve most impacts, where they are asked for.
    pub(crate) pieces: Option<Pieces>,
    precision: Precision,
}

impl Tables {
    /// The tables of a contact that is given by `a`, `h`, `b` and `mu`; with pieces if the
    /// contact itself is given.
    ///
    /// # Errors
    /// [`Error::Specification`] if it has none, or too large ones.
    pub(crate) fn new(
        field: &Field,
        tolerance: f64,
        precision: Precision,
        pieces: Option<&Contact>,
    ) -> Result<Self, Error> {
        let tolerance = tolerance.max(Table::FINEST);
        let table = Table::new(field, tolerance);
        let count = table.sectors.len();
        if count > MOST_SECTORS {
            let reason = format!("its tables would have {count} sectors; use kind = \"series\"");
            return Err(no_flow(&reason));
        }
        if let Some(refusal) = table.refusals.first() {
            return Err(no_flow(&format!("{refusal}; use kind = \"series\"")));
        }
        let pieces = pieces.map(|contact| Pieces::new(contact, &table));
        if pieces.as_ref().is_some_and(|pieces| pieces.list.is_empty()) {
            return Err(no_pieces("its normal inertia is too large, or every direction invariant"));
        }
        let (borders, buckets) = ordered(&table.lookup.borders, precision);
        let sectors = table.sectors;
        let mut tables =
            Self { sectors, borders, buckets, degree: DEGREE, tolerance, pieces, precision };
        tables.economise(field);
        Ok(tables)
    }

    /// The bytes that they take.
    pub(crate) fn bytes(&self) -> usize {
        let real = match self.precision {
            Precision::F64 => 8,
            Precision::F32 => 4,
        };
        let sector = (real * (8 + FUNCTIONS * (self.degree + 1)) + 16).next_multiple_of(real);
        let sectors = self.count() * sector + self.border_count() * 2 * real.max(4) + 4 * BUCKETS;
        sectors + self.piece_bytes()
    }

    /// Those of pieces.
    pub(crate) fn piece_bytes(&self) -> usize {
        self.pieces.as_ref().map_or(0, |Pieces { list, lookup, .. }| {
            size_of_val(&list[..])
                + 16 * lookup.borders.len()
                + 4 * BUCKETS
                + size_of::<RestRates>()
        })
    }

    /// Sectors that there is room for: an array has at least one element.
    pub(crate) fn count(&self) -> usize {
        self.sectors.len().max(1)
    }

    /// Borders that there is room for.
    pub(crate) fn border_count(&self) -> usize {
        self.count() + 1
    }

    /// Lowers the degree as far as the tolerance allows.
    fn economise(&mut self, field: &Field) {
        let rate = field.rate().max(field.a);
        let sums: Vec<_> = self.sectors.iter().map(|sector| Sums::of(&sector.rows, rate)).collect();
        let fits = |degree: usize| sums.iter().all(|s| s.rest(degree) <= self.tolerance);
        if let Some(degree) = (0..DEGREE).find(|degree| fits(*degree)) {
            for (sector, sums) in self.sectors.iter_mut().zip(&sums) {
                sector.rows = sums.powers(degree);
            }
            self.degree = degree;
        }
    }
}

/// Borders, which are in their order, in the numbers of a precision; and the last one before
/// each cell begins.
pub(super) fn ordered(
    borders: &[Border],
    precision: Precision,
) -> (Vec<(f64, u32)>, [u32; BUCKETS]) {
    let rounded = |x: f64| match precision {
        Precision::F64 => x,
        Precision::F32 => f64::from(x as f32),
    };
    let all: Vec<_> = borders.iter().map(|b| (rounded(b.begins), b.number as u32)).collect();
    let buckets = std::array::from_fn(|bucket| {
        let place = 4.0 * bucket as f64 / BUCKETS as f64;
        all.iter().rposition(|(begins, _)| *begins <= place).unwrap_or_default() as u32
    });
    (all, buckets)
}

/// A sector's functions as sums of Chebyshev's polynomials.
struct Sums {
    rows: Rows,
    /// What an error of each function is compared with.
    sizes: Row,
}

impl Sums {
    fn of(powers: &Rows, rate: f64) -> Self {
        let mut rows = [[0.0; FUNCTIONS]; DEGREE + 1];
        for power in powers.iter().rev() {
            let below = rows;
            for (k, row) in rows.iter_mut().enumerate() {
                for (i, x) in row.iter_mut().enumerate() {
                    let at = |k: usize| below.get(k).map_or(0.0, |row: &Row| row[i]);
                    *x = match k {
                        0 => 0.5 * at(1) + power[i],
                        1 => at(0) + 0.5 * at(2),
                        _ => 0.5 * (at(k - 1) + at(k + 1)),
                    };
                }
            }
        }
        let impulse: f64 = rows.iter().map(|row| row[1].abs()).sum();
        let speed = (1.0 / (rate * impulse)).min(1.0);
        let impulse = 1.0 / rate;
        let sizes = [speed, impulse, 1.0, impulse, impulse, impulse];
        Self { rows, sizes }
    }

    /// The largest that is left out above a degree, in units of its size.
    fn rest(&self, degree: usize) -> f64 {
        let rest = |i: usize| -> f64 { self.rows[degree + 1..].iter().map(|r| r[i].abs()).sum() };
        (0..FUNCTIONS).fold(0.0, |most: f64, i| most.max(rest(i) / self.sizes[i]))
    }

    /// Coefficients of the powers, up to a degree.
    fn powers(&self, degree: usize) -> Rows {
        let mut powers = [[0.0; FUNCTIONS]; DEGREE + 1];
        let (mut before, mut current) = ([0.0; DEGREE + 1], [0.0; DEGREE + 1]);
        current[0] = 1.0;
        for (n, row) in self.rows[..=degree].iter().enumerate() {
            for (power, x) in powers.iter_mut().zip(current) {
                (0..FUNCTIONS).for_each(|i| power[i] += row[i] * x);
            }
            let factor = if n == 0 { 1.0 } else { 2.0 };
            let next = std::array::from_fn(|k| {
                let shifted = if k == 0 { 0.0 } else { factor * current[k - 1] };
                shifted - before[k]
            });
            (before, current) = (current, next);
        }
        powers
    }
}
