//! A robot file: TOML, as `routh generate` and build scripts read it.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Deserialize;

use super::mechanism::{Base, ContactFrame};
use super::{Kernel, Kind, Robot, Runtime, Source, source};
use crate::derivations::Law;
use crate::{Error, Precision};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RobotFile {
    name: String,
    contact: Option<ContactTable>,
    robot: Option<RobotTable>,
    friction: Option<FrictionTable>,
    restitution: Option<RestitutionTable>,
    kernel: Option<KernelTable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ContactTable {
    #[serde(rename = "D")]
    inertia: Option<Vec<Vec<f64>>>,
    #[serde(rename = "M")]
    mass: Option<Vec<Vec<f64>>>,
    #[serde(rename = "J")]
    jacobian: Option<Vec<Vec<f64>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RobotTable {
    urdf: String,
    contact_frame: String,
    normal: [f64; 3],
    tangents: Vec<[f64; 3]>,
    #[serde(default)]
    floating_base: bool,
}

/// Both coefficients, or one number for both.
#[derive(Deserialize)]
#[serde(untagged, expecting = "a number, or a table with static and kinetic")]
enum FrictionTable {
    Both(f64),
    Each(Coefficients),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Coefficients {
    r#static: f64,
    kinetic: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RestitutionTable {
    law: LawName,
    e: f64,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum LawName {
    Newton,
    Poisson,
    Energetic,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KernelTable {
    #[serde(default)]
    kind: KindName,
    tolerance: Option<f64>,
    #[serde(default)]
    runtime: Vec<RuntimeName>,
    #[serde(default)]
    precision: PrecisionName,
    #[serde(default)]
    derivatives: bool,
    #[serde(default)]
    pieces: bool,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum KindName {
    #[default]
    Series,
    Flow,
}

#[derive(Clone, Copy, Deserialize)]
enum RuntimeName {
    D,
    #[serde(rename = "friction")]
    Friction,
    #[serde(rename = "restitution")]
    Restitution,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum PrecisionName {
    #[default]
    F64,
    F32,
}

pub(super) fn read(path: &Path) -> Result<Robot, Error> {
    let mut robot = parse(&source::read(path)?, path)?;
    robot.inputs.insert(0, path.to_owned());
    Ok(robot)
}

/// A robot from the text of a file; its URDF is looked for in the same folder.
pub(super) fn parse(text: &str, path: &Path) -> Result<Robot, Error> {
    let file: RobotFile = toml::from_str(text)
        .map_err(|e| Error::RobotFile { path: path.to_owned(), reason: e.to_string() })?;
    let mut robot = match (file.contact, file.robot) {
        (Some(contact), None) => Robot::new(&file.name, contact.source()?),
        (None, Some(model)) => {
            let urdf = path.parent().unwrap_or(Path::new("")).join(&model.urdf);
            let base = if model.floating_base { Base::Floating } else { Base::Fixed };
            let contact = ContactFrame {
                frame: model.contact_frame,
                normal: model.normal,
                tangents: model.tangents,
            };
            Robot::from_urdf(&file.name, urdf, contact, base)?
        }
        (Some(_), Some(_)) => return Err(either("[contact] and [robot]")),
        (None, None) => return Err(either("neither [contact] nor [robot]")),
    };
    if let Some(kernel) = file.kernel {
        robot.kernel = kernel.into();
    }
    match file.friction {
        Some(FrictionTable::Both(mu)) => robot.friction = [mu; 2],
        Some(FrictionTable::Each(Coefficients { r#static, kinetic })) => {
            robot.friction = [r#static, kinetic];
        }
        None => robot.needs(Runtime::Friction)?,
    }
    match file.restitution {
        Some(RestitutionTable { law, e }) => (robot.law, robot.e) = (law.into(), e),
        None => robot.needs(Runtime::Restitution)?,
    }
    Ok(robot)
}

fn either(found: &str) -> Error {
    Error::Specification {
        field: "contact".to_owned(),
        value: found.to_owned(),
        reason: "a robot is given by [contact], with D or with M and J, or by [robot]".to_owned(),
    }
}

impl Robot {
    /// Checks that a quantity missing from the file is an argument.
    fn needs(&self, constant: Runtime) -> Result<(), Error> {
        if self.kernel.runtime.contains(&constant) {
            return Ok(());
        }
        Err(Error::Specification {
            field: constant.name().to_owned(),
            value: "nothing".to_owned(),
            reason: format!("give [{0}], or list \"{0}\" in kernel.runtime", constant.name()),
        })
    }
}

impl ContactTable {
    fn source(self) -> Result<Source, Error> {
        match (self.inertia, self.mass, self.jacobian) {
            (Some(inertia), None, None) => Ok(Source::Inertia(inertia)),
            (None, Some(mass), Some(jacobian)) => Ok(Source::Masses { mass, jacobian }),
            _ => Err(either("[contact] with neither D alone nor both M and J")),
        }
    }
}

impl From<LawName> for Law {
    fn from(name: LawName) -> Self {
        match name {
            LawName::Newton => Self::Newton,
            LawName::Poisson => Self::Poisson,
            LawName::Energetic => Self::Energetic,
        }
    }
}

impl From<KernelTable> for Kernel {
    fn from(table: KernelTable) -> Self {
        let arguments = table.runtime.iter().map(|name| match name {
            RuntimeName::D => Runtime::Inertia,
            RuntimeName::Friction => Runtime::Friction,
            RuntimeName::Restitution => Runtime::Restitution,
        });
        Self {
            kind: match table.kind {
                KindName::Series => Kind::Series,
                KindName::Flow => Kind::Flow,
            },
            tolerance: table.tolerance,
            runtime: arguments.collect::<BTreeSet<_>>(),
            precision: match table.precision {
                PrecisionName::F64 => Precision::F64,
                PrecisionName::F32 => Precision::F32,
            },
            derivatives: table.derivatives,
            pieces: table.pieces,
        }
    }
}
