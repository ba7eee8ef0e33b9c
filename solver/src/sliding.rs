//! Sliding velocity by adaptive power series in `τ`, where `dp = s dτ` and the
//! flow is homogeneous: steps do not shrink as the sliding speed vanishes.

use crate::accuracy::Accuracy;
use crate::elementary::{hypot, sqrt};
use crate::error::Error;
use crate::invariant::{Turning, nearest_invariant, restart_direction};
use crate::principal::Principal;
use crate::roots::{self, Crossing, LENGTH, Row};
use crate::straight::{Moment, Straight};
use crate::system::System;

/// Quantities that a step is a series of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(crate) enum Quantity {
    Impulse = 2,
    Normal = 5,
    NormalWork = 6,
}

/// Velocities below this part of the largest sliding speed so far count as
/// zero: rounding alone makes as much.
const NEGLIGIBLE: f64 = 1e-14;

/// Speeds below this are zero beside the other velocities, and their squares
/// soon are.
const VANISHING: f64 = 1e-120;

/// What rounding makes of how fast a direction turns, in units of the flow's
/// rate: below it, the direction is as near to invariant as it can be.
const NOISE: f64 = 32.0 * f64::EPSILON;

/// How near an invariant direction must be for Newton's method to be sure of it.
const NEAR: f64 = 1e-2;

/// Hard contacts need some seventy steps at the default accuracy; only low
/// orders at tight tolerances come near this many.
pub(crate) const STEP_LIMIT: usize = 100_000;

/// A slip that is followed step by step in `Q` unknowns.
#[derive(Clone, Debug)]
pub(crate) struct Slip<S: System<Q>, const Q: usize> {
    contact: Principal,
    accuracy: Accuracy,
    constants: S::Constants,
    state: [f64; Q],
    speed: f64,
    turning: Turning,
    rows: [[f64; Q]; LENGTH],
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

impl<S: System<Q>, const Q: usize> Slip<S, Q> {
    /// A slip from a moment with a sliding speed other than zero.
    pub(crate) fn new(contact: &Principal, accuracy: Accuracy, from: &Moment) -> Self {
        let [t1, t2] = from.tangential;
        let speed = hypot(t1, t2);
        let [i1, i2] = from.tangential_impulse;
        let all = [t1, t2, from.impulse, i1, i2, from.normal, from.normal_work, from.friction_work];
        Self {
            contact: *contact,
            accuracy,
            constants: S::constants(contact),
            state: core::array::from_fn(|i| all[i]),
            speed,
            turning: Turning::of(contact, [t1 / speed, t2 / speed]),
            rows: [[0.0; Q]; LENGTH],
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
        let order = self.accuracy.order();
        S::expand(&self.constants, &self.state, order, &mut self.rows);
        self.steps += 1;
        let [last, next_to_last] =
            [order, order - 1].map(|k| S::size(&self.rows[k], &self.contact));
        let sizes = [last / self.speed, next_to_last / self.speed];
        self.width = self.accuracy.step_length(sizes, &self.turning, self.contact.rate);
        Ok(())
    }

    fn row(&self, quantity: Quantity) -> Row {
        let mut row = [0.0; LENGTH];
        for (x, all) in row.iter_mut().zip(self.expansion()) {
            *x = all[quantity as usize];
        }
        row
    }

    fn expansion(&self) -> &[[f64; Q]] {
        &self.rows[..=self.accuracy.order()]
    }

    /// A quantity inside the current step.
    pub(crate) fn value(&self, quantity: Quantity, t: f64) -> f64 {
        roots::value(self.polynomial(&self.row(quantity)), t)
    }

    fn polynomial<'a>(&self, row: &'a Row) -> &'a [f64] {
        &row[..=self.accuracy.order()]
    }

    /// All quantities of an impact inside the current step.
    pub(crate) fn moment(&self, t: f64) -> Moment {
        if t == 0.0 {
            return self.current();
        }
        moment(&roots::values(self.expansion(), t))
    }

    /// Moves on to a place inside the current step.
    pub(crate) fn advance(&mut self, t: f64) {
        self.state = roots::values(self.expansion(), t);
        let [t1, t2] = [self.state[0], self.state[1]];
        self.speed = sqrt(t1 * t1 + t2 * t2);
        self.turning = Turning::of(&self.contact, [t1 / self.speed, t2 / self.speed]);
        self.fastest = self.fastest.max(self.speed);
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
        let row = self.row(quantity);
        roots::first_crossing(self.polynomial(&row), level, range.0, range.1, way, at_level)
    }

    /// Where in a range of the current step a quantity that only rises there
    /// has risen by so much.
    pub(crate) fn rise(&self, quantity: Quantity, more: f64, range: (f64, f64)) -> Option<f64> {
        let row = self.row(quantity);
        roots::rise(self.polynomial(&row), more, range.0, range.1)
    }

    /// All quantities of an impact at the start of the current step.
    pub(crate) fn current(&self) -> Moment {
        moment(&self.state)
    }

    /// Whether the rest of the slip is a straight line, or over.
    ///
    /// Near an invariant direction the velocity across it decays, at the rate
    /// `μ b` has across it, whether or not the direction attracts; once it is
    /// negligible the motion is on the line, and a halt follows in closed form.
    pub(crate) fn settled(&self) -> Option<Settled> {
        let zero = NEGLIGIBLE * self.fastest;
        if self.speed <= zero || self.speed <= VANISHING {
            return Some(Settled::Halted(self.current()));
        }
        let [c, d] = [self.state[0] / self.speed, self.state[1] / self.speed];
        let Turning { across, along, slope } = self.turning;
        let sigma = if across.abs() <= NEGLIGIBLE * along.abs() || across == 0.0 {
            [c, d]
        } else {
            let away = (across / slope).abs();
            let settled = self.speed * away <= zero || across.abs() <= NOISE * self.contact.rate;
            if away.is_nan() || away > NEAR || !settled {
                return None;
            }
            nearest_invariant(&self.contact, [c, d], NEAR)?
        };
        let mut from = self.current();
        from.tangential = sigma.map(|x| self.speed * x);
        Some(Settled::OnLine(from, on_line(&self.contact, sigma, self.speed)))
    }
}

fn moment<const Q: usize>(state: &[f64; Q]) -> Moment {
    let at = |i: usize| state.get(i).copied().unwrap_or(0.0);
    Moment {
        tangential: [at(0), at(1)],
        impulse: at(2),
        tangential_impulse: [at(3), at(4)],
        normal: at(5),
        normal_work: at(6),
        friction_work: at(7),
    }
}

/// Sliding with a given speed on an invariant direction.
pub(crate) fn on_line(contact: &Principal, sigma: [f64; 2], speed: f64) -> Straight {
    let Principal { a, h: [h1, h2], mu, .. } = *contact;
    let along = Turning::of(contact, sigma).along;
    Straight {
        normal_rate: a - mu * (h1 * sigma[0] + h2 * sigma[1]),
        tangential_rate: sigma.map(|x| along * x),
        friction: sigma.map(|x| -mu * x),
        halt: (along < 0.0).then(|| -speed / along),
    }
}

/// What follows once the contact point is at rest.
pub(crate) fn from_rest(contact: &Principal) -> Straight {
    if contact.sticks {
        Straight {
            normal_rate: contact.sticking_rate,
            tangential_rate: [0.0; 2],
            friction: contact.holding.map(|x| -x),
            halt: None,
        }
    } else {
        let sigma = restart_direction(contact);
        Straight { halt: None, ..on_line(contact, sigma, 0.0) }
    }
}
