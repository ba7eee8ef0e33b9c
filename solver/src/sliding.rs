//! Sliding velocity by adaptive power series in `τ`, where `dp = s dτ` and the
//! flow is polynomial: steps do not shrink as the sliding speed vanishes.

use crate::accuracy::Accuracy;
use crate::contact::Contact;
use crate::elementary::{exp, hypot, ln};
use crate::error::Error;
use crate::invariant::{Turning, nearest_invariant, rate, restart_direction, turning};
use crate::kernels::{ORDER, regularised_20, regularised_any, regularised_constants};
use crate::roots::{self, Crossing, Row};
use crate::straight::{Moment, Straight};

/// Coefficients in a row, enough for the highest order.
pub(crate) const LENGTH: usize = 65;

/// Quantities that a step is a series of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(crate) enum Quantity {
    Cosine = 0,
    Sine = 1,
    Speed = 2,
    Impulse = 3,
    Normal = 6,
    TangentialImpulse1,
    TangentialImpulse2,
    NormalWork,
    FrictionWork,
}

const QUANTITIES: usize = 11;

/// Velocities below this part of the largest sliding speed so far count as
/// zero: rounding alone makes as much.
const NEGLIGIBLE: f64 = 1e-14;

/// What rounding makes of how fast a direction turns, in units of the flow's
/// rate: below it, the direction is as near to invariant as it can be.
const NOISE: f64 = 32.0 * f64::EPSILON;

/// How near an invariant direction must be for Newton's method to be sure of it.
const NEAR: f64 = 1e-2;

/// A direction that attracts contracts its neighbours by `e^{-x}` in a step; a
/// polynomial of order `CONTRACTION · x` does too, and does not throw them off.
const CONTRACTION: f64 = 4.0;

/// The longest step, in units of the flow's own time: beyond it only
/// polynomials would stay exact.
const LONGEST: f64 = 50.0;

/// Hard contacts need some seventy steps at the default accuracy; only low
/// orders at tight tolerances come near this many.
pub(crate) const STEP_LIMIT: usize = 100_000;

/// What a slip's steps must be accurate in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Follow {
    /// The sliding velocity.
    Velocity,
    /// Velocities, impulses and works.
    Works,
}

/// A slip that is followed step by step.
#[derive(Clone, Debug)]
pub(crate) struct Slip {
    contact: Contact<3>,
    mu: f64,
    accuracy: Accuracy,
    follow: Follow,
    constants: [f64; 14],
    reach: f64,
    rate: f64,
    state: [f64; QUANTITIES],
    rows: [Row; QUANTITIES],
    width: f64,
    steps: usize,
    fastest: f64,
}

/// What a slip has come to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Settled {
    /// Its direction no longer changes.
    OnLine(Moment, Straight),
    /// Its speed has vanished.
    Halted(Moment),
}

impl Slip {
    /// A slip from a moment with a sliding speed other than zero.
    pub(crate) fn new(
        contact: &Contact<3>,
        mu: f64,
        accuracy: Accuracy,
        follow: Follow,
        from: &Moment,
    ) -> Self {
        let [[a, h1, h2], [_, b11, b12], [_, _, b22]] = *contact.inertia();
        let [t1, t2] = from.tangential;
        let speed = hypot(t1, t2);
        Self {
            contact: *contact,
            mu,
            accuracy,
            follow,
            constants: regularised_constants(a, h1, h2, b11, b12, b22, mu),
            reach: exp(ln(accuracy.tolerance()) / accuracy.order() as f64),
            rate: rate(contact, mu),
            state: [
                t1 / speed,
                t2 / speed,
                speed,
                from.impulse,
                t1,
                t2,
                from.normal,
                from.tangential_impulse[0],
                from.tangential_impulse[1],
                from.normal_work,
                from.friction_work,
            ],
            rows: [[0.0; LENGTH]; QUANTITIES],
            width: 0.0,
            steps: 0,
            fastest: speed,
        }
    }

    pub(crate) fn steps(&self) -> usize {
        self.steps
    }

    /// The length of the current step in `τ`.
    pub(crate) fn width(&self) -> f64 {
        self.width
    }

    /// Expands the series at the current state and sets the step's length.
    pub(crate) fn expand(&mut self) -> Result<(), Error> {
        if self.steps == STEP_LIMIT {
            return Err(self.accuracy.exceeded(self.steps));
        }
        match self.accuracy.order() {
            ORDER => regularised_20(&self.constants, &self.state, &mut self.rows),
            order => regularised_any(&self.constants, &self.state, order, &mut self.rows),
        }
        self.steps += 1;
        self.width = self.step_length();
        Ok(())
    }

    /// `tolerance^(1/N) min (‖x_0‖ / ‖x_k‖)^(1/k)` over the last two orders up
    /// to `N`: an estimate of the radius of convergence, and how much of it the
    /// tolerance leaves. It is found by way of reciprocals, so that a vanishing
    /// tail divides nothing.
    ///
    /// Works are products of exponentials where speeds are exponentials, so
    /// their series converge more slowly and count where they are asked for.
    fn step_length(&self) -> f64 {
        let order = self.accuracy.order();
        let [cosine, sine, speed, .., normal_work, friction_work] = &self.rows;
        let inverse = |k: usize| {
            let mut size = cosine[k].abs().max(sine[k].abs()).max(speed[k].abs() / speed[0]);
            if self.follow == Follow::Works {
                let work = normal_work[k].abs().max(friction_work[k].abs());
                size = size.max(work * self.rate / speed[0]);
            }
            exp(ln(size) / k as f64) / self.reach
        };
        let [c, d, ..] = self.state;
        let pull = -self.turning([c, d]).slope;
        1.0 / inverse(order)
            .max(inverse(order - 1))
            .max(pull * CONTRACTION / order as f64)
            .max(self.rate / LONGEST)
    }

