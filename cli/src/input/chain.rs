//! The chains that `routh chain` is given.

use routh::chain::{Body, Chain, Link};
use routh::compliant::{Compliance, Model, hertz_stiffness};
use routh::{Error, Field};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::impact::{Coefficients, friction};
use super::{Document, Number, Rejection, Vector};
use super::{malformed, named, vector, whole};

/// A chain and what it is called.
pub(crate) struct NamedChain {
    pub(crate) name: Option<String>,
    pub(crate) chain: Chain,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChainObject<'a> {
    name: Option<String>,
    bodies: Vec<BodyObject>,
    #[serde(borrow)]
    contacts: Vec<LinkObject<'a>>,
    #[serde(default = "usual")]
    model: ModelName,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BodyObject {
    mass: Number,
    inertia: Number,
    velocity: Vector,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LinkObject<'a> {
    angle: Number,
    arms: Vec<Vector>,
    stiffness: Option<Number>,
    material: Option<Vec<MaterialObject>>,
    radii: Option<Vector>,
    restitution: Option<Number>,
    #[serde(borrow)]
    friction: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MaterialObject {
    youngs_modulus: Number,
    poisson_ratio: Number,
}

named!(ModelName, Model, "model");

fn usual() -> ModelName {
    ModelName(Model::Michalczyk)
}

impl NamedChain {
    /// The chain that a document describes.
    pub(crate) fn read(document: Document) -> Result<Self, Rejection> {
        let object: ChainObject = whole(document)?;
        let mut bodies = Vec::with_capacity(object.bodies.len());
        for (i, body) in object.bodies.iter().enumerate() {
            let field = Field::entry("bodies", i).member("velocity");
            let velocity = vector(field, &body.velocity)?;
            bodies.push(Body { mass: body.mass.0, inertia: body.inertia.0, velocity });
        }
        let links = object.contacts.iter().enumerate();
        let links = links.map(|(i, link)| link.read(i, object.model.0));
        let links = links.collect::<Result<_, _>>()?;
        Ok(Self { name: object.name, chain: Chain::new(bodies, links)? })
    }
}

/// Both of what there must be two of.
fn pair<T>(field: Field, list: &[T]) -> Result<[&T; 2], Error> {
    match list {
        [first, second] => Ok([first, second]),
        _ => Err(Error::WrongDimension { field, expected: 2, found: list.len() }),
    }
}

impl LinkObject<'_> {
    fn read(&self, i: usize, model: Model) -> Result<Link, Rejection> {
        let arms = Field::entry("contacts", i).member("arms");
        let [first, second] = pair(arms, &self.arms)?;
        let arms = [vector(arms.at(0), first)?, vector(arms.at(1), second)?];
        let given = self.friction.map_or(Ok(Coefficients::One(0.0)), friction);
        let friction = given.map_err(|rejection| rejection.of_contact(i))?.friction();
        let here = |error| Rejection::from(error).of_contact(i);
        let restitution = match (self.restitution, model) {
            (Some(Number(restitution)), _) => restitution,
            (None, Model::Elastic) => 1.0,
            (None, _) => {
                let path = format!("contacts[{i}].restitution");
                return Err(malformed(&path, "missing, and only an elastic chain needs none"));
            }
        };
        let law = Compliance::new(self.stiffness(i)?, restitution, friction.map_err(here)?, model);
        Ok(Link { angle: self.angle.0, arms, law: law.map_err(here)? })
    }

    fn stiffness(&self, i: usize) -> Result<f64, Rejection> {
        match (&self.stiffness, &self.material, &self.radii) {
            (Some(Number(stiffness)), None, None) => Ok(*stiffness),
            (None, Some(material), Some(radii)) => {
                let field = Field::entry("contacts", i);
                let [one, other] = pair(field.member("material"), material)?;
                let [first, second] = pair(field.member("radii"), radii)?;
                let modulus = [one.youngs_modulus.0, other.youngs_modulus.0];
                let ratio = [one.poisson_ratio.0, other.poisson_ratio.0];
                let stiffness = hertz_stiffness(modulus, ratio, [first.0, second.0]);
                stiffness.map_err(|error| Rejection::from(error).of_contact(i))
            }
            _ => Err(malformed(
                &format!("contacts[{i}]"),
                "give either stiffness, or material and radii",
            )),
        }
    }
}
