//! Sliding velocity by adaptive power series in `τ`, where `dp = s dτ` and the
//! flow is homogeneous: steps do not shrink as the sliding speed vanishes.

use crate::accuracy::Accuracy;
use crate::elementary::{hypot, sqrt};
use crate::error::Error;
use crate::invariant::{Turning, nearest_invariant, restart_direction};
use crate::principal::Principal;
use crate::roots;
use crate::step::{Step, moment};
use crate::straight::{Moment, Straight};
use crate::stretch::Stretch;
use crate::system::System;

/// Velocities below this part of the largest sliding speed so far count as
/// zero: rounding alone makes as much.
pub(crate) const NEGLIGIBLE: f64 = 1e-14;

/// Speeds below this are zero beside the other velocities, and their squares
/// soon are.
pub(crate) const VANISHING: f64 = 1e-120;

/// How much velocity across an attracting direction no longer counts, as a part of the
/// largest and of the tolerance.
const SETTLED: f64 = 0.1;

/// How near an attracting direction is sure to be reached.
const CLOSE: f64 = 0.1;

/// How near an invariant direction must be for Newton's method to be sure of it.
const NEAR: f64 = 1e-2;

/// What a stretched step is shortened by until it is short enough in `τ`.
const SHRINK: f64 = 0.8;

/// Hard contacts need some seventy steps at the default accuracy; only low
/// orders at tight tolerances come near this many.
pub(crate) const STEP_LIMIT: usize = 100_000;

/// A slip that is followed step by step in `Q` unknowns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slip<S: System<Q>, const Q: usize> {
    contact: Principal,
    accuracy: Accuracy,
    constants: S::Constants,
    state: [f64; Q],
    speed: f64,
    turning: Turning,
    stretch: Option<Stretch>,
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
        let direction = [t1 / speed, t2 / speed];
        let stretch = match accuracy.is_stretched() {
            true => Stretch::new(contact, direction),
            false => None,
        };
        let [i1, i2] = from.tangential_impulse;
        let all = [t1, t2, from.impulse, i1, i2, from.normal, from.normal_work, from.friction_work];
        Self {
            contact: *contact,
            accuracy,
            constants: S::constants(contact),
            state: core::array::from_fn(|i| all[i]),
            speed,
            turning: Turning::of(contact, direction),
            stretch,
            steps: 0,
            fastest: speed,
        }
    }

    pub(crate) fn steps(&self) -> usize {
        self.steps
    }

    pub(crate) fn contact(&self) -> &Principal {
        &self.contact
    }

    #[cfg(feature = "batch")]
    pub(crate) fn constants(&self) -> &S::Constants {
        &self.constants
    }

    /// The unknowns at the start of the current step.
    #[cfg(feature = "batch")]
    pub(crate) fn state(&self) -> &[f64; Q] {
        &self.state
    }

    /// Expands the series at the current state.
    pub(crate) fn expand(&mut self, step: &mut Step<Q>) -> Result<(), Error> {
        self.count()?;
        step.stretch = self.stretch;
        match self.stretch.map(|stretch| stretch.coefficients()) {
            None => S::expand(&self.constants, &self.state, step.order, &mut step.rows),
            Some(c) => {
                S::expand_stretched(&self.contact, c, &self.state, step.order, &mut step.rows);
            }
        }
        let sizes = [step.order, step.order - 1].map(|k| S::size(&step.rows[k], self.contact.rate));
        step.width = self.step_length(sizes);
        step.end = roots::values(step.expansion().iter().copied(), step.width);
        if let Some(stretch) = &mut self.stretch {
            stretch.advance(step.width);
        }
        Ok(())
    }

    /// Counts one more step.
    pub(crate) fn count(&mut self) -> Result<(), Error> {
        if self.steps == STEP_LIMIT {
            return Err(self.accuracy.exceeded(self.steps));
        }
        self.steps += 1;
        Ok(())
    }

    /// The length of a step, given how large its last two rows are.
    fn step_length(&self, sizes: [f64; 2]) -> f64 {
        let rate = self.contact.rate;
        let (speed, slack) = (self.speed, self.slack());
        let mut width = self.accuracy.step_length(sizes, speed, slack, &self.turning, rate);
        if let Some(stretch) = &self.stretch {
            let shortening = self.accuracy.shortening(&self.turning, rate);
            while stretch.time(width) * shortening > 1.0 {
                width *= SHRINK;
            }
        }
        width
    }

    /// How many times its speed the next step's error is compared with.
    ///
    /// Beside a direction that attracts and along which the speed falls, the slip closes
    /// to a halt: nothing makes its error grow again, and it is the largest speed that
    /// matters. Elsewhere it may yet turn off, and its direction must stay exact.
    pub(crate) fn slack(&self) -> f64 {
        let Turning { across, along, slope } = self.turning;
        let away = (across / slope).abs();
        let closes = slope < 0.0 && away <= CLOSE && along + 2.0 * self.contact.rate * away < 0.0;
        if closes { self.accuracy.slack(self.fastest / self.speed) } else { 1.0 }
    }

    /// The speed at the start of the current step, and how the flow acts there.
    #[cfg(feature = "batch")]
    pub(crate) fn pace(&self) -> (f64, Turning) {
        (self.speed, self.turning)
    }

    /// Moves on to the end of a step.
    pub(crate) fn advance(&mut self, end: [f64; Q]) {
        let [t1, t2] = [end[0], end[1]];
        let speed = sqrt(t1 * t1 + t2 * t2);
        let inverse = 1.0 / speed;
        self.arrive(end, speed, Turning::of(&self.contact, [t1 * inverse, t2 * inverse]));
    }

    /// The same, given the speed there and how the flow acts.
    pub(crate) fn arrive(&mut self, end: [f64; Q], speed: f64, turning: Turning) {
        (self.state, self.speed, self.turning) = (end, speed, turning);
        self.fastest = self.fastest.max(self.speed);
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
            // What is across a direction that attracts only decays.
            let part = if slope < 0.0 {
                NEGLIGIBLE.max(SETTLED * self.accuracy.tolerance())
            } else {
                NEGLIGIBLE
            };
            let settled =
                self.speed * away <= part * self.fastest || across.abs() <= self.contact.noise;
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
