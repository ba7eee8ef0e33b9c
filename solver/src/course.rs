//! An impact on its way: a slip by power series, then at most one straight line
//! to a halt, then sticking or a slip out of rest.

use crate::accuracy::Accuracy;
use crate::contact::Contact;
use crate::elementary::sqrt;
use crate::error::{Error, Field, finite};
use crate::friction::Friction;
use crate::impact::{EventKind, Events, Impact, MOST_EVENTS, Mode};
use crate::principal::Principal;
use crate::restitution::{Ledger, Restitution, Stage, Target};
use crate::roots::Crossing;
use crate::sliding::{Settled, Slip, from_rest};
use crate::step::{Quantity, Series, Step};
use crate::straight::{Moment, Straight};
use crate::system::Works;

/// Checks a velocity before impact.
pub(crate) fn approaching(velocity: &[f64]) -> Result<(), Error> {
    for (i, &v) in velocity.iter().enumerate() {
        finite(Field::entry("velocity", i), v)?;
    }
    let value = velocity[0];
    let field = Field::entry("velocity", 0);
    if value < 0.0 { Ok(()) } else { Err(Error::NotApproaching { field, value }) }
}

/// How much less than `a` the most of `μ h·σ` must be for the normal velocity to
/// rise beyond doubt.
const CLEARLY: f64 = 1.0 - 1e-9;

/// An impact on its way.
#[derive(Clone, Debug)]
pub(crate) struct Course {
    accuracy: Accuracy,
    before: [f64; 3],
    slip: Slip<Works, 8>,
    ledger: Ledger,
    events: Events,
}

/// Where a phase led: to the end of the impact, or to a halt.
enum Outcome {
    Ended(Moment),
    Halted(Moment),
}

impl Course {
    /// An impact at its beginning.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::NotApproaching`].
    pub(crate) fn new(
        contact: &Contact<3>,
        velocity: [f64; 3],
        friction: Friction,
        restitution: Restitution,
        accuracy: Accuracy,
    ) -> Result<Self, Error> {
        approaching(&velocity)?;
        let largest = velocity.iter().fold(0.0_f64, |x, v| x.max(v.abs()));
        let contact = Principal::new(contact, friction, largest);
        let [normal, t1, t2] = velocity.map(|v| contact.units().scale_velocity(v));
        let [t1, t2] = contact.inward([t1, t2]);
        let before = [normal, t1, t2];
        Ok(Self {
            accuracy,
            before,
            slip: Slip::new(&contact, accuracy, &Moment::before_impact(before)),
            ledger: Ledger::new(restitution, -normal),
            events: Events::default(),
        })
    }

    fn contact(&self) -> &Principal {
        self.slip.contact()
    }

    /// The slip that is under way.
    #[cfg(feature = "batch")]
    pub(crate) fn slip(&mut self) -> &mut Slip<Works, 8> {
        &mut self.slip
    }

    /// What needs no slip to be followed: a start at rest or on a straight line.
    pub(crate) fn begin(&mut self) -> Result<Option<Impact<3>>, Error> {
        match self.before {
            [_, 0.0, 0.0] => self.follow_rest(Moment::before_impact(self.before), true).map(Some),
            _ => self.settled(),
        }
    }

    /// Follows the slip for one step; the impact, if it is over then.
    pub(crate) fn step(&mut self, step: &mut Step<8>) -> Result<Option<Impact<3>>, Error> {
        self.slip.expand(step)?;
        if let Some(impact) = self.pass_events(step)? {
            return Ok(Some(impact));
        }
        self.slip.advance(step.end);
        self.settled()
    }

    /// Goes through the events of a step; the impact, if it ends there.
    pub(crate) fn pass_events(&mut self, step: &impl Series) -> Result<Option<Impact<3>>, Error> {
        let rising = self.contact().parts || self.rises(step);
        if !self.is_eventful(step, rising) {
            return Ok(None);
        }
        match self.events_in(step, rising)? {
            Some(end) => self.impact(&end, Mode::PermanentSliding).map(Some),
            None => Ok(None),
        }
    }

    /// Whether the normal velocity only rises in a step. `a − μ h·σ` is least
    /// where `σ` is nearest to `h`: at one of the step's ends, unless the
    /// direction turns past `h`.
    fn rises(&self, step: &impl Series) -> bool {
        let Principal { a, h: [h1, h2], mu, .. } = *self.contact();
        let [x0, y0] = self.slip.current().tangential;
        let [x1, y1] = [step.end(0), step.end(1)];
        let turn = x0 * y1 - y0 * x1;
        let past = (x0 * h2 - y0 * h1) * turn > 0.0 && (h1 * y1 - h2 * x1) * turn > 0.0;
        let rises = |x: f64, y: f64| mu * (h1 * x + h2 * y) < CLEARLY * a * sqrt(x * x + y * y);
        x0 * x1 + y0 * y1 > 0.0 && !past && rises(x0, y0) && rises(x1, y1)
    }

    /// Whether a step may have events on the way.
    fn is_eventful(&self, step: &impl Series, rising: bool) -> bool {
        let end = |quantity| step.end(quantity as usize);
        let now = self.slip.current();
        match (self.ledger.stage(), rising) {
            (Stage::Compression, true) => end(Quantity::Normal) >= 0.0,
            (Stage::Compression, false) => step.span() >= now.normal.abs(),
            (Stage::Restitution, false) => true,
            (Stage::Restitution, true) => match self.ledger.target(now.tally()) {
                Target::NormalVelocity(v) => end(Quantity::Normal) >= v,
                Target::Impulse(more) => end(Quantity::Impulse) - now.impulse >= more,
                Target::NormalWork(more) => end(Quantity::NormalWork) - now.normal_work >= more,
            },
        }
    }

