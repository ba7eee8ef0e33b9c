//! Slips by pieces: precomputed polynomials solve most impacts without a search; the rest
//! go to the sectors.

use super::follow::{Outcome, is_finite, mode_from_rest};
use super::inertia::Contact;
use super::instances::PieceMap;
use super::number::{absolute, larger, scale, smaller};
use super::orbit::Goal;
use super::piece::{Piece, PieceSlip, SlipState, Totals};
use super::real::{FAINT, LEAST_SQUARABLE, MOST_SQUARABLE, NEGLIGIBLE, Real};
use super::result::{EventKind, Events, Impact, Law, Mode, Restitution, Status};
use super::seam::sqrt;
use super::sectors::Border;

/// Approaches below this part of the sliding speed end too soon for the polynomials, and
/// below that part their work is a small difference of larger numbers.
const SOON: Real = 0.05;
const SOON_FOR_WORK: Real = 0.2;

/// Sliding velocities tell too much of a normal velocity beside this many times the approach.
const MOST_LEVER: Real = 20.0;

/// Below this coefficient of restitution the work is a small difference of larger numbers.
const SMALL_WORK: Real = 0.02;

/// Below this change of direction the rates change linearly.
const LITTLE: Real = 0.005;

/// A bound on the corrections of a root.
const MOST_CORRECTIONS: usize = 8;

/// The relative size of a correction whose cube is below rounding.
const CLOSE: Real = 1e-4;

/// The most events of an impact that pieces cover.
const MOST_PIECE_EVENTS: usize = 3;

/// The pieces of a contact, in arrays.
#[derive(Clone, Copy, Debug)]
pub struct PieceTables<const PIECES: usize, const PIECE_BORDERS: usize, const BUCKETS: usize> {
    pub list: [Piece; PIECES],
    /// Where pieces and gaps begin, in their order; the first at no more than zero.
    pub borders: [Border; PIECE_BORDERS],
    /// The last border before each of the buckets begins.
    pub buckets: [u32; BUCKETS],
    pub from_rest: RestRates,
}

/// Rates per unit of normal impulse once the contact point is at rest.
#[derive(Clone, Copy, Debug)]
pub struct RestRates {
    pub normal: Real,
    pub tangential: [Real; 2],
    pub friction: [Real; 2],
}

/// The piece of a direction; a larger number than there are stands for none.
pub fn find_piece<const PIECES: usize, const PIECE_BORDERS: usize, const BUCKETS: usize>(
    pieces: &PieceTables<PIECES, PIECE_BORDERS, BUCKETS>,
    c: Real,
    d: Real,
) -> usize {
    let ratio = c / (absolute(c) + absolute(d));
    let angle = if d >= 0.0 { 1.0 - ratio } else { 3.0 + ratio };
    let bucket = (angle * (0.25 * BUCKETS as Real)) as usize;
    let first = pieces.buckets[if bucket < BUCKETS { bucket } else { BUCKETS - 1 }] as usize;
    let mut found = PIECES;
    for border in first..PIECE_BORDERS {
        if pieces.borders[border].begins > angle {
            break;
        }
        found = pieces.borders[border].sector as usize;
    }
    found
}

