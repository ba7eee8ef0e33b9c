//! Sliding velocity at given normal impulses, whatever the normal velocity.

mod observe;

pub use observe::Sighting;

use crate::accuracy::Accuracy;
use crate::certificate::{Certificate, Place};
use crate::contact::Contact;
use crate::elementary::hypot;
use crate::error::{Error, Field, finite};
use crate::friction::Friction;
use crate::invariant::Turning;
use crate::principal::Principal;
use crate::sliding::{Settled, Slip, from_rest};
use crate::step::{Quantity, Series, Step};
use crate::straight::{Moment, Straight};
use crate::system::Velocity;
use crate::units::Units;

/// A sliding motion that is followed from impulse to impulse.
///
/// ```
/// use routh_solver::{Accuracy, Contact, Friction, Trajectory};
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
/// # Ok::<(), routh_solver::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Trajectory {
    contact: Principal,
    units: Units,
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
    Slip(Slip<Velocity, 3>, Step<3>),
    Straight(Moment, Straight),
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
        let speed = if largest > 0.0 { largest } else { 1.0 };
        let contact = Principal::new(contact, friction);
        let units = contact.units(speed);
        let [t1, t2] = contact.inward(v0.map(|v| units.scale_velocity(v)));
        let start = Moment::before_impact([0.0, t1, t2]);
        let motion = if largest == 0.0 {
            Motion::Straight(start, from_rest(&contact))
        } else {
            Motion::Slip(Slip::new(&contact, accuracy, &start), Step::new(accuracy.order()))
        };
        let mut trajectory =
            Self { contact, units, accuracy, start: v0, motion, steps: 0, check: None };
        trajectory.next_step()?;
        Ok(trajectory)
    }

    /// From here on follows the closed forms of the orbit along with the motion,
    /// at some cost, for [`first_integral_drift`](Self::first_integral_drift).
    pub fn checked(mut self) -> Self {
        let from = self.begun();
        self.check = Some(Certificate::new(&self.contact, self.accuracy.order(), &from));
        self
    }

    /// Where the current step or straight phase begins.
    fn begun(&self) -> Moment {
        match &self.motion {
            Motion::Slip(slip, _) => slip.current(),
            Motion::Straight(from, _) => *from,
        }
    }

    /// The tangential velocity at an impulse. Between the ends of a step it
    /// follows from the step's own series, at no further step; what lies before
    /// the current step has been passed.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::Passed`], [`Error::StepLimit`].
    pub fn advance(&mut self, impulse: f64) -> Result<[f64; 2], Error> {
        finite(Field::new("impulse"), impulse)?;
        let p = self.units.scale_impulse(impulse);
        if !p.is_finite() {
            return Err(Error::NotFinite { field: Field::new("impulse"), value: impulse });
        }
        if p <= 0.0 {
            return Ok(self.start);
        }
        let begun = self.begun().impulse;
        if p < begun {
            let at = self.units.impulse(begun);
            return Err(Error::Passed { field: Field::new("impulse"), value: impulse, at });
        }
        loop {
            match &self.motion {
                Motion::Slip(_, step) => {
                    if let Some(t) = step.reach(Quantity::Impulse, p, 0.0) {
                        if let Some(check) = &mut self.check {
                            check.visit(&place(&self.contact, step, t));
                        }
                        return self.velocity(step.moment(t).tangential);
                    }
                }
                Motion::Straight(from, straight) => {
                    let q = (p - from.impulse).max(0.0);
                    if straight.halt.is_none_or(|halt| q <= halt) {
                        return self.velocity(straight.advance(from, q).tangential);
                    }
                }
            }
            self.pass()?;
        }
    }

    /// Ends the current step, or a straight phase that halts, and begins what follows.
    fn pass(&mut self) -> Result<(), Error> {
        match &mut self.motion {
            Motion::Slip(slip, step) => {
                if let Some(check) = &mut self.check {
                    check.complete(&place(&self.contact, step, step.width));
                }
                slip.advance(step.end);
                self.next_step()?;
            }
            Motion::Straight(from, straight) => {
                if let Some(halt) = straight.halt {
                    let at = Moment { tangential: [0.0; 2], ..straight.advance(from, halt) };
                    self.motion = Motion::Straight(at, from_rest(&self.contact));
                }
            }
        }
        Ok(())
    }

    /// The impulse at which the current power-series step ends; none once the
    /// motion is a straight line.
    pub fn step_end(&self) -> Option<f64> {
        match &self.motion {
            Motion::Slip(_, step) => Some(self.units.impulse(step.end(Quantity::Impulse as usize))),
            Motion::Straight(..) => None,
        }
    }

    /// Power-series steps made so far.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// How far the velocity has been from the true one by the closed forms of
    /// the slip, relative to the larger of the speeds at the start and there;
    /// none unless it is [`checked`](Self::checked).
    pub fn first_integral_drift(&self) -> Option<f64> {
        self.check.as_ref().map(Certificate::drift)
    }

    /// The accuracy asked for.
    pub fn accuracy(&self) -> Accuracy {
        self.accuracy
    }

    fn velocity(&self, scaled: [f64; 2]) -> Result<[f64; 2], Error> {
        let velocity = self.contact.outward(scaled).map(|v| self.units.velocity(v));
        for (i, &v) in velocity.iter().enumerate() {
            finite(Field::entry("velocity", i), v)?;
        }
        Ok(velocity)
    }

    /// Expands the next step, or changes over to a straight phase.
    fn next_step(&mut self) -> Result<(), Error> {
        let Motion::Slip(slip, step) = &mut self.motion else { return Ok(()) };
        match slip.settled() {
            Some(Settled::OnLine(from, line)) => {
                if let Some(check) = &mut self.check {
                    let ([x, y], [c, d]) = (slip.current().tangential, from.tangential);
                    check.change(hypot(x - c, y - d), hypot(x, y));
                }
                self.motion = Motion::Straight(from, line);
            }
            Some(Settled::Halted(at)) => {
                let at = Moment { tangential: [0.0; 2], ..at };
                self.motion = Motion::Straight(at, from_rest(&self.contact));
            }
            None => {
                slip.expand(step)?;
                self.steps = slip.steps();
            }
        }
        Ok(())
    }
}

fn place(contact: &Principal, step: &Step<3>, t: f64) -> Place {
    let Moment { tangential: [x, y], impulse, .. } = step.moment(t);
    let speed = hypot(x, y);
    let direction = [x / speed, y / speed];
    Place {
        step: step.time(t),
        direction,
        turning: Turning::of(contact, direction),
        speed,
        impulse,
        rate: step.impulse_rate(t),
    }
}