    /// What follows a slip that has come to rest or to a straight line.
    pub(crate) fn settled(&mut self) -> Result<Option<Impact<3>>, Error> {
        let outcome = match self.slip.settled() {
            Some(Settled::OnLine(from, line)) => self.straight(from, &line)?,
            Some(Settled::Halted(at)) => Outcome::Halted(at),
            None => return Ok(None),
        };
        match outcome {
            Outcome::Ended(end) => self.impact(&end, Mode::PermanentSliding).map(Some),
            Outcome::Halted(at) => {
                self.note(EventKind::Halt, at.impulse)?;
                self.follow_rest(Moment { tangential: [0.0; 2], ..at }, false).map(Some)
            }
        }
    }

    /// What follows a halt, or a start at rest.
    fn follow_rest(&mut self, at: Moment, from_the_start: bool) -> Result<Impact<3>, Error> {
        let sticks = self.contact().sticks;
        let kind = if sticks { EventKind::Stick } else { EventKind::SlipRestart };
        self.note(kind, at.impulse)?;
        let mode = match (from_the_start, sticks, self.ledger.stage()) {
            (true, true, _) => Mode::Sticking,
            (true, false, _) => Mode::SlipFromRest,
            (false, true, Stage::Compression) => Mode::StickingInCompression,
            (false, false, Stage::Compression) => Mode::ReverseInCompression,
            (false, true, Stage::Restitution) => Mode::StickingInRestitution,
            (false, false, Stage::Restitution) => Mode::ReverseInRestitution,
        };
        match self.straight(at, &from_rest(self.contact()))? {
            Outcome::Ended(end) | Outcome::Halted(end) => self.impact(&end, mode),
        }
    }

    fn note(&mut self, kind: EventKind, impulse: f64) -> Result<(), Error> {
        let room = self.events.push(kind, impulse);
        room.then_some(()).ok_or_else(|| self.accuracy.exceeded(self.slip.steps()))
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

    /// Goes through the events of a step; the moment at which the impact ends,
    /// if it ends there.
    fn events_in(&mut self, step: &impl Series, rising: bool) -> Result<Option<Moment>, Error> {
        let mut from = 0.0;
        let mut at_zero = false;
        loop {
            let turn = self.turn_in(step, from, at_zero, rising);
            if self.ledger.stage() == Stage::Restitution {
                let range = (from, turn.unwrap_or(step.width()));
                if let Some(end) = self.target_in(step, range, rising) {
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
    fn turn_in(&self, step: &impl Series, from: f64, at_zero: bool, rising: bool) -> Option<f64> {
        let range = (from, step.width());
        let crossing = |way| step.crossing(Quantity::Normal, 0.0, range, way, at_zero);
        match (self.ledger.stage(), rising) {
            (Stage::Compression, true) => step.reach(Quantity::Normal, 0.0, from),
            (Stage::Restitution, true) => None,
            (Stage::Compression, false) => crossing(Crossing::Upward),
            (Stage::Restitution, false) => crossing(Crossing::Downward),
        }
    }

    /// Where in a range of a step of restitution the impact ends.
    fn target_in(&self, step: &impl Series, range: (f64, f64), rising: bool) -> Option<f64> {
        let now = if range.0 == 0.0 { self.slip.current() } else { step.moment(range.0) };
        match self.ledger.target(now.tally()) {
            Target::NormalVelocity(v) if rising => step.reach(Quantity::Normal, v, range.0),
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
        Err(self.accuracy.exceeded(self.slip.steps()))
    }

    /// The impulse to the next change between compression and restitution.
    fn to_turn(&self, from: &Moment, phase: &Straight) -> Option<f64> {
        let leaves = match self.ledger.stage() {
            Stage::Compression => phase.normal_rate > 0.0,
            Stage::Restitution => phase.normal_rate < 0.0,
        };
        leaves.then(|| (-from.normal / phase.normal_rate).max(0.0))
    }

    fn impact(&self, after: &Moment, mode: Mode) -> Result<Impact<3>, Error> {
        let units = self.contact().units();
        let spatial = |normal: f64, [t1, t2]: [f64; 2]| [normal, t1, t2];
        let outward = |normal, tangential| spatial(normal, self.contact().outward(tangential));
        let velocity = spatial(after.normal, after.tangential);
        let impulse = spatial(after.impulse, after.tangential_impulse);
        let energy: f64 = (0..3).map(|i| 0.5 * impulse[i] * (self.before[i] + velocity[i])).sum();
        let impact = Impact {
            velocity: outward(after.normal, after.tangential).map(|v| units.velocity(v)),
            impulse: outward(after.impulse, after.tangential_impulse).map(|p| units.impulse(p)),
            compression_impulse: units.impulse(self.ledger.compression_impulse()),
            normal_work: units.work(after.normal_work),
            friction_work: units.work(after.friction_work),
            energy_change: units.work(energy),
            critical_friction: self.contact().critical_friction,
            mode,
            events: self.events.map_impulses(|p| units.impulse(p)),
            steps: self.slip.steps(),
        };
        impact.finite()
    }
}
