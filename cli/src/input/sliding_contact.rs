//! The contacts under friction that `routh flow` is given.

use routh_solver::{Contact, Friction};
use serde::Deserialize;

use super::sliding::friction;
use super::{Document, Matrix, Number, Rejection, square, whole};

/// A contact and the friction under which it slides.
pub(crate) struct SlidingContact {
    pub(crate) contact: Contact<3>,
    pub(crate) friction: Friction,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SlidingContactObject {
    #[serde(rename = "D")]
    inertia: Matrix,
    mu: Number,
}

impl SlidingContact {
    /// The contact that a document describes.
    pub(crate) fn read(document: Document) -> Result<Self, Rejection> {
        let object: SlidingContactObject = whole(document)?;
        let contact = Contact::new(square("D", &object.inertia)?)?;
        Ok(Self { contact, friction: friction(object.mu)? })
    }
}
