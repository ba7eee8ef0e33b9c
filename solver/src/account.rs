//! The account of an impact, whatever follows its slip: phases and what they
//! add up to, events, and the phases with constant rates.

use crate::audit::Audit;
use crate::error::{Error, Field, finite};
use crate::impact::{EventKind, Events, Impact, MOST_EVENTS, Mode};
use crate::principal::Principal;
use crate::restitution::{Ledger, Restitution, Stage};
use crate::sliding::from_rest;
use crate::straight::{Moment, Straight};
use crate::units::Units;

/// More phases than an impact can have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Endless;

/// Where a phase led: to the end of the impact, or to a halt.
pub(crate) enum Outcome {
    Ended(Moment),
    Halted(Moment),
}

/// An impact's account, in units of order one and in principal axes.
#[derive(Clone, Debug)]
pub(crate) struct Account {
    before: [f64; 3],
    units: Units,
    ledger: Ledger,
    events: Events,
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

impl Account {
    /// An impact at its beginning.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::NotApproaching`].
    pub(crate) fn new(
        contact: &Principal,
        velocity: [f64; 3],
        restitution: Restitution,
    ) -> Result<Self, Error> {
        approaching(&velocity)?;
        let largest = velocity.iter().fold(0.0_f64, |x, v| x.max(v.abs()));
        let units = contact.units(largest);
        let [normal, t1, t2] = velocity.map(|v| units.scale_velocity(v));
        let [t1, t2] = contact.inward([t1, t2]);
        Ok(Self {
            before: [normal, t1, t2],
            units,
            ledger: Ledger::new(restitution, -normal),
            events: Events::default(),
        })
    }

    /// The velocity before impact.
    pub(crate) fn before(&self) -> [f64; 3] {
        self.before
    }

    pub(crate) fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    fn note(&mut self, kind: EventKind, impulse: f64) -> Result<(), Endless> {
        self.events.push(kind, impulse).then_some(()).ok_or(Endless)
    }

    /// Compression ends or resumes.
    pub(crate) fn turn(&mut self, at: &Moment) -> Result<(), Endless> {
        let kind = match self.ledger.stage() {
            Stage::Compression => EventKind::CompressionEnd,
            Stage::Restitution => EventKind::Recompression,
        };
        self.note(kind, at.impulse)?;
        self.ledger.turn(at.tally());
        Ok(())
    }

    /// Whether the impact is over at the end of a compression.
    pub(crate) fn over(&self) -> bool {
        self.ledger.stage() == Stage::Restitution && self.ledger.is_plastic()
    }

    /// What follows a start at rest.
    pub(crate) fn begin_at_rest(&mut self, contact: &Principal) -> Result<(Moment, Mode), Endless> {
        self.follow_rest(contact, Moment::before_impact(self.before), true)
    }

    /// What follows a slip that led to a straight line or to a halt.
    pub(crate) fn settle(
        &mut self,
        contact: &Principal,
        outcome: Outcome,
    ) -> Result<(Moment, Mode), Endless> {
        match outcome {
            Outcome::Ended(end) => Ok((end, Mode::PermanentSliding)),
            Outcome::Halted(at) => {
                self.note(EventKind::Halt, at.impulse)?;
                self.follow_rest(contact, Moment { tangential: [0.0; 2], ..at }, false)
            }
        }
    }

    /// What follows a halt, or a start at rest.
    fn follow_rest(
        &mut self,
        contact: &Principal,
        at: Moment,
        from_the_start: bool,
    ) -> Result<(Moment, Mode), Endless> {
        let sticks = contact.sticks;
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
        match self.straight(at, &from_rest(contact))? {
            Outcome::Ended(end) | Outcome::Halted(end) => Ok((end, mode)),
        }
    }

    /// Follows constant rates to the end of the impact or to a halt.
    pub(crate) fn straight(
        &mut self,
        mut from: Moment,
        phase: &Straight,
    ) -> Result<Outcome, Endless> {
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
        Err(Endless)
    }

