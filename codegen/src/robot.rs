//! The robot that a solver is generated for: its contact, friction and restitution, and
//! the options of the solver.

mod file;
pub mod mechanism;
mod source;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::derivations::Law;
use crate::output::Generated;
use crate::{Error, Precision};
use mechanism::{Base, ContactFrame};
pub(crate) use source::{Body, Dimension, Source};

/// The language of a generated solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// One self-contained file.
    #[default]
    Rust,
    /// C99: a header, a source and a test program.
    C,
}

/// The method by which a solver in space integrates a slip.
///
/// `docs/embedding.md` says when to prefer which.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// By power series, of any contact.
    #[default]
    Series,
    /// By tables of the flow, made for one contact in space and one friction while
    /// the solver is generated.
    Flow,
}

/// A quantity that a solver may take as an argument instead of a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Runtime {
    /// The contact inertia `D`.
    Inertia,
    /// Static and kinetic friction.
    Friction,
    /// Law and coefficient of restitution.
    Restitution,
}

impl Runtime {
    /// All, in the order of the arguments.
    pub const ALL: [Self; 3] = [Self::Inertia, Self::Friction, Self::Restitution];

    /// Its name in a robot file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Inertia => "D",
            Self::Friction => "friction",
            Self::Restitution => "restitution",
        }
    }
}

/// A robot, and the options of its solver.
///
/// ```
/// use routh_codegen::{Robot, derivations::Law};
///
/// let solver = Robot::from_inertia("rod", &[[2.5, -1.5], [-1.5, 2.5]])
///     .friction(0.73, 0.7)
///     .restitution(Law::Energetic, 0.82)
///     .generate()?;
/// assert!(solver.text().contains("pub fn impact"));
/// # Ok::<(), routh_codegen::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Robot {
    name: String,
    source: Source,
    friction: [f64; 2],
    law: Law,
    e: f64,
    kernel: Kernel,
    language: Language,
    inputs: Vec<PathBuf>,
}

#[derive(Clone, Debug, Default)]
struct Kernel {
    kind: Kind,
    tolerance: Option<f64>,
    runtime: BTreeSet<Runtime>,
    precision: Precision,
    derivatives: bool,
    pieces: bool,
}

impl Robot {
    fn new(name: &str, source: Source) -> Self {
        Self {
            name: name.to_owned(),
            source,
            friction: [0.3; 2],
            law: Law::Energetic,
            e: 0.5,
            kernel: Kernel::default(),
            language: Language::default(),
            inputs: Vec::new(),
        }
    }

    /// A robot given by its contact inertia `D = J M⁻¹ Jᵀ` alone, normal
    /// first: 2×2 in the plane, 3×3 in space.
    pub fn from_inertia<const N: usize>(name: &str, inertia: &[[f64; N]; N]) -> Self {
        Self::new(name, Source::Inertia(inertia.map(|row| row.to_vec()).to_vec()))
    }

    /// A robot with a constant mass matrix and contact Jacobian, both by rows,
    /// the normal's row first.
    pub fn from_masses(name: &str, mass: &[Vec<f64>], jacobian: &[Vec<f64>]) -> Self {
        Self::new(name, Source::Masses { mass: mass.to_vec(), jacobian: jacobian.to_vec() })
    }

    /// A robot from a URDF file.
    ///
    /// # Errors
    /// [`Error::Read`].
    pub fn from_urdf(
        name: &str,
        path: impl AsRef<Path>,
        contact: ContactFrame,
        base: Base,
    ) -> Result<Self, Error> {
        let path = path.as_ref();
        let text = source::read(path)?;
        let mut robot = Self::new(name, Source::Urdf { text, contact, base });
        robot.inputs.push(path.to_owned());
        Ok(robot)
    }

    /// A robot as a file describes it; the URDF that the file may name is looked
    /// for beside it.
    ///
    /// # Errors
    /// [`Error::Read`], [`Error::RobotFile`], [`Error::Specification`].
    pub fn from_toml(path: impl AsRef<Path>) -> Result<Self, Error> {
        file::read(path.as_ref())
    }

    /// A robot as the text of such a file describes it; a URDF is looked for beside
    /// `path`, whether or not there is such a file.
    ///
    /// # Errors
    /// As [`Robot::from_toml`].
    pub fn from_toml_text(text: &str, path: impl AsRef<Path>) -> Result<Self, Error> {
        file::parse(text, path.as_ref())
    }

    /// The same robot under another name.
    pub fn named(mut self, name: &str) -> Self {
        name.clone_into(&mut self.name);
        self
    }

