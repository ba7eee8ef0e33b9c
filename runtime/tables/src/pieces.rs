//! Pieces of all arcs of a contact's flow, and how the one of a direction is found.

use alloc::vec::Vec;
use core::ops::Index;

use routh_runtime::double::inertia::Contact;
use routh_runtime::double::instances::{Map, PieceMap};
use routh_runtime::double::orbit::Passage;
use routh_runtime::double::piece::Piece;
use routh_runtime::double::pieces::RestRates;
use routh_runtime::double::straight::ConstantRates;

use crate::chebyshev::Chebyshev;
use crate::piece::{NONE, POINTS, Range, UnitSlip, line};
use crate::sector::{DEGREE, Sector};
use crate::table::{Border, Lookup, Table, pseudo_angle};

/// Ranges of a chart in which slips may start.
const STARTS: [[f64; 2]; 3] = [[1.0, 0.125], [0.125, 0.016], [0.016, 0.002]];

/// Ranges nearer to the chart's invariant direction, which slips only pass through.
const PASSES: [[f64; 2]; 3] = [[0.002, 1e-6], [1e-6, 1e-9], [1e-9, NEAREST]];

/// Nearer than this the orbit is a straight line.
const NEAREST: f64 = 1e-13;

/// Above this ratio of the normal inertia `a` to the rate of sliding the tables are
/// too coarse for pieces.
const STIFF: f64 = 300.0;

/// Below this ratio of the lesser tangential inertia to the rates of sliding and of the
/// normal velocity, rounding of a velocity is felt in the impulse.
const LIGHT: f64 = 1e-3;

/// How often a range may be halved.
const DEPTH: usize = 5;

/// The most pieces of a contact.
const MOST: usize = 256;

/// Precomputed polynomials of a contact's slips, which solve most impacts without a
/// search.
#[derive(Clone, Debug)]
pub struct Pieces {
    /// The pieces.
    pub list: Vec<Piece>,
    /// Where those begin in which slips start, and where gaps do, in the principal axes;
    /// the number of a gap is larger than that of any piece.
    pub lookup: Lookup,
    /// The rates that follow a halt.
    pub from_rest: RestRates,
}

impl Pieces {
    /// Without pieces: covers nothing.
    pub fn none() -> Self {
        let from_rest = RestRates { normal: 0.0, tangential: [0.0; 2], friction: [0.0; 2] };
        Self { list: Vec::new(), lookup: Lookup::new(Vec::new()), from_rest }
    }

    /// The pieces of a contact whose sectors are known.
    pub fn new(contact: &Contact, table: &Table) -> Self {
        let (chebyshev, mut list, mut starts) = (Chebyshev::default(), Vec::new(), Vec::new());
        let [b1, b2] = contact.b;
        let light = b1.min(b2) < LIGHT * (contact.a + contact.rate);
        let precise = contact.a < STIFF * contact.rate && !light;
        for chart in table.sectors.iter().filter(|_| precise) {
            if chart.passage == Passage::Outward {
                let [below, above] = chart.next;
                for (side, next) in [(-1.0, below), (1.0, above)] {
                    let chebyshev = &chebyshev;
                    let (pieces, starts, last) = (&mut list, &mut starts, NONE);
                    Arc { contact, chebyshev, pieces, starts, last }
                        .follow(table, chart, side, next);
                }
            }
        }
        let ConstantRates::<()> { normal_rate, tangential_rate, friction, .. } =
            contact.from_rest();
        let from_rest = RestRates { normal: normal_rate, tangential: tangential_rate, friction };
        Self { list, lookup: Lookup::new(borders(&starts)), from_rest }
    }

    /// How many bytes they take.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.list[..]) + self.lookup.bytes()
    }
}

impl Index<usize> for Pieces {
    type Output = Piece;

    #[inline(always)]
    fn index(&self, number: usize) -> &Piece {
        &self.list[number]
    }
}

impl PieceMap for Pieces {
    #[inline(always)]
    fn piece_count(&self) -> usize {
        self.list.len()
    }

    #[inline(always)]
    fn piece_at(&self, c: f64, d: f64) -> usize {
        self.lookup.number(pseudo_angle([c, d]))
    }

