//! A robot from its URDF: joints depth first from the root, those of one link as
//! in the file; links that are fixed to each other are one body.

use nalgebra::{Isometry3, Matrix3, SMatrix, Translation3, UnitQuaternion, Vector3};
use urdf_rs::{Inertial, JointType, Pose, UrdfError};

use super::{Body, Contact, FREE, Joint, RigidBodies};

/// Why a robot cannot be made of a URDF.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// It is not a URDF.
    #[error("the robot cannot be read: {0}")]
    Unreadable(#[from] UrdfError),
    /// Its links are no tree.
    #[error("not one link but {0} is without a parent")]
    Roots(usize),
    /// A joint is neither fixed, revolute nor prismatic.
    #[error("joint `{0}` moves in a way that is not known")]
    Joint(String),
    /// It has another number of joints than it is taken for.
    #[error("the robot has {joints} joints, which {velocities} velocities do not suit")]
    Size {
        /// Its joints.
        joints: usize,
        /// The velocities asked for.
        velocities: usize,
    },
    /// There is no such link.
    #[error("there is no link `{0}` to be struck")]
    Contact(String),
}

/// A robot as far as it has been read.
struct Reader<'a> {
    robot: &'a urdf_rs::Robot,
    root: Body,
    joints: Vec<Joint>,
    struck: &'a str,
    contact: Option<(Option<usize>, Vector3<f64>)>,
}

impl<const J: usize, const V: usize, const C: usize> RigidBodies<J, V, C> {
    /// A robot from a URDF, struck at the origin of a link in the given directions
    /// of the world.
    ///
    /// # Errors
    /// [`ModelError`].
    pub fn from_urdf(
        text: &str,
        struck: &str,
        directions: [[f64; 3]; C],
    ) -> Result<Self, ModelError> {
        let robot = urdf_rs::read_from_string(text)?;
        let mut reader = Reader {
            robot: &robot,
            root: Body::default(),
            joints: Vec::new(),
            struck,
            contact: None,
        };
        let is_child = |link: &str| robot.joints.iter().any(|joint| joint.child.link == link);
        let roots: Vec<_> = robot.links.iter().filter(|link| !is_child(&link.name)).collect();
        let [root] = roots[..] else { return Err(ModelError::Roots(roots.len())) };
        reader.read(&root.name, None, Isometry3::identity())?;
        let Reader { root, mut joints, contact, .. } = reader;
        let (body, point) = contact.ok_or_else(|| ModelError::Contact(struck.to_owned()))?;
        let mut moved = body;
        while let Some(joint) = moved {
            joints[joint].moves_contact = true;
            moved = joints[joint].parent;
        }
        let size = ModelError::Size { joints: joints.len(), velocities: V };
        let suited = V == J || V == J + FREE;
        let joints = joints.try_into().ok().filter(|_| suited).ok_or(size)?;
        let directions = SMatrix::from_fn(|row, column| directions[row][column]);
        Ok(Self { root, joints, contact: Contact { body, point, directions } })
    }
}

impl Reader<'_> {
    /// Reads a link, which lies so in its body, and all that it carries.
    fn read(
        &mut self,
        link: &str,
        body: Option<usize>,
        place: Isometry3<f64>,
    ) -> Result<(), ModelError> {
        if link == self.struck {
            self.contact = Some((body, place.translation.vector));
        }
        for found in self.robot.links.iter().filter(|found| found.name == link) {
            let part = Body::of(&found.inertial, &place);
            let whole = body.map_or(&mut self.root, |body| &mut self.joints[body].body);
            *whole = whole.joined(&part);
        }
        for joint in self.robot.joints.iter().filter(|joint| joint.parent.link == link) {
            let place = place * pose(&joint.origin);
            let slides = match joint.joint_type {
                JointType::Fixed => {
                    self.read(&joint.child.link, body, place)?;
                    continue;
                }
                JointType::Revolute | JointType::Continuous => false,
                JointType::Prismatic => true,
                _ => return Err(ModelError::Joint(joint.name.clone())),
            };
            self.joints.push(Joint::new(body, slides, &place, Vector3::from(*joint.axis.xyz)));
            let moved = self.joints.len() - 1;
            self.read(&joint.child.link, Some(moved), Isometry3::identity())?;
        }
        Ok(())
    }
}

impl Joint {
    fn new(
        parent: Option<usize>,
        slides: bool,
        place: &Isometry3<f64>,
        axis: Vector3<f64>,
    ) -> Self {
        let axis = axis.normalize();
        let rotation = place.rotation.to_rotation_matrix().into_inner();
        let along = axis * axis.transpose();
        let (along, across, around) = match slides {
            true => (Matrix3::identity(), Matrix3::zeros(), Matrix3::zeros()),
            false => (along, Matrix3::identity() - along, axis.cross_matrix()),
        };
        Self {
            parent,
            slides,
            axis: rotation * axis,
            translation: place.translation.vector,
            along: rotation * along,
            across: rotation * across,
            around: rotation * around,
            body: Body::default(),
            moves_contact: false,
        }
    }
}

impl Body {
    fn of(inertial: &Inertial, place: &Isometry3<f64>) -> Self {
        let place = place * pose(&inertial.origin);
        let turn = place.rotation.to_rotation_matrix().into_inner();
        let i = &inertial.inertia;
        let inertia = Matrix3::new(i.ixx, i.ixy, i.ixz, i.ixy, i.iyy, i.iyz, i.ixz, i.iyz, i.izz);
        Self {
            mass: inertial.mass.value,
            centre: place.translation.vector,
            inertia: turn * inertia * turn.transpose(),
        }
    }

    /// Both bodies as one.
    fn joined(&self, other: &Self) -> Self {
        let mass = self.mass + other.mass;
        if mass == 0.0 {
            return Self { inertia: self.inertia + other.inertia, ..*self };
        }
        let centre = (self.centre * self.mass + other.centre * other.mass) / mass;
        let about = |body: &Self| {
            let arm = body.centre - centre;
            let square = Matrix3::from_diagonal_element(arm.norm_squared()) - arm * arm.transpose();
            body.inertia + square * body.mass
        };
        Self { mass, centre, inertia: about(self) + about(other) }
    }
}

fn pose(pose: &Pose) -> Isometry3<f64> {
    let [roll, pitch, yaw] = *pose.rpy;
    let rotation = UnitQuaternion::from_euler_angles(roll, pitch, yaw);
    Isometry3::from_parts(Translation3::from(Vector3::from(*pose.xyz)), rotation)
}