/// The impact of a contact that approaches with a velocity, normal first, under a law of
/// restitution, by pieces; whether they cover it.
#[inline(always)]
pub fn collide_by_pieces<P: PieceMap>(
    pieces: &P,
    contact: &Contact,
    velocity: &[Real; 3],
    restitution: &Restitution,
    out: &mut Impact<3>,
) -> bool {
    let approach = -velocity[0];
    let [v1, v2] = contact.inward([velocity[1], velocity[2]]);
    let speed = sqrt(v1 * v1 + v2 * v2);
    let ordinary = approach > LEAST_SQUARABLE && approach < MOST_SQUARABLE;
    let slides = speed > LEAST_SQUARABLE && speed < MOST_SQUARABLE;
    let energetic = restitution.law == Law::Energetic;
    let soon = if energetic { SOON_FOR_WORK } else { SOON };
    let known = restitution.e >= 0.0 && restitution.e <= 1.0;
    let felt = contact.mu >= FAINT || contact.mu == 0.0;
    if !(ordinary && slides && known && felt) || speed * soon > approach {
        return false;
    }
    let [b1, b2] = contact.b;
    let lever = absolute(contact.h[0]) * b2 + absolute(contact.h[1]) * b1;
    if speed * lever > MOST_LEVER * approach * (b1 * b2) {
        return false;
    }
    let number = pieces.piece_at(v1, v2);
    if number >= pieces.piece_count() {
        return false;
    }
    let before = SlipState {
        totals: Totals { impulse: 0.0, normal: -approach, work: 0.0, friction: [0.0, 0.0] },
        tangential: [v1, v2],
    };
    let least = NEGLIGIBLE * speed;
    let mut slip = pieces[number].start(number, -approach, [v1, v2], speed);
    let zero = Goal { law: Law::Newton, level: 0.0 };
    let compressed = reach(pieces, &zero, false, least, &mut slip);
    out.events = Events::NONE;
    if compressed == Outcome::Halted {
        return leave_halt(pieces, contact, &before, &slip.totals, None, restitution, out);
    }
    if compressed != Outcome::Ended || !pieces[slip.piece].inverts {
        return false;
    }
    let impulse = pieces[slip.piece].impulse_at(-slip.totals.normal * slip.slowness);
    let mut turn = before;
    turn.totals.impulse = slip.totals.impulse + slip.speed * impulse;
    if energetic || restitution.e == 0.0 {
        turn = slip.at_impulse(&pieces[slip.piece], impulse);
    }
    let mut end = turn;
    let restored = restore(pieces, contact, approach, restitution, least, &mut slip, &mut end);
    if restored == Outcome::Endless {
        return false;
    }
    out.compression_impulse = turn.totals.impulse;
    out.events.note(EventKind::CompressionEnd, turn.totals.impulse);
    if restored == Outcome::Halted {
        let turned = Some(turn.totals);
        return leave_halt(pieces, contact, &before, &slip.totals, turned, restitution, out);
    }
    out.mode = Mode::PermanentSliding;
    write_result(contact, &before, &end, out)
}

/// Finds the piece in which a slip meets a goal, or halts; endless if it leaves the
/// pieces, or its speed falls below the least.
#[inline(always)]
fn reach<P: PieceMap>(
    pieces: &P,
    goal: &Goal,
    restores: bool,
    least: Real,
    slip: &mut PieceSlip,
) -> Outcome {
    for _ in 0..pieces.piece_count() {
        let number = slip.piece;
        let piece = &pieces[number];
        if restores && !piece.rises {
            return Outcome::Endless;
        }
        if slip.meets(goal, &piece.whole) {
            return if slip.speed > least { Outcome::Ended } else { Outcome::Endless };
        }
        slip.totals = slip.after(&piece.whole);
        slip.speed *= piece.speed;
        slip.slowness *= piece.slowness;
        let next = piece.next as usize;
        if next < pieces.piece_count() {
            if slip.speed <= least && piece.speed > 1.0 {
                return Outcome::Endless;
            }
            slip.piece = next;
        } else {
            if !piece.halts || slip.meets(goal, &piece.rest) {
                return Outcome::Endless;
            }
            slip.totals = slip.after(&piece.rest);
            return Outcome::Halted;
        }
    }
    Outcome::Endless
}

/// Takes the turn, which lies in the slip's piece, to the end of restitution, unless the
/// slip halts before.
#[inline(always)]
fn restore<P: PieceMap>(
    pieces: &P,
    contact: &Contact,
    approach: Real,
    restitution: &Restitution,
    least: Real,
    slip: &mut PieceSlip,
    end: &mut SlipState,
) -> Outcome {
    let turn = *end;
    let law = restitution.law;
    let e = restitution.e;
    if e == 0.0 {
        end.totals.normal = 0.0;
        return Outcome::Ended;
    }
    let level = match law {
        Law::Newton => e * approach,
        Law::Poisson => (1.0 + e) * turn.totals.impulse,
        Law::Energetic => (1.0 - e * e) * turn.totals.work,
    };
    let reached = reach(pieces, &Goal { law, level }, true, least, slip);
    if reached != Outcome::Ended {
        return reached;
    }
    let number = slip.piece;
    let piece = &pieces[number];
    if law == Law::Poisson {
        *end = slip.at_impulse(piece, (level - slip.totals.impulse) * slip.slowness);
        return Outcome::Ended;
    }
    if !piece.inverts {
        return Outcome::Endless;
    }
    if law == Law::Newton {
        let impulse = piece.impulse_at((level - slip.totals.normal) * slip.slowness);
        *end = slip.at_impulse(piece, impulse);
        end.totals.normal = level;
        return Outcome::Ended;
    }
    if restore_energy(contact, piece, slip, &turn, approach, e, end) {
        Outcome::Ended
    } else {
        Outcome::Endless
    }
}

