//! Impacts that slide throughout while the normal velocity only rises, which
//! most do: a few polynomials and no search. All others are left to the sectors.

use alloc::vec::Vec;

use routh_flow::{Border, Chebyshev, Lookup, Passage, Sector, Table, pseudo_angle};

use crate::cell::{Cell, Gathered, NONE, POINTS};
use crate::elementary::sqrt;
use crate::impact::{EventKind, Events, Impact, Mode};
use crate::orbit::Orbit;
use crate::principal::Principal;
use crate::reaction::Reaction;
use crate::restitution::{Law, Restitution};
use crate::sliding::{NEGLIGIBLE, from_rest};

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

/// Velocities whose squares are far from the ends of the number range.
const ORDINARY: core::ops::Range<f64> = 1e-60..1e60;

/// Approaches slower than this part of the sliding speed end too soon for tables.
const SHORT: f64 = 1e-4;

/// Approaches and restitution below this do little work.
const SMALL: f64 = 0.02;

/// Parts of the flow's time below this change rates evenly.
const LITTLE: f64 = 0.005;

/// More than any root takes.
const MOST_CORRECTIONS: usize = 8;

/// A correction of this part changes nothing by its cube.
const CLOSE: f64 = 1e-4;

/// The cells of a contact.
#[derive(Clone, Debug)]
pub(crate) struct Shortcut {
    cells: Vec<Cell>,
    lookup: Lookup,
    inertia: Inertia,
}

/// The contact in its own axes and in units of order one.
#[derive(Clone, Copy, Debug)]
struct Inertia {
    a: f64,
    h: [f64; 2],
    /// `μ b`: first, mixed and second.
    mu_b: [f64; 3],
    contact: Principal,
    reaction: Reaction,
    mu: f64,
    rate: f64,
    critical_friction: f64,
    /// An impulse of one in the units of results.
    impulse: f64,
    /// Whether the contact sticks at rest, and the rates of the normal and the
    /// tangential velocity that follow.
    sticks: bool,
    rest_rate: f64,
    restart: [f64; 2],
}

/// A slip on a cell, with what impulse, normal velocity and work were, or would
/// have been, where the orbit entered it.
#[derive(Clone, Copy)]
struct Slip<'a> {
    cell: &'a Cell,
    speed: f64,
    /// One over that.
    slowness: f64,
    impulse: f64,
    normal: f64,
    work: f64,
}

impl Slip<'_> {
    #[inline(always)]
    fn impulse_at(&self, gathered: &Gathered) -> f64 {
        self.impulse + self.speed * gathered.impulse
    }

    #[inline(always)]
    fn normal_at(&self, gathered: &Gathered) -> f64 {
        self.normal + self.speed * gathered.normal
    }

    #[inline(always)]
    fn work_at(&self, gathered: &Gathered) -> f64 {
        self.work + self.speed * (self.normal * gathered.impulse + self.speed * gathered.work)
    }

    /// What it is at an impulse of its cell.
    #[inline(always)]
    fn at(&self, impulse: f64) -> End {
        let (tangential, gathered) = self.cell.at_impulse(impulse);
        End {
            impulse: self.impulse_at(&gathered),
            tangential: tangential.map(|v| self.speed * v),
            normal: self.normal_at(&gathered),
            work: self.work_at(&gathered),
        }
    }
}

impl Shortcut {
    /// No cells.
    pub(crate) fn none(contact: &Principal) -> Self {
        Self { cells: Vec::new(), lookup: Lookup::new(Vec::new()), inertia: Inertia::new(contact) }
    }

    pub(crate) fn new(contact: &Principal, table: &Table) -> Self {
        let chebyshev = Chebyshev::default();
        let mut cells = Vec::new();
        let precise = contact.a < STIFF * contact.rate;
        for sector in table.sectors.iter().filter(|_| precise) {
            if let Passage::Outward { below, above } = sector.passage {
                for (side, next) in [(-1.0, below), (1.0, above)] {
                    let mut arc =
                        Arc { contact, chebyshev: &chebyshev, cells: &mut cells, last: NONE };
                    arc.follow(table, sector, side, next);
                }
            }
        }
        let borders = borders(&cells);
        Self { cells, lookup: Lookup::new(borders), inertia: Inertia::new(contact) }
    }

