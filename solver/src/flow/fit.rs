//! Fits pieces to all arcs of a contact's flow.

use alloc::vec::Vec;

use routh_flow::{Border, Chebyshev, Passage, Sector, Table};

use routh_runtime::double::inertia::Contact;

use super::piece::{Gathered, NONE, POINTS, Piece, Stretch};
use crate::elementary::sqrt;

/// Ranges of a chart in which slips may start.
const STARTS: [[f64; 2]; 3] = [[1.0, 0.125], [0.125, 0.016], [0.016, 0.002]];

/// Ranges nearer to the chart's invariant direction, which slips only pass through.
const PASSES: [[f64; 2]; 3] = [[0.002, 1e-6], [1e-6, 1e-9], [1e-9, NEAREST]];

/// Nearer than this the orbit is a straight line.
const NEAREST: f64 = 1e-13;

/// Above this ratio of the normal inertia `a` to the rate of sliding the tables are
/// too coarse for pieces.
const STIFF: f64 = 300.0;

/// How often a range may be halved.
const DEPTH: usize = 5;

/// The most pieces of a contact.
const MOST: usize = 256;

/// Fits the pieces of a contact.
pub(crate) fn fit_pieces(contact: &Contact, table: &Table) -> Vec<Piece> {
    let (chebyshev, mut pieces) = (Chebyshev::default(), Vec::new());
    let precise = contact.a < STIFF * contact.rate;
    for chart in table.sectors.iter().filter(|_| precise) {
        if chart.passage == Passage::Outward {
            let [below, above] = chart.next;
            for (side, next) in [(-1.0, below), (1.0, above)] {
                let mut arc =
                    Arc { contact, chebyshev: &chebyshev, pieces: &mut pieces, last: NONE };
                arc.follow(table, chart, side, next);
            }
        }
    }
    pieces
}

/// Cuts one arc into pieces.
struct Arc<'a> {
    contact: &'a Contact,
    chebyshev: &'a Chebyshev<POINTS>,
    pieces: &'a mut Vec<Piece>,
    /// The index of the previous piece, or [`NONE`] after a gap.
    last: u32,
}

impl Arc<'_> {
    /// Cuts an arc, starting in the chart that it leaves.
    fn follow(&mut self, table: &Table, chart: &Sector, side: f64, mut next: u32) {
        for [to, from] in STARTS.into_iter().rev() {
            self.cut(chart, [side * from, side * to], true, DEPTH);
        }
        while let Some(sector) = table.sectors.get(next as usize) {
            match sector.passage {
                Passage::Through => {
                    self.cut(sector, [-1.0, 1.0], true, DEPTH);
                    next = sector.next[1];
                }
                Passage::Inward => return self.end(sector, -side),
                _ => return,
            }
        }
    }

    /// Cuts the last part of an arc, in the chart that it enters from one side.
    fn end(&mut self, chart: &Sector, side: f64) {
        for [from, to] in STARTS {
            self.cut(chart, [side * from, side * to], true, DEPTH);
        }
        for [from, to] in PASSES {
            self.cut(chart, [side * from, side * to], false, DEPTH);
        }
        let Some(last) = self.pieces.get_mut(self.last as usize) else { return };
        match Stretch::new(self.contact, chart, side * NEAREST).exit() {
            Some(halt) => last.halt = Some(Gathered::at(&halt)),
            None if chart.rises => self.append(Piece::line(self.contact, chart)),
            None => {}
        }
    }

    /// Halves a range of a sector until polynomials fit each part.
    fn cut(&mut self, sector: &Sector, [from, to]: [f64; 2], starts: bool, depth: usize) {
        if self.pieces.len() >= MOST {
            self.last = NONE;
            return;
        }
        match Piece::new(self.contact, sector, [from, to], starts, depth == 0, self.chebyshev) {
            Some(piece) => self.append(piece),
            None if depth > 0 => {
                let middle = match sector.passage {
                    Passage::Through => 0.5 * (from + to),
                    _ => sqrt(from * to).copysign(from),
                };
                self.cut(sector, [from, middle], starts, depth - 1);
                self.cut(sector, [middle, to], starts, depth - 1);
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
pub(crate) fn borders(pieces: &[Piece]) -> Vec<Border> {
    let starts = || pieces.iter().enumerate().filter(|(_, piece)| piece.starts);
    let ranges = || starts().map(|(number, piece)| (number, piece.borders()));
    let gaps = ranges().filter_map(|(_, [_, end])| {
        let adjoins = ranges().any(|(_, [begins, _])| (begins - end).abs() < 1e-12);
        (!adjoins).then_some(Border { begins: end, number: NONE as usize })
    });
    let begins = ranges().map(|(number, [begins, _])| Border { begins, number });
    begins.chain(gaps).collect()
}
