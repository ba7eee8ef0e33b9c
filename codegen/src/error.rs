use std::path::PathBuf;

/// What can go wrong between a model and the code made from it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An expression has an operation for which there is no recurrence.
    #[error("no rule for `{0}`")]
    Unsupported(String),
    /// An expression names something that is neither unknown nor parameter.
    #[error("`{0}` is neither an unknown nor a parameter")]
    UnknownSymbol(String),
    /// A derivation failed or did not verify.
    #[error("derivation failed: {0}")]
    Derivation(String),
    /// Symbolica cannot be used on this machine now.
    #[error("Symbolica is unavailable: {0}")]
    SymbolicaUnavailable(String),
    /// A committed derivation cannot be read or written.
    #[error("committed derivation `{name}`: {reason}")]
    Committed {
        /// The derivation.
        name: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// A parameter was bound to a value that the program divides by.
    #[error("binding {bindings} makes `{program}` divide by zero")]
    DivisionByZero {
        /// The program.
        program: String,
        /// The bindings.
        bindings: String,
    },
    /// A name that is no identifier, stands twice, or is the emitter's own.
    #[error("`{0}` cannot be a name in emitted code")]
    Name(String),
    /// An order outside [`crate::program::ORDERS`].
    #[error("order {0} is outside 2..=64")]
    Order(usize),
    /// Emitted text is not Rust, which is a defect of the emitter.
    #[error("emitted code does not parse: {0}")]
    Emit(String),
    /// A file could not be read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// A robot file is not what it should be.
    #[error("{path}: {reason}")]
    RobotFile {
        /// The file.
        path: PathBuf,
        /// Where it is wrong, and how.
        reason: String,
    },
    /// A robot cannot be as it is specified.
    #[error("{field} = {value}: {reason}")]
    Specification {
        /// Which part of it.
        field: String,
        /// Its value.
        value: String,
        /// What it should be.
        reason: String,
    },
    /// A piece of generated Rust lies outside the part that is also printed as C.
    #[error("no C for `{construct}`: {reason}")]
    Untranslatable {
        /// The piece.
        construct: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Output could not be written.
    #[error("cannot write {path}: {source}")]
    Write {
        /// Where to.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// A build-script function was used outside a build script.
    #[error("environment variable `{0}` is not set; is this a build script?")]
    NotInBuildScript(&'static str),
}
