//! The planar impact: find the mode, then evaluate its generated closed form.

use crate::account::approaching;
use crate::contact::Contact;
use crate::error::Error;
use crate::friction::Friction;
use crate::impact::{EventKind, Events, Impact, Mode};
use crate::kernels::{PLANAR, PlanarInput};
use crate::restitution::Restitution;
use crate::sliding::VANISHING;
use crate::units::Units;

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
        approaching(&velocity)?;
        let [[a, c], [_, b]] = *self.inertia();
        let units = Units::new(a, velocity[0].abs().max(velocity[1].abs()));
        let [a, b, c] = [a, b, c].map(|d| units.scale_inertia(d));
        let [vn, vt] = velocity.map(|v| units.scale_velocity(v));
        let vt = if vt.abs() <= VANISHING { 0.0 } else { vt };
        let sticks = self.critical_friction() <= friction.fixed();
        // Out of rest, sliding can only begin the way the coupling pushes.
        let sigma = if vt == 0.0 { c.signum() } else { vt.signum() };
        let input =
            PlanarInput { a, b, c, mu: friction.kinetic(), sigma, e: restitution.e(), vn, vt };
        let mode = mode(&input, sticks);
        let form = PLANAR[form_of(mode)][restitution.law() as usize];
        let out = form(&input);
        let impulse = [out.normal_impulse, out.tangential_impulse];
        let after = [out.normal_velocity, out.tangential_velocity];
        let energy = 0.5 * impulse[0] * (vn + after[0]) + 0.5 * impulse[1] * (vt + after[1]);
        let impact = Impact {
            velocity: after.map(|v| units.velocity(v)),
            impulse: impulse.map(|p| units.impulse(p)),
            compression_impulse: units.impulse(out.compression_impulse),
            normal_work: units.work(out.normal_work),
            friction_work: units.work(out.friction_work),
            energy_change: units.work(energy),
            critical_friction: self.critical_friction(),
            mode,
            events: events(mode, out.halt_impulse, out.compression_impulse)
                .map_impulses(|p| units.impulse(p)),
            steps: 0,
        };
        impact.finite()
    }
}

/// The mode, from where the initial slip would halt and end.
fn mode(input: &PlanarInput, sticks: bool) -> Mode {
    let &PlanarInput { a, b, c, mu, sigma, e, vn, vt } = input;
    if vt == 0.0 {
        return if sticks { Mode::Sticking } else { Mode::SlipFromRest };
    }
    let normal_rate = a - mu * c * sigma;
    let slowing = mu * b - c * sigma;
    if slowing <= 0.0 {
        return Mode::PermanentSliding;
    }
    let halt = vt.abs() / slowing;
    // A jamming start has `normal_rate ≤ 0` and halts before compression ends.
    if vn + normal_rate * halt <= 0.0 {
        return if sticks { Mode::StickingInCompression } else { Mode::ReverseInCompression };
    }
    // While sliding lasts, the three laws agree.
    if normal_rate * halt >= -(1.0 + e) * vn {
        return Mode::PermanentSliding;
    }
    if sticks { Mode::StickingInRestitution } else { Mode::ReverseInRestitution }
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

fn events(mode: Mode, halt: Option<f64>, compression: f64) -> Events {
    let mut events = Events::default();
    let mut note = |kind, impulse| {
        // Three events at most, and room for more.
        let _ = events.push(kind, impulse);
    };
    let follows = match mode {
        Mode::Sticking | Mode::StickingInCompression | Mode::StickingInRestitution => {
            EventKind::Stick
        }
        _ => EventKind::SlipRestart,
    };
    let in_restitution = matches!(mode, Mode::StickingInRestitution | Mode::ReverseInRestitution);
    if in_restitution {
        note(EventKind::CompressionEnd, compression);
    }
    if let Some(halt) = halt {
        note(EventKind::Halt, halt);
        note(follows, halt);
    } else if mode != Mode::PermanentSliding {
        note(follows, 0.0);
    }
    if !in_restitution {
        note(EventKind::CompressionEnd, compression);
    }
    events
}