    /// Static and kinetic friction; 0.3 both unless set.
    pub fn friction(mut self, fixed: f64, kinetic: f64) -> Self {
        self.friction = [fixed, kinetic];
        self
    }

    /// Law and coefficient of restitution; energetic and 0.5 unless set.
    pub fn restitution(mut self, law: Law, e: f64) -> Self {
        (self.law, self.e) = (law, e);
        self
    }

    /// How slips are followed; by power series unless set.
    ///
    /// [`Kind::Flow`] is for a contact in space that is known while generating:
    /// `D` or masses, and friction that is no argument; it gives no derivatives,
    /// and there are contacts that have no tables. [`Robot::generate`] checks this.
    pub fn kind(mut self, kind: Kind) -> Self {
        self.kernel.kind = kind;
        self
    }

    /// Whether tables of the flow come with pieces: polynomials that solve most impacts
    /// without a search, five times as fast in fifteen times the memory. Only for
    /// [`Kind::Flow`] in `f64`.
    pub fn pieces(mut self, wanted: bool) -> Self {
        self.kernel.pieces = wanted;
        self
    }

    /// The tolerance of the power series, 1e-12 unless set, 1e-6 in `f32`; or of
    /// the tables, 2e-13 unless set, which is the least they reach, 1e-7 in `f32`.
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.kernel.tolerance = Some(tolerance);
        self
    }

    /// The quantities that the solver takes as arguments, always in the order of
    /// [`Runtime::ALL`]. Only the generated tests then use the values set here.
    pub fn runtime(mut self, arguments: &[Runtime]) -> Self {
        self.kernel.runtime = arguments.iter().copied().collect();
        self
    }

    /// The number type; `f64` unless set.
    pub fn precision(mut self, precision: Precision) -> Self {
        self.kernel.precision = precision;
        self
    }

    /// Whether results carry the Jacobian of the velocity after impact with
    /// respect to that before, to friction and to restitution.
    pub fn derivatives(mut self, wanted: bool) -> Self {
        self.kernel.derivatives = wanted;
        self
    }

    /// The language; Rust unless set.
    pub fn language(mut self, language: Language) -> Self {
        self.language = language;
        self
    }

    /// The solver as source text, not yet written anywhere.
    ///
    /// # Errors
    /// [`Error::Specification`] for an invalid robot, and as
    /// [`Mechanism::from_urdf`](crate::mechanism::Mechanism::from_urdf).
    pub fn generate(&self) -> Result<Generated, Error> {
        self.generate_with(&|_| {})
    }

    /// The same, calling `progress` with the name of each stage.
    ///
    /// # Errors
    /// As [`Robot::generate`].
    pub fn generate_with(&self, progress: &dyn Fn(&'static str)) -> Result<Generated, Error> {
        let plan = self.plan()?;
        let files = crate::solver::write(&plan, self.language, progress)?;
        Ok(files.reading(self.inputs.clone()))
    }

    /// Checks everything that can be said to be wrong before generating.
    pub(crate) fn plan(&self) -> Result<Plan, Error> {
        check_name(&self.name)?;
        let [fixed, kinetic] = self.friction;
        within("friction.kinetic", kinetic, 0.0, f64::MAX)?;
        within("friction.static", fixed, kinetic, f64::MAX)?;
        within("restitution.e", self.e, 0.0, 1.0)?;
        let Kernel { kind, tolerance, ref runtime, precision, derivatives, pieces } = self.kernel;
        let least = match precision {
            Precision::F64 => 1e-15,
            Precision::F32 => 1e-7,
        };
        let tolerance = tolerance.unwrap_or(match (precision, kind) {
            (Precision::F64, Kind::Series) => 1e-12,
            (Precision::F64, Kind::Flow) => routh_flow::Table::FINEST,
            (Precision::F32, Kind::Series) => 1e-6,
            (Precision::F32, Kind::Flow) => 1e-7,
        });
        within("kernel.tolerance", tolerance, least, 1e-2)?;
        if runtime.contains(&Runtime::Inertia) && !matches!(self.source, Source::Inertia(_)) {
            return Err(Error::Specification {
                field: "kernel.runtime".to_owned(),
                value: "D".to_owned(),
                reason: "this robot's D follows from its masses".to_owned(),
            });
        }
        let dimension = self.source.dimension()?;
        if kind == Kind::Flow {
            self.check_flow(dimension)?;
        }
        if pieces && kind != Kind::Flow {
            return Err(no_pieces("they belong to kind = \"flow\""));
        }
        if pieces && precision == Precision::F32 {
            return Err(no_pieces("they are made for f64"));
        }
        Ok(Plan {
            name: self.name.clone(),
            dimension,
            body: self.source.body()?,
            friction: self.friction,
            law: self.law,
            e: self.e,
            kind,
            tolerance,
            runtime: runtime.clone(),
            precision,
            derivatives,
            pieces,
            digest: self.digest(tolerance),
            urdf_digest: match &self.source {
                Source::Urdf { text, .. } => Some(sha256(text)),
                _ => None,
            },
        })
    }

    /// Checks that there is one contact, known now, to make tables of.
    fn check_flow(&self, dimension: Dimension) -> Result<(), Error> {
        let Kernel { runtime, derivatives, .. } = &self.kernel;
        let reason = if dimension == Dimension::Plane {
            "impacts in the plane are closed forms"
        } else if matches!(self.source, Source::Urdf { .. }) {
            "the contact inertia of a model changes with its positions"
        } else if runtime.contains(&Runtime::Inertia) {
            "its tables are made for one D, which cannot be an argument"
        } else if runtime.contains(&Runtime::Friction) {
            "its tables are made for one friction, which cannot be an argument"
        } else if *derivatives {
            "it gives no derivatives"
        } else {
            return Ok(());
        };
        Err(no_flow(reason))
    }

    /// The SHA-256 of all that the solver depends on, however it was given.
    fn digest(&self, tolerance: f64) -> String {
        let Self { name, source, friction, law, e, kernel, language: _, inputs: _ } = self;
        let Kernel { kind, tolerance: _, runtime, precision, derivatives, pieces } = kernel;
        let kind = if *kind == Kind::Flow { " flow" } else { "" };
        let pieces = if *pieces { " pieces" } else { "" };
        let text = format!(
            "{name}\n{source:?}\n{friction:?}\n{law:?} {e:?}\n\
             {tolerance:?} {runtime:?} {precision} {derivatives}{kind}{pieces}\n"
        );
        sha256(&text)
    }
}

