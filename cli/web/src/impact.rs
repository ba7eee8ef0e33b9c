//! An impact as it is posed in numbers, and its answer.

use routh::{Accuracy, Contact, Error, Friction, Impact, Law, Restitution, Trajectory};

use crate::exchange::Answer;

/// Numbers that pose an impact.
pub const NUMBERS: usize = 17;

/// Points of each step of the course.
const POINTS: usize = 24;

/// An impact that is asked for. In the plane the second tangent is there, but nothing
/// moves or is coupled along it.
#[derive(Clone, Debug)]
pub struct Posed {
    planar: bool,
    inertia: [[f64; 3]; 3],
    velocity: [f64; 3],
    friction: [f64; 2],
    law: Law,
    e: f64,
}

/// In this order: 2 or 3 dimensions; `D` by rows, of three; the velocity, normal
/// first; static and kinetic friction; 0, 1 or 2 for Newton's, Poisson's or the
/// energetic law; its coefficient.
impl From<[f64; NUMBERS]> for Posed {
    fn from(numbers: [f64; NUMBERS]) -> Self {
        let three = |first: usize| [numbers[first], numbers[first + 1], numbers[first + 2]];
        Self {
            planar: numbers[0] < 3.0,
            inertia: [three(1), three(4), three(7)],
            velocity: three(10),
            friction: [numbers[13], numbers[14]],
            law: match numbers[15] {
                ..1.0 => Law::Newton,
                ..2.0 => Law::Poisson,
                _ => Law::Energetic,
            },
            e: numbers[16],
        }
    }
}

impl Posed {
    /// What the impact does.
    ///
    /// # Errors
    /// As [`Contact::new`], [`Friction::new`], [`Restitution::new`] and
    /// [`Contact::solve`].
    pub fn solve(&self) -> Result<Impact<3>, Error> {
        let friction = Friction::new(self.friction[0], self.friction[1])?;
        let restitution = Restitution::new(self.law, self.e)?;
        if !self.planar {
            return Contact::new(self.inertia)?.solve(self.velocity, friction, restitution);
        }
        let [[a, c, _], [d, b, _], _] = self.inertia;
        let [normal, tangential, _] = self.velocity;
        let contact = Contact::new([[a, c], [d, b]])?;
        let impact = contact.solve([normal, tangential], friction, restitution)?;
        let in_space = |[normal, tangential]: [f64; 2]| [normal, tangential, 0.0];
        Ok(Impact {
            velocity: in_space(impact.velocity),
            impulse: in_space(impact.impulse),
            compression_impulse: impact.compression_impulse,
            normal_work: impact.normal_work,
            friction_work: impact.friction_work,
            energy_change: impact.energy_change,
            critical_friction: impact.critical_friction,
            mode: impact.mode,
            events: impact.events,
            steps: impact.steps,
        })
    }

    /// The impact in numbers: velocity, impulse, impulse of compression, normal and
    /// friction work, energy change, critical friction, steps, the number of events
    /// and the impulse of each; then, for every point of the course, its impulse,
    /// its velocity and whether a step begins there. The words are the mode and the
    /// events.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn answer(&self) -> Result<Answer, Error> {
        let impact = self.solve()?;
        let mut numbers = Vec::new();
        numbers.extend(impact.velocity);
        numbers.extend(impact.impulse);
        numbers.extend([
            impact.compression_impulse,
            impact.normal_work,
            impact.friction_work,
            impact.energy_change,
            impact.critical_friction,
            impact.steps as f64,
            impact.events.len() as f64,
        ]);
        numbers.extend(impact.events.iter().map(|event| event.impulse));
        let friction = Friction::new(self.friction[0], self.friction[1])?;
        let [_, x, y] = self.velocity;
        let contact = Contact::new(self.inertia)?;
        let mut motion = Trajectory::new(&contact, friction, [x, y], Accuracy::default())?;
        motion.observe(impact.normal_impulse(), POINTS, &mut |at| {
            let normal = self.normal_velocity(&contact, at.impulse, at.velocity);
            let [x, y] = at.velocity;
            let begins_step = f64::from(u8::from(at.begins_step));
            numbers.extend([at.impulse, normal, x, y, begins_step]);
        })?;
        let mut words = vec![impact.mode.name()];
        words.extend(impact.events.iter().map(|event| event.kind.name()));
        Ok(Answer { numbers, text: words.join(" ") })
    }

    /// The normal velocity that goes with a tangential one: the tangential impulse that
    /// brought it about, `b⁻¹ (Δv_t − h p)`, acts along the normal too.
    fn normal_velocity(&self, contact: &Contact<3>, impulse: f64, [x, y]: [f64; 2]) -> f64 {
        let [[a, h1, h2], [_, b11, b12], [_, _, b22]] = *contact.inertia();
        let [normal, x0, y0] = self.velocity;
        let [r1, r2] = [x - x0 - h1 * impulse, y - y0 - h2 * impulse];
        let determinant = b11 * b22 - b12 * b12;
        let [i1, i2] = [(b22 * r1 - b12 * r2) / determinant, (b11 * r2 - b12 * r1) / determinant];
        normal + a * impulse + h1 * i1 + h2 * i2
    }
}
