//! A piece: a short part of an orbit, normalised to enter with speed one. Its
//! polynomials are over the three variables by which impacts search it: the direction
//! (where a slip starts), the normal velocity (where compression ends) and the normal
//! impulse.

use routh_flow::{Chebyshev, DEGREE, Sector, powers, pseudo_angle};

use routh_runtime::double::inertia::Contact;
use routh_runtime::double::orbit::{Goal, Orbit, Passage, Place, enter, leaves, place, seek};
use routh_runtime::double::result::Law;

use crate::elementary::ln;

/// Coefficients of a piece's polynomials.
const LENGTH: usize = 13;

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

/// The index that stands for "no piece".
pub(crate) const NONE: u32 = u32::MAX;

/// Four polynomials: one row of coefficients per power.
type Rows = [[f64; 4]; LENGTH];

/// Totals along an orbit since it entered a piece with speed one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gathered {
    pub(crate) impulse: f64,
    pub(crate) normal: f64,
    pub(crate) work: f64,
}

impl Gathered {
    /// The totals at a place of a slip that began with speed one and zero totals.
    pub(crate) fn at(place: &Place) -> Self {
        Self { impulse: place.impulse, normal: place.normal, work: place.work }
    }
}

/// A slip that starts at a place of a sector with speed one.
pub(crate) struct Stretch<'a> {
    contact: &'a Contact,
    sector: &'a Sector,
    orbit: Orbit<{ DEGREE + 1 }>,
}

impl<'a> Stretch<'a> {
    pub(crate) fn new(contact: &'a Contact, sector: &'a Sector, x: f64) -> Self {
        let from = Place {
            x,
            u: 0.0,
            speed: 1.0,
            impulse: 0.0,
            normal: 0.0,
            work: 0.0,
            direction: [0.0; 2],
        };
        let growth = [[0.0; 4]; DEGREE + 1];
        let mut orbit = Orbit { from, weight: 0.0, functions: [0.0; 4], growth, at: from };
        enter(sector, &from, &mut orbit);
        Self { contact, sector, orbit }
    }

    /// Where it leaves the sector, or halts in it.
    pub(crate) fn exit(&self) -> Option<Place> {
        let mut exit = self.orbit.from;
        leaves(self.contact, self.sector, &self.orbit, &mut exit).then_some(exit)
    }

    /// The place at a distance `u` from the start.
    fn place(&self, u: f64) -> Place {
        place(self.contact, self.sector, &self.orbit, u)
    }

    /// Where the quantity that a law compares reaches a level.
    fn gathered(&self, law: Law, level: f64) -> Option<Place> {
        let mut orbit = self.orbit;
        let goal = Goal { law, level };
        seek(self.contact, self.sector, &mut orbit, &goal, level, false).then_some(orbit.at)
    }
}

/// A direction turned by an angle, given the tangent of half the angle.
fn turned([c, d]: [f64; 2], tangent: f64) -> [f64; 2] {
    let square = tangent * tangent;
    let inverse = 1.0 / (1.0 + square);
    let [n, m] = [(1.0 - square) * inverse, 2.0 * tangent * inverse];
    [c * n - d * m, d * n + c * m]
}

/// A part of an orbit, with its polynomials.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    /// The reference direction of its sector, in the contact's own axes.
    direction: [f64; 2],
    /// Linear map of the tangent of half the angle from `direction`, or of its
    /// logarithm, to −1..1.
    scale: f64,
    shift: f64,
    by_logarithm: bool,
    /// Whether slips start in it.
    pub(crate) starts: bool,
    /// Whether the normal velocity rises along it.
    pub(crate) rises: bool,
    /// Whether `by_normal` gives the impulse for a normal velocity.
    pub(crate) inverts: bool,
    /// Totals at its end.
    pub(crate) whole: Gathered,
    /// Speed at its end.
    pub(crate) speed: f64,
    /// `1 / speed`.
    pub(crate) slowness: f64,
    /// The mean rate of the normal velocity.
    pub(crate) mean_rate: f64,
    /// The index of the piece after it, or [`NONE`].
    pub(crate) next: u32,
    /// Totals from its end to a halt, if the orbit halts before the next piece.
    pub(crate) halt: Option<Gathered>,
    per_impulse: f64,
    per_normal: f64,
    /// Speed, impulse, normal velocity and work.
    by_direction: Rows,
    /// Tangential velocity, normal velocity and work.
    by_impulse: Rows,
    /// Impulse.
    by_normal: [f64; LENGTH],
    /// Its first and last direction, counter-clockwise.
    ends: [[f64; 2]; 2],
}

