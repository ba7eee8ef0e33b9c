//! An impact on its way: a slip by power series, then at most one straight line
//! to a halt, then sticking or a slip out of rest.

use crate::account::{Account, Endless, Outcome};
use crate::accuracy::Accuracy;
use crate::contact::Contact;
use crate::elementary::sqrt;
use crate::error::Error;
use crate::friction::Friction;
use crate::impact::{Impact, Mode};
use crate::principal::Principal;
use crate::restitution::{Restitution, Stage, Target};
use crate::roots::Crossing;
use crate::sliding::{Settled, Slip};
use crate::step::{Quantity, Series, Step};
use crate::straight::Moment;
use crate::system::Works;

/// How much less than `a` the most of `μ h·σ` must be for the normal velocity to
/// rise beyond doubt.
const CLEARLY: f64 = 1.0 - 1e-9;

/// An impact on its way.
#[derive(Clone, Debug)]
pub(crate) struct Course {
    accuracy: Accuracy,
    slip: Slip<Works, 8>,
    account: Account,
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
        let contact = Principal::new(contact, friction);
        let account = Account::new(&contact, velocity, restitution)?;
        let slip = Slip::new(&contact, accuracy, &Moment::before_impact(account.before()));
        Ok(Self { accuracy, slip, account })
    }

    fn contact(&self) -> &Principal {
        self.slip.contact()
    }

    /// The slip that is under way.
    #[cfg(feature = "batch")]
    pub(crate) fn slip(&mut self) -> &mut Slip<Works, 8> {
        &mut self.slip
    }

    fn exceeded(&self, _: Endless) -> Error {
        self.accuracy.exceeded(self.slip.steps())
    }

    fn impact(&self, end: Result<(Moment, Mode), Endless>) -> Result<Option<Impact<3>>, Error> {
        let (after, mode) = end.map_err(|e| self.exceeded(e))?;
        let (steps, tolerance) = (self.slip.steps(), self.accuracy.tolerance());
        self.account.impact(self.contact(), &after, mode, steps, tolerance).map(Some)
    }

    /// What needs no slip to be followed: a start at rest or on a straight line.
    pub(crate) fn begin(&mut self) -> Result<Option<Impact<3>>, Error> {
        match self.account.before() {
            [_, 0.0, 0.0] => {
                let end = self.account.begin_at_rest(self.slip.contact());
                self.impact(end)
            }
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
        match self.events_in(step, rising).map_err(|e| self.exceeded(e))? {
            Some(end) => self.impact(Ok((end, Mode::PermanentSliding))),
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
        match (self.account.ledger().stage(), rising) {
            (Stage::Compression, true) => end(Quantity::Normal) >= 0.0,
            (Stage::Compression, false) => step.span() >= now.normal.abs(),
            (Stage::Restitution, false) => true,
            (Stage::Restitution, true) => match self.account.ledger().target(now.tally()) {
                Target::NormalVelocity(v) => end(Quantity::Normal) >= v,
                Target::Impulse(more) => end(Quantity::Impulse) - now.impulse >= more,
                Target::NormalWork(more) => end(Quantity::NormalWork) - now.normal_work >= more,
            },
        }
    }

    /// What follows a slip that has come to rest or to a straight line.
    pub(crate) fn settled(&mut self) -> Result<Option<Impact<3>>, Error> {
        let outcome = match self.slip.settled() {
            Some(Settled::OnLine(from, line)) => self.account.straight(from, &line),
            Some(Settled::Halted(at)) => Ok(Outcome::Halted(at)),
            None => return Ok(None),
        };
        let end = outcome.and_then(|outcome| self.account.settle(self.slip.contact(), outcome));
        self.impact(end)
    }

    /// Goes through the events of a step; the moment at which the impact ends,
    /// if it ends there.
    fn events_in(&mut self, step: &impl Series, rising: bool) -> Result<Option<Moment>, Endless> {
        let mut from = 0.0;
        let mut at_zero = false;
        loop {
            let turn = self.turn_in(step, from, at_zero, rising);
            if self.account.ledger().stage() == Stage::Restitution {
                let range = (from, turn.unwrap_or(step.width()));
                if let Some(end) = self.target_in(step, range, rising) {
                    return Ok(Some(step.moment(end)));
                }
            }
            let Some(at) = turn else { return Ok(None) };
            let moment = step.moment(at);
            self.account.turn(&moment)?;
            if self.account.over() {
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
        match (self.account.ledger().stage(), rising) {
            (Stage::Compression, true) => step.reach(Quantity::Normal, 0.0, from),
            (Stage::Restitution, true) => None,
            (Stage::Compression, false) => crossing(Crossing::Upward),
            (Stage::Restitution, false) => crossing(Crossing::Downward),
        }
    }

    /// Where in a range of a step of restitution the impact ends.
    fn target_in(&self, step: &impl Series, range: (f64, f64), rising: bool) -> Option<f64> {
        let now = if range.0 == 0.0 { self.slip.current() } else { step.moment(range.0) };
        match self.account.ledger().target(now.tally()) {
            Target::NormalVelocity(v) if rising => step.reach(Quantity::Normal, v, range.0),
            Target::NormalVelocity(v) => {
                step.crossing(Quantity::Normal, v, range, Crossing::Upward, false)
            }
            Target::Impulse(more) => step.rise(Quantity::Impulse, more, range),
            Target::NormalWork(more) => step.rise(Quantity::NormalWork, more, range),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::restitution::Law;

    /// Contacts that jam near one direction, struck from all sides: where the normal
    /// velocity is said to rise throughout a step, it does.
    #[test]
    fn what_is_said_to_rise_rises() {
        let (mut rising, mut falling) = (0, 0);
        for i in 0..4000_u32 {
            let (mu, b2) = (1.02 + 0.2 * f64::from(i / 2 % 4), 0.5 * f64::from(1 << (i / 8 % 5)));
            // Both ways round.
            let (h2, b12) = if i % 2 == 0 { (0.6, 0.1) } else { (-0.6, -0.1) };
            let contact = Contact::new([[1.0, 0.8, h2], [0.8, 4.0, b12], [h2, b12, b2]]).unwrap();
            let angle = f64::from(i / 40) / 16.0;
            let velocity = [-1.0, libm::cos(angle), libm::sin(angle)];
            let friction = Friction::uniform(mu).unwrap();
            let restitution = Restitution::new(Law::Newton, 0.5).unwrap();
            for accuracy in [Accuracy::new(1e-4).unwrap(), Accuracy::default()] {
                let course = Course::new(&contact, velocity, friction, restitution, accuracy);
                let mut course = course.unwrap();
                let mut step = Step::new(accuracy.order());
                while course.slip.settled().is_none() && course.slip.steps() < 50 {
                    course.slip.expand(&mut step).unwrap();
                    let normal = |i: u32| step.moment(step.width * f64::from(i) / 64.0).normal;
                    let slight = 1e-13 + accuracy.tolerance();
                    let rises = (0..64).all(|i| normal(i + 1) >= normal(i) - slight);
                    if course.rises(&step) {
                        assert!(rises, "{velocity:?} {mu} {b2}");
                        rising += 1;
                    }
                    falling += usize::from(!rises);
                    course.slip.advance(step.end);
                }
            }
        }
        assert!(rising > 1000 && falling > 100, "{rising}, {falling}");
    }
}
