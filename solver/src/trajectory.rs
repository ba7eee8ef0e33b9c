//! The sliding velocity at given normal impulses, for any normal velocity.

mod observe;

pub use observe::Sample;

use routh_runtime::double::follow::before_impact_state;
use routh_runtime::double::inertia::Contact as Prepared;
use routh_runtime::double::number::{exponent, length, scale};
use routh_runtime::double::roots::{column, expansion, rise};
use routh_runtime::double::series::MOST_STEPS;
use routh_runtime::double::step::{
    Demand, IMPULSE, Reached, Slip, error_scale, no_rates, reaches_line, shortening, state,
    step_width, values,
};
use routh_runtime::double::straight::{ConstantRates, State};

use crate::contact::{Contact, Friction};
use crate::error::{Error, Field, finite};
use crate::first_integral::{Certificate, Place};
use crate::impact::{Accuracy, ROWS, Stretch};
use crate::kernels;

/// A sliding motion that is followed from impulse to impulse.
///
/// ```
/// use routh::{Accuracy, Contact, Friction, Trajectory};
/// let robot = Contact::new([
///     [9.009e-3, -0.342e-3, 1.845e-3],
///     [-0.342e-3, 9.307e-3, 2.26e-3],
///     [1.845e-3, 2.26e-3, 3.922e-3],
/// ])?;
/// let friction = Friction::uniform(0.3)?;
/// let mut motion = Trajectory::new(&robot, friction, [4.0, 0.0], Accuracy::default())?;
/// let [x, y] = motion.advance(784.0)?;
/// assert!((x - 1.5025138761807895).abs() < 1e-11);
/// assert!((y - 0.7647653722664933).abs() < 1e-11);
/// # Ok::<(), routh::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Trajectory {
    contact: Prepared,
    /// The unit of velocity, as a power of two.
    unit: i32,
    accuracy: Accuracy,
    start: [f64; 2],
    motion: Motion,
    steps: usize,
    check: Option<Certificate>,
}

#[derive(Clone, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "nothing is allocated, so the large one is not boxed"
)]
enum Motion {
    Slip(Slip<8>, Step),
    Straight(State<()>, ConstantRates<()>),
}

/// A step of the sliding velocity and of the impulse that it is a function of.
#[derive(Clone, Debug)]
struct Step {
    rows: [[f64; 3]; ROWS],
    order: usize,
    width: f64,
    end: [f64; 3],
    stretch: Option<Stretch>,
}

impl Step {
    fn new(order: usize, stretch: Option<Stretch>) -> Self {
        Self { rows: [[0.0; 3]; ROWS], order, width: 0.0, end: [0.0; 3], stretch }
    }

    /// Expands the series at the start of a step.
    fn expand(&mut self, contact: &Prepared, slip: &Slip<8>, accuracy: Accuracy) {
        let &Prepared { h: [h1, h2], b: [b1, b2], mu, rate, .. } = contact;
        if self.width > 0.0
            && let Some(stretch) = &mut self.stretch
        {
            stretch.advance(self.width);
        }
        let [v1, v2, p, ..] = slip.unknowns;
        let (order, start) = (self.order, &[v1, v2, p]);
        match self.stretch.map(|stretch| stretch.coefficients()) {
            None => {
                let constants = kernels::velocity_constants(h1, h2, b1, b2, mu);
                kernels::velocity(&constants, start, order, &mut self.rows);
            }
            Some([c1, c2]) => {
                let constants = kernels::stretched_velocity_constants(h1, h2, b1, b2, mu, c1, c2);
                kernels::stretched_velocity(&constants, start, order, &mut self.rows);
            }
        }
        let control = accuracy.control();
        let scale = error_scale(contact, slip, &control);
        let sizes = [order, order - 1, order - 2].map(|k| {
            let [x, y, _] = self.rows[k];
            x.abs().max(y.abs())
        });
        self.width = step_width(&control, &sizes, slip.speed, scale, &slip.flow, rate);
        if let Some(stretch) = &self.stretch {
            self.width = stretch.shortened(self.width, shortening(&slip.flow, rate, order));
        }
        values(&self.rows, order, self.width, &mut self.end);
    }

