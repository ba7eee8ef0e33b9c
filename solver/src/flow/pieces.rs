//! Solves most impacts from precomputed polynomials, without a search; the rest go
//! to the sector tables.

use alloc::vec::Vec;

use routh_flow::{Lookup, Table, pseudo_angle};

use routh_runtime::double::inertia::Contact;
use routh_runtime::double::real::NEGLIGIBLE;

use super::finish::{End, Inertia, Turn};
use super::fit::{borders, fit_pieces};
use super::piece::{Gathered, Piece};
use crate::contact::Restitution;
use crate::elementary::sqrt;
use crate::impact::{Impact, Law};

/// Velocities whose squares neither overflow nor underflow.
const ORDINARY: core::ops::Range<f64> = 1e-60..1e60;

/// Approaches below this ratio of the sliding speed end too soon for the tables.
const SHORT: f64 = 1e-3;

/// Below this `e`, or ratio of approach to sliding speed, the work is a small
/// difference of larger numbers.
const SMALL: f64 = 0.02;

/// Below this change of direction the rates change linearly.
const LITTLE: f64 = 0.005;

/// A bound on the corrections of a root.
const MOST_CORRECTIONS: usize = 8;

/// The relative size of a correction whose cube is below rounding.
const CLOSE: f64 = 1e-4;

/// The pieces of a contact.
#[derive(Clone, Debug)]
pub(crate) struct Pieces {
    pieces: Vec<Piece>,
    lookup: Lookup,
    inertia: Inertia,
}

/// A slip on a piece: speed, impulse, normal velocity and work where the orbit enters
/// the piece, extrapolated if the slip starts inside it.
#[derive(Clone, Copy)]
struct Slip<'a> {
    piece: &'a Piece,
    speed: f64,
    /// `1 / speed`.
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

    /// Its state at an impulse of the piece.
    #[inline(always)]
    fn at(&self, impulse: f64) -> End {
        let (tangential, gathered) = self.piece.at_impulse(impulse);
        End {
            impulse: self.impulse_at(&gathered),
            tangential: tangential.map(|v| self.speed * v),
            normal: self.normal_at(&gathered),
            work: self.work_at(&gathered),
        }
    }
}

impl Pieces {
    /// Without pieces: solves nothing.
    pub(crate) fn none(contact: &Contact) -> Self {
        Self { pieces: Vec::new(), lookup: Lookup::new(Vec::new()), inertia: Inertia::new(contact) }
    }

    pub(crate) fn new(contact: &Contact, table: &Table) -> Self {
        let pieces = fit_pieces(contact, table);
        let lookup = Lookup::new(borders(&pieces));
        Self { pieces, lookup, inertia: Inertia::new(contact) }
    }

    /// The size of its tables in bytes.
    pub(crate) fn bytes(&self) -> usize {
        core::mem::size_of_val(&self.pieces[..]) + self.lookup.bytes()
    }

