//! Many impacts at once: lanes on each core, and all cores.

use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

use crate::accuracy::Accuracy;
use crate::contact::Contact;
use crate::course::Course;
use crate::error::Error;
use crate::friction::Friction;
use crate::impact::Impact;
use crate::invariant::Turning;
use crate::kernels::{self, Real};
use crate::lanes::{self, Lanes, WIDTH};
use crate::restitution::Restitution;
use crate::roots::{self, Polynomial};
use crate::sliding::Slip;
use crate::step::{Quantity, Series, moment};
use crate::straight::Moment;
use crate::system::{System, Works};

/// Rows of coefficients in lanes; higher orders and stretched steps go one by
/// one.
const LENGTH: usize = 33;

/// Impacts that a core takes at a time, so that lanes are seldom idle and cores
/// seldom wait.
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
    /// The velocity after impact and all that leads to it.
    ///
    /// # Errors
    /// As [`Contact::solve`].
    pub fn solve(&self, accuracy: Accuracy) -> Result<Impact<3>, Error> {
        let Self { contact, velocity, friction, restitution } = self;
        contact.solve_with(*velocity, *friction, *restitution, accuracy)
    }

    fn course(&self, accuracy: Accuracy) -> Result<Course, Error> {
        Course::new(&self.contact, self.velocity, self.friction, self.restitution, accuracy)
    }
}

/// Solves many impacts on all cores of the current thread pool, several at a
/// time on each. Every result is, to the last bit, that of
/// [`Contact::solve_with`] alone.
///
/// ```
/// use routh_solver::{Accuracy, Collision, Contact, Friction, Law, Restitution, solve_batch};
/// let contact = Contact::new([[1.3, 0.4, -0.2], [0.4, 2.1, 0.5], [-0.2, 0.5, 0.9]])?;
/// let friction = Friction::uniform(0.15)?;
/// let restitution = Restitution::new(Law::Poisson, 0.5)?;
/// let collisions: Vec<_> = (0..100)
///     .map(|i| [-1.0, 0.02 * f64::from(i), 0.5])
///     .map(|velocity| Collision { contact, velocity, friction, restitution })
///     .collect();
/// let impacts = solve_batch(&collisions, Accuracy::default());
/// assert_eq!(impacts[7], collisions[7].solve(Accuracy::default()));
/// # Ok::<(), routh_solver::Error>(())
/// ```
pub fn solve_batch(collisions: &[Collision], accuracy: Accuracy) -> Vec<Result<Impact<3>, Error>> {
    if accuracy.order() >= LENGTH || accuracy.is_stretched() {
        return collisions.par_iter().map(|collision| collision.solve(accuracy)).collect();
    }
    let mut results = vec![Err(accuracy.exceeded(0)); collisions.len()];
    let share = collisions.len() / (2 * rayon::current_num_threads());
    let share = share.clamp(*SHARE.start(), *SHARE.end());
    let shares = collisions.par_chunks(share).zip(results.par_chunks_mut(share));
    shares.for_each(|(share, results)| Squad::new(accuracy).solve(share, results));
    results
}

/// A result for each impact of a share.
type Results = [Result<Impact<3>, Error>];

/// Impacts side by side.
struct Squad {
    arch: Arch,
    accuracy: Accuracy,
    members: [Option<Member>; WIDTH],
    lanes: Side,
}

/// An impact in a lane, and its place in the results.
struct Member {
    place: usize,
    course: Course,
}

/// What is side by side: contacts, a step's start, its series and its end.
struct Side {
    accuracy: Accuracy,
    constants: [Lanes; 8],
    h: [Lanes; 2],
    m: [Lanes; 2],
    rate: Lanes,
    start: [Lanes; 8],
    rows: [[Lanes; 8]; LENGTH],
    width: Lanes,
    end: [Lanes; 8],
    speed: Lanes,
    slack: Lanes,
    turning: Turning<Lanes>,
    span: Lanes,
}

impl Squad {
    fn new(accuracy: Accuracy) -> Self {
        let one = Lanes::real(1.0);
        let lanes = Side {
            accuracy,
            constants: [one; 8],
            h: [one; 2],
            m: [one; 2],
            rate: one,
            start: [one; 8],
            rows: [[one; 8]; LENGTH],
            width: one,
            end: [one; 8],
            speed: one,
            slack: one,
            turning: Turning { across: one, along: one, slope: one },
            span: one,
        };
        let members = [const { None }; WIDTH];
        Self { arch: Arch::new(), accuracy, members, lanes }
    }

