//! The bodies that move, each with everything that is fixed to it.
//!
//! A body's frame has its origin and its z axis on the joint that carries it.

use libm::sincos;
use nalgebra::{Matrix3, Vector3};
use urdf_rs::{Inertial, Joint, JointType, Pose};

use super::Base;
use super::urdf::Checked;

/// Entries below this ratio to their neighbours count as zero.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// An angle this near to a quarter turn counts as one.
const PRINTED_ANGLE: f64 = 1e-11;

/// The nearest multiple of `unit`, if `x` is within `tolerance` of it.
pub(super) fn snapped(x: f64, unit: f64, tolerance: f64) -> f64 {
    let near = (x / unit).round() * unit;
    if (x - near).abs() <= tolerance { near + 0.0 } else { x }
}

/// `x` with entries set to zero that are rounding errors relative to `scale`.
pub(super) fn cleared<const R: usize, const C: usize>(
    x: nalgebra::SMatrix<f64, R, C>,
    scale: f64,
) -> nalgebra::SMatrix<f64, R, C> {
    x.map(|entry| if entry.abs() <= ROUNDING * scale { 0.0 } else { entry })
}

/// A rotation, exact where it only permutes axes.
fn tidy(rotation: Matrix3<f64>) -> Matrix3<f64> {
    rotation.map(|entry| snapped(entry, 1.0, ROUNDING))
}

/// A frame in another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) rotation: Matrix3<f64>,
    pub(super) translation: Vector3<f64>,
}

impl Frame {
    pub(super) fn turned(rotation: Matrix3<f64>) -> Self {
        Self { rotation: tidy(rotation), translation: Vector3::zeros() }
    }

    /// The frame of a URDF's `origin`.
    fn of(pose: &Pose) -> Self {
        let quarter = std::f64::consts::FRAC_PI_2;
        let [roll, pitch, yaw] = pose.rpy.0.map(|angle| snapped(angle, quarter, PRINTED_ANGLE));
        Self {
            rotation: tidy(about(2, yaw) * about(1, pitch) * about(0, roll)),
            translation: Vector3::from(pose.xyz.0),
        }
    }

    /// A frame given in this one, seen from outside.
    fn then(&self, inner: &Frame) -> Self {
        let scale = inner.translation.amax();
        let offset = cleared(self.rotation * inner.translation, scale);
        let sum = self.translation + offset;
        Self {
            rotation: tidy(self.rotation * inner.rotation),
            translation: cleared(sum, scale.max(self.translation.amax())),
        }
    }
}

/// The turn by an angle about a coordinate axis, the same on every machine.
pub(super) fn about(axis: usize, angle: f64) -> Matrix3<f64> {
    let (sin, cos) = sincos(angle);
    let [next, last] = [(axis + 1) % 3, (axis + 2) % 3];
    let mut turn = Matrix3::identity();
    (turn[(next, next)], turn[(next, last)]) = (cos, -sin);
    (turn[(last, next)], turn[(last, last)]) = (sin, cos);
    turn
}

/// Mass, first moment and inertia of a body about the origin of its frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inertia {
    pub(super) mass: f64,
    pub(super) moment: Vector3<f64>,
    pub(super) inertia: Matrix3<f64>,
}

impl Inertia {
    pub(super) const ZERO: Self = Self {
        mass: 0.0,
        moment: Vector3::new(0.0, 0.0, 0.0),
        inertia: Matrix3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    };

    /// A link's inertia about its centre of mass.
    pub(super) fn central(inertial: &Inertial) -> Self {
        let i = &inertial.inertia;
        let inertia = Matrix3::new(i.ixx, i.ixy, i.ixz, i.ixy, i.iyy, i.iyz, i.ixz, i.iyz, i.izz);
        Self { mass: inertial.mass.value, moment: Vector3::zeros(), inertia }
    }

    fn of(inertial: &Inertial) -> Self {
        Self::central(inertial).seen_from(&Frame::of(&inertial.origin))
    }

