//! Whole impacts by the classic Runge-Kutta method, as one writes it who has
//! neither series nor tables: `v_t`, `v_n` and `W_n` over the normal impulse,
//!
//! ```text
//! dv_t/dp = h − μ b σ        dv_n/dp = a − hᵀb⁻¹h + hᵀb⁻¹ dv_t/dp        dW_n/dp = v_n
//! ```
//!
//! in equal steps, that shrink with the speed towards rest. Events are looked for
//! at the end of every step and then located within it; two of them in one step
//! cancel unseen. What follows a halt has constant rates and a closed form.

mod phases;
mod rest;

use routh_solver::{Contact, Event, EventKind, Events, Friction, Impact, Mode, Restitution};

use crate::problem::Problem;
use crate::run::Failure;
use crate::runge_kutta::step;
use phases::{Phases, Stage};

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

/// How closely an event is located, as a part of what its step changes, and in how
/// many steps at most.
const LOCATED: (f64, usize) = (1e-12, 60);

/// `v_t`, `v_n`, `W_n`.
type State = [f64; 4];

/// An impact as it was followed. Its own list of events is empty, for only the
/// solver fills one.
#[derive(Clone, Debug)]
pub struct Followed {
    /// What the impact does; its steps include those that locate events.
    pub impact: Impact<3>,
    /// What happens on the way.
    pub events: Vec<Event>,
}

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
    let mut course = Course::new(contact, velocity, friction, restitution);
    let mode = course.follow(steps)?;
    course.finish(mode)
}

/// An impact on its way.
struct Course<'a> {
    contact: &'a Contact<3>,
    friction: Friction,
    before: [f64; 3],
    problem: Problem,
    /// `b⁻¹h`
    holding: [f64; 2],
    p: f64,
    state: State,
    phases: Phases,
    events: Vec<Event>,
    steps: usize,
}

/// What ends a step before its time.
#[derive(Clone, Copy)]
enum Crossing {
    Turn,
    End,
}

impl<'a> Course<'a> {
    fn new(
        contact: &'a Contact<3>,
        velocity: [f64; 3],
        friction: Friction,
        restitution: Restitution,
    ) -> Self {
        let [normal, x, y] = velocity;
        let problem = Problem::new(*contact.inertia(), friction.kinetic(), [x, y], &[]);
        Self {
            contact,
            friction,
            before: velocity,
            holding: rest::solve(problem.b, problem.h),
            problem,
            p: 0.0,
            state: [x, y, normal, 0.0],
            phases: Phases::new(restitution, -normal),
            events: Vec::new(),
            steps: 0,
        }
    }

    fn follow(&mut self, steps: usize) -> Result<Mode, Failure> {
        if self.problem.v0 == [0.0; 2] {
            let sticks = self.rest();
            return Ok(if sticks { Mode::Sticking } else { Mode::SlipFromRest });
        }
        if self.slide(steps)? {
            return Ok(Mode::PermanentSliding);
        }
        self.note(EventKind::Halt);
        let stage = self.phases.stage;
        Ok(match (self.rest(), stage) {
            (true, Stage::Compression) => Mode::StickingInCompression,
            (true, Stage::Restitution) => Mode::StickingInRestitution,
            (false, Stage::Compression) => Mode::ReverseInCompression,
            (false, Stage::Restitution) => Mode::ReverseInRestitution,
        })
    }

    fn speed(&self) -> f64 {
        size(self.state)
    }

    fn rate(&self, [x, y, normal, _]: State) -> State {
        let rate = self.problem.rate([x, y]);
        [rate[0], rate[1], self.normal_rate(rate), normal]
    }

    /// `dv_n/dp` at a rate of `v_t`.
    fn normal_rate(&self, [x, y]: [f64; 2]) -> f64 {
        self.contact.sticking_rate() + self.holding[0] * x + self.holding[1] * y
    }

    /// The state after a step, given the rate before it.
    fn step(&mut self, rate: State, width: f64) -> Result<State, Failure> {
        self.steps += 1;
        let next = step(|state| self.rate(state), self.state, rate, width);
        if self.steps > MOST_STEPS {
            return Err(Failure::StepLimit { steps: MOST_STEPS, impulse: self.p });
        }
        let finite = next.iter().all(|x| x.is_finite());
        finite.then_some(next).ok_or(Failure::Stuck { impulse: self.p })
    }

