//! The input of the compiler: the derived programs, fresh from Symbolica or
//! as committed under `derivations`.

mod text;

use crate::Error;
use crate::program::{ScalarProgram, SeriesProgram};
use text::Text;

/// How many coefficients `a_k`, `d_k` are kept in closed form.
pub const CLOSED_FORM_ORDER: usize = 8;

/// How the contact point moves in a planar impact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanarMode {
    /// Sliding in one direction throughout; also slip out of rest.
    PermanentSliding,
    /// Sliding halts in compression and the point sticks.
    StickingInCompression,
    /// Sliding halts in compression and reverses.
    ReverseInCompression,
    /// Sliding halts in restitution and the point sticks.
    StickingInRestitution,
    /// Sliding halts in restitution and reverses.
    ReverseInRestitution,
    /// Sticking from the start.
    Sticking,
}

impl PlanarMode {
    /// All modes.
    pub const ALL: [Self; 6] = [
        Self::PermanentSliding,
        Self::StickingInCompression,
        Self::ReverseInCompression,
        Self::StickingInRestitution,
        Self::ReverseInRestitution,
        Self::Sticking,
    ];

    /// The mode's name in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::PermanentSliding => "permanent_sliding",
            Self::StickingInCompression => "sticking_in_compression",
            Self::ReverseInCompression => "reverse_in_compression",
            Self::StickingInRestitution => "sticking_in_restitution",
            Self::ReverseInRestitution => "reverse_in_restitution",
            Self::Sticking => "sticking",
        }
    }
}

/// The condition that ends an impact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// A ratio of normal velocities.
    Newton,
    /// A ratio of normal impulses.
    Poisson,
    /// A ratio of works of the normal force (Stronge).
    Energetic,
}

impl Law {
    /// All laws.
    pub const ALL: [Self; 3] = [Self::Newton, Self::Poisson, Self::Energetic];

    /// The law's name in inputs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Newton => "newton",
            Self::Poisson => "poisson",
            Self::Energetic => "energetic",
        }
    }
}

/// The closed form of one planar mode under one law.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanarForm {
    /// The mode.
    pub mode: PlanarMode,
    /// The law.
    pub law: Law,
    /// The form: from `D`, `μ`, `σ`, `e` and the velocities to the result.
    pub program: ScalarProgram,
}

/// Everything that is derived symbolically.
///
/// ```
/// use routh_codegen::derivations::Derivations;
/// let derived = Derivations::committed()?;
/// assert_eq!(derived.regularised.variable, "tau");
/// let inputs = &derived.coefficients.graph.inputs;
/// assert!(["h1", "b12", "mu", "a0", "d0"].iter().all(|name| inputs.iter().any(|i| i == name)));
/// # Ok::<(), routh_codegen::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derivations {
    /// Sliding velocity in the normal impulse.
    pub sliding: SeriesProgram,
    /// Sliding velocity in `τ`.
    pub regularised: SeriesProgram,
    /// The parts of compliant contacts.
    pub compliant: Vec<SeriesProgram>,
    /// The parts of several contacts in space.
    pub several: Vec<SeriesProgram>,
    /// `a_k` and `d_k` in closed form.
    pub coefficients: ScalarProgram,
    /// Planar closed forms.
    pub planar: Vec<PlanarForm>,
    /// The first integral's integrands in the half angle.
    pub first_integral: ScalarProgram,
}

/// Where derivations came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Derived by Symbolica in this process.
    Fresh,
    /// Committed, because this build is without Symbolica.
    Committed,
    /// Committed, because Symbolica could not be used, for the reason given.
    Fallback(String),
}

impl Derivations {
    /// The derivations that come with the crate.
    ///
    /// # Errors
    /// [`Error::Committed`] if a file does not parse.
    pub fn committed() -> Result<Self, Error> {
        Ok(Self {
            sliding: only("sliding", include_str!("../derivations/sliding.txt"))?,
            regularised: only("regularised", include_str!("../derivations/regularised.txt"))?,
            compliant: parse("compliant", include_str!("../derivations/compliant.txt"))?,
            several: parse("several", include_str!("../derivations/several.txt"))?,
            coefficients: only("coefficients", include_str!("../derivations/coefficients.txt"))?,
            planar: parse("planar", include_str!("../derivations/planar.txt"))?,
            first_integral: only(
                "first_integral",
                include_str!("../derivations/first_integral.txt"),
            )?,
        })
    }

    /// Derives everything with Symbolica.
    ///
    /// # Errors
    /// As [`crate::symbolic::run`] and the derivations themselves.
    #[cfg(feature = "symbolica")]
    pub fn fresh() -> Result<Self, Error> {
        use crate::{derive, model};
        crate::symbolic::run(|| {
            Ok(Self {
                sliding: derive::taylor(&model::sliding())?,
                regularised: derive::taylor(&model::regularised())?,
                compliant: model::compliant()
                    .iter()
                    .map(derive::taylor)
                    .collect::<Result<_, _>>()?,
                several: model::several().iter().map(derive::taylor).collect::<Result<_, _>>()?,
                coefficients: derive::coefficients(CLOSED_FORM_ORDER)?,
                planar: derive::planar()?,
                first_integral: derive::first_integral()?,
            })
        })?
    }

    /// Fresh derivations where Symbolica can be used, else the committed ones.
    ///
    /// # Errors
    /// As [`Derivations::committed`].
    pub fn obtain() -> Result<(Self, Origin), Error> {
        #[cfg(feature = "symbolica")]
        return match Self::fresh() {
            Ok(fresh) => Ok((fresh, Origin::Fresh)),
            Err(reason) => Ok((Self::committed()?, Origin::Fallback(reason.to_string()))),
        };
        #[cfg(not(feature = "symbolica"))]
        Ok((Self::committed()?, Origin::Committed))
    }

    /// The committed files' names and expected texts.
    pub fn files(&self) -> [(&'static str, String); 7] {
        use std::slice::from_ref;
        [
            ("sliding.txt", text::write(from_ref(&self.sliding))),
            ("regularised.txt", text::write(from_ref(&self.regularised))),
            ("compliant.txt", text::write(&self.compliant)),
            ("several.txt", text::write(&self.several)),
            ("coefficients.txt", text::write(from_ref(&self.coefficients))),
            ("planar.txt", text::write(&self.planar)),
            ("first_integral.txt", text::write(from_ref(&self.first_integral))),
        ]
    }
}

fn parse<T: Text>(name: &'static str, text: &str) -> Result<Vec<T>, Error> {
    text::read(text).map_err(|line| Error::Committed {
        name,
        reason: format!("line {line} is not as expected"),
    })
}

/// The program of a file that holds one.
fn only<T: Text>(name: &'static str, text: &str) -> Result<T, Error> {
    let [program] = <[T; 1]>::try_from(parse(name, text)?).map_err(|programs| {
        Error::Committed { name, reason: format!("{} programs instead of one", programs.len()) }
    })?;
    Ok(program)
}
