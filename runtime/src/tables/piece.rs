//! A piece: a short part of an orbit, normalised to enter with speed one. Its
//! polynomials are over the three variables by which impacts search it: the direction
//! (where a slip starts), the normal velocity (where compression ends) and the normal
//! impulse.

use super::elementary::ln;
use super::number::absolute;
use super::orbit::Goal;
use super::real::Real;
use super::result::Law;

/// Coefficients of a piece's polynomials.
pub const PIECE_TERMS: usize = 13;

/// Functions that are tabulated together.
pub const PIECE_FUNCTIONS: usize = 6;

/// Totals along an orbit since it entered a piece with speed one.
#[derive(Clone, Copy, Debug)]
pub struct Totals {
    pub impulse: Real,
    pub normal: Real,
    pub work: Real,
    /// The tangential impulse.
    pub friction: [Real; 2],
}

/// A part of an orbit, with its polynomials: a row has one coefficient of each function,
/// lowest power first.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// The reference direction of its sector.
    pub direction: [Real; 2],
    /// Linear map of the tangent of half the angle from `direction`, or of its
    /// logarithm, to -1..1.
    pub scale: Real,
    pub shift: Real,
    pub by_logarithm: bool,
    /// Whether the normal velocity rises along it.
    pub rises: bool,
    /// Whether `by_normal` gives the impulse for a normal velocity.
    pub inverts: bool,
    /// Whether the orbit halts after it, and before another piece.
    pub halts: bool,
    /// The number of the piece after it; there is none if that is too large.
    pub next: u32,
    /// Totals at its end.
    pub whole: Totals,
    /// Totals from its end to a halt.
    pub rest: Totals,
    /// Speed at its end, and one over it.
    pub speed: Real,
    pub slowness: Real,
    /// The mean rate of the normal velocity.
    pub mean_rate: Real,
    pub per_impulse: Real,
    pub per_normal: Real,
    /// Speed, impulse, normal velocity, work and tangential impulse.
    pub by_direction: [[Real; PIECE_FUNCTIONS]; PIECE_TERMS],
    /// Tangential velocity, normal velocity, work and tangential impulse.
    pub by_impulse: [[Real; PIECE_FUNCTIONS]; PIECE_TERMS],
    /// Impulse.
    pub by_normal: [Real; PIECE_TERMS],
}

/// A slip on a piece: speed and totals where the orbit enters the piece, extrapolated if
/// the slip starts inside it.
#[derive(Clone, Copy, Debug)]
pub struct PieceSlip {
    /// The number of the piece.
    pub piece: usize,
    pub speed: Real,
    /// One over the speed.
    pub slowness: Real,
    pub totals: Totals,
}

/// Totals of an impact, its normal velocity among them, and the tangential velocity.
#[derive(Clone, Copy, Debug)]
pub struct SlipState {
    pub totals: Totals,
    pub tangential: [Real; 2],
}

/// Values of polynomials, in groups of four powers that a processor evaluates in parallel.
#[inline(always)]
pub fn piece_values(
    rows: &[[Real; PIECE_FUNCTIONS]; PIECE_TERMS],
    x: Real,
) -> [Real; PIECE_FUNCTIONS] {
    let square = x * x;
    let fourth = square * square;
    let mut values = rows[12];
    for group in 0..3 {
        let k = 8 - 4 * group;
        for i in 0..PIECE_FUNCTIONS {
            let low = rows[k][i] + rows[k + 1][i] * x;
            let high = rows[k + 2][i] + rows[k + 3][i] * x;
            values[i] = (low + high * square) + fourth * values[i];
        }
    }
    values
}

impl Piece {
    /// The impulse at which the normal velocity has risen by an amount.
    #[inline(always)]
    pub fn impulse_at(&self, normal: Real) -> Real {
        let x = normal * self.per_normal - 1.0;
        let square = x * x;
        let fourth = square * square;
        let mut value = self.by_normal[12];
        for group in 0..3 {
            let k = 8 - 4 * group;
            let low = self.by_normal[k] + self.by_normal[k + 1] * x;
            let high = self.by_normal[k + 2] + self.by_normal[k + 3] * x;
            value = (low + high * square) + fourth * value;
        }
        value
    }

    /// A slip that starts in the piece, whose number is given, with a normal and a
    /// tangential velocity; its speed is given too.
    #[inline(always)]
    pub fn start(&self, number: usize, normal: Real, v: [Real; 2], speed: Real) -> PieceSlip {
        let [c, d] = self.direction;
        let tangent = (c * v[1] - d * v[0]) / (speed + (c * v[0] + d * v[1]));
        let place = if self.by_logarithm { ln(absolute(tangent)) } else { tangent };
        let x = place * self.scale - self.shift;
        let [unit, p, rise, work, i1, i2] = piece_values(&self.by_direction, x);
        let entry = speed / unit;
        let normal_at_entry = normal - entry * rise;
        PieceSlip {
            piece: number,
            speed: entry,
            slowness: unit / speed,
            totals: Totals {
                impulse: -entry * p,
                normal: normal_at_entry,
                work: -entry * (normal_at_entry * p + entry * work),
                friction: [-entry * i1, -entry * i2],
            },
        }
    }
}

impl PieceSlip {
    /// Its totals where those of the piece are given.
    #[inline(always)]
    pub fn after(&self, more: &Totals) -> Totals {
        let speed = self.speed;
        Totals {
            impulse: self.totals.impulse + speed * more.impulse,
            normal: self.totals.normal + speed * more.normal,
            work: self.totals.work
                + speed * (self.totals.normal * more.impulse + speed * more.work),
            friction: [
                self.totals.friction[0] + speed * more.friction[0],
                self.totals.friction[1] + speed * more.friction[1],
            ],
        }
    }

    /// Whether it has reached a goal where the totals of the piece are given.
    #[inline(always)]
    pub fn meets(&self, goal: &Goal, more: &Totals) -> bool {
        let speed = self.speed;
        match goal.law {
            Law::Newton => self.totals.normal + speed * more.normal >= goal.level,
            Law::Poisson => self.totals.impulse + speed * more.impulse >= goal.level,
            Law::Energetic => {
                let work = self.totals.normal * more.impulse + speed * more.work;
                self.totals.work + speed * work >= goal.level
            }
        }
    }

    /// Where it is at an impulse of the piece.
    #[inline(always)]
    pub fn at_impulse(&self, piece: &Piece, impulse: Real) -> SlipState {
        let x = impulse * piece.per_impulse - 1.0;
        let [v1, v2, normal, work, i1, i2] = piece_values(&piece.by_impulse, x);
        SlipState {
            totals: self.after(&Totals { impulse, normal, work, friction: [i1, i2] }),
            tangential: [self.speed * v1, self.speed * v2],
        }
    }
}
