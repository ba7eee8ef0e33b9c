//! How the velocity runs during an impact.

use routh_solver::{Accuracy, Contact, Error, Friction, Trajectory};

/// An impact on its way.
#[derive(Clone, Debug)]
pub struct Course {
    contact: Contact<3>,
    velocity: [f64; 3],
    motion: Trajectory,
}

impl Course {
    /// The course from a velocity before impact.
    ///
    /// # Errors
    /// As [`Contact::new`] and [`Trajectory::new`].
    pub fn new(
        inertia: [[f64; 3]; 3],
        velocity: [f64; 3],
        friction: Friction,
    ) -> Result<Self, Error> {
        let contact = Contact::new(inertia)?;
        let [_, x, y] = velocity;
        let motion = Trajectory::new(&contact, friction, [x, y], Accuracy::default())?;
        Ok(Self { contact, velocity, motion })
    }

    /// Shows the impulse, the velocity and whether a step begins, at so many points
    /// of each step up to an impulse.
    ///
    /// # Errors
    /// As [`Trajectory::observe`].
    pub fn follow(
        mut self,
        end: f64,
        points: usize,
        mut see: impl FnMut(f64, [f64; 3], bool),
    ) -> Result<(), Error> {
        let (contact, before) = (self.contact, self.velocity);
        self.motion.observe(end, points, &mut |at| {
            let [x, y] = at.velocity;
            let normal = normal_velocity(&contact, before, at.impulse, at.velocity);
            see(at.impulse, [normal, x, y], at.begins_step);
        })
    }
}

/// The normal velocity that goes with a tangential one: the tangential impulse that
/// brought it about, `b⁻¹ (Δv_t − h p)`, acts along the normal too.
fn normal_velocity(
    contact: &Contact<3>,
    [normal, x0, y0]: [f64; 3],
    impulse: f64,
    [x, y]: [f64; 2],
) -> f64 {
    let [[a, h1, h2], [_, b11, b12], [_, _, b22]] = *contact.inertia();
    let [r1, r2] = [x - x0 - h1 * impulse, y - y0 - h2 * impulse];
    let determinant = b11 * b22 - b12 * b12;
    let [i1, i2] = [(b22 * r1 - b12 * r2) / determinant, (b11 * r2 - b12 * r1) / determinant];
    normal + a * impulse + h1 * i1 + h2 * i2
}