/// Where restitution has done `e^2` of the work of compression, within a slip's piece;
/// whether it was found. The first guess is the exact answer for a constant rate of the
/// normal velocity: `e` times the velocity of approach.
#[inline(always)]
fn restore_energy(
    contact: &Contact,
    piece: &Piece,
    slip: &PieceSlip,
    turn: &SlipState,
    approach: Real,
    e: Real,
    end: &mut SlipState,
) -> bool {
    let entered = slip.totals.normal;
    let most = entered + slip.speed * piece.whole.normal;
    let level = larger(smaller(e * approach, most), entered);
    let mut impulse = piece.impulse_at((level - entered) * slip.slowness);
    let owed = -e * e * turn.totals.work;
    for _ in 0..MOST_CORRECTIONS {
        *end = slip.at_impulse(piece, impulse);
        let mut restored = end.totals.work - turn.totals.work;
        if e < SMALL_WORK {
            // The difference of two works would be small: rates at both ends give it,
            // unless they change too much in between.
            let passed = end.totals.impulse - turn.totals.impulse;
            let first = contact.slip_rates(turn.tangential);
            let last = contact.slip_rates(end.tangential);
            if !(absolute(last.pace * passed) < LITTLE) {
                return false;
            }
            let change = last.normal - first.normal;
            restored = (0.5 * end.totals.normal - passed * change * (1.0 / 12.0)) * passed;
        }
        let missing = owed - restored;
        let square = end.totals.normal * end.totals.normal + 2.0 * piece.mean_rate * missing;
        let more = 2.0 * missing / (end.totals.normal + sqrt(larger(square, 0.0)));
        if absolute(more) <= CLOSE * end.totals.impulse {
            let rates = contact.slip_rates(end.tangential);
            let inverse = 1.0 / end.totals.normal;
            let first = missing * inverse;
            let rise = rates.normal * first * inverse;
            let bend = rates.normal_change * first * first * inverse;
            let rest = first * (1.0 - 0.5 * (rise - rise * rise) - bend * (1.0 / 6.0));
            if absolute(rise) <= 4.0 * CLOSE && absolute(rates.pace * rest) <= CLOSE {
                advance_slip(contact, &rates, rest, end);
                return true;
            }
        }
        impulse += more * slip.slowness;
        if !(impulse >= 0.0 && impulse <= piece.whole.impulse) {
            return false;
        }
    }
    false
}

/// First and second derivatives by the normal impulse.
#[derive(Clone, Copy, Debug)]
pub struct SlipRates {
    /// Of the tangential impulse.
    pub friction: [Real; 2],
    pub friction_change: [Real; 2],
    /// Of the normal velocity.
    pub normal: Real,
    pub normal_change: Real,
    /// A bound on how fast directions and speeds change.
    pub pace: Real,
}

impl Contact {
    /// The derivatives at a tangential velocity.
    #[inline(always)]
    pub fn slip_rates(&self, v: [Real; 2]) -> SlipRates {
        let [h1, h2] = self.h;
        let inverse = 1.0 / sqrt(v[0] * v[0] + v[1] * v[1]);
        let [c, d] = [v[0] * inverse, v[1] * inverse];
        let turn = self.mu * self.rates_at([c, d]).across * inverse;
        SlipRates {
            friction: [-self.mu * c, -self.mu * d],
            friction_change: [turn * d, -turn * c],
            normal: self.a - self.mu * (h1 * c + h2 * d),
            normal_change: turn * (h1 * d - h2 * c),
            pace: self.rate * inverse,
        }
    }
}

