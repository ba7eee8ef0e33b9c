//! The reference that generated solvers are measured against: an impact
//! followed by high-order series of the derived system, with nothing in common
//! with the runtime but the theory. Slow and plain: small steps, events by
//! sampling and bisection, no closed form before the halt. Elementary functions
//! are `libm`'s, so that every machine finds the same.

use libm::{atan2, hypot, pow, sincos};

use super::{ImpactInput, ImpactOutput};
use crate::derivations::Law;
use crate::program::SeriesProgram;

/// The order of the reference's series.
const ORDER: usize = 32;

/// Places in a step at which events are looked for.
const SAMPLES: usize = 64;

/// Steps after which a slip is taken not to end.
const MOST_STEPS: usize = 600;

/// `vt1`, `vt2`, `p`, `it1`, `it2`, `vn`, `wn`, `wt`.
type State = [f64; 8];

/// Follows an impact in the plane: in space it stays there.
pub(crate) fn follow_planar(
    program: &SeriesProgram,
    input: &ImpactInput<2>,
) -> Option<ImpactOutput<2>> {
    let [[a, c], [_, b]] = input.inertia;
    let [vn, vt] = input.velocity;
    let ImpactOutput {
        velocity,
        impulse,
        compression_impulse,
        normal_work,
        friction_work,
        mode,
        steps,
    } = follow(
        program,
        &ImpactInput {
            inertia: [[a, c, 0.0], [c, b, 0.0], [0.0, 0.0, b]],
            velocity: [vn, vt, 0.0],
            friction: input.friction,
            law: input.law,
            e: input.e,
        },
    )?;
    Some(ImpactOutput {
        velocity: [velocity[0], velocity[1]],
        impulse: [impulse[0], impulse[1]],
        compression_impulse,
        normal_work,
        friction_work,
        mode,
        steps,
    })
}

/// Follows an impact to its end; none if it has no end or cannot be resolved.
/// It does so in units in which speeds, and the rate of sliding, are of order
/// one.
pub(crate) fn follow(program: &SeriesProgram, input: &ImpactInput<3>) -> Option<ImpactOutput<3>> {
    let [[a, h1, h2], [_, b11, _], [_, _, b22]] = input.inertia;
    let rate = hypot(h1, h2) + input.friction[1] * (b11 + b22);
    let inertia = power_of_two(if rate > 1e-100 * a { rate } else { a });
    let speed = power_of_two(input.velocity.iter().fold(0.0, |m, v| v.abs().max(m)));
    let scaled = ImpactInput {
        inertia: input.inertia.map(|row| row.map(|x| x / inertia)),
        velocity: input.velocity.map(|x| x / speed),
        ..*input
    };
    let output = follow_scaled(program, &scaled)?;
    let impulse = |x: f64| x * speed / inertia;
    Some(ImpactOutput {
        velocity: output.velocity.map(|x| x * speed),
        impulse: output.impulse.map(impulse),
        compression_impulse: impulse(output.compression_impulse),
        normal_work: impulse(output.normal_work) * speed,
        friction_work: impulse(output.friction_work) * speed,
        ..output
    })
}

/// The largest power of two in a number above zero.
fn power_of_two(x: f64) -> f64 {
    libm::scalbn(1.0, libm::ilogb(x))
}

fn follow_scaled(program: &SeriesProgram, input: &ImpactInput<3>) -> Option<ImpactOutput<3>> {
    let contact = Contact::new(input)?;
    let [vn, v1, v2] = input.velocity;
    let [t1, t2] = contact.inward([v1, v2]);
    let mut impact = Impact {
        contact: &contact,
        law: input.law,
        e: input.e,
        approach: -vn,
        restoring: false,
        state: [t1, t2, 0.0, 0.0, 0.0, vn, 0.0, 0.0],
        since: [0.0; 2],
        compressed: [0.0; 2],
        restored: [0.0; 2],
        steps: 0,
    };
    let slid = t1 != 0.0 || t2 != 0.0;
    let ended = slid && impact.slide(program)?;
    let mut mode = "PermanentSliding".to_owned();
    if !ended {
        let rest = if contact.sticks { "Sticking" } else { "Reverse" };
        let stage = if impact.restoring { "InRestitution" } else { "InCompression" };
        mode = match (slid, contact.sticks) {
            (true, _) => format!("{rest}{stage}"),
            (false, true) => "Sticking".to_owned(),
            (false, false) => "SlipFromRest".to_owned(),
        };
        impact.leave_rest()?;
    }
    let [t1, t2, p, i1, i2, vn, wn, wt] = impact.state;
    let [v1, v2] = contact.outward([t1, t2]);
    let [i1, i2] = contact.outward([i1, i2]);
    let plain = |x: f64| x.is_finite().then_some(x);
    Some(ImpactOutput {
        velocity: [plain(vn)?, plain(v1)?, plain(v2)?],
        impulse: [plain(p)?, plain(i1)?, plain(i2)?],
        compression_impulse: plain(impact.compressed[0])?,
        normal_work: plain(wn)?,
        friction_work: plain(wt)?,
        mode,
        steps: impact.steps,
    })
}

