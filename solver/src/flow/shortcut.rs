//! Impacts by cells, which tell most: a few polynomials and no search. What they
//! do not tell is left to the sectors.

use alloc::vec::Vec;

use routh_flow::{Lookup, Table, pseudo_angle};

use routh_runtime::double::inertia::Contact;
use routh_runtime::double::real::NEGLIGIBLE;

use super::cell::{Cell, Gathered};
use super::closing::{End, Inertia, Turn};
use super::paving::{borders, paved};
use crate::contact::Restitution;
use crate::elementary::sqrt;
use crate::impact::{Impact, Law};

/// Velocities whose squares are far from the ends of the number range.
const ORDINARY: core::ops::Range<f64> = 1e-60..1e60;

/// Approaches slower than this part of the sliding speed end too soon for tables.
const SHORT: f64 = 1e-3;

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
    pub(crate) fn none(contact: &Contact) -> Self {
        Self { cells: Vec::new(), lookup: Lookup::new(Vec::new()), inertia: Inertia::new(contact) }
    }

    pub(crate) fn new(contact: &Contact, table: &Table) -> Self {
        let cells = paved(contact, table);
        let lookup = Lookup::new(borders(&cells));
        Self { cells, lookup, inertia: Inertia::new(contact) }
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
        let short = if restitution.law() == Law::Energetic { SMALL } else { SHORT };
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
            Reached::Halt(at) => return self.inertia.halted(velocity, restitution, at, None),
            _ => return None,
        };
        let compressed = slip.cell.impulse_at(-slip.normal * slip.slowness);
        let compression = slip.impulse + slip.speed * compressed;
        match self.restore(slip, compressed, -normal, restitution, least) {
            Restored::Ended(end) => self.inertia.slid(velocity, restitution, &end, compression),
            Restored::Halted(at) => {
                let turn = Turn { impulse: compression, work: slip.at(compressed).work };
                self.inertia.halted(velocity, restitution, at, Some(turn))
            }
            Restored::Untold => None,
        }
    }

    /// Follows restitution from the end of compression, at an impulse of its cell.
    #[inline(always)]
    fn restore(
        &self,
        slip: Slip,
        compressed: f64,
        approach: f64,
        restitution: Restitution,
        least: f64,
    ) -> Restored {
        let e = restitution.e();
        if e == 0.0 {
            return Restored::Ended(slip.at(compressed));
        }
        match restitution.law() {
            Law::Newton => {
                let level = e * approach;
                let reached =
                    self.reach(slip, true, least, |slip, whole| slip.normal_at(whole) >= level);
                reached.ended(|end| {
                    let impulse = end.cell.impulse_at((level - end.normal) * end.slowness);
                    end.cell.inverts.then(|| end.at(impulse))
                })
            }
            Law::Poisson => {
                let level = (slip.impulse + slip.speed * compressed) * (1.0 + e);
                let reached =
                    self.reach(slip, true, least, |slip, whole| slip.impulse_at(whole) >= level);
                reached.ended(|end| Some(end.at((level - end.impulse) * end.slowness)))
            }
            Law::Energetic => {
                let turn = slip.at(compressed);
                let level = (1.0 - e * e) * turn.work;
                let reached =
                    self.reach(slip, true, least, |slip, whole| slip.work_at(whole) >= level);
                reached.ended(|end| {
                    let inverts = end.cell.inverts;
                    inverts.then(|| self.restore_energy(end, &turn, approach, e)).flatten()
                })
            }
        }
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
        let level = (e * approach).min(slip.normal_at(whole)).max(slip.normal);
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
            if !(0.0..=whole.impulse).contains(&impulse) {
                return None;
            }
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

impl Reached<'_> {
    /// What restitution comes to that ends in the cell.
    #[inline(always)]
    fn ended(self, end: impl FnOnce(&Slip) -> Option<End>) -> Restored {
        match self {
            Self::Cell(slip) => end(&slip).map_or(Restored::Untold, Restored::Ended),
            Self::Halt(at) => Restored::Halted(at),
            Self::Nothing => Restored::Untold,
        }
    }
}

/// What restitution has come to.
enum Restored {
    Ended(End),
    Halted(End),
    Untold,
}
