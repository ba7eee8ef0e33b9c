//! The compiled flow: every slip of one contact under one friction, from tables.

use routh_flow::{Field, Passage, Refusal, Sector, Table};

use crate::account::{Account, Endless, Outcome};
use crate::contact::Contact;
use crate::elementary::hypot;
use crate::error::Error;
use crate::friction::Friction;
use crate::impact::{Impact, Mode};
use crate::invariant::Turning;
use crate::orbit::{Goal, Orbit, Place};
use crate::principal::Principal;
use crate::restitution::{Restitution, Stage, Target};
use crate::sliding::{NEGLIGIBLE, VANISHING, on_line};
use crate::straight::Moment;

/// The tables of one contact's flow, made once; then an impact of any velocity
/// and restitution is a look-up and a polished root.
///
/// ```
/// use routh_solver::{Contact, Flow, Friction, Law, Restitution};
/// let contact = Contact::new([[1.3, 0.4, -0.2], [0.4, 2.1, 0.5], [-0.2, 0.5, 0.9]])?;
/// let friction = Friction::uniform(0.15)?;
/// let flow = Flow::new(&contact, friction);
/// let restitution = Restitution::new(Law::Energetic, 0.7)?;
/// let impact = flow.solve([-1.0, 0.7, -1.1], restitution)?;
/// let series = contact.solve([-1.0, 0.7, -1.1], friction, restitution)?;
/// assert!((impact.velocity[1] - series.velocity[1]).abs() < 1e-12);
/// assert_eq!((impact.mode, impact.steps), (series.mode, 0));
/// # Ok::<(), routh_solver::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Flow {
    contact: Contact<3>,
    friction: Friction,
    principal: Principal,
    table: Table,
}

/// What became of a slip.
enum Slipped {
    To(Outcome),
    /// It came into a sector that the tables do not tell.
    Untold,
}

impl Flow {
    /// The tolerance of tables, as a part of each quantity's size.
    pub const TOLERANCE: f64 = 2e-13;

    /// The flow of a contact.
    pub fn new(contact: &Contact<3>, friction: Friction) -> Self {
        let principal = Principal::new(contact, friction);
        let Principal { a, h, b, mu, .. } = principal;
        let table = Table::new(&Field { a, h, b, mu }, Self::TOLERANCE);
        Self { contact: *contact, friction, principal, table }
    }

    /// The table
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Why some impacts are solved by the series instead: none if all are told
    /// by the tables.
    pub fn refusals(&self) -> impl Iterator<Item = Refusal> {
        self.table.sectors.iter().filter_map(|sector| match sector.passage {
            Passage::Refused(refusal) => Some(refusal),
            _ => None,
        })
    }

    /// The velocity after impact and all that leads to it. An impact that the
    /// tables do not tell is solved by the series, and has steps.
    ///
    /// # Errors
    /// As [`Contact::solve`].
    pub fn solve(&self, velocity: [f64; 3], restitution: Restitution) -> Result<Impact<3>, Error> {
        let mut account = Account::new(&self.principal, velocity, restitution)?;
        match self.follow(&mut account) {
            Ok(Some((end, mode))) => account.impact(&self.principal, &end, mode, 0),
            Ok(None) | Err(Endless) => self.contact.solve(velocity, self.friction, restitution),
        }
    }

    /// Follows an impact to its end; `None` if the tables do not tell it.
    fn follow(&self, account: &mut Account) -> Result<Option<(Moment, Mode)>, Endless> {
        let [_, t1, t2] = account.before();
        if t1 == 0.0 && t2 == 0.0 {
            return account.begin_at_rest(&self.principal).map(Some);
        }
        match self.slip(account)? {
            Slipped::To(outcome) => account.settle(&self.principal, outcome).map(Some),
            Slipped::Untold => Ok(None),
        }
    }

