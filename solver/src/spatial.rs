//! The impact in three dimensions.

use crate::accuracy::Accuracy;
use crate::contact::Contact;
use crate::course::Course;
use crate::error::Error;
use crate::friction::Friction;
use crate::impact::Impact;
use crate::restitution::Restitution;
use crate::step::Step;

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
    /// [`Error::NotFinite`], [`Error::NotApproaching`], [`Error::StepLimit`],
    /// [`Error::NotConserved`] where directions are so many orders apart that rounding decides.
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
        let mut course = Course::new(self, velocity, friction, restitution, accuracy)?;
        let mut step = Step::new(accuracy.order());
        let mut impact = course.begin()?;
        loop {
            match impact {
                Some(impact) => return Ok(impact),
                None => impact = course.step(&mut step)?,
            }
        }
    }
}
