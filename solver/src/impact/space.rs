//! The impact in three dimensions.

use routh_runtime::double::check::{Imbalance, imbalance, most_imbalance};
use routh_runtime::double::derivatives::Variation;
use routh_runtime::double::follow::{before_impact_state, collide, follow, velocity_unit};
use routh_runtime::double::inertia::Contact as Prepared;
use routh_runtime::double::instances::{Slide, Varies};
use routh_runtime::double::restitution::ImpactState;
use routh_runtime::double::result::{Mode, Status};
use routh_runtime::double::series::MOST_STEPS;

use super::series::{Series, varied};
use super::{Accuracy, Impact, Jacobian, refused, refused_slope};
use crate::contact::{Condition, Contact, Friction, Restitution};
use crate::error::Error;

impl Contact<3> {
    /// Solves the impact: velocity, impulse, works, events and mode.
    ///
    /// ```
    /// use routh::{Contact, Friction, Law, Mode, Restitution};
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
    /// # Ok::<(), routh::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::NotApproaching`], [`Error::StepLimit`],
    /// [`Error::IllConditioned`] where rounding decides the impact.
    pub fn solve(
        &self,
        velocity: [f64; 3],
        friction: Friction,
        restitution: Restitution,
    ) -> Result<Impact<3>, Error> {
        self.solve_with(velocity, friction, restitution, Accuracy::default())
    }

    /// The same, to a given accuracy.
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
        let contact = &self.prepared(friction)?;
        let kernel = &Series::new(contact, accuracy);
        follow_impact::<(), _>(contact, kernel, velocity, restitution, accuracy, &mut ())
    }

    /// The same, and the Jacobian of the velocity after impact: its columns are the
    /// derivatives by the three velocities before impact, by kinetic friction and by the
    /// coefficient of restitution. Where the mode changes, they are those of the mode that
    /// the impact is in. Steps are not stretched.
    ///
    /// ```
    /// use routh::{Accuracy, Contact, Friction, Law, Restitution};
    /// let ball = Contact::new([[1.0, 0.0, 0.0], [0.0, 3.5, 0.0], [0.0, 0.0, 3.5]])?;
    /// let (friction, restitution) = (Friction::uniform(0.2)?, Restitution::new(Law::Newton, 0.5)?);
    /// let (impact, jacobian) =
    ///     ball.differentiate([-2.0, 9.0, 0.0], friction, restitution, Accuracy::default())?;
    /// assert_eq!(impact.velocity[0], 1.0);
    /// // v_t1 after impact is v_t1 + 3.5 mu (1 + e) v_n.
    /// assert!((jacobian[1][0] - 3.5 * 0.2 * 1.5).abs() < 1e-12);
    /// assert!((jacobian[1][3] + 3.5 * 1.5 * 2.0).abs() < 1e-12);
    /// # Ok::<(), routh::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`solve`](Self::solve); [`Error::NotFinite`] where a derivative is not.
    pub fn differentiate(
        &self,
        velocity: [f64; 3],
        friction: Friction,
        restitution: Restitution,
        accuracy: Accuracy,
    ) -> Result<(Impact<3>, Jacobian<3, 5>), Error> {
        let contact = &self.prepared(friction)?;
        let kernel = &varied(contact, accuracy);
        let mut jacobian = [[0.0; 5]; 3];
        let out = &mut jacobian;
        follow_impact::<Variation, _>(contact, kernel, velocity, restitution, accuracy, out)
            .map_err(|error| refused_slope(error, &jacobian))
            .map(|impact| (impact, jacobian))
    }
}

/// The impact of a contact whose slip is followed by a kernel.
fn follow_impact<V: Varies, K: Slide<V>>(
    contact: &Prepared,
    kernel: &K,
    velocity: [f64; 3],
    restitution: Restitution,
    accuracy: Accuracy,
    jacobian: &mut V::Jacobian,
) -> Result<Impact<3>, Error> {
    let mut out = Impact::NONE;
    let (law, tolerance) = (restitution.given(), accuracy.tolerance());
    match collide::<V, K>(contact, &velocity, law, kernel, tolerance, &mut out, jacobian) {
        Status::Solved => Ok(out),
        Status::StepLimit => Err(accuracy.exceeded(MOST_STEPS)),
        Status::NotConserved => Err(not_conserved(contact, velocity, restitution, accuracy)),
        status => Err(refused(status, &velocity, &out)),
    }
}

/// The error of an impact that violates a conservation law: solves it once more to
/// measure the violation.
fn not_conserved(
    contact: &Prepared,
    velocity: [f64; 3],
    restitution: Restitution,
    accuracy: Accuracy,
) -> Error {
    let unit = velocity_unit(&velocity);
    let before = before_impact_state(contact, &velocity, unit);
    let mut impact = ImpactState::begin(restitution.given(), -before.normal);
    let (mut at, mut mode) = (before, Mode::PermanentSliding);
    follow(contact, &Series::new(contact, accuracy), &mut at, &mut impact, &mut mode);
    let Imbalance { momentum, energy, restitution } = imbalance(contact, &before, &at, &impact);
    let all = [("momentum", momentum), ("energy", energy), ("restitution", restitution)];
    let most = most_imbalance(accuracy.tolerance());
    let (what, value) = all.into_iter().find(|(_, off)| *off > most).unwrap_or(all[0]);
    let &Prepared { a, h: [h1, h2], b: [b1, b2], .. } = contact;
    let Condition { number, direction: [n, t1, t2] } =
        Condition::of([[a, h1, h2], [h1, b1, 0.0], [h2, 0.0, b2]]);
    let [t1, t2] = contact.outward([t1, t2]);
    Error::IllConditioned { what, value, most, condition: number, direction: [n, t1, t2] }
}
