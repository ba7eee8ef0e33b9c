//! Restitution laws, and the account of compression and restitution that they
//! are applied to.

use crate::error::{Error, Field, finite};

/// What a coefficient of restitution compares.
///
/// They agree where the contact point slides along one line throughout. Only the energetic law
/// never gains energy:
///
/// ```
/// use routh_solver::{Contact, Friction, Law, Restitution};
/// let rod = Contact::new([[2.5, -1.5], [-1.5, 2.5]])?;
/// let friction = Friction::new(0.73, 0.7)?;
/// for law in Law::ALL {
///     let impact = rod.solve([-1.0, 0.6], friction, Restitution::new(law, 0.82)?)?;
///     assert_eq!(impact.energy_change > 0.0, law == Law::Newton);
/// }
/// # Ok::<(), routh_solver::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// Normal velocities: `v_n⁺ = −e v_n⁻`.
    Newton,
    /// Normal impulses: restitution's is `e` times compression's.
    Poisson,
    /// Works of the normal force: restitution's is `e²` times compression's.
    Energetic,
}

impl Law {
    /// All laws, in the order of the generated closed forms.
    pub const ALL: [Self; 3] = [Self::Newton, Self::Poisson, Self::Energetic];

    /// The law's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Newton => "newton",
            Self::Poisson => "poisson",
            Self::Energetic => "energetic",
        }
    }
}

/// A law and its coefficient.
///
/// ```
/// use routh_solver::{Law, Restitution};
/// assert_eq!(Restitution::new(Law::Poisson, 0.5)?.e(), 0.5);
/// assert!(Restitution::new(Law::Poisson, 1.5).is_err());
/// # Ok::<(), routh_solver::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Restitution {
    law: Law,
    e: f64,
}

impl Restitution {
    /// A law with a coefficient between 0 and 1.
    ///
    /// # Errors
    /// [`Error::RestitutionOutOfRange`], [`Error::NotFinite`].
    pub fn new(law: Law, e: f64) -> Result<Self, Error> {
        Ok(Self { law, e: coefficient(Field::new("restitution.e"), e)? })
    }

    /// The law.
    pub fn law(&self) -> Law {
        self.law
    }

    /// The coefficient.
    pub fn e(&self) -> f64 {
        self.e
    }
}

/// Checks a coefficient of restitution.
pub(crate) fn coefficient(field: Field, e: f64) -> Result<f64, Error> {
    let value = finite(field, e)?;
    let in_range = (0.0..=1.0).contains(&value);
    in_range.then_some(value).ok_or(Error::RestitutionOutOfRange { field, value })
}

/// Whether the bodies approach or part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    Compression,
    Restitution,
}

/// A normal impulse and the work it does.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) impulse: f64,
    pub(crate) work: f64,
}

/// What ends the impact in restitution: a velocity, or so much more of an
/// impulse or a work.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    NormalVelocity(f64),
    Impulse(f64),
    NormalWork(f64),
}

/// The account: totals over all compression and all restitution phases, which
/// is what the laws compare when compression resumes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ledger {
    restitution: Restitution,
    approach: f64,
    stage: Stage,
    since: Tally,
    compressed: Tally,
    restored: Tally,
}

impl Ledger {
    /// The account of an impact that begins with normal velocity `−approach`.
    pub(crate) fn new(restitution: Restitution, approach: f64) -> Self {
        Self {
            restitution,
            approach,
            stage: Stage::Compression,
            since: Tally::default(),
            compressed: Tally::default(),
            restored: Tally::default(),
        }
    }

    pub(crate) fn stage(&self) -> Stage {
        self.stage
    }

    /// Total impulse of the compression phases closed so far.
    pub(crate) fn compression_impulse(&self) -> f64 {
        self.compressed.impulse
    }

    /// Closes the current phase at the given totals and begins the other.
    pub(crate) fn turn(&mut self, now: Tally) {
        let (tally, next) = match self.stage {
            Stage::Compression => (&mut self.compressed, Stage::Restitution),
            Stage::Restitution => (&mut self.restored, Stage::Compression),
        };
        tally.impulse += now.impulse - self.since.impulse;
        tally.work += now.work - self.since.work;
        self.since = now;
        self.stage = next;
    }

    /// What is still to come before restitution ends the impact. Counted from
    /// the last turn, so that a small `e` is not lost beside the totals.
    pub(crate) fn target(&self, now: Tally) -> Target {
        let e = self.restitution.e;
        match self.restitution.law {
            Law::Newton => Target::NormalVelocity(e * self.approach),
            Law::Poisson => {
                let owed = e * self.compressed.impulse - self.restored.impulse;
                Target::Impulse(owed - (now.impulse - self.since.impulse))
            }
            Law::Energetic => {
                let owed = -e * e * self.compressed.work - self.restored.work;
                Target::NormalWork(owed - (now.work - self.since.work))
            }
        }
    }

    /// Whether restitution is over as soon as it begins.
    pub(crate) fn is_plastic(&self) -> bool {
        self.restitution.e == 0.0
    }
}
