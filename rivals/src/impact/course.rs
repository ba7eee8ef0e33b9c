//! An impact apart from the integrator that follows its sliding: what is to be
//! found on the way, and what follows a halt.

use routh_solver::{Contact, Event, EventKind, Events, Friction, Impact, Mode, Restitution};

use super::phases::{Phases, Stage};
use super::rest;
use crate::problem::Problem;
use crate::run::Failure;

/// Steps that locate a crossing.
const MOST_TRIALS: usize = 60;

/// `v_t`, `v_n`, `W_n`.
pub type State = [f64; 4];

/// An impact as it was followed. Its own list of events is empty, for only the
/// solver fills one.
#[derive(Clone, Debug)]
pub struct Followed {
    /// What the impact does; its steps include those that locate events.
    pub impact: Impact<3>,
    /// What happens on the way.
    pub events: Vec<Event>,
}

/// What an integrator has to look for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crossing {
    /// `v_n` passes zero: compression ends, or resumes.
    Turn,
    /// Restitution has what its law asks for.
    End,
}

/// An impact on its way.
#[derive(Clone, Debug)]
pub struct Course<'a> {
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
}

impl<'a> Course<'a> {
    /// An impact at its beginning.
    pub fn new(
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
        }
    }

    /// Its sliding.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The normal impulse so far.
    pub fn impulse(&self) -> f64 {
        self.p
    }

    /// Where it is.
    pub fn state(&self) -> State {
        self.state
    }

    /// The impulse of the whole impact if there were no friction.
    pub fn without_friction(&self) -> f64 {
        self.phases.without_friction(self.contact.inertia()[0][0])
    }

    /// `dv_n/dp` at a rate of `v_t`.
    pub fn normal_rate(&self, [x, y]: [f64; 2]) -> f64 {
        self.contact.sticking_rate() + self.holding[0] * x + self.holding[1] * y
    }

    /// `v_n` while it slides, which needs no integration of its own.
    pub fn normal(&self, p: f64, [x, y]: [f64; 2]) -> f64 {
        let [normal, x0, y0] = self.before;
        let held = self.holding[0] * (x - x0) + self.holding[1] * (y - y0);
        normal + self.contact.sticking_rate() * p + held
    }

    /// Whether it sticks once it is at rest.
    pub fn sticks(&self) -> bool {
        self.contact.critical_friction() <= self.friction.static_friction()
    }

    /// `dv_t/dp` from rest on.
    pub fn rate_from_rest(&self) -> [f64; 2] {
        if self.sticks() { [0.0; 2] } else { rest::restart_rate(&self.problem) }
    }

    /// What is negative before a crossing and positive after it.
    pub fn past(&self, crossing: Crossing, p: f64, state: &State) -> f64 {
        let [.., normal, work] = *state;
        match (crossing, self.phases.stage) {
            (Crossing::Turn, Stage::Compression) => normal,
            (Crossing::Turn, Stage::Restitution) => -normal,
            (Crossing::End, Stage::Compression) => f64::NEG_INFINITY,
            (Crossing::End, Stage::Restitution) => -self.phases.missing(p, normal, work),
        }
    }

    /// Whether restitution has what its law asks for.
    pub fn has_ended(&self) -> bool {
        self.past(Crossing::End, self.p, &self.state) >= 0.0
    }

    /// Goes on to where an integrator has come.
    pub fn go_to(&mut self, p: f64, state: State) {
        (self.p, self.state) = (p, state);
    }

    /// Compression ends or resumes.
    pub fn turn(&mut self) {
        self.note(match self.phases.stage {
            Stage::Compression => EventKind::CompressionEnd,
            Stage::Restitution => EventKind::Recompression,
        });
        let [.., normal, work] = &mut self.state;
        *normal = 0.0;
        self.phases.turn(self.p, *work);
    }

    /// The impact that ends here, sliding.
    ///
    /// # Errors
    /// [`Failure::Stuck`] beyond floating-point numbers.
    pub fn end(self, steps: usize) -> Result<Followed, Failure> {
        self.finish(Mode::PermanentSliding, steps)
    }

    /// The impact whose sliding halts here: it sticks to its end, or slides off.
    ///
    /// # Errors
    /// [`Failure::Stuck`] beyond floating-point numbers.
    pub fn halt(mut self, steps: usize) -> Result<Followed, Failure> {
        if self.problem.v0 == [0.0; 2] {
            let sticks = self.rest();
            return self.finish(if sticks { Mode::Sticking } else { Mode::SlipFromRest }, steps);
        }
        self.note(EventKind::Halt);
        let stage = self.phases.stage;
        let mode = match (self.rest(), stage) {
            (true, Stage::Compression) => Mode::StickingInCompression,
            (true, Stage::Restitution) => Mode::StickingInRestitution,
            (false, Stage::Compression) => Mode::ReverseInCompression,
            (false, Stage::Restitution) => Mode::ReverseInRestitution,
        };
        self.finish(mode, steps)
    }

    fn note(&mut self, kind: EventKind) {
        self.events.push(Event { kind, impulse: self.p });
    }

    /// The end of an impact at rest, or sliding off from it: whether it sticks.
    fn rest(&mut self) -> bool {
        let (sticks, rate) = (self.sticks(), self.rate_from_rest());
        self.note(if sticks { EventKind::Stick } else { EventKind::SlipRestart });
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
    fn finish(self, mode: Mode, steps: usize) -> Result<Followed, Failure> {
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
            steps,
        };
        Ok(Followed { impact, events: self.events })
    }
}

/// Where a value that is negative at the lower end and positive at the upper one is
/// within `close` of zero, and what else is found there: by false position, in which
/// an end that stays twice counts half.
///
/// # Errors
/// Those of `value`.
pub fn locate<S, E>(
    mut low: (f64, f64),
    mut high: (f64, f64),
    close: f64,
    mut value: impl FnMut(f64) -> Result<(f64, S), E>,
) -> Result<(f64, S), E> {
    let mut found = low.0;
    let mut trials = 1;
    loop {
        let at = (low.0 * high.1 - high.0 * low.1) / (high.1 - low.1);
        let (past, state) = value(at)?;
        if past.abs() <= close || trials == MOST_TRIALS || at == found {
            return Ok((at, state));
        }
        if past > 0.0 {
            low.1 *= if found >= high.0 { 0.5 } else { 1.0 };
            high = (at, past);
        } else {
            high.1 *= if found <= low.0 { 0.5 } else { 1.0 };
            low = (at, past);
        }
        (found, trials) = (at, trials + 1);
    }
}
