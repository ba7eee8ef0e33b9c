//! The reference that generated solvers are measured against: an impact
//! followed in any arithmetic by high-order series of the derived system, with
//! nothing in common with the runtime but the theory. Slow and plain: small
//! steps, events by sampling and bisection, no closed form before the halt.

use num_traits::Float;

use crate::derivations::Law;
use crate::embedded::{Answer, Question};
use crate::program::SeriesProgram;

/// The order of the reference's series.
const ORDER: usize = 32;

/// Places in a step at which events are looked for.
const SAMPLES: usize = 64;

/// Steps after which a slip is taken not to end.
const MOST_STEPS: usize = 4000;

/// `vt1`, `vt2`, `p`, `it1`, `it2`, `vn`, `wn`, `wt`.
type State<T> = [T; 8];

/// Follows an impact in the plane: in space it stays there.
pub(crate) fn follow_planar<T: Float>(
    program: &SeriesProgram,
    question: &Question<2>,
) -> Option<Answer<2>> {
    let [[a, c], [_, b]] = question.inertia;
    let [vn, vt] = question.velocity;
    let Answer { velocity, impulse, compression_impulse, normal_work, friction_work, mode, steps } =
        follow::<T>(
            program,
            &Question {
                inertia: [[a, c, 0.0], [c, b, 0.0], [0.0, 0.0, b]],
                velocity: [vn, vt, 0.0],
                friction: question.friction,
                law: question.law,
                e: question.e,
            },
        )?;
    Some(Answer {
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
pub(crate) fn follow<T: Float>(
    program: &SeriesProgram,
    question: &Question<3>,
) -> Option<Answer<3>> {
    let contact = Contact::<T>::new(question)?;
    let [vn, v1, v2] = question.velocity.map(number::<T>);
    let zero = T::zero();
    let [t1, t2] = contact.inward([v1, v2]);
    let mut impact = Impact {
        contact: &contact,
        law: question.law,
        e: number(question.e),
        approach: -vn,
        restoring: false,
        state: [t1, t2, zero, zero, zero, vn, zero, zero],
        since: [zero; 2],
        compressed: [zero; 2],
        restored: [zero; 2],
        steps: 0,
    };
    let slid = t1 != zero || t2 != zero;
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
    let plain = |x: T| x.to_f64().filter(|x| x.is_finite());
    Some(Answer {
        velocity: [plain(vn)?, plain(v1)?, plain(v2)?],
        impulse: [plain(p)?, plain(i1)?, plain(i2)?],
        compression_impulse: plain(impact.compressed[0])?,
        normal_work: plain(wn)?,
        friction_work: plain(wt)?,
        mode,
        steps: impact.steps,
    })
}

fn number<T: Float>(x: f64) -> T {
    T::from(x).unwrap_or_else(T::nan)
}

/// A contact in the principal axes of its tangential inertia.
struct Contact<T> {
    a: T,
    h: [T; 2],
    b: [T; 2],
    mu: T,
    axis: [T; 2],
    holding: [T; 2],
    sticks: bool,
}

impl<T: Float> Contact<T> {
    fn new(question: &Question<3>) -> Option<Self> {
        let [[a, h1, h2], [_, b11, b12], [_, _, b22]] =
            question.inertia.map(|row| row.map(number::<T>));
        let [fixed, mu] = question.friction.map(number::<T>);
        let two = number::<T>(2.0);
        let angle = (two * b12).atan2(b11 - b22) / two;
        let axis = [angle.cos(), angle.sin()];
        let [c, s] = axis;
        let determinant = b11 * b22 - b12 * b12;
        if !(a > T::zero() && determinant > T::zero()) {
            return None;
        }
        let holding = [(b22 * h1 - b12 * h2) / determinant, (b11 * h2 - b12 * h1) / determinant];
        let b1 = c * c * b11 + two * c * s * b12 + s * s * b22;
        Some(Self {
            a,
            h: turned(axis, [h1, h2]),
            b: [b1, determinant / b1],
            mu,
            axis,
            holding: turned(axis, holding),
            sticks: holding[0].hypot(holding[1]) <= fixed,
        })
    }

    fn inward(&self, v: [T; 2]) -> [T; 2] {
        turned(self.axis, v)
    }

    fn outward(&self, v: [T; 2]) -> [T; 2] {
        turned([self.axis[0], -self.axis[1]], v)
    }

    /// The direction of a slip out of rest, by bisection for `λ` with
    /// `|(μ b + λ)⁻¹ h| = 1`.
    fn restart(&self) -> [T; 2] {
        let at = |shift: T| [0, 1].map(|i| self.h[i] / (self.mu * self.b[i] + shift));
        let (mut low, mut high) = (T::zero(), self.h[0].hypot(self.h[1]));
        for _ in 0..400 {
            let middle = (low + high) / number(2.0);
            let [x, y] = at(middle);
            if x.hypot(y) > T::one() { low = middle } else { high = middle }
        }
        let [x, y] = at(high);
        let length = x.hypot(y);
        [x / length, y / length]
    }
}

fn turned<T: Float>([c, s]: [T; 2], [x, y]: [T; 2]) -> [T; 2] {
    [c * x + s * y, c * y - s * x]
}

/// An impact on its way.
struct Impact<'a, T> {
    contact: &'a Contact<T>,
    law: Law,
    e: T,
    approach: T,
    restoring: bool,
    state: State<T>,
    /// Impulse and work at the last turn, and their totals by stage.
    since: [T; 2],
    compressed: [T; 2],
    restored: [T; 2],
    steps: usize,
}

impl<T: Float> Impact<'_, T> {
    /// Below zero until the current stage ends.
    fn unfinished(&self, state: &State<T>) -> T {
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
        let mut fastest = T::zero();
        for _ in 0..MOST_STEPS {
            let speed = self.state[0].hypot(self.state[1]);
            fastest = fastest.max(speed);
            if speed <= fastest * T::epsilon() / number(16.0) {
                (self.state[0], self.state[1]) = (T::zero(), T::zero());
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
    fn width(&self, series: &[Vec<T>], speed: T) -> T {
        let Contact { h, b, mu, .. } = self.contact;
        let rate = h[0].hypot(h[1]) + *mu * (b[0] + b[1]);
        let longest = number::<T>(ORDER as f64 / 8.0) / rate;
        let tolerance = T::epsilon() / number(64.0);
        [ORDER, ORDER - 1].into_iter().fold(longest, |width, k| {
            let works = (series[6][k].abs().max(series[7][k].abs())) * rate / self.approach;
            let size = series[0][k].abs().max(series[1][k].abs()).max(works);
            if size <= T::min_positive_value() {
                return width;
            }
            width.min((tolerance * speed / size).powf(T::one() / number(k as f64)))
        })
    }

    /// Goes through a step; whether the impact ends in it.
    fn step(&mut self, series: &[Vec<T>], width: T) -> bool {
        let at = |t: T| -> State<T> {
            std::array::from_fn(|i| series[i].iter().rev().fold(T::zero(), |sum, &x| sum * t + x))
        };
        let place = |i: usize| width * number::<T>(i as f64) / number(SAMPLES as f64);
        let mut from = T::zero();
        let mut i = 1;
        while i <= SAMPLES {
            let to = place(i);
            let falls = self.restoring && at(to)[5] < T::zero();
            let ends = self.unfinished(&at(to)) >= T::zero();
            if !falls && !ends {
                from = to;
                i += 1;
                continue;
            }
            // Whichever comes first, both are changes of sign.
            let past = |this: &Self, t: T| {
                let state = at(t);
                this.unfinished(&state) >= T::zero() || this.restoring && state[5] < T::zero()
            };
            let (mut low, mut high) = (from, to);
            for _ in 0..400 {
                let middle = (low + high) / number(2.0);
                if past(self, middle) { high = middle } else { low = middle }
            }
            self.state = at(high);
            from = high;
            let ended = self.restoring && self.unfinished(&self.state.clone()) >= T::zero();
            if ended || !self.restoring && self.e == T::zero() {
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
            true => [T::zero(); 2],
            false => [0, 1].map(|i| h[i] + b[i] * friction[i]),
        };
        if !self.restoring {
            let q = -self.state[5] / normal;
            self.advance(q, normal, rates, friction);
            self.state[5] = T::zero();
            self.turn();
        }
        let owed = -self.unfinished(&self.state.clone());
        let v = self.state[5];
        let q = match self.law {
            Law::Newton => owed / normal,
            Law::Poisson => owed,
            Law::Energetic => {
                let two = number::<T>(2.0);
                two * owed / (v + (v * v + two * normal * owed).max(T::zero()).sqrt())
            }
        };
        if owed > T::zero() {
            self.advance(q, normal, rates, friction);
        }
        self.state.iter().all(|x| x.is_finite()).then_some(())
    }

    fn advance(&mut self, q: T, normal: T, rates: [T; 2], friction: [T; 2]) {
        let half = number::<T>(0.5);
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
            wn + (vn + half * normal * q) * q,
            wt + (power + half * growth * q) * q,
        ];
    }
}
