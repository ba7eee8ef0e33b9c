//! A URDF read and checked: one tree of links with joints that can be computed
//! and inertias that bodies can have.

use std::collections::HashMap;

use nalgebra::Vector3;
use urdf_rs::{Joint, JointType, Link, Robot};

use super::markup;
use super::tree::Inertia;
use crate::Error;

/// The most joints for which straight-line code is generated.
const MAX_JOINTS: usize = 64;

/// Relative tolerance for principal moments printed with few digits.
const PRINTED_INERTIA: f64 = 1e-4;

/// A description whose joints make a tree of its links.
#[derive(Debug)]
pub(super) struct Checked {
    pub(super) robot: Robot,
    /// The link that no joint carries.
    pub(super) root: usize,
    /// For each link its joints and the links they carry, as in the file.
    pub(super) children: Vec<Vec<(usize, usize)>>,
}

impl Checked {
    /// Reads and checks a description.
    pub(super) fn read(text: &str) -> Result<Self, Error> {
        let robot = urdf_rs::read_from_string(&markup::outline(text)?)
            .map_err(|error| Error::Urdf(error.to_string()))?;
        let moving = robot.joints.iter().filter(|j| j.joint_type != JointType::Fixed).count();
        if moving > MAX_JOINTS {
            return Err(Error::TooManyJoints { moving, most: MAX_JOINTS });
        }
        robot.joints.iter().try_for_each(check_joint)?;
        robot.links.iter().try_for_each(check_inertia)?;
        names("joint", robot.joints.iter().map(|joint| &joint.name))?;
        let links = names("link", robot.links.iter().map(|link| &link.name))?;
        let (root, children) = connect(&robot, &links)?;
        Ok(Self { root, children, robot })
    }
}

/// The index of each name; names must be unique.
fn names<'a>(
    kind: &'static str,
    names: impl Iterator<Item = &'a String>,
) -> Result<HashMap<&'a str, usize>, Error> {
    let mut index = HashMap::new();
    for (i, name) in names.enumerate() {
        if index.insert(name.as_str(), i).is_some() {
            return Err(Error::DuplicateName { kind, name: name.clone() });
        }
    }
    Ok(index)
}

/// Names for a message, the first few of many.
pub(super) fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    const FEW: usize = 20;
    let mut names: Vec<_> = names.map(|name| format!("`{name}`")).collect();
    if names.len() > FEW {
        let more = names.split_off(FEW).len();
        names.push(format!("{more} more"));
    }
    names.join(", ")
}

/// A tree's root, and for each link its joints and their children.
type Connections = (usize, Vec<Vec<(usize, usize)>>);

fn connect(robot: &Robot, links: &HashMap<&str, usize>) -> Result<Connections, Error> {
    let mut carrier: Vec<Option<&str>> = vec![None; robot.links.len()];
    let mut children = vec![Vec::new(); robot.links.len()];
    for (i, joint) in robot.joints.iter().enumerate() {
        let find = |link: &str| {
            links.get(link).copied().ok_or_else(|| Error::UnknownLink {
                joint: joint.name.clone(),
                link: link.to_owned(),
            })
        };
        let (parent, child) = (find(&joint.parent.link)?, find(&joint.child.link)?);
        if let Some(first) = carrier[child].replace(&joint.name) {
            let (link, second) = (&joint.child.link, &joint.name);
            return Err(Error::NotATree(format!(
                "link `{link}` is carried by both `{first}` and `{second}`"
            )));
        }
        children[parent].push((i, child));
    }
    let list = |links: Vec<usize>| listed(links.iter().map(|&link| &*robot.links[link].name));
    let roots: Vec<usize> = (0..carrier.len()).filter(|&link| carrier[link].is_none()).collect();
    let root = match roots[..] {
        [root] => root,
        [] if carrier.is_empty() => return Err(Error::NotATree("there are no links".to_owned())),
        [] => return Err(Error::NotATree("every link is carried by a joint".to_owned())),
        _ => return Err(Error::NotATree(format!("no joint carries any of {}", list(roots)))),
    };
    let mut reached = vec![false; carrier.len()];
    let mut open = vec![root];
    while let Some(link) = open.pop() {
        reached[link] = true;
        open.extend(children[link].iter().map(|&(_, child)| child));
    }
    match (0..reached.len()).filter(|&link| !reached[link]).collect::<Vec<_>>() {
        looped if looped.is_empty() => Ok((root, children)),
        looped => Err(Error::NotATree(format!("{} form a loop", list(looped)))),
    }
}

fn check_joint(joint: &Joint) -> Result<(), Error> {
    let unsupported =
        |kind: &'static str| Error::UnsupportedJoint { joint: joint.name.clone(), kind };
    match joint.joint_type {
        JointType::Fixed => return Ok(()),
        JointType::Revolute | JointType::Continuous | JointType::Prismatic => {}
        JointType::Floating => return Err(unsupported("floating")),
        JointType::Planar => return Err(unsupported("planar")),
        JointType::Spherical => return Err(unsupported("spherical")),
    }
    if joint.mimic.is_some() {
        return Err(unsupported("mimic"));
    }
    let axis = joint.axis.xyz.0;
    match Vector3::from(axis).norm() > 1e-9 {
        true => Ok(()),
        false => Err(Error::JointAxis { joint: joint.name.clone(), axis }),
    }
}

fn check_inertia(link: &Link) -> Result<(), Error> {
    let wrong = |reason: String| Err(Error::UnphysicalInertia { link: link.name.clone(), reason });
    let Inertia { mass, inertia, .. } = Inertia::central(&link.inertial);
    if mass < 0.0 {
        return wrong(format!("mass = {mass} is negative"));
    }
    if mass == 0.0 && inertia.amax() > 0.0 {
        return wrong("inertia without mass".to_owned());
    }
    let mut principal: [f64; 3] = inertia.symmetric_eigenvalues().into();
    principal.sort_by(f64::total_cmp);
    let [least, middle, largest] = principal;
    let tolerance = PRINTED_INERTIA * inertia.amax();
    if least < -tolerance {
        return wrong(format!("the principal moment {least} is negative"));
    }
    if least + middle < largest - tolerance {
        return wrong(format!(
            "of the principal moments {least}, {middle} and {largest} one exceeds the others' sum"
        ));
    }
    Ok(())
}