    /// How many bytes its tables take.
    pub(crate) fn bytes(&self) -> usize {
        core::mem::size_of_val(&self.cells[..]) + self.lookup.bytes()
    }

    /// The impact, if the cells tell it.
    #[inline(always)]
    pub(crate) fn solve(&self, velocity: [f64; 3], restitution: Restitution) -> Option<Impact<3>> {
        let [normal, v1, v2] = velocity;
        let square = v1 * v1 + v2 * v2;
        if !ORDINARY.contains(&-normal) || !ORDINARY.contains(&square) {
            return None;
        }
        let speed = sqrt(square);
        let (law, e) = (restitution.law(), restitution.e());
        let short = if law == Law::Energetic { SMALL } else { SHORT };
        if speed * short > -normal {
            return None;
        }
        let cell = self.cells.get(self.lookup.number(pseudo_angle([v1, v2])))?;
        let (unit, start) = cell.at_direction([v1, v2], speed);
        let least = NEGLIGIBLE * speed;
        let (speed, slowness) = (speed / unit, unit / speed);
        let mut slip = Slip { cell, speed, slowness, impulse: 0.0, normal: 0.0, work: 0.0 };
        slip.normal = normal - speed * start.normal;
        slip.impulse = -speed * start.impulse;
        slip.work = -speed * (slip.normal * start.impulse + speed * start.work);
        let slip = match self.reach(slip, false, least, |slip, whole| slip.normal_at(whole) >= 0.0)
        {
            Reached::Cell(slip) if slip.cell.inverts => slip,
            Reached::Halt(at) => return Some(self.inertia.halted(velocity, restitution, at, None)),
            _ => return None,
        };
        let compressed = slip.cell.impulse_at(-slip.normal * slip.slowness);
        let turn = Turn { compressed, impulse: slip.impulse + slip.speed * compressed };
        let reached = match law {
            _ if e == 0.0 => Reached::Cell(slip),
            Law::Newton => {
                self.reach(slip, true, least, |slip, whole| slip.normal_at(whole) >= -e * normal)
            }
            Law::Poisson => {
                let level = turn.impulse * (1.0 + e);
                self.reach(slip, true, least, |slip, whole| slip.impulse_at(whole) >= level)
            }
            Law::Energetic => {
                let level = (1.0 - e * e) * slip.at(turn.compressed).work;
                self.reach(slip, true, least, |slip, whole| slip.work_at(whole) >= level)
            }
        };
        let end = match (reached, law) {
            (Reached::Nothing, _) => return None,
            (Reached::Cell(end), Law::Newton | Law::Energetic) if !end.cell.inverts => return None,
            (Reached::Halt(at), _) => {
                let turn = Turn { compressed: slip.at(turn.compressed).work, ..turn };
                return Some(self.inertia.halted(velocity, restitution, at, Some(turn)));
            }
            (Reached::Cell(_), _) if e == 0.0 => slip.at(turn.compressed),
            (Reached::Cell(end), Law::Newton) => {
                end.at(end.cell.impulse_at((-e * normal - end.normal) * end.slowness))
            }
            (Reached::Cell(end), Law::Poisson) => {
                end.at((turn.impulse * (1.0 + e) - end.impulse) * end.slowness)
            }
            (Reached::Cell(end), Law::Energetic) => {
                self.restore_energy(&end, &slip.at(turn.compressed), -normal, e)?
            }
        };
        let [w1, w2] = end.tangential;
        (w1 + w2 + end.impulse + end.work)
            .is_finite()
            .then(|| self.inertia.slid(velocity, restitution, &end, turn.impulse))
    }

