//! The impact in three dimensions: a slip by power series, then at most one
//! straight line to a halt, then sticking or a slip out of rest.

use crate::accuracy::Accuracy;
use crate::contact::Contact;
use crate::error::{Error, Field, finite};
use crate::friction::Friction;
use crate::impact::{EventKind, Events, Impact, MOST_EVENTS, Mode};
use crate::principal::Principal;
use crate::restitution::{Ledger, Restitution, Stage, Target};
use crate::roots::Crossing;
use crate::sliding::{Settled, Slip, from_rest};
use crate::step::{Quantity, Step, moment};
use crate::straight::{Moment, Straight};
use crate::system::Works;

impl Contact<3> {
    /// The velocity after impact and all that leads to it.
    ///
    /// ```
    /// use routh_solver::{Contact, Friction, Law, Mode, Restitution};
    /// let robot = Contact::new([
    ///     [9.009e-3, -0.342e-3, 1.845e-3],
    ///     [-0.342e-3, 9.307e-3, 2.26e-3],
    ///     [1.845e-3, 2.26e-3, 3.922e-3],
    /// ])?;
    /// let friction = Friction::uniform(0.3)?;
    /// let restitution = Restitution::new(Law::Energetic, 0.5)?;
    /// let impact = robot.solve([-10.0, 4.0, 0.0], friction, restitution)?;
    /// assert_eq!(impact.mode, Mode::PermanentSliding);
    /// assert!(impact.velocity[0] > 0.0 && impact.energy_change < 0.0);
    /// # Ok::<(), routh_solver::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::NotApproaching`], [`Error::StepLimit`].
    pub fn solve(
        &self,
        velocity: [f64; 3],
        friction: Friction,
        restitution: Restitution,
    ) -> Result<Impact<3>, Error> {
        self.solve_with(velocity, friction, restitution, Accuracy::default())
    }

    /// The same, to an accuracy of one's own.
    ///
    /// # Errors
    /// As [`Contact::solve`].
    pub fn solve_with(
        &self,
        velocity: [f64; 3],
        friction: Friction,
        restitution: Restitution,
        accuracy: Accuracy,
    ) -> Result<Impact<3>, Error> {
        approaching(&velocity)?;
        let largest = velocity.iter().fold(0.0_f64, |x, v| x.max(v.abs()));
        let contact = Principal::new(self, friction, largest);
        let [normal, t1, t2] = velocity.map(|v| contact.units().scale_velocity(v));
        let [t1, t2] = contact.inward([t1, t2]);
        let mut course = Course {
            contact,
            accuracy,
            ledger: Ledger::new(restitution, -normal),
            events: Events::default(),
            steps: 0,
        };
        let before = [normal, t1, t2];
        let (after, mode) = course.run(before)?;
        course.impact(before, &after, mode, self.critical_friction())
    }
}

/// Checks a velocity before impact.
pub(crate) fn approaching(velocity: &[f64]) -> Result<(), Error> {
    for (i, &v) in velocity.iter().enumerate() {
        finite(Field::entry("velocity", i), v)?;
    }
    let value = velocity[0];
    let field = Field::entry("velocity", 0);
    if value < 0.0 { Ok(()) } else { Err(Error::NotApproaching { field, value }) }
}

/// An impact on its way.
struct Course {
    contact: Principal,
    accuracy: Accuracy,
    ledger: Ledger,
    events: Events,
    steps: usize,
}

/// Where a phase led: to the end of the impact, or to a halt.
enum Outcome {
    Ended(Moment),
    Halted(Moment),
}

