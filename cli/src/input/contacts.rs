//! The systems that `routh contacts` is given.

use nalgebra::{DMatrix, DVector};
use routh::compliant::{Compliance, Compliant, Model};
use routh::contacts::{Contacts, Impacts};
use routh::{Accuracy, Error, Field, Friction, Law, Restitution};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::impact::LawName;
use super::{Document, Matrix, Number, OneOr, Rejection, Vector};
use super::{columns, finite, malformed, part, sized, whole};

/// A system with its joint velocities before impact.
#[derive(Clone)]
pub(crate) struct Simultaneous {
    contacts: Contacts,
    mass: DMatrix<f64>,
    normals: DMatrix<f64>,
    rubbing: Option<(DMatrix<f64>, Vec<f64>)>,
    qd: DVector<f64>,
    law: Law,
    e: Vec<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SimultaneousObject<'a> {
    #[serde(rename = "M")]
    mass: Matrix,
    #[serde(rename = "J")]
    jacobian: Matrix,
    qd: Vector,
    #[serde(borrow)]
    restitution: &'a RawValue,
    #[serde(rename = "Jt")]
    tangents: Option<Matrix>,
    #[serde(borrow)]
    friction: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RestitutionObject<'a> {
    law: LawName,
    #[serde(borrow)]
    e: &'a RawValue,
}

/// A coefficient for all contacts, or one for each.
type Coefficients = OneOr<Vector>;

impl Simultaneous {
    /// The system that a document describes.
    pub(crate) fn read(document: Document) -> Result<Self, Rejection> {
        let object: SimultaneousObject = whole(document)?;
        let restitution: RestitutionObject = part("restitution", object.restitution)?;
        let read = |name, given| OneOr::read(name, given, '[', "one for each contact");
        let e: Coefficients = read("restitution.e", restitution.e)?;
        let rubbing = match (&object.tangents, object.friction) {
            (Some(tangents), Some(friction)) => Some((tangents, read("friction", friction)?)),
            (None, None) => None,
            (Some(_), None) => return Err(malformed("Jt", "needs friction beside it")),
            (None, Some(_)) => return Err(malformed("friction", "needs Jt beside it")),
        };

        let (joints, contacts) = (object.mass.len(), object.jacobian.len());
        columns("M", &object.mass, joints)?;
        columns("J", &object.jacobian, joints)?;
        sized(Field::new("qd"), object.qd.len(), joints)?;
        if let Some((tangents, _)) = rubbing {
            columns("Jt", tangents, joints)?;
        }
        let law = restitution.law.0;
        let e = e.each(contacts, |e| Restitution::new(law, e).map(|_| ()))?;
        let dense = |matrix: &Matrix| DMatrix::from_fn(matrix.len(), joints, |i, j| matrix[i][j].0);
        let qd = DVector::from_fn(joints, |i, _| object.qd[i].0);
        finite("qd", qd.as_slice())?;
        let (mass, normals) = (dense(&object.mass), dense(&object.jacobian));
        let mut system = Contacts::new(&mass, &normals)?;
        let rubbing = match rubbing {
            None => None,
            Some((tangents, friction)) => {
                let friction = friction.each(contacts, |mu| Friction::uniform(mu).map(|_| ()))?;
                Some((dense(tangents), friction))
            }
        };
        if let Some((tangents, friction)) = &rubbing {
            system = system.with_friction(tangents, friction)?;
        }
        Ok(Self { contacts: system, mass, normals, rubbing, qd, law, e })
    }

    /// Normal velocities after impact if the contacts are compliant, those that do
    /// not approach fastest so many times as stiff as the one that does. Of the
    /// stiffnesses no more than this ratio matters.
    pub(crate) fn comply(&self, ratio: f64) -> Result<Vec<f64>, Error> {
        const STIFFNESS: f64 = 1e9;
        let before = -(&self.normals * &self.qd);
        let count = before.len();
        let fastest = (0..count).max_by(|&i, &j| before[i].total_cmp(&before[j]));
        let mut laws = Vec::with_capacity(count);
        for (i, &e) in self.e.iter().enumerate() {
            let stiffness = if Some(i) == fastest { STIFFNESS } else { ratio * STIFFNESS };
            let mu = self.rubbing.as_ref().map_or(0.0, |(_, friction)| friction[i]);
            laws.push(Compliance::new(stiffness, e, Friction::uniform(mu)?, Model::Michalczyk)?);
        }
        let tangents = self.rubbing.as_ref().map(|(tangents, _)| tangents);
        let sliding = tangents.map_or(DVector::zeros(count), |tangents| -(tangents * &self.qd));
        let contacts = Compliant::of_bodies(&self.mass, &self.normals, tangents, laws)?;
        let after = contacts.solve(before.as_slice(), sliding.as_slice(), Accuracy::default())?;
        Ok(after.approach.iter().map(|u| -u).collect())
    }

    /// What its contacts do.
    pub(crate) fn solve(&self) -> Result<Impacts, Error> {
        self.contacts.solve(&self.qd, self.law, &self.e)
    }
}

impl Coefficients {
    /// A coefficient for each of so many contacts. One for all is checked under its
    /// own name, the others by the solver.
    fn each(
        self,
        contacts: usize,
        check: impl Fn(f64) -> Result<(), Error>,
    ) -> Result<Vec<f64>, Error> {
        match self {
            Self::One(x) => check(x).map(|()| vec![x; contacts]),
            Self::Other(list) => Ok(list.into_iter().map(|Number(x)| x).collect()),
        }
    }
}