    /// The cell in which a slip meets a goal, given as what is so at its end,
    /// unless its speed falls below the least on the way.
    #[inline(always)]
    fn reach<'a>(
        &'a self,
        mut slip: Slip<'a>,
        restores: bool,
        least: f64,
        meets: impl Fn(&Slip, &Gathered) -> bool,
    ) -> Reached<'a> {
        loop {
            let whole = &slip.cell.whole;
            if restores && !slip.cell.rises {
                return Reached::Nothing;
            }
            if meets(&slip, whole) {
                return if slip.speed > least { Reached::Cell(slip) } else { Reached::Nothing };
            }
            let left = Slip {
                cell: slip.cell,
                speed: slip.speed * slip.cell.speed,
                slowness: slip.slowness * slip.cell.slowness,
                impulse: slip.impulse_at(whole),
                normal: slip.normal_at(whole),
                work: slip.work_at(whole),
            };
            slip = match (self.cells.get(left.cell.next as usize), &left.cell.halt) {
                (Some(_), _) if left.speed <= least && left.cell.speed > 1.0 => {
                    return Reached::Nothing;
                }
                (Some(cell), _) => Slip { cell, ..left },
                (None, Some(rest)) if !meets(&left, rest) => {
                    return Reached::Halt(End {
                        impulse: left.impulse_at(rest),
                        tangential: [0.0; 2],
                        normal: left.normal_at(rest),
                        work: left.work_at(rest),
                    });
                }
                _ => return Reached::Nothing,
            };
        }
    }

    /// Where restitution has done `e²` of the work of compression, which ended
    /// at the turn, in the cell of a slip; were the rate of the normal velocity
    /// constant, that would be at `e` times the velocity of approach.
    ///
    /// A little work is the small difference of two works; better it follows from
    /// the normal velocities and rates at its ends.
    #[inline(always)]
    fn restore_energy(&self, slip: &Slip, turn: &End, approach: f64, e: f64) -> Option<End> {
        let whole = &slip.cell.whole;
        let level = (e * approach).min(slip.normal_at(whole));
        let mut impulse = slip.cell.impulse_at((level - slip.normal) * slip.slowness);
        let owed = -e * e * turn.work;
        let mean_rate = slip.cell.mean_rate;
        for _ in 0..MOST_CORRECTIONS {
            let end = slip.at(impulse);
            let missing = owed - self.restored(turn, &end, e)?;
            let more = end.impulse_for(missing, mean_rate);
            if more.abs() <= CLOSE * end.impulse {
                let rates = self.inertia.rates(end.tangential);
                let inverse = 1.0 / end.normal;
                let first = missing * inverse;
                let rise = rates.normal * first * inverse;
                let bend = rates.normal_change * first * first * inverse;
                let more = first * (1.0 - 0.5 * (rise - rise * rise) - bend * (1.0 / 6.0));
                if rise.abs() <= 4.0 * CLOSE && (rates.pace * more).abs() <= CLOSE {
                    return Some(rates.advance(&end, more));
                }
            }
            impulse += more * slip.slowness;
        }
        None
    }

    /// The work of restitution from a turn to an end, unless it is a small
    /// difference.
    #[inline(always)]
    fn restored(&self, turn: &End, end: &End, e: f64) -> Option<f64> {
        if e >= SMALL {
            return Some(end.work - turn.work);
        }
        let passed = end.impulse - turn.impulse;
        let [first, last] = [turn, end].map(|end| self.inertia.rates(end.tangential));
        let change = last.normal - first.normal;
        let work = (0.5 * end.normal - passed * change * (1.0 / 12.0)) * passed;
        ((last.pace * passed).abs() < LITTLE).then_some(work)
    }
}

/// What a slip has come to.
enum Reached<'a> {
    /// The cell in which it meets a goal.
    Cell(Slip<'a>),
    /// A halt before that.
    Halt(End),
    /// Where no cell is.
    Nothing,
}

/// The end of compression: impulse in its cell, or its work, and impulse.
#[derive(Clone, Copy)]
struct Turn {
    compressed: f64,
    impulse: f64,
}

impl End {
    /// The impulse that does some more work while the normal velocity rises at a
    /// rate.
    #[inline(always)]
    fn impulse_for(&self, work: f64, rate: f64) -> f64 {
        let square = self.normal * self.normal + 2.0 * rate * work;
        2.0 * work / (self.normal + sqrt(square.max(0.0)))
    }
}

/// How velocities change per impulse, and those rates in turn.
struct Rates {
    tangential: [f64; 2],
    tangential_change: [f64; 2],
    normal: f64,
    normal_change: f64,
    /// A bound on how fast directions and speeds change.
    pace: f64,
}

