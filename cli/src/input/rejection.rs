/// Why a document cannot be answered: what its `error` says.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Rejection {
    /// It is not JSON, or not of the form asked for.
    #[error("{0}")]
    Malformed(String),
    /// A matrix is neither of the plane nor of space.
    #[error("{field} has size {found}, not 2 or 3")]
    NeitherPlanarNorSpatial { field: &'static str, found: usize },
    /// The solver refuses a value of one of several contacts.
    #[error("contacts[{contact}].{error}")]
    OfContact { contact: usize, error: routh::Error },
    /// There is no reference to compare with.
    #[error("no reference: {0}")]
    NoReference(String),
    /// Its steps do not lead to the end.
    #[error(transparent)]
    Unfollowed(#[from] routh_integrators::Failure),
    /// The solver refuses its values.
    #[error(transparent)]
    Unsolvable(#[from] routh::Error),
}

impl Rejection {
    /// The same of a field of one of several contacts.
    pub(crate) fn of_contact(self, contact: usize) -> Self {
        match self {
            Self::Malformed(reason) => Self::Malformed(format!("contacts[{contact}].{reason}")),
            Self::Unsolvable(error) => Self::OfContact { contact, error },
            other => other,
        }
    }

    /// The error's kind as it is named in results.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Malformed(_) => "malformed_input",
            Self::NeitherPlanarNorSpatial { .. } => "wrong_dimension",
            Self::NoReference(_) | Self::Unfollowed(_) => "step_limit",
            Self::Unsolvable(error) | Self::OfContact { error, .. } => error.kind(),
        }
    }
}
