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
//! [`SlidingImpact`] has all of it but the steps, for other integrators.

mod state;

pub use state::{Crossing, SlidingImpact, State, locate};

use routh::{Contact, Friction, Impact, Restitution};

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
/// use routh_integrators::impact;
/// use routh::{Contact, Friction, Law, Restitution};
/// let contact = Contact::new([[1.3, 0.4, -0.2], [0.4, 2.1, 0.5], [-0.2, 0.5, 0.9]])?;
/// let friction = Friction::uniform(0.15)?;
/// let restitution = Restitution::new(Law::Energetic, 0.7)?;
/// let velocity = [-1.0, 0.7, -1.1];
/// let series = contact.solve(velocity, friction, restitution)?;
/// let stepped = impact::follow(&contact, velocity, friction, restitution, 100)?;
/// assert!((stepped.velocity[1] - series.velocity[1]).abs() < 1e-9);
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
) -> Result<Impact<3>, Failure> {
    let mut impact = SlidingImpact::new(contact, velocity, friction, restitution);
    let halt = HALT * size(impact.state());
    let longest = impact.without_friction() / steps as f64;
    let stable = STABLE / impact.problem().fastest();
    let mut taken = 0;
    while size(impact.state()) > halt {
        let (p, state) = (impact.impulse(), impact.state());
        let rate_at = |[x, y, normal, _]: State| {
            let [dx, dy] = impact.problem().rate([x, y]);
            [dx, dy, impact.normal_rate([dx, dy]), normal]
        };
        let rate = rate_at(state);
        let change = CHANGE / (steps as f64 * size(rate));
        let width = longest.min(change.min(stable) * size(state));
        let mut advance = |width: f64| {
            taken += 1;
            if taken > MOST_STEPS {
                return Err(Failure::StepLimit { steps: MOST_STEPS, impulse: p });
            }
            let next = step(rate_at, state, rate, width);
            let finite = next.iter().all(|x| x.is_finite());
            finite.then_some(next).ok_or(Failure::Stuck { impulse: p })
        };
        let end = (width, advance(width)?);
        let state = |q: f64, state: &State| (p + q, *state);
        let (q, next, crossing) = impact.first_crossing(0.0, end, LOCATED, state, advance)?;
        impact.go_to(p + q, next);
        if crossing == Some(Crossing::Turn) {
            impact.turn();
        }
        if impact.has_ended() || crossing == Some(Crossing::End) {
            return impact.end(taken);
        }
    }
    impact.halt(taken)
}

/// The size of `v_t` or of its rate.
fn size([x, y, ..]: State) -> f64 {
    (x * x + y * y).sqrt()
}
