use std::io;

/// Why a command did not do all it was asked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The input cannot be read.
    #[error("cannot read {path}: {source}")]
    Read { path: String, source: io::Error },
    /// The output cannot be written.
    #[error("cannot write the output: {0}")]
    Write(io::Error),
    /// A file cannot be written.
    #[error("cannot write {path}: {source}")]
    File { path: String, source: io::Error },
    /// A plot cannot be drawn.
    #[error("cannot draw: {0}")]
    Drawing(String),
    /// A bundled example is not solved.
    #[error("a bundled example is not solved: {0}")]
    Example(String),
    /// Some documents were answered with an error.
    #[error("{rejected} of {total} inputs could not be solved")]
    Rejected { rejected: usize, total: usize },
    /// What was asked for makes no sense.
    #[error("{0}")]
    Usage(String),
    /// What was derived cannot be shown.
    #[error(transparent)]
    Derivation(#[from] routh_codegen::Error),
}