    #[inline(always)]
    fn rest_rates(&self) -> RestRates {
        self.from_rest
    }
}

impl Index<usize> for Table {
    type Output = Sector;

    fn index(&self, number: usize) -> &Sector {
        &self.sectors[number]
    }
}

impl Map<{ DEGREE + 1 }> for Table {
    fn count(&self) -> usize {
        self.sectors.len()
    }

    fn find(&self, c: f64, d: f64) -> u32 {
        self.lookup.number(pseudo_angle([c, d])) as u32
    }
}

/// Cuts one arc into pieces.
struct Arc<'a> {
    contact: &'a Contact,
    chebyshev: &'a Chebyshev<POINTS>,
    pieces: &'a mut Vec<Piece>,
    /// The first and last pseudo-angle of pieces in which slips start, and their numbers.
    starts: &'a mut Vec<([f64; 2], usize)>,
    /// The number of the previous piece, or [`NONE`] after a gap.
    last: u32,
}

impl Arc<'_> {
    /// Cuts an arc, starting in the chart that it leaves.
    fn follow(&mut self, table: &Table, chart: &Sector, side: f64, mut next: u32) {
        for [to, from] in STARTS.into_iter().rev() {
            self.cut(chart, [side * from, side * to], true);
        }
        while let Some(sector) = table.sectors.get(next as usize) {
            match sector.passage {
                Passage::Through => {
                    self.cut(sector, [-1.0, 1.0], true);
                    next = sector.next[1];
                }
                Passage::Inward => return self.end(sector, -side),
                _ => return,
            }
        }
    }

    /// Cuts the last part of an arc, in the chart that it enters from one side.
    fn end(&mut self, chart: &Sector, side: f64) {
        for (ranges, starts) in [(STARTS, true), (PASSES, false)] {
            for [from, to] in ranges {
                self.cut(chart, [side * from, side * to], starts);
            }
        }
        let Some(last) = self.pieces.get_mut(self.last as usize) else { return };
        match UnitSlip::new(self.contact, chart, side * NEAREST).halt() {
            Some(rest) => (last.halts, last.rest) = (true, rest),
            None if chart.rises => self.append(line(self.contact, chart)),
            None => {}
        }
    }

    /// Cuts a range of a sector.
    fn cut(&mut self, sector: &Sector, [from, to]: [f64; 2], starts: bool) {
        self.halve(Range { sector, from, to, starts }, DEPTH);
    }

    /// Halves a range until polynomials fit each part.
    fn halve(&mut self, range: Range, depth: usize) {
        if self.pieces.len() >= MOST {
            self.last = NONE;
            return;
        }
        match range.fitted(self.contact, depth == 0, self.chebyshev) {
            Some(piece) => {
                if range.starts {
                    self.starts.push((range.ends().map(pseudo_angle), self.pieces.len()));
                }
                self.append(piece);
            }
            None if depth > 0 => {
                let Range { from, to, .. } = range;
                let middle = match range.sector.passage {
                    Passage::Through => 0.5 * (from + to),
                    _ => libm::sqrt(from * to).copysign(from),
                };
                self.halve(Range { to: middle, ..range }, depth - 1);
                self.halve(Range { from: middle, ..range }, depth - 1);
            }
            None => self.last = NONE,
        }
    }

    /// Adds a piece and links it to the previous one, if there is one.
    fn append(&mut self, piece: Piece) {
        let number = self.pieces.len() as u32;
        if let Some(before) = self.pieces.get_mut(self.last as usize) {
            before.next = number;
        }
        self.last = number;
        self.pieces.push(piece);
    }
}

/// The borders at which starting pieces begin, and those at which gaps begin.
fn borders(starts: &[([f64; 2], usize)]) -> Vec<Border> {
    let gaps = starts.iter().filter_map(|&([_, end], _)| {
        let adjoins = starts.iter().any(|([begins, _], _)| (begins - end).abs() < 1e-12);
        (!adjoins).then_some(Border { begins: end, number: NONE as usize })
    });
    let begins = starts.iter().map(|&([begins, _], number)| Border { begins, number });
    begins.chain(gaps).collect()
}
