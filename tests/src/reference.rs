//! The 30-digit reference under `tests/data`, and how far a result is from it.

use routh::{Contact, Error, Friction, Impact, Law, Restitution};
use serde::Deserialize;

/// `impacts.json`.
#[derive(Debug, Deserialize)]
pub struct Impacts {
    /// Impacts in space.
    pub spatial: Vec<Case<3>>,
    /// Impacts in the plane.
    pub planar: Vec<Case<2>>,
}

/// One impact and its result.
#[derive(Debug, Deserialize)]
#[serde(bound = "")]
pub struct Case<const N: usize> {
    /// What it shows.
    pub name: String,
    /// Before impact.
    pub input: Input<N>,
    /// After impact.
    pub expect: Expect<N>,
    /// What it is allowed to be off by: in `adversarial.json`.
    #[serde(default)]
    pub tolerance: f64,
    /// Modes within rounding of each other, any of which will do.
    #[serde(default)]
    pub either: Vec<String>,
}

/// An impact to solve.
#[derive(Clone, Debug)]
pub struct Input<const N: usize> {
    /// Contact inertia.
    pub inertia: [[f64; N]; N],
    /// Velocity before impact.
    pub velocity: [f64; N],
    /// Friction.
    pub friction: Friction,
    /// Restitution.
    pub restitution: Restitution,
}

impl<const N: usize> Input<N> {
    /// Its numbers in one row: velocity, inertia, friction, law and coefficient.
    pub fn row(&self) -> Vec<f64> {
        let numbers = self.velocity.iter().chain(self.inertia.as_flattened()).copied();
        let friction = [self.friction.static_friction(), self.friction.kinetic()];
        let law = f64::from(self.restitution.law() as u8);
        numbers.chain(friction).chain([law, self.restitution.e()]).collect()
    }

    /// Its contact.
    ///
    /// # Panics
    /// If the inertia is none.
    pub fn contact(&self) -> Contact<N> {
        Contact::new(self.inertia).unwrap_or_else(|error| panic!("{error}\n{self:?}"))
    }
}

macro_rules! solve {
    ($($size:literal)*) => {$(
        impl Input<$size> {
            /// What the library makes of it.
            ///
            /// # Errors
            /// As [`Contact::new`] and [`Contact::solve`].
            pub fn solve(&self) -> Result<Impact<$size>, Error> {
                let contact = Contact::new(self.inertia)?;
                contact.solve(self.velocity, self.friction, self.restitution)
            }
        }
    )*};
}

solve!(2 3);

/// A reference result.
#[derive(Debug)]
pub struct Expect<const N: usize> {
    /// Velocity after impact.
    pub velocity: [f64; N],
    /// Impulse.
    pub impulse: [f64; N],
    /// Compression impulse, works and energy change.
    pub scalars: [f64; 5],
    /// How the contact point moves: in `adversarial.json`.
    pub mode: String,
    /// Event kinds and impulses.
    pub events: Vec<(String, f64)>,
}

#[derive(Deserialize)]
struct RawInput {
    #[serde(rename = "D")]
    inertia: Vec<Vec<f64>>,
    velocity: Vec<f64>,
    friction: RawFriction,
    restitution: RawRestitution,
}

#[derive(Deserialize)]
struct RawFriction {
    r#static: f64,
    kinetic: f64,
}

#[derive(Deserialize)]
struct RawRestitution {
    law: String,
    e: f64,
}

#[derive(Deserialize)]
struct RawExpect {
    velocity: Vec<f64>,
    impulse: Vec<f64>,
    compression_impulse: f64,
    normal_work: f64,
    friction_work: f64,
    energy_change: f64,
    critical_friction: f64,
    #[serde(default)]
    mode: String,
    events: Vec<RawEvent>,
}

#[derive(Deserialize)]
struct RawEvent {
    kind: String,
    impulse: f64,
}

fn array<T: Copy, const N: usize>(list: &[T]) -> Result<[T; N], String> {
    list.try_into().map_err(|_| format!("{} entries, not {N}", list.len()))
}

impl<'de, const N: usize> Deserialize<'de> for Input<N> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error as _;
        let raw = RawInput::deserialize(deserializer)?;
        let rows: Vec<[f64; N]> = raw
            .inertia
            .iter()
            .map(|row| array(row))
            .collect::<Result<_, _>>()
            .map_err(D::Error::custom)?;
        let law = Law::ALL.into_iter().find(|law| law.name() == raw.restitution.law);
        let law = law.ok_or_else(|| D::Error::custom("unknown law"))?;
        Ok(Self {
            inertia: array(&rows).map_err(D::Error::custom)?,
            velocity: array(&raw.velocity).map_err(D::Error::custom)?,
            friction: Friction::new(raw.friction.r#static, raw.friction.kinetic)
                .map_err(D::Error::custom)?,
            restitution: Restitution::new(law, raw.restitution.e).map_err(D::Error::custom)?,
        })
    }
}

impl<'de, const N: usize> Deserialize<'de> for Expect<N> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error as _;
        let raw = RawExpect::deserialize(deserializer)?;
        Ok(Self {
            velocity: array(&raw.velocity).map_err(D::Error::custom)?,
            impulse: array(&raw.impulse).map_err(D::Error::custom)?,
            scalars: [
                raw.compression_impulse,
                raw.normal_work,
                raw.friction_work,
                raw.energy_change,
                raw.critical_friction,
            ],
            mode: raw.mode,
            events: raw.events.into_iter().map(|e| (e.kind, e.impulse)).collect(),
        })
    }
}

impl Impacts {
    /// The committed reference.
    pub fn load() -> Self {
        serde_json::from_str(include_str!("../data/impacts.json")).expect("reference data")
    }