impl Course {
    fn run(&mut self, before: [f64; 3]) -> Result<(Moment, Mode), Error> {
        let start = Moment::before_impact(before);
        let at_rest = start.tangential == [0.0; 2];
        let halt = if at_rest {
            start
        } else {
            match self.slip(&start)? {
                Outcome::Ended(end) => return Ok((end, Mode::PermanentSliding)),
                Outcome::Halted(halt) => {
                    self.note(EventKind::Halt, halt.impulse)?;
                    Moment { tangential: [0.0; 2], ..halt }
                }
            }
        };
        let sticks = self.contact.sticks;
        let kind = if sticks { EventKind::Stick } else { EventKind::SlipRestart };
        self.note(kind, halt.impulse)?;
        let mode = match (at_rest, sticks, self.ledger.stage()) {
            (true, true, _) => Mode::Sticking,
            (true, false, _) => Mode::SlipFromRest,
            (false, true, Stage::Compression) => Mode::StickingInCompression,
            (false, false, Stage::Compression) => Mode::ReverseInCompression,
            (false, true, Stage::Restitution) => Mode::StickingInRestitution,
            (false, false, Stage::Restitution) => Mode::ReverseInRestitution,
        };
        match self.straight(halt, &from_rest(&self.contact))? {
            Outcome::Ended(end) | Outcome::Halted(end) => Ok((end, mode)),
        }
    }

    fn note(&mut self, kind: EventKind, impulse: f64) -> Result<(), Error> {
        let room = self.events.push(kind, impulse);
        room.then_some(()).ok_or_else(|| self.accuracy.exceeded(self.steps))
    }

    /// Compression ends or resumes.
    fn turn(&mut self, at: &Moment) -> Result<(), Error> {
        let kind = match self.ledger.stage() {
            Stage::Compression => EventKind::CompressionEnd,
            Stage::Restitution => EventKind::Recompression,
        };
        self.note(kind, at.impulse)?;
        self.ledger.turn(at.tally());
        Ok(())
    }

    /// Whether the impact is over at the end of a compression.
    fn over(&self) -> bool {
        self.ledger.stage() == Stage::Restitution && self.ledger.is_plastic()
    }

    fn slip(&mut self, start: &Moment) -> Result<Outcome, Error> {
        let mut slip = Slip::<Works, 8>::new(&self.contact, self.accuracy, start);
        let mut step = Step::new(self.accuracy.order());
        loop {
            if let Some(outcome) = self.settled(&slip)? {
                return Ok(outcome);
            }
            slip.expand(&mut step)?;
            if let Some(end) = self.events_in(&step)? {
                self.steps = slip.steps();
                return Ok(Outcome::Ended(end));
            }
            slip.advance(step.end);
        }
    }

    /// What follows a slip that has come to rest or to a straight line.
    fn settled(&mut self, slip: &Slip<Works, 8>) -> Result<Option<Outcome>, Error> {
        self.steps = slip.steps();
        match slip.settled() {
            Some(Settled::OnLine(from, line)) => self.straight(from, &line).map(Some),
            Some(Settled::Halted(at)) => Ok(Some(Outcome::Halted(at))),
            None => Ok(None),
        }
    }

    /// Goes through the events of a step; the moment at which the impact ends,
    /// if it ends there.
    fn events_in(&mut self, step: &Step<8>) -> Result<Option<Moment>, Error> {
        let mut from = 0.0;
        let mut at_zero = false;
        loop {
            let turn = self.turn_in(step, from, at_zero);
            if self.ledger.stage() == Stage::Restitution {
                let range = (from, turn.unwrap_or(step.width));
                if let Some(end) = self.target_in(step, range) {
                    return Ok(Some(step.moment(end)));
                }
            }
            let Some(at) = turn else { return Ok(None) };
            let moment = step.moment(at);
            self.turn(&moment)?;
            if self.over() {
                return Ok(Some(moment));
            }
            from = at;
            at_zero = true;
        }
    }

    /// Where a step changes between compression and restitution.
    fn turn_in(&self, step: &Step<8>, from: f64, at_zero: bool) -> Option<f64> {
        let range = (from, step.width);
        match (self.ledger.stage(), self.contact.parts) {
            (Stage::Compression, true) => step.reach(Quantity::Normal, 0.0, from),
            (Stage::Restitution, true) => None,
            (Stage::Compression, false) => {
                step.crossing(Quantity::Normal, 0.0, range, Crossing::Upward, at_zero)
            }
            (Stage::Restitution, false) => {
                step.crossing(Quantity::Normal, 0.0, range, Crossing::Downward, at_zero)
            }
        }
    }

