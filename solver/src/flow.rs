//! The compiled flow: every slip of one contact under one friction, from tables.

use routh_flow::{Field, Passage, Refusal, Table};

use crate::account::{Account, Endless};
use crate::contact::Contact;
use crate::error::Error;
use crate::friction::Friction;
use crate::impact::Impact;
use crate::principal::Principal;
use crate::restitution::Restitution;
use crate::sectors::Sectors;
use crate::shortcut::Shortcut;

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
    shortcut: Shortcut,
}

impl Flow {
    /// The tolerance of tables, as a part of each quantity's size.
    pub const TOLERANCE: f64 = 2e-13;

    /// The flow of a contact: about a hundred kilobytes of tables in a millisecond
    /// or two.
    pub fn new(contact: &Contact<3>, friction: Friction) -> Self {
        let mut flow = Self::compact(contact, friction);
        flow.shortcut = Shortcut::new(&flow.principal, &flow.table);
        flow
    }

    /// The same in a tenth of the room, made in a fifth of the time, with impacts
    /// that take four times as long.
    pub fn compact(contact: &Contact<3>, friction: Friction) -> Self {
        let principal = Principal::new(contact, friction);
        let Principal { a, h, b, mu, .. } = principal;
        let table = Table::new(&Field { a, h, b, mu }, Self::TOLERANCE);
        let shortcut = Shortcut::none(&principal);
        Self { contact: *contact, friction, principal, table, shortcut }
    }

    /// Its sectors, in the principal axes of the tangential inertia.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// How many bytes its tables take.
    pub fn bytes(&self) -> usize {
        self.table.bytes() + self.shortcut.bytes()
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
        if let Some(impact) = self.shortcut.solve(velocity, restitution) {
            return Ok(impact);
        }
        let mut account = Account::new(&self.principal, velocity, restitution)?;
        let sectors = Sectors { contact: &self.principal, table: &self.table };
        match sectors.follow(&mut account) {
            Ok(Some((end, mode))) => account.impact(&self.principal, &end, mode, 0),
            Ok(None) | Err(Endless) => self.contact.solve(velocity, self.friction, restitution),
        }
    }
}