    /// Follows a slip from its start.
    fn slip(&self, account: &mut Account) -> Result<Slipped, Endless> {
        let [normal, t1, t2] = account.before();
        let speed = hypot(t1, t2);
        let start = Moment::before_impact([normal, t1, t2]);
        if speed <= VANISHING {
            return Ok(Slipped::To(Outcome::Halted(start)));
        }
        let direction = [t1 / speed, t2 / speed];
        let Some(sector) = self.table.sector(direction) else {
            let line = on_line(&self.principal, direction, speed);
            return account.straight(start, &line).map(Slipped::To);
        };
        let flow = Turning::of(&self.principal, direction);
        if flow.across.abs() <= NEGLIGIBLE * flow.along.abs().max(flow.slope.abs())
            || flow.across.abs() <= self.principal.noise
        {
            let line = on_line(&self.principal, direction, speed);
            return account.straight(start, &line).map(Slipped::To);
        }
        let mut orbit = Orbit::start(&self.principal, sector, normal, [t1, t2], speed);
        let mut sector = sector;
        let mut fastest = speed;
        loop {
            if let Passage::Refused(_) = sector.passage {
                return Ok(Slipped::Untold);
            }
            let exit = orbit.exit();
            if let Some(end) = pass_events(account, &mut orbit, sector, exit.as_ref())? {
                return Ok(Slipped::To(Outcome::Ended(self.completed(account, end))));
            }
            let Some(exit) = exit else { return Ok(Slipped::Untold) };
            fastest = fastest.max(exit.speed);
            let next = match sector.passage {
                Passage::Through { next } => next,
                Passage::Outward { below, above } => {
                    if orbit.is_below() {
                        below
                    } else {
                        above
                    }
                }
                _ => usize::MAX,
            };
            match self.table.sectors.get(next) {
                Some(next) if exit.speed > NEGLIGIBLE * fastest => {
                    orbit = orbit.enter(&exit, next);
                    sector = next;
                }
                _ => {
                    let at = self.completed(account, exit.moment());
                    return Ok(Slipped::To(Outcome::Halted(at)));
                }
            }
        }
    }

    /// A moment with the tangential impulse and its work, which velocities and
    /// the normal impulse tell.
    fn completed(&self, account: &Account, at: Moment) -> Moment {
        let Principal { h, b, .. } = self.principal;
        let [n, t1, t2] = account.before();
        let before = [t1, t2];
        let impulse: [f64; 2] =
            core::array::from_fn(|i| (at.tangential[i] - before[i] - h[i] * at.impulse) / b[i]);
        let energy = 0.5
            * (at.impulse * (n + at.normal)
                + impulse[0] * (before[0] + at.tangential[0])
                + impulse[1] * (before[1] + at.tangential[1]));
        Moment { tangential_impulse: impulse, friction_work: energy - at.normal_work, ..at }
    }
}

/// Goes through the events of a sector; the moment at which the impact ends, if
/// it ends there.
fn pass_events(
    account: &mut Account,
    orbit: &mut Orbit,
    sector: &Sector,
    exit: Option<&Place>,
) -> Result<Option<Moment>, Endless> {
    let comes = |goal: Goal| exit.is_none_or(|exit| goal.is_reached(exit));
    let zero = Goal::Normal(0.0);
    if account.ledger().stage() == Stage::Compression {
        if !sector.rises || !comes(zero) {
            return Ok(None);
        }
        *orbit = orbit.at(&orbit.seek(zero, -orbit.at.normal, false).ok_or(Endless)?);
        account.turn(&orbit.at.moment())?;
        if account.over() {
            return Ok(Some(orbit.at.moment()));
        }
    }
    let turn = match exit {
        Some(exit) if !sector.rises && exit.normal < 0.0 => {
            Some(orbit.seek(zero, -orbit.at.normal, true).ok_or(Endless)?)
        }
        _ => None,
    };
    let Place { impulse, normal, work, .. } = orbit.at;
    let (goal, missing) = match account.ledger().target(orbit.at.moment().tally()) {
        Target::NormalVelocity(v) => (Goal::Normal(v), v - normal),
        Target::Impulse(more) => (Goal::Impulse(impulse + more), more),
        Target::NormalWork(more) => (Goal::Work(work + more), more),
    };
    let ends = missing <= 0.0
        || match (goal, &turn) {
            (Goal::Normal(_), _) if !sector.rises => false,
            (_, Some(turn)) => goal.is_reached(turn),
            (_, None) => comes(goal),
        };
    if ends {
        let end = orbit.seek(goal, missing, false).ok_or(Endless)?;
        return Ok(Some(end.moment()));
    }
    if let Some(turn) = turn {
        *orbit = orbit.at(&turn);
        account.turn(&turn.moment())?;
    }
    Ok(None)
}