/// A contact in the principal axes of its tangential inertia.
struct Contact {
    a: f64,
    h: [f64; 2],
    b: [f64; 2],
    mu: f64,
    axis: [f64; 2],
    holding: [f64; 2],
    sticks: bool,
}

impl Contact {
    fn new(input: &ImpactInput<3>) -> Option<Self> {
        let [[a, h1, h2], [_, b11, b12], [_, _, b22]] = input.inertia.map(|row| row);
        let [fixed, mu] = input.friction;
        let (s, c) = sincos(0.5 * atan2(2.0 * b12, b11 - b22));
        let axis = [c, s];
        let determinant = b11 * b22 - b12 * b12;
        if !(a > 0.0 && determinant > 0.0) {
            return None;
        }
        let holding = [(b22 * h1 - b12 * h2) / determinant, (b11 * h2 - b12 * h1) / determinant];
        let b1 = c * c * b11 + 2.0 * c * s * b12 + s * s * b22;
        Some(Self {
            a,
            h: turned(axis, [h1, h2]),
            b: [b1, determinant / b1],
            mu,
            axis,
            holding: turned(axis, holding),
            sticks: hypot(holding[0], holding[1]) <= fixed,
        })
    }

    fn inward(&self, v: [f64; 2]) -> [f64; 2] {
        turned(self.axis, v)
    }

    fn outward(&self, v: [f64; 2]) -> [f64; 2] {
        turned([self.axis[0], -self.axis[1]], v)
    }

    /// The direction of a slip out of rest, by bisection for `λ` with
    /// `|(μ b + λ)⁻¹ h| = 1`.
    fn restart(&self) -> [f64; 2] {
        let at = |shift: f64| [0, 1].map(|i| self.h[i] / (self.mu * self.b[i] + shift));
        let (mut low, mut high) = (0.0, hypot(self.h[0], self.h[1]));
        for _ in 0..400 {
            let middle = (low + high) / 2.0;
            if middle == low || middle == high {
                break;
            }
            let [x, y] = at(middle);
            if hypot(x, y) > 1.0 { low = middle } else { high = middle }
        }
        let [x, y] = at(high);
        let length = hypot(x, y);
        [x / length, y / length]
    }
}

fn turned([c, s]: [f64; 2], [x, y]: [f64; 2]) -> [f64; 2] {
    [c * x + s * y, c * y - s * x]
}

/// The state of an impact while it is solved.
struct Impact<'a> {
    contact: &'a Contact,
    law: Law,
    e: f64,
    approach: f64,
    restoring: bool,
    state: State,
    /// Impulse and work at the last turn, and their totals by stage.
    since: [f64; 2],
    compressed: [f64; 2],
    restored: [f64; 2],
    steps: usize,
}

