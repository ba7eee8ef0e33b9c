//! Fits the polynomials of one piece to a part of an orbit.

use routh_runtime::double::elementary::ln;
use routh_runtime::double::follow::before_impact_state;
use routh_runtime::double::inertia::Contact;
use routh_runtime::double::orbit::{
    Goal, Orbit, Passage, Place, enter, leaves, place, seek, swept,
};
use routh_runtime::double::piece::{PIECE_FUNCTIONS, PIECE_TERMS, Piece, Totals};
use routh_runtime::double::result::Law;
use routh_runtime::double::sectors::begin;
use routh_runtime::double::straight::State;

use crate::chebyshev::{Chebyshev, powers};
use crate::sector::{DEGREE, Sector};

/// Chebyshev points at which the functions are sampled.
pub(crate) const POINTS: usize = 17;

/// Truncation error allowed in the polynomials, for quantities of order one.
const TOLERANCE: f64 = 1e-12;

/// Range of the speed at the end, so that rounding there stays small at the start.
const MODEST: core::ops::Range<f64> = 0.1..10.0;

/// Relative rounding error of a sampled value.
const ROUNDING: f64 = 4e-15;

/// The impulse at which a straight line ends: more than any impact reaches, and its
/// square is still finite.
const FAR: f64 = 1e120;

/// The number that stands for "no piece".
pub(crate) const NONE: u32 = u32::MAX;

const NO_TOTALS: Totals = Totals { impulse: 0.0, normal: 0.0, work: 0.0, friction: [0.0; 2] };

/// A slip that starts at a place of a sector with speed one.
pub(crate) struct UnitSlip<'a> {
    contact: &'a Contact,
    sector: &'a Sector,
    orbit: Orbit<{ DEGREE + 1 }>,
}

impl<'a> UnitSlip<'a> {
    pub(crate) fn new(contact: &'a Contact, sector: &'a Sector, x: f64) -> Self {
        let rest: State<()> = before_impact_state(contact, &[0.0; 3], 0);
        let mut orbit = begin(sector, &rest, 1.0);
        let from = Place { x, ..orbit.from };
        enter(sector, &from, &mut orbit);
        Self { contact, sector, orbit }
    }

    /// The totals to where it halts in the sector, if it does: on a straight line.
    pub(crate) fn halt(&self) -> Option<Totals> {
        let mut exit = self.orbit.from;
        leaves(self.contact, self.sector, &self.orbit, &mut exit).then(|| self.totals(&exit))
    }

    /// The place at a distance `u` from the start.
    fn place(&self, u: f64) -> Place {
        place(self.contact, self.sector, &self.orbit, u)
    }

    /// Where the quantity that a law compares reaches a level.
    fn reach(&self, law: Law, level: f64) -> Option<Place> {
        let mut orbit = self.orbit;
        let goal = Goal { law, level };
        seek(self.contact, self.sector, &mut orbit, &goal, level, false).then_some(orbit.at)
    }

    /// Where the impulse has each of its values at the points, up to a whole one.
    fn by_impulse(&self, whole: f64, chebyshev: &Chebyshev<POINTS>) -> Option<[Place; POINTS]> {
        let mut places = [self.orbit.from; POINTS];
        for (place, x) in places.iter_mut().zip(chebyshev.points) {
            *place = self.reach(Law::Poisson, 0.5 * (1.0 + x) * whole)?;
        }
        Some(places)
    }

    /// The tangential impulse at a place: `−μ ∫σ dp`.
    fn friction(&self, at: &Place) -> [f64; 2] {
        swept(self.sector, &self.orbit, at.u, at.impulse).map(|x| -self.contact.mu * x)
    }

    /// The totals at a place.
    fn totals(&self, at: &Place) -> Totals {
        let Place { impulse, normal, work, .. } = *at;
        Totals { impulse, normal, work, friction: self.friction(at) }
    }
}

/// A direction turned by an angle, given the tangent of half the angle.
fn turned([c, d]: [f64; 2], tangent: f64) -> [f64; 2] {
    let square = tangent * tangent;
    let inverse = 1.0 / (1.0 + square);
    let [n, m] = [(1.0 - square) * inverse, 2.0 * tangent * inverse];
    [c * n - d * m, d * n + c * m]
}

/// A range of a sector in which a piece is tried.
#[derive(Clone, Copy)]
pub(crate) struct Range<'a> {
    pub(crate) sector: &'a Sector,
    pub(crate) from: f64,
    pub(crate) to: f64,
    /// Whether slips start in it, or only pass through.
    pub(crate) starts: bool,
}