    /// Impacts at the edges of the theory and of the numbers.
    pub fn adversarial() -> Self {
        serde_json::from_str(include_str!("../data/adversarial.json")).expect("reference data")
    }
}

/// The largest magnitude in a list; NaN if one is.
pub fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, |x, v| if v.abs() <= x || x.is_nan() { x } else { v.abs() })
}

impl<const N: usize> Case<N> {
    /// Whether a result's mode is the reference's.
    pub fn has_mode_of(&self, impact: &Impact<N>) -> bool {
        let found = impact.mode.name();
        found == self.expect.mode || self.either.iter().any(|mode| mode == found)
    }
}

/// Units of an impact's figures: velocity, impulse and work.
fn scales<const N: usize>(before: &[f64; N], expect: &Expect<N>) -> [f64; 3] {
    let velocity = largest(before.iter().chain(&expect.velocity).copied());
    let impulse = largest(expect.impulse);
    let works = largest(expect.scalars[1..4].iter().copied());
    [velocity, impulse, works.max(1e-3 * velocity * impulse)]
}

/// The largest error of a result against the reference, relative to scale.
///
/// # Panics
/// If the kinds of events differ.
pub fn error<const N: usize>(case: &Case<N>, impact: &Impact<N>) -> f64 {
    let expect = &case.expect;
    let [velocity, impulse, work] = scales(&case.input.velocity, expect);
    let kinds: Vec<_> = impact.events.iter().map(|e| e.kind.name()).collect();
    let expected: Vec<_> = expect.events.iter().map(|(kind, _)| kind.as_str()).collect();
    let other = kinds != expected && case.either.iter().any(|mode| mode == impact.mode.name());
    assert!(other || kinds == expected, "{}: {kinds:?}, not {expected:?}", case.name);
    let pairs = |found: &[f64], wanted: &[f64], scale: f64| {
        largest(found.iter().zip(wanted).map(|(x, y)| (x - y) / scale))
    };
    let [compression, normal_work, friction_work, energy, critical] = expect.scalars;
    let at: Vec<_> = impact.events.iter().map(|e| e.impulse).collect();
    let wanted: Vec<_> = expect.events.iter().map(|(_, p)| *p).collect();
    let events = if other { 0.0 } else { pairs(&at, &wanted, impulse) };
    largest([
        pairs(&impact.velocity, &expect.velocity, velocity),
        pairs(&impact.impulse, &expect.impulse, impulse),
        (impact.compression_impulse - compression) / impulse,
        (impact.normal_work - normal_work) / work,
        (impact.friction_work - friction_work) / work,
        (impact.energy_change - energy) / work,
        (impact.critical_friction - critical) / critical.max(f64::MIN_POSITIVE),
        events,
    ])
}

/// The largest difference of velocities, impulses and works, relative to scale.
pub fn difference(input: &Input<3>, x: &Impact<3>, y: &Impact<3>) -> f64 {
    let velocity = largest(input.velocity.iter().chain(&x.velocity).copied());
    let impulse = largest(x.impulse);
    let work = largest([x.normal_work, x.friction_work, x.energy_change]);
    let work = work.max(1e-3 * velocity * impulse);
    let pairs =
        |x: &[f64], y: &[f64], scale| largest(x.iter().zip(y).map(|(x, y)| (x - y) / scale));
    largest([
        pairs(&x.velocity, &y.velocity, velocity),
        pairs(&x.impulse, &y.impulse, impulse),
        (x.compression_impulse - y.compression_impulse) / impulse,
        (x.normal_work - y.normal_work) / work,
        (x.friction_work - y.friction_work) / work,
        (x.energy_change - y.energy_change) / work,
    ])
}

/// `sliding.json`.
#[derive(Debug, Deserialize)]
pub struct Sliding {
    /// Sliding velocity at given impulses.
    pub trajectories: Vec<Trajectory>,
    /// What the spatial paper's Tables I and II should hold.
    pub seed_table_coefficients: SeedTable,
}

/// Coefficients in the normal impulse for the spatial paper's robot.
#[derive(Debug, Deserialize)]
pub struct SeedTable {
    /// Contact inertia.
    #[serde(rename = "D")]
    pub inertia: [[f64; 3]; 3],
    /// Friction.
    pub mu: f64,
    /// A row for each interval.
    pub rows: Vec<SeedRow>,
}

/// The coefficients at the printed start of an interval.
#[derive(Debug, Deserialize)]
pub struct SeedRow {
    /// The start.
    pub v0: [f64; 2],
    /// Those of the first tangential velocity.
    pub a: Vec<f64>,
    /// Those of the second.
    pub d: Vec<f64>,
}

/// A sliding motion and where it is at given impulses.
#[derive(Debug, Deserialize)]
pub struct Trajectory {
    /// What it shows.
    pub name: String,
    /// Contact inertia.
    #[serde(rename = "D")]
    pub inertia: [[f64; 3]; 3],
    /// Friction.
    pub mu: f64,
    /// Tangential velocity at the start.
    pub v0: [f64; 2],
    /// Normal impulses.
    pub impulse: Vec<f64>,
    /// Tangential velocities there.
    pub velocity: Vec<[f64; 2]>,
}

impl Sliding {
    /// The committed reference.
    pub fn load() -> Self {
        serde_json::from_str(include_str!("../data/sliding.json")).expect("reference data")
    }
}

/// The spatial paper's robot.
pub fn seed_robot() -> Contact<3> {
    let contact = Contact::new([
        [9.009e-3, -0.342e-3, 1.845e-3],
        [-0.342e-3, 9.307e-3, 2.26e-3],
        [1.845e-3, 2.26e-3, 3.922e-3],
    ]);
    contact.expect("positive definite")
}