impl Rates {
    /// An end a small impulse later.
    #[inline(always)]
    fn advance(&self, end: &End, more: f64) -> End {
        let half = 0.5 * more;
        let change = |i: usize| (self.tangential[i] + half * self.tangential_change[i]) * more;
        let rise = (self.normal + half * self.normal_change) * more;
        let work = (self.normal + self.normal_change * more * (1.0 / 3.0)) * half * more;
        End {
            impulse: end.impulse + more,
            tangential: [end.tangential[0] + change(0), end.tangential[1] + change(1)],
            normal: end.normal + rise,
            work: end.work + end.normal * more + work,
        }
    }
}

/// Where an impact ends, or its slip.
struct End {
    impulse: f64,
    tangential: [f64; 2],
    normal: f64,
    work: f64,
}

impl Inertia {
    fn new(contact: &Principal) -> Self {
        let Principal { a, h, b: [b1, b2], mu, critical_friction, .. } = *contact;
        let [c, d] = contact.outward([1.0, 0.0]);
        let [m1, m2] = [mu * b1, mu * b2];
        let rest = from_rest(contact);
        Self {
            a,
            h: contact.outward(h),
            contact: *contact,
            reaction: Reaction::new(contact),
            mu_b: [c * c * m1 + d * d * m2, c * d * (m1 - m2), d * d * m1 + c * c * m2],
            mu,
            rate: contact.rate,
            critical_friction,
            impulse: contact.units(1.0).impulse(1.0),
            sticks: contact.sticks,
            rest_rate: rest.normal_rate,
            restart: contact.outward(rest.tangential_rate),
        }
    }

    /// How velocities change per impulse at a tangential velocity.
    #[inline(always)]
    fn rates(&self, [v1, v2]: [f64; 2]) -> Rates {
        let ([h1, h2], [xx, xy, yy]) = (self.h, self.mu_b);
        let inverse = 1.0 / sqrt(v1 * v1 + v2 * v2);
        let [c, d] = [v1 * inverse, v2 * inverse];
        let [f1, f2] = [h1 - (xx * c + xy * d), h2 - (xy * c + yy * d)];
        let turn = (c * f2 - d * f1) * inverse;
        Rates {
            tangential: [f1, f2],
            tangential_change: [turn * (xx * d - xy * c), turn * (xy * d - yy * c)],
            normal: self.a - self.mu * (h1 * c + h2 * d),
            normal_change: self.mu * (h1 * d - h2 * c) * turn,
            pace: self.rate * inverse,
        }
    }

    /// An impact that slides to its end.
    #[inline(always)]
    fn slid(
        &self,
        before: [f64; 3],
        restitution: Restitution,
        end: &End,
        compression: f64,
    ) -> Impact<3> {
        let normal = match restitution.law() {
            Law::Newton => -restitution.e() * before[0],
            _ if restitution.e() == 0.0 => 0.0,
            _ => end.normal,
        };
        let mut events = Events::default();
        events.push(EventKind::CompressionEnd, compression * self.impulse);
        let end = End { normal, ..*end };
        self.impact(before, &end, compression, Mode::PermanentSliding, events)
    }

