//! An impact apart from the integrator that follows its sliding: what is to be
//! found on the way, and what follows a halt.

use routh::{Contact, EventKind, Friction, Impact, Law, Mode, Restitution};
use routh_runtime::double::follow::{Outcome, go_straight, mode_from_rest};
use routh_runtime::double::restitution::ImpactState;
use routh_runtime::double::result::Restitution as Given;
use routh_runtime::double::straight::{self, ConstantRates};

use crate::problem::Problem;
use crate::rest;
use crate::run::Failure;

/// Halvings that leave nothing of a range.
const HALVINGS: usize = 64;

/// Steps that locate a crossing.
const MOST_TRIALS: usize = 60;

/// `v_t`, `v_n`, `W_n`.
pub type State = [f64; 4];

/// What an integrator has to look for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crossing {
    /// `v_n` passes zero: compression ends, or resumes.
    Turn,
    /// Restitution has what its law asks for.
    End,
}

/// An impact while its sliding is followed.
#[derive(Clone, Debug)]
pub struct SlidingImpact {
    contact: Contact<3>,
    friction: Friction,
    before: [f64; 3],
    problem: Problem,
    /// `b⁻¹h`
    holding: [f64; 2],
    now: straight::State<()>,
    phases: ImpactState<()>,
}

fn at(impulse: f64, [x, y, normal, normal_work]: State) -> straight::State<()> {
    straight::State {
        impulse,
        tangential_impulse: [0.0; 2],
        normal,
        tangential: [x, y],
        normal_work,
        friction_work: 0.0,
        variation: (),
    }
}

/// `b⁻¹ v`
fn by_inverse(problem: &Problem, v: [f64; 2]) -> [f64; 2] {
    rest::solve(problem.b, v).unwrap_or([f64::NAN; 2])
}

impl SlidingImpact {
    /// An impact at its beginning.
    pub fn new(
        contact: &Contact<3>,
        velocity: [f64; 3],
        friction: Friction,
        restitution: Restitution,
    ) -> Self {
        let [normal, x, y] = velocity;
        let problem = Problem::new(*contact.inertia(), friction.kinetic(), [x, y], &[]);
        let given = Given { law: restitution.law(), e: restitution.e() };
        Self {
            contact: *contact,
            friction,
            before: velocity,
            holding: by_inverse(&problem, problem.h),
            problem,
            now: at(0.0, [x, y, normal, 0.0]),
            phases: ImpactState::begin(&given, -normal),
        }
    }

    /// Its sliding.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The normal impulse so far.
    pub fn impulse(&self) -> f64 {
        self.now.impulse
    }

    /// Where it is.
    pub fn state(&self) -> State {
        let [x, y] = self.now.tangential;
        [x, y, self.now.normal, self.now.normal_work]
    }

    /// The impulse of the whole impact if there were no friction.
    pub fn without_friction(&self) -> f64 {
        let ImpactState { restitution, approach, .. } = &self.phases;
        (1.0 + restitution.e) * approach / self.contact.inertia()[0][0]
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
        if self.sticks() {
            return [0.0; 2];
        }
        let Problem { friction, h, .. } = self.problem;
        rest::restart_rate(friction, h, h[0].hypot(h[1]), HALVINGS)
    }

    /// What is negative before a crossing and positive after it.
    fn past(&self, crossing: Crossing, p: f64, state: State) -> f64 {
        let [.., normal, _] = state;
        match (crossing, self.phases.restoring) {
            (Crossing::Turn, false) => normal,
            (Crossing::Turn, true) => -normal,
            (Crossing::End, false) => f64::NEG_INFINITY,
            (Crossing::End, true) => {
                let owed = self.phases.owed(&at(p, state));
                if self.phases.restitution.law == Law::Newton { normal - owed } else { -owed }
            }
        }
    }

    /// Whether restitution has what its law asks for.
    pub fn has_ended(&self) -> bool {
        self.past(Crossing::End, self.impulse(), self.state()) >= 0.0
    }