impl Piece {
    /// Fits the part of the orbit between two places of a sector; `None` if the
    /// polynomials miss their tolerance. `starts` says whether slips may start in it
    /// or only pass through. With `last`, a failed `by_normal` is accepted.
    pub(crate) fn new(
        contact: &Contact,
        sector: &Sector,
        [from, to]: [f64; 2],
        starts: bool,
        last: bool,
        chebyshev: &Chebyshev<POINTS>,
    ) -> Option<Self> {
        let by_logarithm = sector.passage != Passage::Through;
        let orbit = Stretch::new(contact, sector, from);
        let end = orbit.place(if by_logarithm { ln(to / from) } else { to - from });
        if !MODEST.contains(&end.speed) {
            return None;
        }
        let whole = Gathered::at(&end);
        // x = −1 is `from` and x = 1 is `to`: by logarithm `half` is negative where the
        // orbit leads to the invariant direction.
        let (middle, half) = match by_logarithm {
            true => (0.5 * (ln(from.abs()) + ln(to.abs())), 0.5 * ln(to / from)),
            false => (0.5 * (from + to), 0.5 * (to - from)),
        };
        let least = 1.0 / contact.rate.max(contact.a);
        let by_direction = match starts {
            false => [[0.0; 4]; LENGTH],
            true => fitted(chebyshev, [1.0, least, 1.0, least], |x| {
                let place = middle + half * x;
                let u = if by_logarithm { place - ln(from.abs()) } else { place - from };
                let at = orbit.place(u);
                Some([at.speed, at.impulse, at.normal, at.work])
            })?,
        };
        let by_impulse = fitted(chebyshev, [1.0, 1.0, 1.0, least], |x| {
            let impulse = 0.5 * (1.0 + x) * whole.impulse;
            let at = orbit.gathered(Law::Poisson, impulse)?;
            let [v1, v2] = contact.outward(at.direction.map(|x| at.speed * x));
            Some([v1, v2, at.normal, at.work])
        })?;
        let by_normal = match sector.rises {
            false => None,
            true => fitted(chebyshev, [least, 1.0, 1.0, 1.0], |x| {
                let normal = 0.5 * (1.0 + x) * whole.normal;
                let at = orbit.gathered(Law::Newton, normal)?;
                Some([at.impulse, 0.0, 0.0, 0.0])
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
        let ends = [from, to].map(|x| contact.outward(turned(sector.direction, width * x)));
        let forward = (to - from) * width > 0.0;
        Some(Self {
            direction: contact.outward(sector.direction),
            scale,
            shift,
            by_logarithm,
            starts,
            rises: sector.rises,
            inverts: by_normal.is_some(),
            whole,
            speed: end.speed,
            slowness: 1.0 / end.speed,
            mean_rate: whole.normal / whole.impulse,
            next: NONE,
            halt: None,
            per_impulse: 2.0 / whole.impulse,
            per_normal: 2.0 / whole.normal,
            by_direction,
            by_impulse,
            by_normal: by_normal.unwrap_or_default().map(|[p, ..]| p),
            ends: if forward { ends } else { [ends[1], ends[0]] },
        })
    }

    /// The straight line along an invariant direction on which the speed does not
    /// fall.
    pub(crate) fn line(contact: &Contact, sector: &Sector) -> Self {
        let Sector { direction, along, rate, .. } = *sector;
        let [c, d] = contact.outward(direction);
        let zero = [[0.0; 4]; LENGTH];
        let (mut by_impulse, mut by_normal) = (zero, [0.0; LENGTH]);
        // In x = impulse − 1.
        by_impulse[0] = [c * (1.0 + along), d * (1.0 + along), rate, 0.5 * rate];
        by_impulse[1] = [c * along, d * along, rate, rate];
        by_impulse[2] = [0.0, 0.0, 0.0, 0.5 * rate];
        by_normal[0] = 1.0 / rate;
        by_normal[1] = 1.0 / rate;
        Self {
            direction: [c, d],
            scale: 0.0,
            shift: 0.0,
            by_logarithm: true,
            starts: false,
            rises: true,
            inverts: true,
            whole: Gathered { impulse: FAR, normal: rate * FAR, work: 0.5 * rate * FAR * FAR },
            speed: FAR,
            slowness: 1.0 / FAR,
            mean_rate: rate,
            next: NONE,
            halt: None,
            per_impulse: 1.0,
            per_normal: 1.0,
            by_direction: zero,
            by_impulse,
            by_normal,
            ends: [[c, d]; 2],
        }
    }

    /// The pseudo-angles of its first and last direction, counter-clockwise.
    pub(crate) fn borders(&self) -> [f64; 2] {
        self.ends.map(pseudo_angle)
    }

    /// The orbit's speed and totals at the direction of a velocity.
    #[inline(always)]
    pub(crate) fn at_direction(&self, [v1, v2]: [f64; 2], speed: f64) -> (f64, Gathered) {
        let [c, d] = self.direction;
        let tangent = (c * v2 - d * v1) / (speed + (c * v1 + d * v2));
        let place = if self.by_logarithm { ln(tangent.abs()) } else { tangent };
        let x = place * self.scale - self.shift;
        let [speed, impulse, normal, work] = values(&self.by_direction, x);
        (speed, Gathered { impulse, normal, work })
    }

    /// The tangential velocity and the totals at an impulse.
    #[inline(always)]
    pub(crate) fn at_impulse(&self, impulse: f64) -> ([f64; 2], Gathered) {
        let x = impulse * self.per_impulse - 1.0;
        let [v1, v2, normal, work] = values(&self.by_impulse, x);
        ([v1, v2], Gathered { impulse, normal, work })
    }

    /// The impulse at which the normal velocity has risen by `normal`.
    #[inline(always)]
    pub(crate) fn impulse_at(&self, normal: f64) -> f64 {
        let x = normal * self.per_normal - 1.0;
        polynomial(|k| self.by_normal[k], x)
    }
}

/// Four polynomials' values.
#[inline(always)]
fn values(rows: &Rows, x: f64) -> [f64; 4] {
    core::array::from_fn(|i| polynomial(|k| rows[k][i], x))
}

/// A polynomial's value, in groups of four powers that a processor evaluates in
/// parallel.
#[inline(always)]
fn polynomial(coefficient: impl Fn(usize) -> f64, x: f64) -> f64 {
    let square = x * x;
    let fourth = square * square;
    let group = |k: usize| {
        let low = coefficient(k) + coefficient(k + 1) * x;
        low + (coefficient(k + 2) + coefficient(k + 3) * x) * square
    };
    group(0) + fourth * (group(4) + fourth * (group(8) + fourth * coefficient(12)))
}

/// Fits four polynomials to sampled functions; `None` if one misses both its
/// tolerance (times `sizes`) and the rounding error of the samples.
fn fitted(
    chebyshev: &Chebyshev<POINTS>,
    sizes: [f64; 4],
    function: impl Fn(f64) -> Option<[f64; 4]>,
) -> Option<Rows> {
    let mut sampled = [[0.0; POINTS]; 4];
    for (j, &x) in chebyshev.points.iter().enumerate() {
        let values = function(x)?;
        (0..4).for_each(|i| sampled[i][j] = values[i]);
    }
    let mut rows = [[0.0; 4]; LENGTH];
    for (i, values) in sampled.iter().enumerate() {
        let coefficients = chebyshev.coefficients(values);
        let rounding = ROUNDING * coefficients.iter().map(|x| x.abs()).sum::<f64>();
        let rest: f64 = coefficients[LENGTH..].iter().map(|x| x.abs()).sum();
        if rest.is_nan() || rest > rounding.max(TOLERANCE * sizes[i]) {
            return None;
        }
        let power: [f64; LENGTH] = powers(&coefficients[..LENGTH]);
        (0..LENGTH).for_each(|k| rows[k][i] = power[k]);
    }
    Some(rows)
}