    /// The inertia about the frame in which this one's frame is `frame`.
    pub(super) fn seen_from(&self, frame: &Frame) -> Self {
        let Frame { rotation, translation: t } = frame;
        let turned = rotation * self.moment;
        let moment = turned + self.mass * t;
        let coupling = t * turned.transpose() + moment * t.transpose();
        let inertia = rotation * self.inertia * rotation.transpose()
            + Matrix3::from_diagonal_element(coupling.trace())
            - coupling;
        Self {
            mass: self.mass,
            moment: cleared(moment, self.moment.amax().max(self.mass * t.amax())),
            inertia: cleared((inertia + inertia.transpose()) / 2.0, inertia.amax()),
        }
    }

    pub(super) fn plus(&self, other: &Self) -> Self {
        Self {
            mass: self.mass + other.mass,
            moment: self.moment + other.moment,
            inertia: self.inertia + other.inertia,
        }
    }
}

/// How a joint moves along its z axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Motion {
    Revolute,
    Prismatic,
}

/// A body and the joint that carries it.
#[derive(Clone, Debug)]
pub(super) struct Body {
    pub(super) joint: String,
    pub(super) link: String,
    /// The carrying body, or the root.
    pub(super) parent: Option<usize>,
    pub(super) motion: Motion,
    /// The joint's frame in the parent's.
    pub(super) placement: Frame,
    pub(super) inertia: Inertia,
}

/// A link's frame: the body it belongs to, `None` for the root, and where on it.
#[derive(Clone, Debug)]
pub(super) struct LinkFrame {
    pub(super) name: String,
    pub(super) body: Option<usize>,
    pub(super) frame: Frame,
}

/// The bodies, parents before children, and the frames of all links.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub(super) base: Base,
    pub(super) root: Inertia,
    pub(super) bodies: Vec<Body>,
    pub(super) links: Vec<LinkFrame>,
}

impl Tree {
    /// Walks the links depth first, joints in the order of the file.
    pub(super) fn new(checked: &Checked, base: Base) -> Self {
        let mut tree = Self { base, root: Inertia::ZERO, bodies: Vec::new(), links: Vec::new() };
        let origin = Frame::turned(Matrix3::identity());
        let mut open = vec![(checked.root, None, None, origin)];
        while let Some((link, joint, body, frame)) = open.pop() {
            let urdf = &checked.robot.links[link];
            let (body, frame) = match joint {
                Some(joint) => tree.attach(&checked.robot.joints[joint], body, &frame),
                None => (body, frame),
            };
            let inertia = Inertia::of(&urdf.inertial).seen_from(&frame);
            let carrier = match body {
                Some(body) => &mut tree.bodies[body].inertia,
                None => &mut tree.root,
            };
            *carrier = carrier.plus(&inertia);
            tree.links.push(LinkFrame { name: urdf.name.clone(), body, frame });
            let children = checked.children[link].iter().rev();
            open.extend(children.map(|&(joint, child)| (child, Some(joint), body, frame)));
        }
        tree
    }

    /// The body of a joint's child and the child's frame on it, given those of
    /// the parent.
    fn attach(
        &mut self,
        joint: &Joint,
        body: Option<usize>,
        frame: &Frame,
    ) -> (Option<usize>, Frame) {
        let at = frame.then(&Frame::of(&joint.origin));
        let motion = match joint.joint_type {
            JointType::Revolute | JointType::Continuous => Motion::Revolute,
            JointType::Prismatic => Motion::Prismatic,
            _ => return (body, at),
        };
        let upright = Frame::turned(upright(Vector3::from(joint.axis.xyz.0)));
        self.bodies.push(Body {
            joint: joint.name.clone(),
            link: joint.child.link.clone(),
            parent: body,
            motion,
            placement: at.then(&upright),
            inertia: Inertia::ZERO,
        });
        (Some(self.bodies.len() - 1), Frame::turned(upright.rotation.transpose()))
    }

    /// The bodies from `body` to the root.
    pub(super) fn path(&self, body: Option<usize>) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(body, |&body| self.bodies[body].parent)
    }
}

/// A rotation that takes z to the direction of `axis`.
fn upright(axis: Vector3<f64>) -> Matrix3<f64> {
    let z = axis.normalize();
    let x = Vector3::ith(z.iamin(), 1.0).cross(&z).normalize();
    Matrix3::from_columns(&[x, z.cross(&x), z])
}
