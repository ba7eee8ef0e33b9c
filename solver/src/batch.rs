//! Many impacts at once: lanes on each core, and all cores.

use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

use routh_runtime::double::directions::{DirectionRates, direction_rates};
use routh_runtime::double::follow::{
    Outcome, before_impact_state, check_approach, conclude, go_straight, report, velocity_unit,
};
use routh_runtime::double::inertia::Contact as Prepared;
use routh_runtime::double::restitution::ImpactState;
use routh_runtime::double::result::Status;
use routh_runtime::double::series::{MOST_STEPS, Step, is_eventful, pass_events, rises};
use routh_runtime::double::step::{
    Demand, NORMAL, Reached, Slip, StepControl, error_scale, no_rates, reaches_line, size,
    step_width, weights,
};
use routh_runtime::double::straight::State;

use self::lanes::{Lanes, WIDTH};
use crate::contact::{Contact, Friction, Restitution};
use crate::error::Error;
use crate::impact::{Accuracy, Impact, Works};
use crate::kernels::{self, Real};

mod lanes;

/// Rows of coefficients in lanes; impacts of higher order or with stretched steps are
/// solved one by one.
const LENGTH: usize = 33;

/// Impacts per task of the thread pool: enough to keep lanes busy, few enough to keep
/// cores busy.
const SHARE: core::ops::RangeInclusive<usize> = 64..=1024;

/// A contact about to collide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collision {
    /// The contact.
    pub contact: Contact<3>,
    /// Its velocity before impact, normal first.
    pub velocity: [f64; 3],
    /// Its friction.
    pub friction: Friction,
    /// Its restitution.
    pub restitution: Restitution,
}

impl Collision {
    /// Solves the impact: velocity, impulse, works, events and mode.
    ///
    /// # Errors
    /// As [`Contact::solve`].
    pub fn solve(&self, accuracy: Accuracy) -> Result<Impact<3>, Error> {
        let Self { contact, velocity, friction, restitution } = self;
        contact.solve_with(*velocity, *friction, *restitution, accuracy)
    }

    /// The state at the start of the impact; `None` if the contact does not approach, or the
    /// input is invalid.
    fn begin(&self) -> Option<Member> {
        let contact = self.contact.prepared(self.friction).ok()?;
        if check_approach(&self.velocity, self.restitution.given(), false) != Status::Solved {
            return None;
        }
        let unit = velocity_unit(&self.velocity);
        let before = before_impact_state(&contact, &self.velocity, unit);
        let impact = ImpactState::begin(self.restitution.given(), -before.normal);
        let demand = Demand::of(&contact, &impact.restitution, impact.approach);
        let slip = Slip::start(&contact, &before, demand);
        Some(Member { place: 0, contact, unit, before, at: before, impact, slip })
    }
}

/// Solves many impacts on all cores of the current thread pool, several at a
/// time on each; a few go one by one. Every result is, to the last bit, that of
/// [`Contact::solve_with`] alone.
///
/// ```
/// use routh::{Accuracy, Collision, Contact, Friction, Law, Restitution, solve_batch};
/// let contact = Contact::new([[1.3, 0.4, -0.2], [0.4, 2.1, 0.5], [-0.2, 0.5, 0.9]])?;
/// let friction = Friction::uniform(0.15)?;
/// let restitution = Restitution::new(Law::Poisson, 0.5)?;
/// let collisions: Vec<_> = (0..100)
///     .map(|i| [-1.0, 0.02 * f64::from(i), 0.5])
///     .map(|velocity| Collision { contact, velocity, friction, restitution })
///     .collect();
/// let impacts = solve_batch(&collisions, Accuracy::default());
/// assert_eq!(impacts[7], collisions[7].solve(Accuracy::default()));
/// # Ok::<(), routh::Error>(())
/// ```
pub fn solve_batch(collisions: &[Collision], accuracy: Accuracy) -> Vec<Result<Impact<3>, Error>> {
    let few = collisions.len() < WIDTH;
    if few || accuracy.order() >= LENGTH || accuracy.is_stretched() {
        return collisions.par_iter().map(|collision| collision.solve(accuracy)).collect();
    }
    let mut results = vec![Err(accuracy.exceeded(0)); collisions.len()];
    let share = collisions.len() / (2 * rayon::current_num_threads());
    let share = share.clamp(*SHARE.start(), *SHARE.end());
    let shares = collisions.par_chunks(share).zip(results.par_chunks_mut(share));
    shares.for_each(|(share, results)| LaneGroup::new(accuracy, share).solve(results));
    results
}

/// A result for each impact of a share.
type Results = [Result<Impact<3>, Error>];

/// Impacts that are solved side by side, one per lane.
struct LaneGroup<'a> {
    arch: Arch,
    accuracy: Accuracy,
    collisions: &'a [Collision],
    members: [Option<Member>; WIDTH],
    lanes: Side,
}

