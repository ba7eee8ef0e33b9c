//! The systems with several contacts in space that `routh contacts` is given.

use nalgebra::{DMatrix, DVector};
use routh::several::{Exponent, Hold, Landing, NormalLaw, Several, Surface};
use routh::{Accuracy, Error, Field};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::impact::{Given, Source, friction};
use super::{Count, Document, Matrix, Number, Rejection, Vector};
use super::{columns, malformed, named, part, sized, whole};

/// A system with its velocities before impact.
#[derive(Clone)]
pub(crate) struct Falling {
    several: Several,
    before: Before,
}

#[derive(Clone)]
enum Before {
    Contacts(Vec<f64>),
    Joints(DVector<f64>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LandingObject<'a> {
    #[serde(rename = "D")]
    inertia: Option<Matrix>,
    velocity: Option<Vector>,
    #[serde(rename = "M")]
    mass: Option<Matrix>,
    #[serde(rename = "J")]
    jacobian: Option<Matrix>,
    qd: Option<Vector>,
    law: Option<LawName>,
    exponent: Option<Number>,
    #[serde(borrow)]
    contacts: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ContactObject<'a> {
    #[serde(borrow)]
    friction: Option<&'a RawValue>,
    restitution: Option<Number>,
    stiffness: Option<Number>,
    kind: Option<HoldName>,
    tangents: Option<Count>,
}

named!(LawName, NormalLaw, "law");
named!(HoldName, Hold, "kind");

/// Whether a document has contacts of its own, and so is one of these.
pub(crate) fn has_contacts(document: Document) -> bool {
    #[derive(Deserialize)]
    struct Any<'a> {
        #[serde(borrow)]
        contacts: Option<&'a RawValue>,
    }
    whole::<Any>(document).is_ok_and(|any| any.contacts.is_some())
}

impl Falling {
    /// The system that a document describes.
    pub(crate) fn read(document: Document) -> Result<Self, Rejection> {
        let object: LandingObject = whole(document)?;
        let mut surfaces = Vec::with_capacity(object.contacts.len());
        for (i, contact) in object.contacts.iter().enumerate() {
            surfaces.push(surface(contact).map_err(|error| error.of_contact(i))?);
        }
        let law = object.law.map_or(NormalLaw::default(), |LawName(law)| law);
        let exponent = match object.exponent {
            None | Some(Number(1.5)) => Exponent::Hertz,
            Some(Number(1.0)) => Exponent::Linear,
            Some(Number(x)) => {
                return Err(malformed("exponent", format_args!("expected 1.5 or 1, found {x}")));
            }
        };
        let dense = |matrix: &Matrix| {
            let columns = matrix.first().map_or(0, Vec::len);
            DMatrix::from_fn(matrix.len(), columns, |i, j| matrix[i][j].0)
        };
        let LandingObject { inertia, velocity, mass, jacobian, qd, .. } = object;
        match Source::of(Given { inertia, velocity, mass, jacobian, qd })? {
            Source::Contact { inertia, velocity } => {
                columns("D", &inertia, inertia.len())?;
                let several = Several::new(dense(&inertia), surfaces, law, exponent)?;
                let before = Before::Contacts(velocity.iter().map(|Number(v)| *v).collect());
                Ok(Self { several, before })
            }
            Source::Robot { mass, jacobian, qd } => {
                columns("M", &mass, mass.len())?;
                columns("J", &jacobian, mass.len())?;
                sized(Field::new("qd"), qd.len(), mass.len())?;
                let (mass, jacobian) = (dense(&mass), dense(&jacobian));
                let several = Several::of_bodies(&mass, &jacobian, surfaces, law, exponent)?;
                let qd = DVector::from_iterator(qd.len(), qd.iter().map(|Number(v)| *v));
                Ok(Self { several, before: Before::Joints(qd) })
            }
        }
    }

    /// What its contacts do.
    pub(crate) fn solve(&self) -> Result<Landing, Error> {
        match &self.before {
            Before::Contacts(velocity) => self.several.solve(velocity, Accuracy::default()),
            Before::Joints(qd) => self.several.solve_bodies(qd, Accuracy::default()),
        }
    }

    /// How many directions a contact can slide in.
    pub(crate) fn tangents(&self, contact: usize) -> usize {
        self.several.surfaces()[contact].tangents
    }
}

/// The law of one contact.
fn surface(value: &RawValue) -> Result<Surface, Rejection> {
    let object: ContactObject = part("", value)?;
    let mu = match object.friction {
        None => routh::Friction::uniform(0.0)?,
        Some(value) => friction(value)?.friction()?,
    };
    let hold = object.kind.map_or(Hold::Unilateral, |HoldName(hold)| hold);
    let restitution = match (object.restitution, hold) {
        (Some(Number(e)), _) => e,
        (None, Hold::Plastic | Hold::Held) => 0.0,
        (None, Hold::Unilateral) => return Err(malformed("restitution", "missing")),
    };
    Ok(Surface {
        stiffness: object.stiffness.map_or(1.0, |Number(x)| x),
        hold,
        tangents: object.tangents.map_or(2, |Count(count)| count),
        ..Surface::new(restitution, mu)
    })
}