    /// Slides to the end of the impact, or to a halt: whether to the end.
    fn slide(&mut self, steps: usize) -> Result<bool, Failure> {
        let halt = HALT * self.speed();
        let longest = self.phases.without_friction(self.contact.inertia()[0][0]) / steps as f64;
        let stable = STABLE / self.problem.fastest();
        while self.speed() > halt {
            let rate = self.rate(self.state);
            let change = CHANGE / (steps as f64 * size(rate));
            let width = longest.min(change.min(stable) * self.speed());
            let next = self.step(rate, width)?;
            let mut first = (width, next, None);
            for crossing in [Crossing::Turn, Crossing::End] {
                let past = self.past(crossing, self.p + first.0, &first.1);
                if past > 0.0 {
                    let (at, state) = self.locate(crossing, rate, first.0, past)?;
                    first = (at, state, Some(crossing));
                }
            }
            let (width, state, crossing) = first;
            (self.p, self.state) = (self.p + width, state);
            if let Some(Crossing::Turn) = crossing {
                self.turn();
            }
            if self.past(Crossing::End, self.p, &self.state) >= 0.0
                || matches!(crossing, Some(Crossing::End))
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What is negative before a crossing and positive after it.
    fn past(&self, crossing: Crossing, p: f64, state: &State) -> f64 {
        let [.., normal, work] = *state;
        match (crossing, self.phases.stage) {
            (Crossing::Turn, Stage::Compression) => normal,
            (Crossing::Turn, Stage::Restitution) => -normal,
            (Crossing::End, Stage::Compression) => f64::NEG_INFINITY,
            (Crossing::End, Stage::Restitution) => -self.phases.missing(p, normal, work),
        }
    }

    /// The width of the step that ends at a crossing, and the state there, by
    /// false position: a shorter one than that which ends so far past it.
    fn locate(
        &mut self,
        crossing: Crossing,
        rate: State,
        width: f64,
        past: f64,
    ) -> Result<(f64, State), Failure> {
        let mut low = (0.0, self.past(crossing, self.p, &self.state).min(0.0));
        let mut high = (width, past);
        let close = LOCATED.0 * (past - low.1);
        let mut found = (0.0, self.state);
        for _ in 0..LOCATED.1 {
            let at = (low.0 * high.1 - high.0 * low.1) / (high.1 - low.1);
            let state = self.step(rate, at)?;
            let past = self.past(crossing, self.p + at, &state);
            // Whichever end stays twice counts half.
            if past > 0.0 {
                low.1 *= if found.0 >= high.0 { 0.5 } else { 1.0 };
                high = (at, past);
            } else {
                high.1 *= if found.0 <= low.0 { 0.5 } else { 1.0 };
                low = (at, past);
            }
            found = (at, state);
            if past.abs() <= close {
                break;
            }
        }
        Ok(found)
    }

    fn note(&mut self, kind: EventKind) {
        self.events.push(Event { kind, impulse: self.p });
    }

    /// Compression ends or resumes.
    fn turn(&mut self) {
        self.note(match self.phases.stage {
            Stage::Compression => EventKind::CompressionEnd,
            Stage::Restitution => EventKind::Recompression,
        });
        let [.., normal, work] = &mut self.state;
        *normal = 0.0;
        self.phases.turn(self.p, *work);
    }

    /// The end of an impact at rest, or sliding off from it: whether it sticks.
    fn rest(&mut self) -> bool {
        let sticks = self.contact.critical_friction() <= self.friction.fixed();
        self.note(if sticks { EventKind::Stick } else { EventKind::SlipRestart });
        let rate = if sticks { [0.0; 2] } else { rest::restart_rate(&self.problem) };
        let normal_rate = self.normal_rate(rate);
        let [x, y, ..] = &mut self.state;
        (*x, *y) = (0.0, 0.0);
        if self.phases.stage == Stage::Compression {
            self.go_straight(-self.state[2] / normal_rate, rate, normal_rate);
            self.turn();
        }
        let [.., normal, work] = self.state;
        let left = self.phases.left(self.p, normal, work, normal_rate);
        self.go_straight(left, rate, normal_rate);
        sticks
    }

    /// Goes on by an impulse at constant rates.
    fn go_straight(&mut self, q: f64, [r1, r2]: [f64; 2], normal_rate: f64) {
        let [x, y, normal, work] = self.state;
        let after = normal + normal_rate * q;
        self.state = [x + r1 * q, y + r2 * q, after, work + 0.5 * (normal + after) * q];
        self.p += q;
    }

    /// The impact that ends here: the tangential impulse and its work follow from
    /// the velocities.
    fn finish(self, mode: Mode) -> Result<Followed, Failure> {
        let [x, y, normal, normal_work] = self.state;
        let (velocity, [h1, h2], p) = ([normal, x, y], self.problem.h, self.p);
        let [_, x0, y0] = self.before;
        let [i1, i2] = rest::solve(self.problem.b, [x - x0 - h1 * p, y - y0 - h2 * p]);
        let impulse = [p, i1, i2];
        let energy: f64 = (0..3).map(|i| 0.5 * impulse[i] * (self.before[i] + velocity[i])).sum();
        if !energy.is_finite() || !normal_work.is_finite() {
            return Err(Failure::Stuck { impulse: p });
        }
        let impact = Impact {
            velocity,
            impulse,
            compression_impulse: self.phases.compression_impulse(),
            normal_work,
            friction_work: energy - normal_work,
            energy_change: energy,
            critical_friction: self.contact.critical_friction(),
            mode,
            events: Events::default(),
            steps: self.steps,
        };
        Ok(Followed { impact, events: self.events })
    }
}

/// The size of `v_t` or of its rate.
fn size([x, y, ..]: State) -> f64 {
    (x * x + y * y).sqrt()
}