/// The SHA-256 of a text, in hexadecimal.
fn sha256(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A robot that has been checked, and all that is to be done for it.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) name: String,
    pub(crate) dimension: Dimension,
    pub(crate) body: Body,
    pub(crate) friction: [f64; 2],
    pub(crate) law: Law,
    pub(crate) e: f64,
    pub(crate) kind: Kind,
    pub(crate) tolerance: f64,
    pub(crate) runtime: BTreeSet<Runtime>,
    pub(crate) precision: Precision,
    pub(crate) derivatives: bool,
    pub(crate) pieces: bool,
    pub(crate) digest: String,
    /// The SHA-256 of the URDF alone.
    pub(crate) urdf_digest: Option<String>,
}

/// A robot whose flow has no tables.
pub(crate) fn no_flow(reason: &str) -> Error {
    Error::Specification {
        field: "kernel.kind".to_owned(),
        value: "flow".to_owned(),
        reason: reason.to_owned(),
    }
}

/// A robot whose flow has no pieces.
pub(crate) fn no_pieces(reason: &str) -> Error {
    Error::Specification {
        field: "kernel.pieces".to_owned(),
        value: "true".to_owned(),
        reason: reason.to_owned(),
    }
}

fn within(field: &str, value: f64, least: f64, most: f64) -> Result<(), Error> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    let reason = match most {
        f64::MAX => format!("it must be finite and at least {least:?}"),
        _ => format!("it must lie between {least:?} and {most:?}"),
    };
    Err(Error::Specification { field: field.to_owned(), value: format!("{value:?}"), reason })
}

/// Words that cannot name anything in Rust or in C.
const RESERVED: [&str; 24] = [
    "abstract", "auto", "become", "bool", "box", "char", "default", "double", "final", "float",
    "goto", "inline", "int", "long", "override", "priv", "register", "short", "signed", "sizeof",
    "switch", "try", "typedef", "void",
];

/// Names become identifiers of both languages.
fn check_name(name: &str) -> Result<(), Error> {
    let letters = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    let named = name.starts_with(|c: char| c.is_ascii_lowercase()) && name.len() <= 40;
    let free = syn::parse_str::<syn::Ident>(name).is_ok() && !RESERVED.contains(&name);
    if letters && named && free {
        return Ok(());
    }
    Err(Error::Specification {
        field: "name".to_owned(),
        value: name.chars().take(60).collect(),
        reason: "it must be a word of at most 40 lower-case letters, digits and underscores \
                 that begins with a letter and means nothing in Rust or C"
            .to_owned(),
    })
}
