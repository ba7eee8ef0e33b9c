//! The arcs between invariant directions, cut into sectors.

use alloc::vec::Vec;

use crate::charts::{chart, turns};
use crate::directions::{angle, forward, invariant_directions};
use routh_runtime::double::orbit::{FUNCTIONS, Passage};

use crate::sector::{DEGREE, Maker, Refusal, Row, Rows, Sector, functions};

/// Where speeds change by less than this part of the field's rate along the end
/// of an arc, the impulse to a halt is too large to be counted from there.
const STEADY: f64 = 0.05;

/// What a sector is narrowed by until its functions are smooth enough, and how
/// often: down to a thousandth.
const NARROWER: f64 = 0.75;
const ATTEMPTS: usize = 24;

/// How much wider the next one is tried, and how much of it the last may be more.
const WIDER: f64 = 1.6;
const LAST: f64 = 1.2;

/// Sectors in an arc; only arcs between directions that are almost one need
/// more.
const MOST: usize = 200;

/// What an arc begins or ends with.
struct End {
    angle: f64,
    chart: usize,
    /// The angle to its chart's border.
    border: f64,
}

/// All sectors of a field, and why some have no functions.
pub(crate) fn sectors(maker: &Maker) -> (Vec<Sector>, Vec<Refusal>) {
    let directions = invariant_directions(maker.field);
    let angles: Vec<f64> = directions.iter().map(|e| angle(*e)).collect();
    let turns = turns(maker.field);
    let count = directions.len();
    let gap = |i: usize| forward(angles[i], angles[(i + 1) % count]);
    let mut sectors = Vec::with_capacity(32);
    let mut ends = Vec::with_capacity(4);
    let mut refusals = Vec::new();
    for (i, &e) in directions.iter().enumerate() {
        let (sector, refusal) = chart(maker, e, [gap((i + count - 1) % count), gap(i)], &turns);
        refusals.extend(refusal);
        ends.push(End { angle: angles[i], chart: i, border: 2.0 * libm::atan(sector.width) });
        sectors.push(sector);
    }
    for i in 0..count {
        let ends = [&ends[i], &ends[(i + 1) % count]];
        refusals.extend(Arc::between(maker, ends, gap(i)).cut(&turns, &mut sectors));
    }
    (sectors, refusals)
}

/// An arc that is cut from its end, backward.
struct Arc<'a> {
    maker: &'a Maker<'a>,
    start: &'a End,
    end: &'a End,
    /// Which way round the flow goes.
    way: f64,
    /// The border of the chart at its end, and how far back it is to the other.
    origin: f64,
    length: f64,
}

/// A sector that polynomials tell: how far it goes back, its functions, and what
/// smooth ones are where it begins.
struct Piece {
    reach: f64,
    rows: Rows,
    before: Row,
}

impl<'a> Arc<'a> {
    fn between(maker: &'a Maker<'a>, [one, other]: [&'a End; 2], gap: f64) -> Self {
        let across = maker.field.turning(at(one.angle + 0.5 * gap)).across;
        let (way, start, end) = if across > 0.0 { (1.0, one, other) } else { (-1.0, other, one) };
        let origin = end.angle - way * end.border;
        Self { maker, start, end, way, origin, length: gap - start.border - end.border }
    }

    /// Cuts it at the given angles and wherever polynomials ask for it; why its last part
    /// has none.
    fn cut(&self, turns: &[f64], sectors: &mut Vec<Sector>) -> Option<Refusal> {
        let Sector { limit, rate, .. } = sectors[self.end.chart];
        let mut values = self.smooth(&sectors[self.end.chart]);
        let first = sectors.len();
        let (mut done, mut width) = (0.0, 0.5 * self.end.border);
        let mut next = self.end.chart as u32;
        for stop in self.stops(turns) {
            while done < stop {
                let room = sectors.len() - first < MOST;
                let piece = self.piece(done, stop, width, limit, values).filter(|_| room);
                let (reach, rows, passage) = match &piece {
                    Some(piece) => (piece.reach, piece.rows, Passage::Through),
                    None => (self.length, [[0.0; FUNCTIONS]; DEGREE + 1], Passage::Refused),
                };
                let sector = self.sector(done, reach, rows, passage);
                sectors.push(Sector { next: [next; 2], limit, rate, ..sector });
                next = sectors.len() as u32 - 1;
                let Some(piece) = piece else {
                    self.join(next, sectors);
                    return Some(Refusal::Degenerate);
                };
                values = piece.before;
                width = WIDER * (reach - done);
                done = reach;
            }
        }
        self.join(next, sectors);
        None
    }

    /// What smooth functions are at the border of the chart at its end.
    fn smooth(&self, chart: &Sector) -> Row {
        if chart.passage == Passage::Refused {
            return [0.0; FUNCTIONS];
        }
        let [a, pi, chi, omega, k1, k2] = functions(chart, -self.way);
        let slow = STEADY * self.maker.field.rate();
        let pi = if chart.along.abs() < slow { 0.0 } else { (pi - 1.0 / chart.along) / a };
        let ([c, d], fall) = (chart.limit, -(chart.along + chart.slope));
        let across = -2.0 * self.way * chart.width / fall;
        let kappa = match fall < slow {
            true => [0.0; 2],
            false => [(k1 - d * across) / a, (k2 + c * across) / a],
        };
        [0.0, pi, chi / a, omega / (a * a), kappa[0], kappa[1]]
    }

    /// Where sectors must end, counted back.
    fn stops(&self, turns: &[f64]) -> Vec<f64> {
        let back = |&turn: &f64| match self.way > 0.0 {
            true => forward(turn, self.origin),
            false => forward(self.origin, turn),
        };
        let mut stops: Vec<f64> = turns.iter().map(back).filter(|&x| x < self.length).collect();
        stops.push(self.length);
        stops.sort_by(f64::total_cmp);
        stops
    }

    /// The direction in the middle of a range, and the width to each side.
    fn range(&self, done: f64, reach: f64) -> ([f64; 2], f64) {
        let half = 0.5 * (reach - done);
        (at(self.origin - self.way * (done + half)), self.way * libm::tan(0.5 * half))
    }

    /// The next sector, about as wide as asked for, as wide as it can be.
    fn piece(
        &self,
        done: f64,
        stop: f64,
        width: f64,
        limit: [f64; 2],
        values: Row,
    ) -> Option<Piece> {
        let mut width = width;
        for _ in 0..ATTEMPTS {
            let reach = if done + LAST * width >= stop { stop } else { done + width };
            let (e, half) = self.range(done, reach);
            if let Some((rows, before)) = self.maker.piece(e, half, limit, values) {
                return Some(Piece { reach, rows, before });
            }
            width = NARROWER * (reach - done);
        }
        None
    }

    /// A sector that leads nowhere yet.
    fn sector(&self, done: f64, reach: f64, rows: Rows, passage: Passage) -> Sector {
        let (direction, width) = self.range(done, reach);
        let rate = self.maker.field.normal_rate(direction);
        let [slope, along] = [0.0; 2];
        let (limit, rises, next) = (direction, rate > 0.0, [0; 2]);
        Sector { direction, limit, width, passage, rises, slope, along, rate, rows, next }
    }

    /// Leads the flow of the chart at its beginning into the sector beside it.
    fn join(&self, next: u32, sectors: &mut [Sector]) {
        let side = if self.way > 0.0 { 1 } else { 0 };
        sectors[self.start.chart].next[side] = next;
    }
}

fn at(angle: f64) -> [f64; 2] {
    [libm::cos(angle), libm::sin(angle)]
}
