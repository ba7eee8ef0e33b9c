//! Reference chains under `tests/data`.

use routh::Friction;
use routh::chain::{Body, Chain, Link};
use routh::compliant::{Compliance, Model};
use serde::Deserialize;

/// `chains.json`.
#[derive(Debug, Deserialize)]
pub struct Chains {
    /// The chains.
    pub cases: Vec<ChainCase>,
}

/// One chain and its impact.
#[derive(Debug, Deserialize)]
pub struct ChainCase {
    /// What it shows.
    pub name: String,
    /// Before impact.
    pub chain: ChainInput,
    /// Velocities after impact.
    pub velocities: Vec<[f64; 3]>,
    /// What the contacts went through.
    pub contacts: Vec<TouchExpected>,
    /// From first touch to last.
    pub duration: Option<f64>,
    /// How closely all of this is known.
    pub accuracy: f64,
}

/// A chain as it is written in inputs.
#[derive(Debug, Deserialize)]
pub struct ChainInput {
    bodies: Vec<BodyInput>,
    contacts: Vec<LinkInput>,
    model: String,
}

#[derive(Debug, Deserialize)]
struct BodyInput {
    mass: f64,
    inertia: f64,
    velocity: [f64; 3],
}

#[derive(Debug, Deserialize)]
struct LinkInput {
    angle: f64,
    arms: [[f64; 2]; 2],
    stiffness: f64,
    #[serde(default = "one")]
    restitution: f64,
    #[serde(default)]
    friction: FrictionInput,
}

fn one() -> f64 {
    1.0
}

impl Default for FrictionInput {
    fn default() -> Self {
        Self::Uniform(0.0)
    }
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum FrictionInput {
    Uniform(f64),
    Separate { r#static: f64, kinetic: f64 },
}

/// What a contact went through.
#[derive(Debug, Deserialize)]
pub struct TouchExpected {
    /// The largest force.
    pub peak_force: f64,
    /// Normal and tangential impulse.
    pub impulse: [f64; 2],
    /// How long it was indented.
    pub duration: Option<f64>,
    /// How it slid.
    pub scenario: String,
}

impl Chains {
    /// Reads the committed copy.
    pub fn load() -> Self {
        serde_json::from_str(include_str!("../data/chains.json")).unwrap()
    }
}

impl ChainInput {
    /// The chain.
    pub fn chain(&self) -> Chain {
        let model = Model::ALL.into_iter().find(|model| model.name() == self.model).unwrap();
        let bodies = self.bodies.iter().map(|body| Body {
            mass: body.mass,
            inertia: body.inertia,
            velocity: body.velocity,
        });
        let links = self.contacts.iter().map(|link| {
            let friction = match link.friction {
                FrictionInput::Uniform(mu) => Friction::uniform(mu),
                FrictionInput::Separate { r#static, kinetic } => Friction::new(r#static, kinetic),
            };
            let (k, r) = (link.stiffness, link.restitution);
            let law = Compliance::new(k, r, friction.unwrap(), model).unwrap();
            Link { angle: link.angle, arms: link.arms, law }
        });
        Chain::new(bodies.collect(), links.collect()).unwrap()
    }

    /// The largest velocity before impact, angular ones times the largest arm.
    pub fn speed(&self) -> f64 {
        let linear = self.bodies.iter().flat_map(|body| &body.velocity[..2]);
        let turns = self.bodies.iter().map(|body| body.velocity[2].abs());
        let linear = linear.fold(0.0, |most: f64, v| most.max(v.abs()));
        linear.max(self.longest_arm() * turns.fold(0.0, f64::max))
    }

    /// The largest component of an arm.
    pub fn longest_arm(&self) -> f64 {
        let arms = self.contacts.iter().flat_map(|link| link.arms).flatten();
        arms.fold(0.0, |most: f64, x| most.max(x.abs()))
    }
}