    /// Where the impulse reaches a level; it only rises.
    fn reach(&self, level: f64) -> Option<f64> {
        if self.end[IMPULSE] < level {
            return None;
        }
        match self.order {
            12 => self.reach_in::<13>(level),
            16 => self.reach_in::<17>(level),
            20 => self.reach_in::<21>(level),
            24 => self.reach_in::<25>(level),
            _ => self.reach_in::<ROWS>(level),
        }
    }

    /// The same with as many rows as the order needs.
    fn reach_in<const LENGTH: usize>(&self, level: f64) -> Option<f64> {
        let mut impulse = [0.0; LENGTH];
        column(self.rows.first_chunk()?, IMPULSE, &mut impulse);
        rise(&impulse, self.order, level - impulse[0], 0.0, self.width)
    }

    /// Velocity and impulse inside the step.
    fn at(&self, t: f64) -> [f64; 3] {
        let mut at = [0.0; 3];
        values(&self.rows, self.order, t, &mut at);
        at
    }

    /// A place inside the step as a time in `τ` since its start.
    fn time(&self, t: f64) -> f64 {
        self.stretch.map_or(t, |stretch| stretch.time(t))
    }

    /// `dp/dτ` inside the step, by its series.
    fn impulse_rate(&self, t: f64) -> f64 {
        let mut impulse = [0.0; ROWS];
        column(&self.rows, IMPULSE, &mut impulse);
        let rate = expansion(&impulse, self.order, t).slope;
        rate / self.stretch.map_or(1.0, |stretch| stretch.rate(t))
    }

    fn place(&self, contact: &Prepared, t: f64) -> Place {
        let [x, y, impulse] = self.at(t);
        let speed = length(x, y);
        let direction = [x / speed, y / speed];
        Place {
            step: self.time(t),
            direction,
            turning: contact.rates_at(direction),
            speed,
            impulse,
            rate: self.impulse_rate(t),
        }
    }
}

impl Trajectory {
    /// A motion that starts with the tangential velocity `v0` at zero impulse.
    ///
    /// # Errors
    /// [`Error::NotFinite`].
    pub fn new(
        contact: &Contact<3>,
        friction: Friction,
        v0: [f64; 2],
        accuracy: Accuracy,
    ) -> Result<Self, Error> {
        for (i, &v) in v0.iter().enumerate() {
            finite(Field::entry("v0", i), v)?;
        }
        let largest = v0[0].abs().max(v0[1].abs());
        let contact = contact.prepared(friction)?;
        let unit = if largest > 0.0 { exponent(largest) } else { 0 };
        let before = before_impact_state(&contact, &[0.0, v0[0], v0[1]], unit);
        let motion = if largest == 0.0 {
            Motion::Straight(before, contact.from_rest())
        } else {
            let slip = Slip::start(&contact, &before, Demand::NONE);
            let direction = before.tangential.map(|v| v / slip.speed);
            let stretch = accuracy.is_stretched().then(|| Stretch::new(&contact, direction));
            Motion::Slip(slip, Step::new(accuracy.order(), stretch.flatten()))
        };
        let mut trajectory =
            Self { contact, unit, accuracy, start: v0, motion, steps: 0, check: None };
        trajectory.next_step()?;
        Ok(trajectory)
    }

    /// From here on also evaluates the closed forms of the orbit, at some cost, for
    /// [`first_integral_drift`](Self::first_integral_drift).
    pub fn checked(mut self) -> Self {
        let from = self.begun();
        let order = self.accuracy.order();
        self.check = Some(Certificate::new(&self.contact, order, from.tangential, from.impulse));
        self
    }

    /// Where the current step or straight phase begins.
    fn begun(&self) -> State<()> {
        match &self.motion {
            Motion::Slip(slip, _) => state(&slip.unknowns),
            Motion::Straight(from, _) => *from,
        }
    }