impl Range<'_> {
    /// Its first and last direction, counter-clockwise.
    pub(crate) fn ends(&self) -> [[f64; 2]; 2] {
        let Self { sector, from, to, .. } = *self;
        let [first, last] = [from, to].map(|x| turned(sector.direction, sector.width * x));
        if (to - from) * sector.width > 0.0 { [first, last] } else { [last, first] }
    }

    /// Fits the part of the orbit in this range; `None` if the polynomials miss their
    /// tolerance. With `last`, a failed `by_normal` is accepted.
    pub(crate) fn fitted(
        &self,
        contact: &Contact,
        last: bool,
        chebyshev: &Chebyshev<POINTS>,
    ) -> Option<Piece> {
        let Self { sector, from, to, starts } = *self;
        let by_logarithm = sector.passage != Passage::Through;
        let slip = UnitSlip::new(contact, sector, from);
        let end = slip.place(if by_logarithm { ln(to / from) } else { to - from });
        if !MODEST.contains(&end.speed) {
            return None;
        }
        let places = slip.by_impulse(end.impulse, chebyshev)?;
        let whole = slip.totals(&end);
        // x = −1 is `from` and x = 1 is `to`: by logarithm `half` is negative where the
        // orbit leads to the invariant direction.
        let (middle, half) = match by_logarithm {
            true => (0.5 * (ln(from.abs()) + ln(to.abs())), 0.5 * ln(to / from)),
            false => (0.5 * (from + to), 0.5 * (to - from)),
        };
        let least = 1.0 / contact.rate.max(contact.a);
        let rubs = contact.mu * least;
        let by_direction = match starts {
            false => [[0.0; PIECE_FUNCTIONS]; PIECE_TERMS],
            true => fitted(chebyshev, [1.0, least, 1.0, least, rubs, rubs], |_, x| {
                let place = middle + half * x;
                let u = if by_logarithm { place - ln(from.abs()) } else { place - from };
                let at = slip.place(u);
                let [i1, i2] = slip.friction(&at);
                Some([at.speed, at.impulse, at.normal, at.work, i1, i2])
            })?,
        };
        let by_impulse = fitted(chebyshev, [1.0, 1.0, 1.0, least, rubs, rubs], |j, _| {
            let at = &places[j];
            let ([c, d], [i1, i2]) = (at.direction, slip.friction(at));
            Some([at.speed * c, at.speed * d, at.normal, at.work, i1, i2])
        })?;
        let by_normal = match sector.rises {
            false => None,
            true => fitted(chebyshev, [least], |_, x| {
                let at = slip.reach(Law::Newton, 0.5 * (1.0 + x) * whole.normal)?;
                Some([at.impulse])
            }),
        };
        if sector.rises && by_normal.is_none() && !last {
            return None;
        }
        let width = sector.width;
        let (scale, shift) = match by_logarithm {
            true => (1.0 / half, (middle + ln(width.abs())) / half),
            false => (1.0 / (width * half), middle / half),
        };
        Some(Piece {
            direction: sector.direction,
            scale,
            shift,
            by_logarithm,
            rises: sector.rises,
            inverts: by_normal.is_some(),
            halts: false,
            next: NONE,
            whole,
            rest: NO_TOTALS,
            speed: end.speed,
            slowness: 1.0 / end.speed,
            mean_rate: whole.normal / whole.impulse,
            per_impulse: 2.0 / whole.impulse,
            per_normal: 2.0 / whole.normal,
            by_direction,
            by_impulse,
            by_normal: by_normal.unwrap_or_default().map(|[p]| p),
        })
    }
}

/// The straight line along an invariant direction on which the speed does not fall.
pub(crate) fn line(contact: &Contact, sector: &Sector) -> Piece {
    let Sector { direction: [c, d], along, rate, .. } = *sector;
    let [r1, r2] = [c, d].map(|x| -contact.mu * x);
    let zero = [[0.0; PIECE_FUNCTIONS]; PIECE_TERMS];
    let (mut by_impulse, mut by_normal) = (zero, [0.0; PIECE_TERMS]);
    // In x = impulse − 1.
    by_impulse[0] = [c * (1.0 + along), d * (1.0 + along), rate, 0.5 * rate, r1, r2];
    by_impulse[1] = [c * along, d * along, rate, rate, r1, r2];
    by_impulse[2][3] = 0.5 * rate;
    by_normal[0] = 1.0 / rate;
    by_normal[1] = 1.0 / rate;
    let friction = [r1 * FAR, r2 * FAR];
    Piece {
        direction: [c, d],
        scale: 0.0,
        shift: 0.0,
        by_logarithm: true,
        rises: true,
        inverts: true,
        halts: false,
        next: NONE,
        whole: Totals { impulse: FAR, normal: rate * FAR, work: 0.5 * rate * FAR * FAR, friction },
        rest: NO_TOTALS,
        speed: FAR,
        slowness: 1.0 / FAR,
        mean_rate: rate,
        per_impulse: 1.0,
        per_normal: 1.0,
        by_direction: zero,
        by_impulse,
        by_normal,
    }
}

/// Fits polynomials to sampled functions; `None` if one misses both its tolerance (times
/// its size) and the rounding error of the samples.
fn fitted<const N: usize>(
    chebyshev: &Chebyshev<POINTS>,
    sizes: [f64; N],
    function: impl Fn(usize, f64) -> Option<[f64; N]>,
) -> Option<[[f64; N]; PIECE_TERMS]> {
    let mut sampled = [[0.0; POINTS]; N];
    for (j, &x) in chebyshev.points.iter().enumerate() {
        let values = function(j, x)?;
        (0..N).for_each(|i| sampled[i][j] = values[i]);
    }
    let mut rows = [[0.0; N]; PIECE_TERMS];
    for (i, values) in sampled.iter().enumerate() {
        let coefficients = chebyshev.coefficients(values);
        let rounding = ROUNDING * coefficients.iter().map(|x| x.abs()).sum::<f64>();
        let rest: f64 = coefficients[PIECE_TERMS..].iter().map(|x| x.abs()).sum();
        if rest.is_nan() || rest > rounding.max(TOLERANCE * sizes[i]) {
            return None;
        }
        let power: [f64; PIECE_TERMS] = powers(&coefficients[..PIECE_TERMS]);
        (0..PIECE_TERMS).for_each(|k| rows[k][i] = power[k]);
    }
    Some(rows)
}