    /// Solves the impact, if the pieces cover it.
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
        let piece = self.pieces.get(self.lookup.number(pseudo_angle([v1, v2])))?;
        let (unit, start) = piece.at_direction([v1, v2], speed);
        let least = NEGLIGIBLE * speed;
        let (speed, slowness) = (speed / unit, unit / speed);
        let mut slip = Slip { piece, speed, slowness, impulse: 0.0, normal: 0.0, work: 0.0 };
        slip.normal = normal - speed * start.normal;
        slip.impulse = -speed * start.impulse;
        slip.work = -speed * (slip.normal * start.impulse + speed * start.work);
        let slip = match self.reach(slip, false, least, |slip, whole| slip.normal_at(whole) >= 0.0)
        {
            Reached::Piece(slip) if slip.piece.inverts => slip,
            Reached::Halt(at) => return self.inertia.halted(velocity, restitution, at, None),
            _ => return None,
        };
        let compressed = slip.piece.impulse_at(-slip.normal * slip.slowness);
        let compression = slip.impulse + slip.speed * compressed;
        match self.restore(slip, compressed, -normal, restitution, least) {
            Restored::Ended(end) => self.inertia.slid(velocity, restitution, &end, compression),
            Restored::Halted(at) => {
                let turn = Turn { impulse: compression, work: slip.at(compressed).work };
                self.inertia.halted(velocity, restitution, at, Some(turn))
            }
            Restored::Outside => None,
        }
    }

    /// Follows restitution from the end of compression, which lies at the impulse
    /// `compressed` of the slip's piece.
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
                    let impulse = end.piece.impulse_at((level - end.normal) * end.slowness);
                    end.piece.inverts.then(|| end.at(impulse))
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
                    let inverts = end.piece.inverts;
                    inverts.then(|| self.restore_energy(end, &turn, approach, e)).flatten()
                })
            }
        }
    }

    /// Finds the piece in which a slip meets a goal. `meets` tests the totals at the
    /// end of a piece; `least` is the speed below which the search gives up.
    #[inline(always)]
    fn reach<'a>(
        &'a self,
        mut slip: Slip<'a>,
        restores: bool,
        least: f64,
        meets: impl Fn(&Slip, &Gathered) -> bool,
    ) -> Reached<'a> {
        loop {
            let whole = &slip.piece.whole;
            if restores && !slip.piece.rises {
                return Reached::Outside;
            }
            if meets(&slip, whole) {
                return if slip.speed > least { Reached::Piece(slip) } else { Reached::Outside };
            }
            let left = Slip {
                piece: slip.piece,
                speed: slip.speed * slip.piece.speed,
                slowness: slip.slowness * slip.piece.slowness,
                impulse: slip.impulse_at(whole),
                normal: slip.normal_at(whole),
                work: slip.work_at(whole),
            };
            slip = match (self.pieces.get(left.piece.next as usize), &left.piece.halt) {
                (Some(_), _) if left.speed <= least && left.piece.speed > 1.0 => {
                    return Reached::Outside;
                }
                (Some(piece), _) => Slip { piece, ..left },
                (None, Some(rest)) if !meets(&left, rest) => {
                    return Reached::Halt(End {
                        impulse: left.impulse_at(rest),
                        tangential: [0.0; 2],
                        normal: left.normal_at(rest),
                        work: left.work_at(rest),
                    });
                }
                _ => return Reached::Outside,
            };
        }
    }

    /// Where restitution has done `e²` of the work of compression, within the piece
    /// of a slip; compression ended at `turn`. The first guess is the exact answer for
    /// a constant rate of the normal velocity: `e` times the velocity of approach.
    #[inline(always)]
    fn restore_energy(&self, slip: &Slip, turn: &End, approach: f64, e: f64) -> Option<End> {
        let whole = &slip.piece.whole;
        let level = (e * approach).min(slip.normal_at(whole)).max(slip.normal);
        let mut impulse = slip.piece.impulse_at((level - slip.normal) * slip.slowness);
        let owed = -e * e * turn.work;
        let mean_rate = slip.piece.mean_rate;
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

    /// The work of restitution from the turn to an end. For small `e` it would be a
    /// small difference of two works, so it is computed from the normal velocities and
    /// rates at both ends; `None` if these change too much in between.
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

/// The result of a search along a slip.
enum Reached<'a> {
    /// The piece in which it meets a goal.
    Piece(Slip<'a>),
    /// A halt before that.
    Halt(End),
    /// The slip left the pieces.
    Outside,
}

impl Reached<'_> {
    /// The result of restitution, if `end` finds its end within the piece.
    #[inline(always)]
    fn ended(self, end: impl FnOnce(&Slip) -> Option<End>) -> Restored {
        match self {
            Self::Piece(slip) => end(&slip).map_or(Restored::Outside, Restored::Ended),
            Self::Halt(at) => Restored::Halted(at),
            Self::Outside => Restored::Outside,
        }
    }
}

/// The result of following restitution.
enum Restored {
    /// Restitution ended while the contact slid.
    Ended(End),
    /// The slip halted first.
    Halted(End),
    /// The pieces do not cover it.
    Outside,
}
