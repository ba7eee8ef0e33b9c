//! Samples of a motion at points of every step, for plots.

use routh_runtime::double::number::scale;

use super::{Motion, Trajectory};
use crate::error::{Error, Field, finite};

/// A point of a motion, from [`Trajectory::observe`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The normal impulse so far.
    pub impulse: f64,
    /// The tangential velocity.
    pub velocity: [f64; 2],
    /// Whether a power-series step begins here.
    pub begins_step: bool,
}

impl Trajectory {
    /// Follows the motion from the start of its current step to an impulse, and passes
    /// `points` samples of each step and of each straight phase to `see`; the last
    /// sample is at that impulse.
    ///
    /// ```
    /// use routh::{Accuracy, Contact, Friction, Trajectory};
    /// let contact = Contact::new([[1.3, 0.4, -0.2], [0.4, 2.1, 0.5], [-0.2, 0.5, 0.9]])?;
    /// let friction = Friction::uniform(0.15)?;
    /// let mut motion = Trajectory::new(&contact, friction, [0.7, -1.1], Accuracy::default())?;
    /// let (mut steps, mut end) = (0, 0.0);
    /// motion.observe(0.5, 16, &mut |point| {
    ///     steps += usize::from(point.begins_step);
    ///     end = point.impulse;
    /// })?;
    /// assert_eq!((steps, end), (motion.steps(), 0.5));
    /// # Ok::<(), routh::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::StepLimit`].
    pub fn observe(
        &mut self,
        end: f64,
        points: usize,
        see: &mut impl FnMut(Sample),
    ) -> Result<(), Error> {
        finite(Field::new("impulse"), end)?;
        let last = scale(end, self.contact.unit - self.unit);
        loop {
            let ends_here = self.sample(last, points, see)?;
            if ends_here {
                let velocity = self.advance(end)?;
                see(Sample { impulse: end, velocity, begins_step: false });
                return Ok(());
            }
            self.pass()?;
        }
    }

    /// Samples the current step or straight phase up to an impulse, without its end;
    /// returns whether it reaches that impulse.
    fn sample(
        &self,
        last: f64,
        points: usize,
        see: &mut impl FnMut(Sample),
    ) -> Result<bool, Error> {
        let part = |i: usize| i as f64 / points as f64;
        match &self.motion {
            Motion::Slip(_, step) => {
                let reached = step.reach(last);
                for i in 0..points {
                    let [x, y, p] = step.at(part(i) * reached.unwrap_or(step.width));
                    see(Sample {
                        impulse: self.impulse(p),
                        velocity: self.velocity([x, y])?,
                        begins_step: i == 0,
                    });
                }
                Ok(reached.is_some())
            }
            Motion::Straight(from, straight) => {
                let left = (last - from.impulse).max(0.0);
                let width = straight.halt.min(left);
                for i in 0..points {
                    let at = straight.advance(from, part(i) * width);
                    see(Sample {
                        impulse: self.impulse(at.impulse),
                        velocity: self.velocity(at.tangential)?,
                        begins_step: false,
                    });
                }
                Ok(width == left)
            }
        }
    }
}