    /// Where in a range of a step of restitution the impact ends.
    fn target_in(&self, step: &Step<8>, range: (f64, f64)) -> Option<f64> {
        let now = if range.0 == 0.0 { moment(&step.rows[0]) } else { step.moment(range.0) };
        match self.ledger.target(now.tally()) {
            Target::NormalVelocity(v) if self.contact.parts => {
                step.reach(Quantity::Normal, v, range.0)
            }
            Target::NormalVelocity(v) => {
                step.crossing(Quantity::Normal, v, range, Crossing::Upward, false)
            }
            Target::Impulse(more) => step.rise(Quantity::Impulse, more, range),
            Target::NormalWork(more) => step.rise(Quantity::NormalWork, more, range),
        }
    }

    /// Follows constant rates to the end of the impact or to a halt.
    fn straight(&mut self, mut from: Moment, phase: &Straight) -> Result<Outcome, Error> {
        let halt = phase.halt.map(|q| from.impulse + q);
        let unlimited = f64::INFINITY;
        for _ in 0..MOST_EVENTS {
            let to_halt = halt.map_or(unlimited, |p| p - from.impulse);
            let to_turn = self.to_turn(&from, phase).unwrap_or(unlimited);
            if self.ledger.stage() == Stage::Restitution
                && let Some(q) = phase.until(&from, self.ledger.target(from.tally()))
                && q <= to_turn
                && q <= to_halt
            {
                return Ok(Outcome::Ended(phase.advance(&from, q)));
            }
            if to_halt <= to_turn && to_halt < unlimited {
                return Ok(Outcome::Halted(phase.advance(&from, to_halt)));
            }
            if to_turn == unlimited {
                break;
            }
            from = Moment { normal: 0.0, ..phase.advance(&from, to_turn) };
            self.turn(&from)?;
            if self.over() {
                return Ok(Outcome::Ended(from));
            }
        }
        Err(self.accuracy.exceeded(self.steps))
    }

    /// The impulse to the next change between compression and restitution.
    fn to_turn(&self, from: &Moment, phase: &Straight) -> Option<f64> {
        let leaves = match self.ledger.stage() {
            Stage::Compression => phase.normal_rate > 0.0,
            Stage::Restitution => phase.normal_rate < 0.0,
        };
        leaves.then(|| (-from.normal / phase.normal_rate).max(0.0))
    }

    fn impact(
        &self,
        before: [f64; 3],
        after: &Moment,
        mode: Mode,
        critical_friction: f64,
    ) -> Result<Impact<3>, Error> {
        let units = self.contact.units();
        let spatial = |normal: f64, [t1, t2]: [f64; 2]| [normal, t1, t2];
        let outward = |normal, tangential| spatial(normal, self.contact.outward(tangential));
        let velocity = spatial(after.normal, after.tangential);
        let impulse = spatial(after.impulse, after.tangential_impulse);
        let energy: f64 = (0..3).map(|i| 0.5 * impulse[i] * (before[i] + velocity[i])).sum();
        let compression = self.ledger.compression_impulse();
        let impact = Impact {
            velocity: outward(after.normal, after.tangential).map(|v| units.velocity(v)),
            impulse: outward(after.impulse, after.tangential_impulse).map(|p| units.impulse(p)),
            compression_impulse: units.impulse(compression),
            normal_work: units.work(after.normal_work),
            friction_work: units.work(after.friction_work),
            energy_change: units.work(energy),
            critical_friction,
            mode,
            events: self.events.map_impulses(|p| units.impulse(p)),
            steps: self.steps,
        };
        impact.finite()
    }
}