    /// The impulse to the next change between compression and restitution.
    fn to_turn(&self, from: &Moment, phase: &Straight) -> Option<f64> {
        let leaves = match self.ledger.stage() {
            Stage::Compression => phase.normal_rate > 0.0,
            Stage::Restitution => phase.normal_rate < 0.0,
        };
        leaves.then(|| (-from.normal / phase.normal_rate).max(0.0))
    }

    /// The impact that ends at a moment, followed to a tolerance, out of units and axes.
    pub(crate) fn impact(
        &self,
        contact: &Principal,
        after: &Moment,
        mode: Mode,
        steps: usize,
        tolerance: f64,
    ) -> Result<Impact<3>, Error> {
        let units = &self.units;
        let spatial = |normal: f64, [t1, t2]: [f64; 2]| [normal, t1, t2];
        let outward = |normal, tangential| spatial(normal, contact.outward(tangential));
        let velocity = spatial(after.normal, after.tangential);
        let impulse = spatial(after.impulse, after.tangential_impulse);
        let energy: f64 = (0..3).map(|i| 0.5 * impulse[i] * (self.before[i] + velocity[i])).sum();
        let audit = Audit { contact, before: self.before, after, energy, tolerance, steps };
        audit.momentum(velocity, impulse)?;
        audit.energy(velocity, impulse)?;
        audit.restitution(self.ledger.target(after.tally()))?;
        let impact = Impact {
            velocity: outward(after.normal, after.tangential).map(|v| units.velocity(v)),
            impulse: outward(after.impulse, after.tangential_impulse).map(|p| units.impulse(p)),
            compression_impulse: units.impulse(self.ledger.compression_impulse()),
            normal_work: units.work(after.normal_work),
            friction_work: units.work(after.friction_work),
            energy_change: units.work(energy),
            critical_friction: contact.critical_friction,
            mode,
            events: self.events.map_impulses(|p| units.impulse(p)),
            steps,
        };
        impact.finite()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::Contact;
    use crate::friction::Friction;
    use crate::restitution::Law;

    /// A straight line along which the normal velocity falls, in restitution.
    #[test]
    fn compression_resumes_on_a_straight_line() {
        let contact = Contact::new([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]).unwrap();
        let contact = Principal::new(&contact, Friction::uniform(0.5).unwrap());
        let restitution = Restitution::new(Law::Newton, 1.0).unwrap();
        let mut account = Account::new(&contact, [-1.0, 1.0, 0.0], restitution).unwrap();
        let start = Moment::before_impact([0.0, 1.0, 0.0]);
        assert!(account.turn(&start).is_ok());
        let from = Moment { impulse: 0.25, normal: 0.125, ..start };
        let line = Straight {
            normal_rate: -0.5,
            tangential_rate: [-1.0, 0.0],
            friction: [-0.5, 0.0],
            halt: Some(1.0),
        };
        let outcome = account.straight(from, &line);
        assert!(matches!(outcome, Ok(Outcome::Halted(at)) if at.impulse == 1.25));
        let events: Vec<_> = account.events.iter().map(|e| (e.kind, e.impulse)).collect();
        let expected = [(EventKind::CompressionEnd, 0.0), (EventKind::Recompression, 0.5)];
        assert_eq!(events, expected);
    }

    #[test]
    fn only_what_approaches_collides() {
        assert!(approaching(&[-1.0, 2.0]).is_ok());
        for (velocity, kind) in [
            ([0.0, 1.0], "not_approaching"),
            ([1.0, 1.0], "not_approaching"),
            ([-1.0, f64::NAN], "not_finite"),
            ([f64::NEG_INFINITY, 1.0], "not_finite"),
        ] {
            assert_eq!(approaching(&velocity).unwrap_err().kind(), kind, "{velocity:?}");
        }
    }
}