    /// An impact that slides to a halt, before or after compression ends.
    #[inline(always)]
    fn halted(
        &self,
        before: [f64; 3],
        restitution: Restitution,
        at: End,
        turn: Option<Turn>,
    ) -> Impact<3> {
        let (e, rate) = (restitution.e(), self.rest_rate);
        let mut events = Events::default();
        if let Some(turn) = &turn {
            events.push(EventKind::CompressionEnd, turn.impulse * self.impulse);
        }
        events.push(EventKind::Halt, at.impulse * self.impulse);
        let next = if self.sticks { EventKind::Stick } else { EventKind::SlipRestart };
        events.push(next, at.impulse * self.impulse);
        let mode = match (turn.is_some(), self.sticks) {
            (false, true) => Mode::StickingInCompression,
            (false, false) => Mode::ReverseInCompression,
            (true, true) => Mode::StickingInRestitution,
            (true, false) => Mode::ReverseInRestitution,
        };
        // From the halt, or from the end of compression after it, at constant rates.
        let (more, compression) = match turn {
            None => {
                let more = -at.normal / rate;
                let compression = at.impulse + more;
                events.push(EventKind::CompressionEnd, compression * self.impulse);
                let restored = match restitution.law() {
                    Law::Newton => -e * before[0] / rate,
                    Law::Poisson => e * compression,
                    Law::Energetic => e * sqrt((-2.0 * at.work - at.normal * more).max(0.0) / rate),
                };
                (more + restored, compression)
            }
            Some(Turn { compressed, impulse }) => {
                let more = match restitution.law() {
                    Law::Newton => (-e * before[0] - at.normal) / rate,
                    Law::Poisson => impulse * (1.0 + e) - at.impulse,
                    Law::Energetic => {
                        let missing = (1.0 - e * e) * compressed - at.work;
                        let square = at.normal * at.normal + 2.0 * rate * missing;
                        2.0 * missing / (at.normal + sqrt(square.max(0.0)))
                    }
                };
                (more, impulse)
            }
        };
        let end = End {
            impulse: at.impulse + more,
            tangential: self.restart.map(|rate| rate * more),
            normal: if e == 0.0 { 0.0 } else { at.normal + rate * more },
            work: at.work + (at.normal + 0.5 * rate * more) * more,
        };
        self.impact(before, &end, compression, mode, events)
    }

    /// The impact that ends so.
    #[inline(always)]
    fn impact(
        &self,
        before: [f64; 3],
        end: &End,
        compression: f64,
        mode: Mode,
        events: Events,
    ) -> Impact<3> {
        let [n, v1, v2] = before;
        let [w1, w2] = end.tangential;
        let [[x1, y1], [x2, y2]] = [[v1, v2], [w1, w2]].map(|v| self.contact.inward(v));
        let reaction = self.reaction.impulse([n, x1, y1], [end.normal, x2, y2], end.impulse);
        let [i1, i2] = self.contact.outward(reaction);
        let energy = 0.5 * (end.impulse * (n + end.normal) + i1 * (v1 + w1) + i2 * (v2 + w2));
        Impact {
            velocity: [end.normal, w1, w2],
            impulse: [end.impulse, i1, i2].map(|p| p * self.impulse),
            compression_impulse: compression * self.impulse,
            normal_work: end.work * self.impulse,
            friction_work: (energy - end.work) * self.impulse,
            energy_change: energy * self.impulse,
            critical_friction: self.critical_friction,
            mode,
            events,
            steps: 0,
        }
    }
}

/// What cuts an arc into cells.
struct Arc<'a> {
    contact: &'a Principal,
    chebyshev: &'a Chebyshev<POINTS>,
    cells: &'a mut Vec<Cell>,
    /// The cell before, if it is next to the one to come.
    last: u32,
}

impl Arc<'_> {
    /// Follows an arc from the chart that it leaves.
    fn follow(&mut self, table: &Table, chart: &Sector, side: f64, mut next: usize) {
        for [to, from] in STARTS.into_iter().rev() {
            self.cut(chart, [side * from, side * to], true, DEPTH);
        }
        while let Some(sector) = table.sectors.get(next) {
            match sector.passage {
                Passage::Through { next: after } => {
                    self.cut(sector, [-1.0, 1.0], true, DEPTH);
                    next = after;
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
        match Orbit::unit(self.contact, chart, side * NEAREST).exit() {
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
                    Passage::Through { .. } => 0.5 * (from + to),
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
fn borders(cells: &[Cell]) -> Vec<Border> {
    let starts = || cells.iter().enumerate().filter(|(_, cell)| cell.starts);
    let ranges = || starts().map(|(number, cell)| (number, cell.borders()));
    let gaps = ranges().filter_map(|(_, [_, end])| {
        let adjoins = ranges().any(|(_, [begins, _])| (begins - end).abs() < 1e-12);
        (!adjoins).then_some(Border { begins: end, number: NONE as usize })
    });
    let begins = ranges().map(|(number, [begins, _])| Border { begins, number });
    begins.chain(gaps).collect()
}
