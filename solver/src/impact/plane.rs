//! The planar impact: find the mode, then evaluate its generated closed form.

use routh_runtime::double::instances::Forms;
use routh_runtime::double::plane::{
    Approach, Closed, PlanarContact, collide_planar, finish, prepare_planar,
};
use routh_runtime::double::result::{Law, Mode, Status};

use super::{Impact, Jacobian, refused, refused_slope};
use crate::contact::{Contact, Friction, Restitution};
use crate::error::Error;
use crate::kernels::{planar, planar_varied};

impl Contact<2> {
    /// Solves the impact: velocity, impulse, works, events and mode.
    ///
    /// ```
    /// use routh::{Contact, Friction, Law, Mode, Restitution};
    /// let rod = Contact::new([[2.5, -1.5], [-1.5, 2.5]])?;
    /// let friction = Friction::new(0.73, 0.7)?;
    /// let restitution = Restitution::new(Law::Poisson, 0.82)?;
    /// let impact = rod.solve([-1.0, 0.6], friction, restitution)?;
    /// assert_eq!(impact.mode, Mode::StickingInCompression);
    /// assert!((impact.velocity[0] - 0.5248).abs() < 1e-12);
    /// # Ok::<(), routh::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::NotApproaching`].
    pub fn solve(
        &self,
        velocity: [f64; 2],
        friction: Friction,
        restitution: Restitution,
    ) -> Result<Impact<2>, Error> {
        self.evaluate(&Plain, velocity, friction, restitution, &mut ())
    }

    /// The same, and the Jacobian of the velocity after impact: its columns are the
    /// derivatives by the two velocities before impact, by kinetic friction and by the
    /// coefficient of restitution. Where the mode changes, they are those of the mode that
    /// the impact is in.
    ///
    /// ```
    /// use routh::{Contact, Friction, Law, Restitution};
    /// let ball = Contact::new([[1.0, 0.0], [0.0, 3.5]])?;
    /// let (friction, restitution) = (Friction::uniform(0.2)?, Restitution::new(Law::Newton, 0.5)?);
    /// let (impact, jacobian) = ball.differentiate([-2.0, 9.0], friction, restitution)?;
    /// assert_eq!(impact.velocity[0], 1.0);
    /// assert_eq!(jacobian[0], [-0.5, 0.0, 0.0, 2.0]);
    /// # Ok::<(), routh::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`solve`](Self::solve); [`Error::NotFinite`] where a derivative is not.
    pub fn differentiate(
        &self,
        velocity: [f64; 2],
        friction: Friction,
        restitution: Restitution,
    ) -> Result<(Impact<2>, Jacobian<2, 4>), Error> {
        let mut jacobian = [[0.0; 4]; 2];
        self.evaluate(&Varied, velocity, friction, restitution, &mut jacobian)
            .map_err(|error| refused_slope(error, &jacobian))
            .map(|impact| (impact, jacobian))
    }

    fn evaluate<F: Forms>(
        &self,
        forms: &F,
        velocity: [f64; 2],
        friction: Friction,
        restitution: Restitution,
        jacobian: &mut F::Jacobian,
    ) -> Result<Impact<2>, Error> {
        let (mut contact, mut out) = (PlanarContact::NONE, Impact::NONE);
        let status = prepare_planar(self.checked(), friction.coefficients(), &mut contact);
        if status != Status::Solved {
            return Err(self.overflowing(friction));
        }
        let law = restitution.given();
        let status = collide_planar(&contact, &velocity, law, forms, &mut out, jacobian);
        if status == Status::Solved { Ok(out) } else { Err(refused(status, &velocity, &out)) }
    }
}

/// The generated closed forms.
struct Plain;

impl Forms for Plain {
    type Jacobian = ();

    fn evaluate(
        &self,
        approach: &Approach,
        mode: Mode,
        law: Law,
        closed: &mut Closed,
        (): &mut Self::Jacobian,
    ) {
        planar::evaluate(approach, mode, law, closed);
    }

    fn finish(&self, (): &mut Self::Jacobian, _: f64, _: bool, _: f64) -> bool {
        true
    }
}

/// The generated closed forms with their derivatives.
struct Varied;

impl Forms for Varied {
    type Jacobian = Jacobian<2, 4>;

    fn evaluate(
        &self,
        approach: &Approach,
        mode: Mode,
        law: Law,
        closed: &mut Closed,
        jacobian: &mut Self::Jacobian,
    ) {
        planar_varied::evaluate(approach, mode, law, closed, jacobian);
    }

    fn finish(
        &self,
        jacobian: &mut Self::Jacobian,
        unit: f64,
        at_rest: bool,
        slope_at_rest: f64,
    ) -> bool {
        finish(jacobian, unit, at_rest, slope_at_rest)
    }
}
