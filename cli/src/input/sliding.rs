//! The sliding motions that `routh trajectory` and `routh compare` are given, and the
//! contacts under friction that `routh flow` is given.

use routh::{Accuracy, Contact, Error, Field, Friction, Trajectory};
use serde::Deserialize;

use super::{Count, Document, Matrix, Number, Rejection, Vector};
use super::{finite, malformed, square, vector, whole};

/// A motion, and the impulses at which it is asked for.
pub(crate) struct Sliding {
    pub(crate) contact: Contact<3>,
    /// As one number it is both static and kinetic.
    pub(crate) friction: Friction,
    pub(crate) v0: [f64; 2],
    /// Finite and not negative, in any order.
    pub(crate) impulse: Vec<f64>,
    pub(crate) accuracy: Accuracy,
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
    #[serde(default)]
    stretched: bool,
}

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

impl Sliding {
    /// The motion that a document describes.
    pub(crate) fn read(document: Document) -> Result<Self, Rejection> {
        Self::new(&whole(document)?)
    }

    /// The motion that a document describes without saying how closely it is
    /// to be followed, over some impulse.
    pub(crate) fn read_untuned(document: Document) -> Result<Self, Rejection> {
        let object: SlidingObject = whole(document)?;
        let given = [
            ("tolerance", object.tolerance.is_some()),
            ("order", object.order.is_some()),
            ("stretched", object.stretched),
        ];
        if let Some((name, _)) = given.iter().find(|(_, given)| *given) {
            return Err(malformed(name, "a comparison finds it"));
        }
        let sliding = Self::new(&object)?;
        if !sliding.impulse.iter().any(|p| *p > 0.0) {
            return Err(malformed("impulse", "none is positive"));
        }
        Ok(sliding)
    }

    fn new(object: &SlidingObject) -> Result<Self, Rejection> {
        let inertia = square("D", &object.inertia)?;
        let v0 = vector(Field::new("v0"), &object.v0)?;
        let impulse: Vec<f64> = object.impulse.iter().map(|&Number(p)| p).collect();

        let contact = Contact::new(inertia)?;
        let friction = friction(object.mu)?;
        let accuracy =
            object.tolerance.map_or(Ok(Accuracy::default()), |Number(t)| Accuracy::new(t))?;
        let accuracy = if object.stretched { accuracy.stretched() } else { accuracy };
        let accuracy = object.order.map_or(Ok(accuracy), |Count(n)| accuracy.with_order(n))?;
        finite("impulse", &impulse)?;
        if let Some((i, p)) = impulse.iter().enumerate().find(|(_, p)| **p < 0.0) {
            return Err(malformed(&format!("impulse[{i}]"), format_args!("{p} is negative")));
        }
        finite("v0", &v0)?;
        Ok(Self { contact, friction, v0, impulse, accuracy })
    }

    /// The motion at its start.
    pub(crate) fn motion(&self, accuracy: Accuracy) -> Result<Trajectory, Error> {
        Trajectory::new(&self.contact, self.friction, self.v0, accuracy)
    }

    /// The impulse to which the motion is asked for.
    pub(crate) fn end(&self) -> f64 {
        self.impulse.iter().copied().fold(0.0, f64::max)
    }
}

/// The one coefficient of sliding, which its input calls `mu`.
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