    /// The first crossing of a step that begins where the impact is, and what is found
    /// there; the step's end if there is none. `state` says what is found in terms of
    /// impulse and state. A crossing is located within a part `located` of what the step
    /// changes.
    ///
    /// # Errors
    /// Those of `at`.
    pub fn first_crossing<S, E>(
        &self,
        from: f64,
        end: (f64, S),
        located: f64,
        state: impl Fn(f64, &S) -> (f64, State),
        mut at: impl FnMut(f64) -> Result<S, E>,
    ) -> Result<(f64, S, Option<Crossing>), E> {
        let (mut to, mut found, mut first) = (end.0, end.1, None);
        for crossing in [Crossing::Turn, Crossing::End] {
            let value = |t: f64, found: &S| {
                let (p, state) = state(t, found);
                self.past(crossing, p, state)
            };
            let past = value(to, &found);
            if past > 0.0 {
                let before = self.past(crossing, self.impulse(), self.state()).min(0.0);
                let close = located * (past - before);
                (to, found) = locate((from, before), (to, past), close, |t| {
                    let found = at(t)?;
                    Ok((value(t, &found), found))
                })?;
                first = Some(crossing);
            }
        }
        Ok((to, found, first))
    }

    /// Goes on to where an integrator has come.
    pub fn go_to(&mut self, p: f64, state: State) {
        self.now = at(p, state);
    }

    /// Compression ends or resumes.
    pub fn turn(&mut self) {
        self.now.normal = 0.0;
        // No impact has so many turns that one of them is not noted.
        let _ = self.phases.turn(&self.now);
    }

    /// The impact that ends here, sliding.
    ///
    /// # Errors
    /// [`Failure::Stuck`] beyond floating-point numbers.
    pub fn end(self, steps: usize) -> Result<Impact<3>, Failure> {
        self.finish(Mode::PermanentSliding, steps)
    }

    /// The impact whose sliding halts here: it sticks to its end, or slides off.
    ///
    /// # Errors
    /// [`Failure::Stuck`] beyond floating-point numbers.
    pub fn halt(mut self, steps: usize) -> Result<Impact<3>, Failure> {
        let (sticks, slid) = (self.sticks(), self.problem.v0 != [0.0; 2]);
        let mode = mode_from_rest(sticks, slid, self.phases.restoring);
        let then = if sticks { EventKind::Stick } else { EventKind::SlipRestart };
        for kind in slid.then_some(EventKind::Halt).into_iter().chain([then]) {
            self.phases.events.note(kind, self.now.impulse);
        }
        let tangential_rate = self.rate_from_rest();
        let phase = ConstantRates {
            normal_rate: self.normal_rate(tangential_rate),
            tangential_rate,
            friction: [0.0; 2],
            halt: f64::INFINITY,
            neighbours: (),
        };
        self.now.tangential = [0.0; 2];
        match go_straight(&phase, &mut self.now, &mut self.phases) {
            Outcome::Ended => self.finish(mode, steps),
            _ => Err(Failure::Stuck { impulse: self.now.impulse }),
        }
    }

    /// The impact that ends here: the tangential impulse and its work follow from
    /// the velocities.
    fn finish(self, mode: Mode, steps: usize) -> Result<Impact<3>, Failure> {
        let ([x, y, normal, normal_work], p) = (self.state(), self.impulse());
        let (velocity, [h1, h2]) = ([normal, x, y], self.problem.h);
        let [_, x0, y0] = self.before;
        let [i1, i2] = by_inverse(&self.problem, [x - x0 - h1 * p, y - y0 - h2 * p]);
        let impulse = [p, i1, i2];
        let energy: f64 = (0..3).map(|i| 0.5 * impulse[i] * (self.before[i] + velocity[i])).sum();
        if !energy.is_finite() || !normal_work.is_finite() {
            return Err(Failure::Stuck { impulse: p });
        }
        Ok(Impact {
            velocity,
            impulse,
            compression_impulse: self.phases.compressed_impulse,
            normal_work,
            friction_work: energy - normal_work,
            energy_change: energy,
            critical_friction: self.contact.critical_friction(),
            mode,
            events: self.phases.events,
            steps,
        })
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
