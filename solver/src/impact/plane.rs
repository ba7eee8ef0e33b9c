//! The planar impact: find the mode, then evaluate its generated closed form.

use routh_runtime::double::instances::Forms;
use routh_runtime::double::plane::{
    Approach, Closed, PlanarContact, collide_planar, prepare_planar,
};
use routh_runtime::double::result::{Law, Mode, Status};

use super::{Impact, refused};
use crate::contact::{Contact, Friction, Restitution};
use crate::error::Error;
use crate::kernels::{PLANAR, PlanarInput};

impl Contact<2> {
    /// The velocity after impact and all that leads to it.
    ///
    /// ```
    /// use routh_solver::{Contact, Friction, Law, Mode, Restitution};
    /// let rod = Contact::new([[2.5, -1.5], [-1.5, 2.5]])?;
    /// let friction = Friction::new(0.73, 0.7)?;
    /// let restitution = Restitution::new(Law::Poisson, 0.82)?;
    /// let impact = rod.solve([-1.0, 0.6], friction, restitution)?;
    /// assert_eq!(impact.mode, Mode::StickingInCompression);
    /// assert!((impact.velocity[0] - 0.5248).abs() < 1e-12);
    /// # Ok::<(), routh_solver::Error>(())
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
        let (mut contact, mut out) = (PlanarContact::NONE, Impact::NONE);
        let mut status = prepare_planar(self.checked(), friction.coefficients(), &mut contact);
        if status == Status::Solved {
            let law = restitution.given();
            status = collide_planar(&contact, &velocity, law, &Planar, &mut out, &mut ());
        }
        if status == Status::Solved { Ok(out) } else { Err(refused(status, &velocity, &out)) }
    }
}

/// The generated closed forms.
struct Planar;

impl Forms for Planar {
    type Jacobian = ();

    fn evaluate(
        &self,
        approach: &Approach,
        mode: Mode,
        law: Law,
        closed: &mut Closed,
        (): &mut Self::Jacobian,
    ) {
        let &Approach { a, b, c, mu, sigma, e, vn, vt } = approach;
        let input = PlanarInput { a, b, c, mu, sigma, e, vn, vt };
        let out = PLANAR[form_of(mode)][law as usize](&input);
        *closed = Closed {
            velocity: [out.normal_velocity, out.tangential_velocity],
            impulse: [out.normal_impulse, out.tangential_impulse],
            compression_impulse: out.compression_impulse,
            normal_work: out.normal_work,
            friction_work: out.friction_work,
            halt_impulse: out.halt_impulse.unwrap_or(0.0),
        };
    }

    fn finish(&self, (): &mut Self::Jacobian, _: f64, _: bool) -> bool {
        true
    }
}

/// The row of [`PLANAR`] that holds a mode's closed forms.
fn form_of(mode: Mode) -> usize {
    match mode {
        Mode::PermanentSliding | Mode::SlipFromRest => 0,
        Mode::StickingInCompression => 1,
        Mode::ReverseInCompression => 2,
        Mode::StickingInRestitution => 3,
        Mode::ReverseInRestitution => 4,
        Mode::Sticking => 5,
    }
}
