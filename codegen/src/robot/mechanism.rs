//! From the description of a robot to a straight-line program of its impact
//! dynamics: the contact inertia `D = J M⁻¹ Jᵀ` as a function of the joints.
//!
//! | stage | from | to |
//! |---|---|---|
//! | `markup`, `urdf` | text | one checked tree of links |
//! | `tree` | links | moving bodies, fixed joints folded |
//! | `frames` | bodies | frames and inertias that need the fewest operations |
//! | `dynamics`, `jacobian` | frames | M by composite rigid bodies, J |
//! | `response` | M and J | D and M⁻¹Jᵀ |
//! | `choice` | frames | those of the cheapest program |
//! | `definite` | programs | a check that every moving part has inertia |
//!
//! ```
//! use routh_codegen::mechanism::{Base, ContactFrame, Mechanism};
//!
//! // A hand of 1 kg that slides up and down on a carriage of 3 kg.
//! let gantry = r#"<robot name="gantry">
//!   <link name="rail"/>
//!   <link name="carriage"><inertial><mass value="3"/>
//!     <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
//!   <link name="hand"><inertial><mass value="1"/>
//!     <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
//!   <joint name="along" type="prismatic"><axis xyz="1 0 0"/>
//!     <parent link="rail"/><child link="carriage"/></joint>
//!   <joint name="down" type="prismatic"><axis xyz="0 0 -1"/>
//!     <parent link="carriage"/><child link="hand"/></joint>
//! </robot>"#;
//! let mechanism = Mechanism::from_urdf(gantry, Base::Fixed)?;
//! assert_eq!(mechanism.joint_names().collect::<Vec<_>>(), ["along", "down"]);
//!
//! let (frame, normal) = ("hand".to_owned(), [0.0, 0.0, 1.0]);
//! let contact = ContactFrame { frame, normal, tangents: vec![[1.0, 0.0, 0.0]] };
//! let program = mechanism.dynamics(&contact)?;
//! let values = program.evaluate(&[0.2, 0.1]);
//! assert_eq!(values[..3], [1.0, 0.0, 0.25]); // D_0_0, D_0_1, D_1_1
//! # Ok::<(), routh_codegen::Error>(())
//! ```

mod arithmetic;
mod choice;
mod contact;
mod definite;
mod dynamics;
mod frames;
mod jacobian;
mod markup;
mod outputs;
mod response;
mod spatial;
mod tree;
mod urdf;

use crate::Error;
use crate::program::ScalarProgram;
use choice::Choice;
use tree::Tree;

/// The mounting of the root link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// The world: its frame is the root link's.
    Fixed,
    /// Nothing: the root link moves freely.
    Floating,
}

/// The point and the directions of a robot's contact.
///
/// Directions are in world axes; they must be unit vectors at right angles to
/// within 1e-9, and are made so exactly.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactFrame {
    /// The link whose origin is the contact point.
    pub frame: String,
    /// The contact's normal.
    pub normal: [f64; 3],
    /// Its tangents: one for motion in a plane, two in space.
    pub tangents: Vec<[f64; 3]>,
}

/// A robot as a tree of moving bodies.
///
/// Joints are ordered depth first from the root, those of one link as in the
/// file (not by name, as in some other libraries): along a chain from base to tip.
/// Fixed joints do not count; the links they carry are part of the body they are fixed
/// to.
#[derive(Clone, Debug)]
pub struct Mechanism {
    tree: Tree,
}

impl Mechanism {
    /// Reads a URDF.
    ///
    /// Angles within 1e-11 of a quarter turn are taken for one.
    ///
    /// # Errors
    /// [`Error::UrdfText`], [`Error::UrdfElement`] or [`Error::Urdf`] if it cannot
    /// be read, [`Error::DuplicateName`], [`Error::UnknownLink`] or
    /// [`Error::NotATree`] if its links are no tree, [`Error::UnsupportedJoint`],
    /// [`Error::JointAxis`] or [`Error::TooManyJoints`] for joints,
    /// [`Error::UnphysicalInertia`], [`Error::Massless`] or [`Error::MasslessBase`]
    /// for bodies that cannot be.
    pub fn from_urdf(text: &str, base: Base) -> Result<Self, Error> {
        let tree = Tree::new(&urdf::Checked::read(text)?, base);
        definite::check_inertia(&tree)?;
        Ok(Self { tree })
    }

    /// The joints that move, in the order of q.
    pub fn joint_names(&self) -> impl Iterator<Item = &str> {
        self.tree.bodies.iter().map(|body| body.joint.as_str())
    }

    /// The links, any of which may be a contact's frame.
    pub fn link_names(&self) -> impl Iterator<Item = &str> {
        self.tree.links.iter().map(|link| link.name.as_str())
    }

    /// The number of position coordinates: the quaternion x, y, z, w of a floating base,
    /// then the joints.
    pub fn positions(&self) -> usize {
        dynamics::inputs(self.tree.base, self.tree.bodies.len()).len()
    }

    /// The number of velocity coordinates: a floating base's linear and angular velocity,
    /// both in the base's axes, then the joint rates.
    pub fn velocities(&self) -> usize {
        let base = if self.tree.base == Base::Floating { 6 } else { 0 };
        base + self.tree.bodies.len()
    }

    /// The dynamics of an impact at a contact, as a program of the position.
    ///
    /// Inputs are `qx`, `qy`, `qz`, `qw` for a floating base, whose length does not
    /// matter, then `q0`, `q1`, … for the joints. Outputs are, in this order,
    ///
    /// - `D_i_j`, i ≤ j: the contact inertia, normal first,
    /// - `J_i_j`: its Jacobian, a row for the normal and each tangent,
    /// - `R_j_i`: the response `M⁻¹Jᵀ`, a row for each velocity,
    /// - `M_i_j`, i ≥ j: the inertia matrix,
    /// - `tip_k`: the contact point in world axes, from the world's origin or that
    ///   of a floating base.
    ///
    /// [`select`](crate::specialise::select) drops unwanted outputs and the operations
    /// that only they need.
    ///
    /// # Errors
    /// [`Error::UnknownFrame`], [`Error::ContactDirection`], [`Error::Tangents`]
    /// for an invalid contact, [`Error::UnmovedContact`] or [`Error::SingularContact`]
    /// for a point that the robot cannot move in all directions.
    pub fn dynamics(&self, contact: &ContactFrame) -> Result<ScalarProgram, Error> {
        let directions = contact.directions()?;
        let place = self.contact_point(&contact.frame)?;
        let mut program = Choice::cheapest(&self.tree, place, &directions)?;
        program.name = format!("impact dynamics at `{}`", contact.frame);
        definite::check_contact(self, &contact.frame, &program, directions.len())?;
        Ok(program)
    }
}