/// An impact in a lane, and its place in the results.
struct Member {
    place: usize,
    contact: Prepared,
    /// The unit of velocity, as a power of two.
    unit: i32,
    before: State<()>,
    at: State<()>,
    impact: ImpactState<()>,
    slip: Slip<8>,
}

impl Member {
    /// The outcome of the slip, if the rest of it is a straight line or it has halted.
    fn reaches_end(&mut self, control: &StepControl) -> Option<Outcome> {
        let Self { contact, slip, at, impact, .. } = self;
        let mut line = no_rates();
        match reaches_line(contact, slip, control, at, &mut line) {
            Reached::Nothing => None,
            Reached::Rest => Some(Outcome::Halted),
            Reached::Line => Some(go_straight(&line, at, impact)),
        }
    }

    /// The result after a slip with this outcome; `None` if the impact is not solved.
    fn impact(&mut self, slipped: Outcome, tolerance: f64) -> Option<Impact<3>> {
        let Self { contact, unit, before, at, impact, .. } = self;
        let mut out = Impact::NONE;
        let slides = before.tangential != [0.0; 2];
        let ends = conclude(contact, slipped, slides, at, impact, &mut out.mode);
        let status = report(contact, before, at, impact, *unit, tolerance, &mut out);
        (ends && status == Status::Solved).then_some(out)
    }
}

/// The data in lanes: contacts, and the start, the series and the end of a step.
struct Side {
    control: StepControl,
    constants: [Lanes; 8],
    h: [Lanes; 2],
    m: [Lanes; 2],
    rate: Lanes,
    weights: [Lanes; 3],
    start: [Lanes; 8],
    rows: [[Lanes; 8]; LENGTH],
    width: Lanes,
    end: [Lanes; 8],
    speed: Lanes,
    scale: Lanes,
    flow: DirectionRates<Lanes>,
    span: Lanes,
}

impl<'a> LaneGroup<'a> {
    fn new(accuracy: Accuracy, collisions: &'a [Collision]) -> Self {
        let one: Lanes = Real::real(1.0);
        let lanes = Side {
            control: accuracy.control(),
            constants: [one; 8],
            h: [one; 2],
            m: [one; 2],
            rate: one,
            weights: [one; 3],
            start: [one; 8],
            rows: [[one; 8]; LENGTH],
            width: one,
            end: [one; 8],
            speed: one,
            scale: one,
            flow: DirectionRates { across: one, along: one, slope: one },
            span: one,
        };
        let members = [const { None }; WIDTH];
        Self { arch: Arch::new(), accuracy, collisions, members, lanes }
    }

    fn solve(mut self, results: &mut Results) {
        let mut next = 0;
        loop {
            for lane in 0..WIDTH {
                while self.members[lane].is_none() && next < self.collisions.len() {
                    self.start(lane, next, results);
                    next += 1;
                }
            }
            if self.members.iter().all(Option::is_none) {
                return;
            }
            self.arch.dispatch(Expand(&mut self.lanes));
            for lane in 0..WIDTH {
                self.pass(lane, results);
            }
        }
    }

    /// Starts an impact in a lane, unless it needs no step.
    fn start(&mut self, lane: usize, place: usize, results: &mut Results) {
        let collision = &self.collisions[place];
        let Some(mut member) = collision.begin() else {
            results[place] = collision.solve(self.accuracy);
            return;
        };
        member.place = place;
        let at_rest = member.before.tangential == [0.0; 2];
        let slipped = match at_rest {
            true => Some(Outcome::Halted),
            false => member.reaches_end(&self.lanes.control),
        };
        let member = self.members[lane].insert(member);
        match slipped {
            None => self.lanes.admit(lane, member),
            Some(slipped) => self.finish(lane, slipped, results),
        }
    }

    /// Frees a lane and stores its result. An impact without one is solved alone again,
    /// for its error.
    fn finish(&mut self, lane: usize, slipped: Outcome, results: &mut Results) {
        if let Some(mut member) = self.members[lane].take() {
            let impact = member.impact(slipped, self.accuracy.tolerance());
            let collision = &self.collisions[member.place];
            results[member.place] = impact.map_or_else(|| collision.solve(self.accuracy), Ok);
        }
    }

