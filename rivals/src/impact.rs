//! Whole impacts by the classic Runge-Kutta method, as one writes it who has
//! neither series nor tables: `v_t`, `v_n` and `W_n` over the normal impulse,
//!
//! ```text
//! dv_t/dp = h − μ b σ        dv_n/dp = a − hᵀb⁻¹h + hᵀb⁻¹ dv_t/dp        dW_n/dp = v_n
//! ```
//!
//! in equal steps, that shrink with the speed towards rest. Events are looked for
//! at the end of every step and then located within it; two of them in one step
//! cancel unseen. What follows a halt has constant rates and a closed form. A
//! [`Course`] has all of it but the steps, for whoever makes others.

mod course;
mod phases;
mod rest;

pub use course::{Course, Crossing, Followed, State, locate};

use routh_solver::{Contact, Friction, Restitution};

use crate::run::Failure;
use crate::runge_kutta::step;

/// The part of its first speed below which sliding has halted.
pub const HALT: f64 = 1e-10;

/// The most steps that are made.
pub const MOST_STEPS: usize = 1 << 22;

/// By how much of the speed the velocity may change in a step, over the number of
/// steps.
const CHANGE: f64 = 4.0;

/// By how much of the speed it may at the largest rate: beyond that, explicit steps
/// are not stable.
const STABLE: f64 = 2.0;

/// How closely an event is located, as a part of what its step changes.
const LOCATED: f64 = 1e-12;

/// Follows an impact that approaches in about so many steps: none is longer than
/// that part of the impulse that the impact would have without friction.
///
/// ```
/// use routh_rivals::impact;
/// use routh_solver::{Contact, Friction, Law, Restitution};
/// let contact = Contact::new([[1.3, 0.4, -0.2], [0.4, 2.1, 0.5], [-0.2, 0.5, 0.9]])?;
/// let friction = Friction::uniform(0.15)?;
/// let restitution = Restitution::new(Law::Energetic, 0.7)?;
/// let velocity = [-1.0, 0.7, -1.1];
/// let series = contact.solve(velocity, friction, restitution)?;
/// let followed = impact::follow(&contact, velocity, friction, restitution, 100)?;
/// assert!((followed.impact.velocity[1] - series.velocity[1]).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Failure::StepLimit`]; [`Failure::Stuck`] beyond floating-point numbers.
pub fn follow(
    contact: &Contact<3>,
    velocity: [f64; 3],
    friction: Friction,
    restitution: Restitution,
    steps: usize,
) -> Result<Followed, Failure> {
    let mut sliding =
        Sliding { course: Course::new(contact, velocity, friction, restitution), steps: 0 };
    let ended = sliding.slide(steps)?;
    let Sliding { course, steps } = sliding;
    if ended { course.end(steps) } else { course.halt(steps) }
}

/// An impact that slides.
struct Sliding<'a> {
    course: Course<'a>,
    steps: usize,
}

impl Sliding<'_> {
    fn rate(&self, [x, y, normal, _]: State) -> State {
        let rate = self.course.problem().rate([x, y]);
        [rate[0], rate[1], self.course.normal_rate(rate), normal]
    }

    /// The state after a step, given the rate before it.
    fn step(&mut self, rate: State, width: f64) -> Result<State, Failure> {
        self.steps += 1;
        let next = step(|state| self.rate(state), self.course.state(), rate, width);
        if self.steps > MOST_STEPS {
            return Err(Failure::StepLimit { steps: MOST_STEPS, impulse: self.course.impulse() });
        }
        let finite = next.iter().all(|x| x.is_finite());
        finite.then_some(next).ok_or(Failure::Stuck { impulse: self.course.impulse() })
    }

    fn speed(&self) -> f64 {
        size(self.course.state())
    }

    /// Slides to the end of the impact, or to a halt: whether to the end.
    fn slide(&mut self, steps: usize) -> Result<bool, Failure> {
        let halt = HALT * self.speed();
        let longest = self.course.without_friction() / steps as f64;
        let stable = STABLE / self.course.problem().fastest();
        while self.speed() > halt {
            let rate = self.rate(self.course.state());
            let change = CHANGE / (steps as f64 * size(rate));
            let width = longest.min(change.min(stable) * self.speed());
            let p = self.course.impulse();
            let mut first = (width, self.step(rate, width)?, None);
            for crossing in [Crossing::Turn, Crossing::End] {
                let past = self.course.past(crossing, p + first.0, &first.1);
                if past > 0.0 {
                    let before = self.course.past(crossing, p, &self.course.state()).min(0.0);
                    let close = LOCATED * (past - before);
                    let (at, state) = locate((0.0, before), (first.0, past), close, |at| {
                        let state = self.step(rate, at)?;
                        Ok::<_, Failure>((self.course.past(crossing, p + at, &state), state))
                    })?;
                    first = (at, state, Some(crossing));
                }
            }
            let (width, state, crossing) = first;
            self.course.go_to(p + width, state);
            if let Some(Crossing::Turn) = crossing {
                self.course.turn();
            }
            if self.course.has_ended() || matches!(crossing, Some(Crossing::End)) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The size of `v_t` or of its rate.
fn size([x, y, ..]: State) -> f64 {
    (x * x + y * y).sqrt()
}