    /// How the flow acts on a direction.
    pub(crate) fn turning(&self, direction: [f64; 2]) -> Turning {
        turning(&self.contact, self.mu, direction)
    }

    fn row(&self, quantity: Quantity) -> &[f64] {
        &self.rows[quantity as usize][..=self.accuracy.order()]
    }

    /// A quantity inside the current step.
    pub(crate) fn value(&self, quantity: Quantity, t: f64) -> f64 {
        roots::value(self.row(quantity), t)
    }

    /// The direction inside the current step.
    pub(crate) fn direction(&self, t: f64) -> [f64; 2] {
        let [c, d] = [self.value(Quantity::Cosine, t), self.value(Quantity::Sine, t)];
        let length = hypot(c, d);
        [c / length, d / length]
    }

    /// All quantities of an impact inside the current step.
    pub(crate) fn moment(&self, t: f64) -> Moment {
        use Quantity as Q;
        if t == 0.0 {
            return self.current();
        }
        let [c, d] = self.direction(t);
        let speed = self.value(Q::Speed, t);
        Moment {
            impulse: self.value(Q::Impulse, t),
            tangential_impulse: [Q::TangentialImpulse1, Q::TangentialImpulse2]
                .map(|q| self.value(q, t)),
            normal: self.value(Q::Normal, t),
            tangential: [speed * c, speed * d],
            normal_work: self.value(Q::NormalWork, t),
            friction_work: self.value(Q::FrictionWork, t),
        }
    }

    /// Moves on to a place inside the current step.
    pub(crate) fn advance(&mut self, t: f64) {
        let mut state = [0.0; QUANTITIES];
        for (x, row) in state.iter_mut().zip(&self.rows) {
            *x = roots::value(&row[..=self.accuracy.order()], t);
        }
        let length = hypot(state[0], state[1]);
        let [c, d, speed] = [state[0] / length, state[1] / length, state[2]];
        [state[0], state[1], state[4], state[5]] = [c, d, speed * c, speed * d];
        self.state = state;
        self.fastest = self.fastest.max(speed);
    }

    /// The first place in a range of the current step at which a quantity
    /// crosses a level; `at_level` says that it starts there.
    pub(crate) fn crossing(
        &self,
        quantity: Quantity,
        level: f64,
        range: (f64, f64),
        way: Crossing,
        at_level: bool,
    ) -> Option<f64> {
        roots::first_crossing(self.row(quantity), level, range.0, range.1, way, at_level)
    }

    /// Where in a range of the current step a quantity that only rises there
    /// has risen by so much.
    pub(crate) fn rise(&self, quantity: Quantity, more: f64, range: (f64, f64)) -> Option<f64> {
        roots::rise(self.row(quantity), more, range.0, range.1)
    }

    /// All quantities of an impact at the start of the current step.
    pub(crate) fn current(&self) -> Moment {
        let [_, _, _, impulse, t1, t2, normal, i1, i2, normal_work, friction_work] = self.state;
        Moment {
            impulse,
            tangential_impulse: [i1, i2],
            normal,
            tangential: [t1, t2],
            normal_work,
            friction_work,
        }
    }

    /// Whether the rest of the slip is a straight line, or over.
    ///
    /// Near an invariant direction the velocity across it decays, at the rate
    /// `μ b` has across it, whether or not the direction attracts; once it is
    /// negligible the motion is on the line, and a halt follows in closed form.
    pub(crate) fn settled(&self) -> Option<Settled> {
        let [c, d, speed, ..] = self.state;
        let zero = NEGLIGIBLE * self.fastest;
        if speed <= zero {
            return Some(Settled::Halted(self.current()));
        }
        let Turning { across, along, slope } = self.turning([c, d]);
        let sigma = if across.abs() <= NEGLIGIBLE * along.abs() || across == 0.0 {
            [c, d]
        } else {
            let away = (across / slope).abs();
            let settled = speed * away <= zero || across.abs() <= NOISE * self.rate;
            if away.is_nan() || away > NEAR || !settled {
                return None;
            }
            nearest_invariant(&self.contact, self.mu, [c, d], NEAR)?
        };
        let mut from = self.current();
        from.tangential = [speed * sigma[0], speed * sigma[1]];
        Some(Settled::OnLine(from, on_line(&self.contact, self.mu, sigma, speed)))
    }
}

/// Sliding with a given speed on an invariant direction.
pub(crate) fn on_line(contact: &Contact<3>, mu: f64, sigma: [f64; 2], speed: f64) -> Straight {
    let [a, h1, h2] = contact.inertia()[0];
    let along = turning(contact, mu, sigma).along;
    Straight {
        normal_rate: a - mu * (h1 * sigma[0] + h2 * sigma[1]),
        tangential_rate: sigma.map(|x| along * x),
        friction: sigma.map(|x| -mu * x),
        halt: (along < 0.0).then(|| -speed / along),
    }
}

/// What follows once the contact point is at rest.
pub(crate) fn from_rest(contact: &Contact<3>, fixed: f64, mu: f64) -> (Straight, bool) {
    let [x, y] = contact.holding_friction();
    let sticks = hypot(x, y) <= fixed;
    let straight = if sticks {
        Straight {
            normal_rate: contact.sticking_rate(),
            tangential_rate: [0.0; 2],
            friction: [-x, -y],
            halt: None,
        }
    } else {
        let sigma = restart_direction(contact, mu);
        Straight { halt: None, ..on_line(contact, mu, sigma, 0.0) }
    };
    (straight, sticks)
}