    fn solve(mut self, collisions: &[Collision], results: &mut Results) {
        let mut next = 0;
        loop {
            for lane in 0..WIDTH {
                while self.members[lane].is_none() && next < collisions.len() {
                    self.enlist(lane, next, &collisions[next], results);
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

    /// Gives a lane an impact to follow, unless it needs no following.
    fn enlist(&mut self, lane: usize, place: usize, collision: &Collision, results: &mut Results) {
        match collision.course(self.accuracy) {
            Err(error) => results[place] = Err(error),
            Ok(course) => {
                let member = self.members[lane].insert(Member { place, course });
                match member.course.begin().transpose() {
                    None => self.lanes.admit(lane, member.course.slip()),
                    Some(result) => self.dismiss(lane, result, results),
                }
            }
        }
    }

    /// Frees a lane.
    fn dismiss(&mut self, lane: usize, result: Result<Impact<3>, Error>, results: &mut Results) {
        if let Some(Member { place, .. }) = self.members[lane] {
            results[place] = result;
        }
        self.members[lane] = None;
    }

    /// Takes a lane's impact through its step.
    fn pass(&mut self, lane: usize, results: &mut Results) {
        let Some(Member { course, .. }) = &mut self.members[lane] else { return };
        let counted = course.slip().count();
        let result = counted.and_then(|()| match course.pass_events(&self.lanes.at(lane))? {
            Some(impact) => Ok(Some(impact)),
            None => {
                let Side { end, speed, turning, .. } = &self.lanes;
                let slip = course.slip();
                slip.arrive(get(end, lane), speed.0[lane], turning.lane(lane));
                self.lanes.slack.0[lane] = slip.slack();
                course.settled()
            }
        });
        if let Some(result) = result.transpose() {
            self.dismiss(lane, result, results);
        }
    }
}

impl Side {
    /// Sets a lane to the start of a slip.
    fn admit(&mut self, lane: usize, slip: &Slip<Works, 8>) {
        let contact = slip.contact();
        set(&mut self.constants, lane, slip.constants());
        set(&mut self.start, lane, slip.state());
        set(&mut self.h, lane, &contact.h);
        set(&mut self.m, lane, &contact.b.map(|b| contact.mu * b));
        self.rate.0[lane] = contact.rate;
        let (speed, Turning { across, along, slope }) = slip.pace();
        self.speed.0[lane] = speed;
        self.slack.0[lane] = slip.slack();
        self.turning.across.0[lane] = across;
        self.turning.along.0[lane] = along;
        self.turning.slope.0[lane] = slope;
    }

    fn at(&self, lane: usize) -> Lane<'_> {
        Lane { side: self, lane }
    }
}

/// The step in one lane.
#[derive(Clone, Copy)]
struct Lane<'a> {
    side: &'a Side,
    lane: usize,
}

impl Series for Lane<'_> {
    fn polynomial(&self, unknown: usize) -> impl Polynomial {
        let Self { side, lane } = *self;
        side.rows[..=side.accuracy.order()].iter().map(move |row| row[unknown].0[lane])
    }

    fn width(&self) -> f64 {
        self.side.width.0[self.lane]
    }

    fn end(&self, unknown: usize) -> f64 {
        self.side.end[unknown].0[self.lane]
    }

    fn moment(&self, t: f64) -> Moment {
        let Self { side, lane } = *self;
        let rows = side.rows[..=side.accuracy.order()].iter().map(|row| get(row, lane));
        moment(&roots::values(rows, t))
    }

    fn span(&self) -> f64 {
        self.side.span.0[self.lane]
    }
}

impl Turning<Lanes> {
    fn lane(&self, lane: usize) -> Turning {
        let [across, along, slope] = [self.across, self.along, self.slope].map(|x| x.0[lane]);
        Turning { across, along, slope }
    }
}

/// One step of all lanes, with whatever vector instructions there are.
struct Expand<'a>(&'a mut Side);

impl WithSimd for Expand<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Side {
            accuracy,
            constants,
            h,
            m,
            rate,
            start,
            rows,
            width,
            end,
            speed,
            slack,
            turning,
            span,
        } = self.0;
        let order = accuracy.order();
        kernels::works_any(constants, start, order, rows);
        let sizes = [Works::size(&rows[order], *rate), Works::size(&rows[order - 1], *rate)];
        *width = accuracy.step_length(sizes, *speed, *slack, turning, *rate);
        let rows = &rows[..=order];
        *end = lanes::values(rows, *width);
        *start = *end;
        *span = Lanes::real(0.0);
        for row in rows.iter().skip(1).rev() {
            *span = (*span + row[Quantity::Normal as usize].abs()) * *width;
        }
        let [t1, t2, ..] = *end;
        *speed = (t1 * t1 + t2 * t2).sqrt();
        let inverse = Lanes::real(1.0) / *speed;
        *turning = Turning::at(*h, *m, [t1 * inverse, t2 * inverse]);
    }
}

fn get<const Q: usize>(lanes: &[Lanes; Q], lane: usize) -> [f64; Q] {
    core::array::from_fn(|i| lanes[i].0[lane])
}

fn set<const Q: usize>(lanes: &mut [Lanes; Q], lane: usize, values: &[f64; Q]) {
    for (lanes, value) in lanes.iter_mut().zip(values) {
        lanes.0[lane] = *value;
    }
}