    /// Takes a lane's impact through its step.
    fn pass(&mut self, lane: usize, results: &mut Results) {
        let Some(member) = &mut self.members[lane] else { return };
        let side = &mut self.lanes;
        let Member { contact, at, impact, slip, .. } = member;
        impact.steps += 1;
        let mut end = get(&side.end, lane);
        let rising = contact.always_separates || rises(contact, slip, &end);
        let mut slipped = Outcome::GoesOn;
        if is_eventful(slip, &end, side.span.0[lane], impact, rising) {
            (slipped, end) = match side.control.order {
                12 => passed(slip, side.step::<13>(lane), impact, rising, at),
                16 => passed(slip, side.step::<17>(lane), impact, rising, at),
                20 => passed(slip, side.step::<21>(lane), impact, rising, at),
                24 => passed(slip, side.step::<25>(lane), impact, rising, at),
                _ => passed(slip, side.step::<LENGTH>(lane), impact, rising, at),
            };
        }
        if slipped == Outcome::GoesOn {
            if end == get(&side.end, lane) {
                let (speed, flow) = (side.speed.0[lane], side.flow_in(lane));
                let fastest = slip.fastest.max(speed);
                *slip = Slip { unknowns: end, speed, flow, fastest, ..*slip };
            } else {
                slip.arrive(contact, &end);
                side.begin(lane, slip);
            }
            side.scale.0[lane] = error_scale(contact, slip, &side.control);
            set(&mut side.weights, lane, &weights(contact, slip));
            slipped = match member.reaches_end(&side.control) {
                Some(slipped) => slipped,
                None if member.impact.steps < MOST_STEPS => return,
                None => Outcome::Endless,
            };
        }
        self.finish(lane, slipped, results);
    }
}

impl Side {
    /// Sets a lane to the start of a slip.
    fn admit(&mut self, lane: usize, member: &Member) {
        let Member { contact, slip, .. } = member;
        set(&mut self.constants, lane, &Works::new(contact, self.control.order).constants);
        set(&mut self.h, lane, &contact.h);
        set(&mut self.m, lane, &contact.b.map(|b| contact.mu * b));
        self.rate.0[lane] = contact.rate;
        set(&mut self.weights, lane, &weights(contact, slip));
        self.scale.0[lane] = error_scale(contact, slip, &self.control);
        self.begin(lane, slip);
    }

    /// Sets a lane to the start of a step.
    fn begin(&mut self, lane: usize, slip: &Slip<8>) {
        set(&mut self.start, lane, &slip.unknowns);
        self.speed.0[lane] = slip.speed;
        self.flow.across.0[lane] = slip.flow.across;
        self.flow.along.0[lane] = slip.flow.along;
        self.flow.slope.0[lane] = slip.flow.slope;
    }

    /// The direction's rates at the end of a lane's step.
    fn flow_in(&self, lane: usize) -> DirectionRates<f64> {
        let DirectionRates { across, along, slope } = self.flow;
        let [across, along, slope] = [across, along, slope].map(|x| x.0[lane]);
        DirectionRates { across, along, slope }
    }

    /// The step in a lane, with as many rows as its order needs.
    fn step<const ROWS: usize>(&self, lane: usize) -> Step<ROWS, 8> {
        Step {
            rows: core::array::from_fn(|k| get(&self.rows[k], lane)),
            order: self.control.order,
            width: self.width.0[lane],
            end: get(&self.end, lane),
        }
    }
}

/// One step of all lanes, with the vector instructions of the processor.
struct Expand<'a>(&'a mut Side);

impl WithSimd for Expand<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Side {
            control,
            constants,
            h,
            m,
            rate,
            weights,
            start,
            rows,
            width,
            end,
            speed,
            scale,
            flow,
            span,
        } = self.0;
        let order = control.order;
        kernels::works_any(constants, start, order, rows);
        let sizes = [order, order - 1, order - 2].map(|k| size(&rows[k], weights));
        *width = step_width(control, &sizes, *speed, *scale, flow, *rate);
        let rows = &rows[..=order];
        *end = lanes::values(rows, *width);
        *start = *end;
        *span = Real::real(0.0);
        for row in rows.iter().skip(1).rev() {
            *span = (*span + row[NORMAL].abs()) * *width;
        }
        let [t1, t2, ..] = *end;
        *speed = (t1 * t1 + t2 * t2).sqrt();
        let inverse = <Lanes as Real>::real(1.0) / *speed;
        *flow = direction_rates(h, m, t1 * inverse, t2 * inverse);
    }
}

/// The outcome of a step's events, and where the step ends.
fn passed<const ROWS: usize>(
    slip: &Slip<8>,
    mut step: Step<ROWS, 8>,
    impact: &mut ImpactState<()>,
    rising: bool,
    at: &mut State<()>,
) -> (Outcome, [f64; 8]) {
    let outcome = pass_events(slip, &mut step, impact, rising, at);
    (outcome, step.end)
}

fn get<const Q: usize>(lanes: &[Lanes; Q], lane: usize) -> [f64; Q] {
    core::array::from_fn(|i| lanes[i].0[lane])
}

fn set<const Q: usize>(lanes: &mut [Lanes; Q], lane: usize, values: &[f64; Q]) {
    for (lanes, value) in lanes.iter_mut().zip(values) {
        lanes.0[lane] = *value;
    }
}
