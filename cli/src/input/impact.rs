//! The impacts that `routh solve` is given.

use nalgebra::{Const, DMatrix, DVector, Dyn, OMatrix};
use routh::{Contact, Error, Field, Friction, Law, Multibody, Restitution};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Document, Matrix, Number, OneOr, Rejection, Vector};
use super::{columns, finite, malformed, named, part, sized, square, vector, whole};

/// An impact in the plane or in space.
pub(crate) enum Impact {
    Planar(Collision<2>),
    Spatial(Collision<3>),
}

/// A contact and what is known of it before impact.
pub(crate) struct Collision<const N: usize> {
    pub(crate) contact: Contact<N>,
    pub(crate) velocity: [f64; N],
    pub(crate) friction: Friction,
    pub(crate) restitution: Restitution,
    /// The robot behind the contact, if it was given by one.
    pub(crate) robot: Option<Robot<N>>,
}

/// A robot with its joint velocities before impact.
pub(crate) struct Robot<const N: usize> {
    body: Multibody<N, Dyn>,
    qd: DVector<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ImpactObject<'a> {
    #[serde(rename = "D")]
    inertia: Option<Matrix>,
    velocity: Option<Vector>,
    #[serde(rename = "M")]
    mass: Option<Matrix>,
    #[serde(rename = "J")]
    jacobian: Option<Matrix>,
    qd: Option<Vector>,
    #[serde(borrow)]
    friction: &'a RawValue,
    #[serde(borrow)]
    restitution: &'a RawValue,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FrictionObject {
    r#static: Number,
    kinetic: Number,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RestitutionObject {
    law: LawName,
    e: Number,
}

named!(LawName, Law, "law");

/// What may be given of a system and its velocities.
pub(super) struct Given {
    pub(super) inertia: Option<Matrix>,
    pub(super) velocity: Option<Vector>,
    pub(super) mass: Option<Matrix>,
    pub(super) jacobian: Option<Matrix>,
    pub(super) qd: Option<Vector>,
}

/// The two ways to give contacts and their velocities.
pub(super) enum Source {
    Contact { inertia: Matrix, velocity: Vector },
    Robot { mass: Matrix, jacobian: Matrix, qd: Vector },
}

/// The two ways to give friction.
pub(super) type Coefficients = OneOr<FrictionObject>;

impl Impact {
    /// The impact that a document describes.
    pub(crate) fn read(document: Document) -> Result<Self, Rejection> {
        let object: ImpactObject = whole(document)?;
        let friction = friction(object.friction)?;
        let restitution: RestitutionObject = part("restitution", object.restitution)?;
        let ImpactObject { inertia, velocity, mass, jacobian, qd, .. } = object;
        let source = Source::of(Given { inertia, velocity, mass, jacobian, qd })?;
        match source.rows() {
            (_, 2) => Ok(Self::Planar(Collision::new(&source, &friction, &restitution)?)),
            (_, 3) => Ok(Self::Spatial(Collision::new(&source, &friction, &restitution)?)),
            (field, found) => Err(Rejection::NeitherPlanarNorSpatial { field, found }),
        }
    }
}

/// Reads the coefficients of friction.
pub(super) fn friction(value: &RawValue) -> Result<Coefficients, Rejection> {
    OneOr::read("friction", value, '{', "an object")
}

impl Coefficients {
    pub(super) fn friction(&self) -> Result<Friction, Error> {
        match self {
            Self::One(mu) => Friction::uniform(*mu),
            Self::Other(both) => Friction::new(both.r#static.0, both.kinetic.0),
        }
    }
}

impl Source {
    pub(super) fn of(all: Given) -> Result<Self, Rejection> {
        const ADVICE: &str = "give either D and velocity, or M, J and qd";
        let Given { inertia, velocity, mass, jacobian, qd } = all;
        let contact = [("D", inertia.is_some()), ("velocity", velocity.is_some())];
        let robot = [("M", mass.is_some()), ("J", jacobian.is_some()), ("qd", qd.is_some())];
        let given =
            |names: &[(&'static str, bool)]| names.iter().find(|(_, given)| *given).copied();
        if let (Some((one, _)), Some((other, _))) = (given(&contact), given(&robot)) {
            return Err(malformed(other, format_args!("cannot stand beside {one}; {ADVICE}")));
        }
        match (inertia, velocity, mass, jacobian, qd) {
            (Some(inertia), Some(velocity), ..) => Ok(Self::Contact { inertia, velocity }),
            (.., Some(mass), Some(jacobian), Some(qd)) => Ok(Self::Robot { mass, jacobian, qd }),
            _ => {
                let names = if given(&robot).is_some() { &robot[..] } else { &contact };
                let missing = names.iter().find(|(_, given)| !given).map_or("", |(name, _)| name);
                Err(malformed("", format_args!("missing field `{missing}`; {ADVICE}")))
            }
        }
    }

    /// The matrix that tells the number of dimensions, and its rows.
    fn rows(&self) -> (&'static str, usize) {
        match self {
            Self::Contact { inertia, .. } => ("D", inertia.len()),
            Self::Robot { jacobian, .. } => ("J", jacobian.len()),
        }
    }
}

impl<const N: usize> Collision<N> {
    fn new(
        source: &Source,
        friction: &Coefficients,
        restitution: &RestitutionObject,
    ) -> Result<Self, Error> {
        let (contact, velocity, robot) = match source {
            Source::Contact { inertia, velocity } => {
                let inertia = square("D", inertia)?;
                let velocity = vector(Field::new("velocity"), velocity)?;
                (Contact::new(inertia)?, velocity, None)
            }
            Source::Robot { mass, jacobian, qd } => {
                let robot = Robot::new(mass, jacobian, qd)?;
                let velocity = robot.body.contact_velocity(&robot.qd);
                (*robot.body.contact(), velocity, Some(robot))
            }
        };
        let friction = friction.friction()?;
        let restitution = Restitution::new(restitution.law.0, restitution.e.0)?;
        finite("velocity", &velocity)?;
        Ok(Self { contact, velocity, friction, restitution, robot })
    }
}

impl Collision<3> {
    /// The collision without its robot.
    pub(crate) fn bare(&self) -> routh::Collision {
        let Self { contact, velocity, friction, restitution, .. } = *self;
        routh::Collision { contact, velocity, friction, restitution }
    }
}

impl<const N: usize> Robot<N> {
    fn new(mass: &Matrix, jacobian: &Matrix, qd: &Vector) -> Result<Self, Error> {
        let joints = mass.len();
        columns("M", mass, joints)?;
        columns("J", jacobian, joints)?;
        sized(Field::new("qd"), qd.len(), joints)?;
        let mass = DMatrix::from_fn(joints, joints, |i, j| mass[i][j].0);
        let jacobian = OMatrix::from_fn_generic(Const::<N>, Dyn(joints), |i, j| jacobian[i][j].0);
        let qd = DVector::from_fn(joints, |i, _| qd[i].0);
        finite("qd", qd.as_slice())?;
        Ok(Self { body: Multibody::new(&mass, &jacobian)?, qd })
    }

    /// The joint velocities after an impact.
    pub(crate) fn velocity_after(&self, impact: &routh::Impact<N>) -> Result<Vec<f64>, Error> {
        let qd = self.body.velocity_after(&self.qd, impact);
        finite("qd", qd.as_slice())?;
        Ok(qd.as_slice().to_vec())
    }
}
