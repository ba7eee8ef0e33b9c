//! The compiled flow: every slip of one contact under one friction, from tables.

use routh_flow::{Field, Pieces, Refusal, Table};
use routh_runtime::double::follow::collide;
use routh_runtime::double::inertia::Contact as Prepared;
use routh_runtime::double::instances::ByTables;
use routh_runtime::double::number::scale;
use routh_runtime::double::pieces::collide_by_pieces;
use routh_runtime::double::result::Status;

use crate::contact::{Contact, Friction, Restitution};
use crate::error::Error;
use crate::impact::Impact;

/// Below this ratio of normal to tangential speed the works of the approach
/// underflow: the series solve such impacts.
const GRAZING: f64 = 1e-60;

/// Precomputed tables for one contact and one friction. They solve an impact of any
/// velocity and restitution by a look-up and a few polynomials.
///
/// ```
/// use routh::{Contact, Flow, Friction, Law, Restitution};
/// let contact = Contact::new([[1.3, 0.4, -0.2], [0.4, 2.1, 0.5], [-0.2, 0.5, 0.9]])?;
/// let friction = Friction::uniform(0.15)?;
/// let flow = Flow::new(&contact, friction);
/// let restitution = Restitution::new(Law::Energetic, 0.7)?;
/// let impact = flow.solve([-1.0, 0.7, -1.1], restitution)?;
/// let series = contact.solve([-1.0, 0.7, -1.1], friction, restitution)?;
/// assert!((impact.velocity[1] - series.velocity[1]).abs() < 1e-12);
/// assert_eq!((impact.mode, impact.steps), (series.mode, 0));
/// # Ok::<(), routh::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Flow {
    contact: Contact<3>,
    friction: Friction,
    prepared: Prepared,
    table: Table,
    pieces: Pieces,
}

impl Flow {
    /// Truncation error allowed in the polynomials of the table, relative to each
    /// quantity's size; velocities and impulses of whole impacts agree with the series to
    /// some 1e-11 of the largest.
    pub const TOLERANCE: f64 = Table::FINEST;

    /// Tabulates the slips of a contact: about a hundred kilobytes, in one to five
    /// milliseconds.
    pub fn new(contact: &Contact<3>, friction: Friction) -> Self {
        let mut flow = Self::compact(contact, friction);
        flow.pieces = Pieces::new(&flow.prepared, &flow.table);
        flow
    }

    /// The same without the pieces: a tenth of the memory, made in a fifth of the
    /// time; an impact takes about four times as long.
    ///
    /// ```
    /// use routh::{Contact, Flow, Friction, Law, Restitution};
    /// let contact = Contact::new([[1.3, 0.4, -0.2], [0.4, 2.1, 0.5], [-0.2, 0.5, 0.9]])?;
    /// let friction = Friction::uniform(0.15)?;
    /// let (flow, compact) = (Flow::new(&contact, friction), Flow::compact(&contact, friction));
    /// assert!(5 * compact.bytes() < flow.bytes());
    /// let restitution = Restitution::new(Law::Poisson, 0.4)?;
    /// let [x, y] = [&flow, &compact].map(|flow| flow.solve([-1.0, 0.7, -1.1], restitution));
    /// assert!((x?.velocity[1] - y?.velocity[1]).abs() < 1e-11);
    /// # Ok::<(), routh::Error>(())
    /// ```
    pub fn compact(contact: &Contact<3>, friction: Friction) -> Self {
        // Without tables all impacts go to the series, which refuse such friction.
        let prepared = contact.prepared(friction).unwrap_or(Prepared::NONE);
        let Prepared { a, h, b, mu, .. } = prepared;
        let table = Table::new(&Field { a, h, b, mu }, Self::TOLERANCE);
        Self { contact: *contact, friction, prepared, table, pieces: Pieces::none() }
    }

    /// Its sectors, in the principal axes of the tangential inertia.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The size of its tables in bytes.
    pub fn bytes(&self) -> usize {
        self.table.bytes() + self.pieces.bytes()
    }

    /// Converts a direction of the table to the contact's own axes.
    pub fn outward(&self, direction: [f64; 2]) -> [f64; 2] {
        self.prepared.outward(direction)
    }

    /// Converts a rate of the table to the contact's own units, those of `D`.
    pub fn rate(&self, rate: f64) -> f64 {
        scale(rate, self.prepared.unit)
    }

    /// The contact that it was made for.
    pub fn contact(&self) -> &Contact<3> {
        &self.contact
    }

    /// The friction that it was made for.
    pub fn friction(&self) -> Friction {
        self.friction
    }

    /// The reasons why the tables leave out some directions; impacts that start
    /// there are solved by the series. The series also solve impacts for which the tables are
    /// not exact enough, and all whose normal speed is below 1e-60 of the tangential speed.
    ///
    /// ```
    /// use routh::{Contact, Flow, Friction, Refusal};
    /// let flow = |mu| {
    ///     let contact = Contact::new([[1.0, 0.1, 0.0], [0.1, 2.0, 0.0], [0.0, 0.0, 3.0]])?;
    ///     Ok::<_, routh::Error>(Flow::compact(&contact, Friction::uniform(mu)?))
    /// };
    /// assert_eq!(flow(0.3)?.refusals().count(), 0);
    /// // Two invariant directions are one.
    /// assert!(flow(0.1)?.refusals().any(|refusal| refusal == Refusal::Degenerate));
    /// # Ok::<(), routh::Error>(())
    /// ```
    pub fn refusals(&self) -> impl Iterator<Item = Refusal> {
        self.table.refusals.iter().copied()
    }

    /// Solves an impact: velocity, impulse, works, events and mode. An impact outside
    /// the tables is solved by the series; only then is `steps` above zero.
    ///
    /// # Errors
    /// As [`Contact::solve`].
    pub fn solve(&self, velocity: [f64; 3], restitution: Restitution) -> Result<Impact<3>, Error> {
        if let Some(impact) = self.by_tables(velocity, restitution) {
            return Ok(impact);
        }
        self.contact.solve(velocity, self.friction, restitution)
    }

    /// Solves the impact from pieces or sectors, if they cover it.
    #[inline(always)]
    fn by_tables(&self, velocity: [f64; 3], restitution: Restitution) -> Option<Impact<3>> {
        let (contact, law, mut out) = (&self.prepared, restitution.given(), Impact::NONE);
        if collide_by_pieces(&self.pieces, contact, &velocity, law, &mut out) {
            return Some(out);
        }
        let [normal, t1, t2] = velocity;
        let grazes = -normal <= GRAZING * t1.abs().max(t2.abs());
        if grazes || self.table.sectors.is_empty() {
            return None;
        }
        let (kernel, tolerance) = (&ByTables(&self.table), Self::TOLERANCE);
        let status =
            collide::<(), _>(contact, &velocity, law, kernel, tolerance, &mut out, &mut ());
        (status == Status::Solved).then_some(out)
    }
}