impl Impact<'_> {
    /// Below zero until the current stage ends.
    fn unfinished(&self, state: &State) -> f64 {
        if !self.restoring {
            return state[5];
        }
        let [impulse, work] = [state[2] - self.since[0], state[6] - self.since[1]];
        match self.law {
            Law::Newton => state[5] - self.e * self.approach,
            Law::Poisson => self.restored[0] + impulse - self.e * self.compressed[0],
            Law::Energetic => self.restored[1] + work + self.e * self.e * self.compressed[1],
        }
    }

    /// Ends the current stage.
    fn turn(&mut self) {
        let now = [self.state[2], self.state[6]];
        let tally = if self.restoring { &mut self.restored } else { &mut self.compressed };
        for i in 0..2 {
            tally[i] = tally[i] + now[i] - self.since[i];
        }
        self.since = now;
        self.restoring = !self.restoring;
    }

    /// Follows the slip; whether the impact ended before it halted.
    fn slide(&mut self, program: &SeriesProgram) -> Option<bool> {
        let Contact { a, h, b, mu, .. } = self.contact;
        let parameters = [*a, h[0], h[1], b[0], b[1], *mu];
        let mut fastest = 0.0_f64;
        for _ in 0..MOST_STEPS {
            let speed = hypot(self.state[0], self.state[1]);
            fastest = fastest.max(speed);
            if speed <= fastest * f64::EPSILON / 16.0 {
                (self.state[0], self.state[1]) = (0.0, 0.0);
                return Some(false);
            }
            self.steps += 1;
            let series = program.coefficients(&parameters, &self.state, ORDER);
            let width = self.width(&series, speed);
            if self.step(&series, width) {
                return Some(true);
            }
        }
        None
    }

    /// A step that the last terms leave accurate to the last digit.
    fn width(&self, series: &[Vec<f64>], speed: f64) -> f64 {
        let Contact { h, b, mu, .. } = self.contact;
        let rate = hypot(h[0], h[1]) + *mu * (b[0] + b[1]);
        // Where nothing turns, what the impact itself lasts counts.
        let longest = (ORDER as f64 / 8.0) / rate.max(self.contact.a * speed / self.approach);
        let tolerance = f64::EPSILON / 64.0;
        [ORDER, ORDER - 1].into_iter().fold(longest, |width, k| {
            let works = (series[6][k].abs().max(series[7][k].abs())) * rate / self.approach;
            let size = series[0][k].abs().max(series[1][k].abs()).max(works);
            if size <= f64::MIN_POSITIVE {
                return width;
            }
            width.min(pow(tolerance * speed / size, 1.0 / k as f64))
        })
    }

    /// Goes through a step; whether the impact ends in it.
    fn step(&mut self, series: &[Vec<f64>], width: f64) -> bool {
        let value = |i: usize, t: f64| series[i].iter().rev().fold(0.0, |sum, &x| sum * t + x);
        let at = |t: f64| -> State { std::array::from_fn(|i| value(i, t)) };
        // Of a state only what events depend on.
        let watched = |t: f64| -> State {
            let mut state = [0.0; 8];
            [2, 5, 6].into_iter().for_each(|i| state[i] = value(i, t));
            state
        };
        let place = |i: usize| width * i as f64 / SAMPLES as f64;
        let mut from = 0.0;
        let mut i = 1;
        while i <= SAMPLES {
            let to = place(i);
            let there = watched(to);
            let falls = self.restoring && there[5] < 0.0;
            let ends = self.unfinished(&there) >= 0.0;
            if !falls && !ends {
                from = to;
                i += 1;
                continue;
            }
            // Whichever comes first, both are changes of sign.
            let past = |this: &Self, t: f64| {
                let state = watched(t);
                this.unfinished(&state) >= 0.0 || this.restoring && state[5] < 0.0
            };
            let (mut low, mut high) = (from, to);
            for _ in 0..400 {
                let middle = (low + high) / 2.0;
                if middle == low || middle == high {
                    break;
                }
                if past(self, middle) { high = middle } else { low = middle }
            }
            self.state = at(high);
            from = high;
            let ended = self.restoring && self.unfinished(&self.state) >= 0.0;
            if ended || !self.restoring && self.e == 0.0 {
                if !self.restoring {
                    self.turn();
                }
                return true;
            }
            self.turn();
        }
        self.state = at(width);
        false
    }

    /// What follows rest has constant rates and ends.
    fn leave_rest(&mut self) -> Option<()> {
        let Contact { a, h, b, mu, holding, .. } = self.contact;
        let friction = match self.contact.sticks {
            true => holding.map(|x| -x),
            false => self.contact.restart().map(|x| -*mu * x),
        };
        let normal = *a + h[0] * friction[0] + h[1] * friction[1];
        let rates = match self.contact.sticks {
            true => [0.0; 2],
            false => [0, 1].map(|i| h[i] + b[i] * friction[i]),
        };
        if !self.restoring {
            let q = -self.state[5] / normal;
            self.advance(q, normal, rates, friction);
            self.state[5] = 0.0;
            self.turn();
        }
        let owed = -self.unfinished(&self.state);
        let v = self.state[5];
        let q = match self.law {
            Law::Newton => owed / normal,
            Law::Poisson => owed,
            Law::Energetic => 2.0 * owed / (v + (v * v + 2.0 * normal * owed).max(0.0).sqrt()),
        };
        if owed > 0.0 {
            self.advance(q, normal, rates, friction);
        }
        self.state.iter().all(|x| x.is_finite()).then_some(())
    }

    fn advance(&mut self, q: f64, normal: f64, rates: [f64; 2], friction: [f64; 2]) {
        let [t1, t2, p, i1, i2, vn, wn, wt] = self.state;
        let power = friction[0] * t1 + friction[1] * t2;
        let growth = friction[0] * rates[0] + friction[1] * rates[1];
        self.state = [
            t1 + rates[0] * q,
            t2 + rates[1] * q,
            p + q,
            i1 + friction[0] * q,
            i2 + friction[1] * q,
            vn + normal * q,
            wn + (vn + 0.5 * normal * q) * q,
            wt + (power + 0.5 * growth * q) * q,
        ];
    }
}
