//! An impact that is followed from sector to sector of its contact's flow.

use routh_flow::{Passage, Sector, Table};

use crate::account::{Account, Endless, Outcome};
use crate::elementary::hypot;
use crate::impact::Mode;
use crate::invariant::Turning;
use crate::orbit::{Goal, Orbit, Place};
use crate::principal::Principal;
use crate::reaction::Reaction;
use crate::restitution::{Stage, Target};
use crate::sliding::{NEGLIGIBLE, VANISHING, on_line};
use crate::straight::Moment;

/// Normal velocities below this part of the others do works that soon are zero.
const GRAZING: f64 = 1e-60;

/// What became of a slip.
enum Slipped {
    To(Outcome),
    /// It came into a sector that the tables do not tell.
    Untold,
}

/// The sectors of a contact's flow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sectors<'a> {
    pub(crate) contact: &'a Principal,
    pub(crate) table: &'a Table,
}

impl Sectors<'_> {
    /// Follows an impact to its end; `None` if the tables do not tell it.
    pub(crate) fn follow(&self, account: &mut Account) -> Result<Option<(Moment, Mode)>, Endless> {
        let [_, t1, t2] = account.before();
        if t1 == 0.0 && t2 == 0.0 {
            return account.begin_at_rest(self.contact).map(Some);
        }
        match self.slip(account)? {
            Slipped::To(outcome) => account.settle(self.contact, outcome).map(Some),
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
        if normal.abs() <= GRAZING {
            return Ok(Slipped::Untold);
        }
        let direction = [t1 / speed, t2 / speed];
        let Some(mut sector) = self.table.sector(direction).filter(|_| self.turns(direction))
        else {
            let line = on_line(self.contact, direction, speed);
            return account.straight(start, &line).map(Slipped::To);
        };
        let mut orbit = Orbit::start(self.contact, sector, normal, [t1, t2], speed);
        let mut fastest = speed;
        loop {
            if let Passage::Refused(_) = sector.passage {
                return Ok(Slipped::Untold);
            }
            let exit = orbit.exit();
            let least = (NEGLIGIBLE * fastest).max(VANISHING);
            if let Some(outcome) = pass_events(account, &mut orbit, sector, exit.as_ref(), least)? {
                let completed = match outcome {
                    Outcome::Ended(at) => Outcome::Ended(self.completed(account, at)),
                    Outcome::Halted(at) => Outcome::Halted(self.completed(account, at)),
                };
                return Ok(Slipped::To(completed));
            }
            let Some(exit) = exit else { return Ok(Slipped::Untold) };
            fastest = fastest.max(exit.speed);
            let next = match sector.passage {
                Passage::Through { next } => Some(next),
                Passage::Outward { below, .. } if orbit.is_below() => Some(below),
                Passage::Outward { above, .. } => Some(above),
                Passage::Inward | Passage::Refused(_) => None,
            };
            match next.and_then(|next| self.table.sectors.get(next)) {
                Some(next) if exit.speed > (NEGLIGIBLE * fastest).max(VANISHING) => {
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

    /// Whether the flow turns a direction, as far as rounding tells.
    fn turns(&self, direction: [f64; 2]) -> bool {
        let Turning { across, along, slope } = Turning::of(self.contact, direction);
        let least = NEGLIGIBLE * along.abs().max(slope.abs());
        across.abs() > least.max(self.contact.noise)
    }

    /// A moment with the tangential impulse and its work.
    fn completed(&self, account: &Account, at: Moment) -> Moment {
        let before = account.before();
        let after = [at.normal, at.tangential[0], at.tangential[1]];
        let impulse = Reaction::new(self.contact).impulse(before, after, at.impulse);
        let mean = |i: usize| 0.5 * before[i] + 0.5 * after[i];
        let energy = at.impulse * mean(0) + impulse[0] * mean(1) + impulse[1] * mean(2);
        // Friction takes energy, if rounding does not.
        let normal_work = at.normal_work.max(energy);
        let friction_work = energy - normal_work;
        Moment { tangential_impulse: impulse, normal_work, friction_work, ..at }
    }
}

/// Goes through the events of a sector; the moment at which the impact ends, or
/// its slip with a speed below the least, if it does there.
fn pass_events(
    account: &mut Account,
    orbit: &mut Orbit,
    sector: &Sector,
    exit: Option<&Place>,
    least: f64,
) -> Result<Option<Outcome>, Endless> {
    let comes = |goal: Goal| exit.is_none_or(|exit| goal.is_reached(exit));
    let zero = Goal::Normal(0.0);
    if account.ledger().stage() == Stage::Compression {
        if !sector.rises || !comes(zero) {
            return Ok(None);
        }
        let place = orbit.seek(zero, -orbit.at.normal, false).ok_or(Endless)?;
        if place.speed <= least {
            return Ok(Some(Outcome::Halted(place.moment())));
        }
        *orbit = orbit.at(&place);
        account.turn(&place.moment())?;
        if account.over() {
            return Ok(Some(Outcome::Ended(place.moment())));
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
        return Ok(Some(Outcome::Ended(end.moment())));
    }
    if let Some(turn) = turn {
        *orbit = orbit.at(&turn);
        account.turn(&turn.moment())?;
    }
    Ok(None)
}
