//! Force laws of a compliant contact: Hertz's, with the losses of restitution.

use crate::contact::Friction;
use crate::elementary::sqrt;
use crate::error::{Error, Field, finite};

/// How a normal force `k ξ^(3/2)` is changed so that energy is lost. `R` is the
/// coefficient of restitution, `u₀` the speed at which the contact closed.
///
/// ```
/// use routh::compliant::Model;
/// assert_eq!(Model::HuntCrossley.damping(0.5), Some(0.75));
/// assert_eq!(Model::Michalczyk.damping(0.5), None); // its force is not damped
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// `R²` of it while the bodies part: `R` is exactly the energetic restitution.
    Michalczyk,
    /// `1 + 8 (1 − R) u / 5 R u₀` of it.
    Flores,
    /// `1 + 3 (1 − R) u / 2 u₀` of it.
    HuntCrossley,
    /// `1 + 3 (1 − R²) u / 4 u₀` of it.
    LankaraniNikravesh,
    /// All of it; `R` is ignored.
    Elastic,
}

impl Model {
    /// All models.
    pub const ALL: [Self; 5] = [
        Self::Michalczyk,
        Self::Flores,
        Self::HuntCrossley,
        Self::LankaraniNikravesh,
        Self::Elastic,
    ];

    /// The model's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Michalczyk => "michalczyk",
            Self::Flores => "flores",
            Self::HuntCrossley => "hunt_crossley",
            Self::LankaraniNikravesh => "lankarani_nikravesh",
            Self::Elastic => "elastic",
        }
    }

    /// `λ u₀` of the factor `1 + λ u`, for the models that have one.
    pub fn damping(self, restitution: f64) -> Option<f64> {
        let r = restitution;
        match self {
            Self::Michalczyk | Self::Elastic => None,
            Self::Flores => Some(8.0 * (1.0 - r) / (5.0 * r)),
            Self::HuntCrossley => Some(1.5 * (1.0 - r)),
            Self::LankaraniNikravesh => Some(0.75 * (1.0 - r * r)),
        }
    }
}

/// The parameters of one contact: stiffness, restitution and friction.
///
/// ```
/// use routh::Friction;
/// use routh::compliant::{Compliance, Model};
/// let steel = Compliance::new(2.4e10, 0.8, Friction::uniform(0.3)?, Model::Michalczyk)?;
/// assert_eq!(steel.restitution(), 0.8);
/// assert!(Compliance::new(2.4e10, 0.0, Friction::uniform(0.3)?, Model::Flores).is_err());
/// # Ok::<(), routh::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compliance {
    stiffness: f64,
    restitution: f64,
    friction: Friction,
    model: Model,
}

impl Compliance {
    /// A contact from its stiffness `k` in N/m^(3/2) and its restitution.
    ///
    /// # Errors
    /// [`Error::NotPositive`], [`Error::RestitutionOutOfRange`] (with
    /// [`Model::Flores`] also for 0), [`Error::NotFinite`].
    pub fn new(
        stiffness: f64,
        restitution: f64,
        friction: Friction,
        model: Model,
    ) -> Result<Self, Error> {
        let stiffness = positive(Field::new("stiffness"), stiffness)?;
        let field = Field::new("restitution");
        let value = finite(field, restitution)?;
        if !(0.0..=1.0).contains(&value) || model == Model::Flores && value == 0.0 {
            return Err(Error::RestitutionOutOfRange { field, value });
        }
        Ok(Self { stiffness, restitution, friction, model })
    }

    /// The stiffness `k`.
    pub fn stiffness(&self) -> f64 {
        self.stiffness
    }

    /// The coefficient of restitution.
    pub fn restitution(&self) -> f64 {
        self.restitution
    }

    /// The friction.
    pub fn friction(&self) -> Friction {
        self.friction
    }

    /// The model of the force.
    pub fn model(&self) -> Model {
        self.model
    }
}

/// Checks that a value is finite and above zero.
pub(crate) fn positive(field: Field, value: f64) -> Result<f64, Error> {
    let value = finite(field, value)?;
    if value > 0.0 { Ok(value) } else { Err(Error::NotPositive { field, value }) }
}

/// Hertz's stiffness of two bodies with Young's moduli, Poisson's ratios and local
/// radii (the chain paper's Eq. 16, with its denominator corrected):
/// `k = 4/3 E* √R`, `1/E* = (1 − ν₁²)/E₁ + (1 − ν₂²)/E₂`, `1/R = 1/R₁ + 1/R₂`.
///
/// ```
/// use routh::compliant::hertz_stiffness;
/// let k = hertz_stiffness([2.05e11; 2], [0.3; 2], [0.05; 2])?;
/// assert!((k / 23746041037.894424 - 1.0).abs() < 1e-14);
/// # Ok::<(), routh::Error>(())
/// ```
///
/// # Errors
/// [`Error::NotPositive`] for a modulus or a radius, [`Error::AccuracyOutOfRange`]
/// for a ratio outside −1 to 0.5.
pub fn hertz_stiffness(modulus: [f64; 2], ratio: [f64; 2], radius: [f64; 2]) -> Result<f64, Error> {
    let (mut softness, mut curvature) = (0.0, 0.0);
    for i in 0..2 {
        let material = Field::entry("material", i);
        let young = positive(material.member("youngs_modulus"), modulus[i])?;
        let (field, value) = (material.member("poisson_ratio"), ratio[i]);
        let (least, most) = (-1.0, 0.5);
        if !(least..=most).contains(&finite(field, value)?) {
            return Err(Error::AccuracyOutOfRange { field, value, least, most });
        }
        softness += (1.0 - value * value) / young;
        curvature += 1.0 / positive(Field::entry("radii", i), radius[i])?;
    }
    positive(Field::new("stiffness"), 4.0 / (3.0 * softness * sqrt(curvature)))
}