/// Takes a slip on by a small impulse.
#[inline(always)]
fn advance_slip(contact: &Contact, rates: &SlipRates, more: Real, at: &mut SlipState) {
    let half = 0.5 * more;
    let bend = rates.normal_change * more * (1.0 / 3.0);
    at.totals.work += at.totals.normal * more + (rates.normal + bend) * half * more;
    at.totals.normal += (rates.normal + half * rates.normal_change) * more;
    at.totals.impulse += more;
    for i in 0..2 {
        let friction = (rates.friction[i] + half * rates.friction_change[i]) * more;
        at.totals.friction[i] += friction;
        at.tangential[i] += contact.h[i] * more + contact.b[i] * friction;
    }
}

/// Follows an impact at constant rates from a halt to its end; compression may have ended
/// at a turn before. Whether the result is finite.
#[inline(always)]
fn leave_halt<P: PieceMap>(
    pieces: &P,
    contact: &Contact,
    before: &SlipState,
    at: &Totals,
    turn: Option<Totals>,
    restitution: &Restitution,
    out: &mut Impact<3>,
) -> bool {
    let rates = pieces.rest_rates();
    let e = restitution.e;
    let rate = rates.normal;
    out.mode = mode_from_rest(contact.sticks, true, turn.is_some());
    out.events.note(EventKind::Halt, at.impulse);
    let next = if contact.sticks { EventKind::Stick } else { EventKind::SlipRestart };
    out.events.note(next, at.impulse);
    let mut more = -at.normal / rate;
    if let Some(turned) = turn {
        more = match restitution.law {
            Law::Newton => (-e * before.totals.normal - at.normal) / rate,
            Law::Poisson => turned.impulse * (1.0 + e) - at.impulse,
            Law::Energetic => {
                let missing = (1.0 - e * e) * turned.work - at.work;
                let square = at.normal * at.normal + 2.0 * rate * missing;
                2.0 * missing / (at.normal + sqrt(larger(square, 0.0)))
            }
        };
    } else {
        let compression = at.impulse + more;
        out.compression_impulse = compression;
        out.events.note(EventKind::CompressionEnd, compression);
        more += match restitution.law {
            Law::Newton => -e * before.totals.normal / rate,
            Law::Poisson => e * compression,
            Law::Energetic => e * sqrt(larger(-2.0 * at.work - at.normal * more, 0.0) / rate),
        };
    }
    let end = SlipState {
        totals: Totals {
            impulse: at.impulse + more,
            normal: if e == 0.0 { 0.0 } else { at.normal + rate * more },
            work: at.work + (at.normal + 0.5 * rate * more) * more,
            friction: [
                at.friction[0] + rates.friction[0] * more,
                at.friction[1] + rates.friction[1] * more,
            ],
        },
        tangential: [rates.tangential[0] * more, rates.tangential[1] * more],
    };
    write_result(contact, before, &end, out)
}

/// Writes a result in the contact's own axes and units; whether it is finite.
#[inline(always)]
fn write_result(
    contact: &Contact,
    before: &SlipState,
    end: &SlipState,
    out: &mut Impact<3>,
) -> bool {
    let [v1, v2] = before.tangential;
    let [w1, w2] = end.tangential;
    let [i1, i2] = end.totals.friction;
    let impulse = end.totals.impulse;
    let normal = end.totals.normal;
    let energy =
        0.5 * (impulse * (before.totals.normal + normal) + i1 * (v1 + w1) + i2 * (v2 + w2));
    // Friction never adds energy, even after rounding.
    let work = larger(end.totals.work, energy);
    let unit = scale(1.0, -contact.unit);
    let tangential = contact.outward(end.tangential);
    let friction = contact.outward([i1 * unit, i2 * unit]);
    out.velocity = [normal, tangential[0], tangential[1]];
    out.impulse = [impulse * unit, friction[0], friction[1]];
    out.compression_impulse *= unit;
    out.normal_work = work * unit;
    out.friction_work = (energy - work) * unit;
    out.energy_change = energy * unit;
    out.critical_friction = contact.critical_friction;
    out.steps = 0;
    for i in 0..MOST_PIECE_EVENTS {
        out.events.list[i].impulse *= unit;
    }
    is_finite(out) == Status::Solved
}