    /// The tangential velocity at an impulse. Within a step it is evaluated from the
    /// step's series. An impulse before the current step is an error.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::Passed`], [`Error::StepLimit`].
    pub fn advance(&mut self, impulse: f64) -> Result<[f64; 2], Error> {
        finite(Field::new("impulse"), impulse)?;
        let p = scale(impulse, self.contact.unit - self.unit);
        if !p.is_finite() {
            return Err(Error::NotFinite { field: Field::new("impulse"), value: impulse });
        }
        if p <= 0.0 {
            return Ok(self.start);
        }
        let begun = self.begun().impulse;
        if p < begun {
            let at = self.impulse(begun);
            return Err(Error::Passed { field: Field::new("impulse"), value: impulse, at });
        }
        loop {
            match &self.motion {
                Motion::Slip(_, step) => {
                    if let Some(t) = step.reach(p) {
                        if let Some(check) = &mut self.check {
                            check.visit(&step.place(&self.contact, t));
                        }
                        let [x, y, _] = step.at(t);
                        return self.velocity([x, y]);
                    }
                }
                Motion::Straight(from, straight) => {
                    let q = (p - from.impulse).max(0.0);
                    if q <= straight.halt {
                        return self.velocity(straight.advance(from, q).tangential);
                    }
                }
            }
            self.pass()?;
        }
    }

    /// Ends the current step, or a straight phase that halts, and begins the next.
    fn pass(&mut self) -> Result<(), Error> {
        match &mut self.motion {
            Motion::Slip(slip, step) => {
                if let Some(check) = &mut self.check {
                    check.complete(&step.place(&self.contact, step.width));
                }
                let [v1, v2, p] = step.end;
                slip.arrive(&self.contact, &[v1, v2, p, 0.0, 0.0, 0.0, 0.0, 0.0]);
                self.next_step()?;
            }
            Motion::Straight(from, straight) => {
                if straight.halt.is_finite() {
                    let halted = straight.advance(from, straight.halt);
                    self.rest(halted);
                }
            }
        }
        Ok(())
    }

    /// The impulse at which the current power-series step ends; `None` once the
    /// motion is a straight line.
    pub fn step_end(&self) -> Option<f64> {
        match &self.motion {
            Motion::Slip(_, step) => Some(self.impulse(step.end[IMPULSE])),
            Motion::Straight(..) => None,
        }
    }

    /// Power-series steps made so far.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// The largest error of the velocity so far, by the closed forms of the slip,
    /// relative to the larger of the speeds at the start and there; `None` unless the
    /// trajectory is [`checked`](Self::checked).
    pub fn first_integral_drift(&self) -> Option<f64> {
        self.check.as_ref().map(Certificate::drift)
    }

    /// The requested accuracy.
    pub fn accuracy(&self) -> Accuracy {
        self.accuracy
    }

    /// An impulse in N s.
    fn impulse(&self, scaled: f64) -> f64 {
        scale(scaled, self.unit - self.contact.unit)
    }

    fn velocity(&self, [x, y]: [f64; 2]) -> Result<[f64; 2], Error> {
        let velocity = self.contact.outward([x, y]).map(|v| scale(v, self.unit));
        for (i, &v) in velocity.iter().enumerate() {
            finite(Field::entry("velocity", i), v)?;
        }
        Ok(velocity)
    }

    /// Begins the phase after a halt.
    fn rest(&mut self, halted: State<()>) {
        let at = State { tangential: [0.0; 2], ..halted };
        self.motion = Motion::Straight(at, self.contact.from_rest());
    }

    /// Expands the next step, or changes over to a straight phase.
    fn next_step(&mut self) -> Result<(), Error> {
        let Motion::Slip(slip, step) = &mut self.motion else { return Ok(()) };
        let (mut at, mut line) = (state(&slip.unknowns), no_rates());
        let control = self.accuracy.control();
        match reaches_line(&self.contact, slip, &control, &mut at, &mut line) {
            Reached::Line => {
                if let Some(check) = &mut self.check {
                    let ([x, y, ..], [c, d]) = (slip.unknowns, at.tangential);
                    check.change(length(x - c, y - d), length(x, y));
                }
                self.motion = Motion::Straight(at, line);
            }
            Reached::Rest => self.rest(at),
            Reached::Nothing if self.steps >= MOST_STEPS || !slip.speed.is_finite() => {
                return Err(self.accuracy.exceeded(self.steps));
            }
            Reached::Nothing => {
                step.expand(&self.contact, slip, self.accuracy);
                self.steps += 1;
            }
        }
        Ok(())
    }
}
