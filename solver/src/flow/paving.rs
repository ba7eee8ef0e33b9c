//! Cells for all arcs of a contact's flow.

use alloc::vec::Vec;

use routh_flow::{Border, Chebyshev, Passage, Sector, Table};

use routh_runtime::double::inertia::Contact;

use super::cell::{Cell, Gathered, NONE, POINTS, Stretch};
use crate::elementary::sqrt;

/// Parts of a chart in which slips start.
const STARTS: [[f64; 2]; 3] = [[1.0, 0.125], [0.125, 0.016], [0.016, 0.002]];

/// Parts of a chart nearer to its invariant direction, which slips pass.
const PASSES: [[f64; 2]; 3] = [[0.002, 1e-6], [1e-6, 1e-9], [1e-9, NEAREST]];

/// From here on a straight line.
const NEAREST: f64 = 1e-13;

/// Normal inertia beside which sliding changes so little that tables are coarse.
const STIFF: f64 = 300.0;

/// Halvings of a sector into cells.
const DEPTH: usize = 5;

/// Cells of a contact.
const MOST: usize = 256;

/// The cells of a contact.
pub(crate) fn paved(contact: &Contact, table: &Table) -> Vec<Cell> {
    let (chebyshev, mut cells) = (Chebyshev::default(), Vec::new());
    let precise = contact.a < STIFF * contact.rate;
    for chart in table.sectors.iter().filter(|_| precise) {
        if chart.passage == Passage::Outward {
            let [below, above] = chart.next;
            for (side, next) in [(-1.0, below), (1.0, above)] {
                let mut arc = Arc { contact, chebyshev: &chebyshev, cells: &mut cells, last: NONE };
                arc.follow(table, chart, side, next);
            }
        }
    }
    cells
}

/// What cuts an arc into cells.
struct Arc<'a> {
    contact: &'a Contact,
    chebyshev: &'a Chebyshev<POINTS>,
    cells: &'a mut Vec<Cell>,
    /// The cell before, if it is next to the one to come.
    last: u32,
}

impl Arc<'_> {
    /// Follows an arc from the chart that it leaves.
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

    /// Follows an arc to the end in the chart that it enters at a side.
    fn end(&mut self, chart: &Sector, side: f64) {
        for [from, to] in STARTS {
            self.cut(chart, [side * from, side * to], true, DEPTH);
        }
        for [from, to] in PASSES {
            self.cut(chart, [side * from, side * to], false, DEPTH);
        }
        let Some(last) = self.cells.get_mut(self.last as usize) else { return };
        match Stretch::new(self.contact, chart, side * NEAREST).exit() {
            Some(halt) => last.halt = Some(Gathered::at(&halt)),
            None if chart.rises => self.append(Cell::line(self.contact, chart)),
            None => {}
        }
    }

    /// Cuts a range of a sector until polynomials tell each part.
    fn cut(&mut self, sector: &Sector, [from, to]: [f64; 2], starts: bool, depth: usize) {
        if self.cells.len() >= MOST {
            self.last = NONE;
            return;
        }
        match Cell::new(self.contact, sector, [from, to], starts, depth == 0, self.chebyshev) {
            Some(cell) => self.append(cell),
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

    /// Adds a cell that is next to the last, if there is one.
    fn append(&mut self, cell: Cell) {
        let number = self.cells.len() as u32;
        if let Some(before) = self.cells.get_mut(self.last as usize) {
            before.next = number;
        }
        self.last = number;
        self.cells.push(cell);
    }
}

/// Where cells begin that slips start in, and where none does.
pub(crate) fn borders(cells: &[Cell]) -> Vec<Border> {
    let starts = || cells.iter().enumerate().filter(|(_, cell)| cell.starts);
    let ranges = || starts().map(|(number, cell)| (number, cell.borders()));
    let gaps = ranges().filter_map(|(_, [_, end])| {
        let adjoins = ranges().any(|(_, [begins, _])| (begins - end).abs() < 1e-12);
        (!adjoins).then_some(Border { begins: end, number: NONE as usize })
    });
    let begins = ranges().map(|(number, [begins, _])| Border { begins, number });
    begins.chain(gaps).collect()
}
