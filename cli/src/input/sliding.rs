//! The sliding motions that `routh trajectory` is given.

use routh_solver::{Accuracy, Contact, Error, Field, Friction, Trajectory};
use serde::Deserialize;

use super::{Count, Matrix, Number, Vector};
use super::{finite, malformed, square, vector, whole};
use crate::documents::Document;
use crate::rejection::Rejection;

/// A motion at its start, and the impulses at which it is asked for.
pub(crate) struct Sliding {
    pub(crate) motion: Trajectory,
    /// Finite and not negative, in any order.
    pub(crate) impulse: Vec<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SlidingObject {
    #[serde(rename = "D")]
    inertia: Matrix,
    mu: Number,
    v0: Vector,
    impulse: Vector,
    tolerance: Option<Number>,
    order: Option<Count>,
}

impl Sliding {
    /// The motion that a document describes.
    pub(crate) fn read(document: Document) -> Result<Self, Rejection> {
        let object: SlidingObject = whole(document)?;
        let inertia = square("D", &object.inertia)?;
        let v0 = vector(Field::new("v0"), &object.v0)?;
        let impulse: Vec<f64> = object.impulse.iter().map(|&Number(p)| p).collect();

        let contact = Contact::new(inertia)?;
        let friction = friction(object.mu)?;
        let accuracy =
            object.tolerance.map_or(Ok(Accuracy::default()), |Number(t)| Accuracy::new(t))?;
        let accuracy = object.order.map_or(Ok(accuracy), |Count(n)| accuracy.with_order(n))?;
        finite("impulse", &impulse)?;
        if let Some((i, p)) = impulse.iter().enumerate().find(|(_, p)| **p < 0.0) {
            return Err(malformed(&format!("impulse[{i}]"), format_args!("{p} is negative")));
        }
        let motion = Trajectory::new(&contact, friction, v0, accuracy)?.checked();
        Ok(Self { motion, impulse })
    }
}

/// The one coefficient of a motion, which its input calls `mu`.
fn friction(Number(mu): Number) -> Result<Friction, Error> {
    let field = Field::new("mu");
    Friction::uniform(mu).map_err(|error| match error {
        Error::NotFinite { value, .. } => Error::NotFinite { field, value },
        Error::FrictionOutOfRange { value, least, .. } => {
            Error::FrictionOutOfRange { field, value, least }
        }
        other => other,
    })
}
