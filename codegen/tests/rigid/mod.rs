//! Rigid-body dynamics the plain way: every link's place and rates in world axes,
//! from joint to joint, and `M = Σ m Jvᵀ Jv + Jωᵀ I Jω` over the links.

use std::collections::HashMap;

use nalgebra::{DMatrix, Isometry3, Matrix3, Rotation3, Translation3, UnitQuaternion, Vector3};
use routh_codegen::program::ScalarProgram;

/// A robot as its file describes it.
pub(crate) struct Naive {
    robot: urdf_rs::Robot,
    joints: Vec<String>,
    floating: bool,
}

fn isometry(pose: &urdf_rs::Pose) -> Isometry3<f64> {
    let [r, p, y] = pose.rpy.0;
    let turn = Rotation3::from_axis_angle(&Vector3::z_axis(), y)
        * Rotation3::from_axis_angle(&Vector3::y_axis(), p)
        * Rotation3::from_axis_angle(&Vector3::x_axis(), r);
    Isometry3::from_parts(
        Translation3::from(Vector3::from(pose.xyz.0)),
        UnitQuaternion::from_rotation_matrix(&turn),
    )
}

/// A link's place and, for each velocity, its angular and linear rate (of the
/// link's origin), in world axes.
type Moving = (Isometry3<f64>, Vec<(Vector3<f64>, Vector3<f64>)>);

impl Naive {
    pub(crate) fn new(text: &str, joints: Vec<String>, floating: bool) -> Self {
        Self { robot: urdf_rs::read_from_string(text).unwrap(), joints, floating }
    }

    fn width(&self) -> usize {
        self.joints.len() + if self.floating { 6 } else { 0 }
    }

    fn links(&self, base: UnitQuaternion<f64>, q: &[f64]) -> HashMap<String, Moving> {
        let children: Vec<_> = self.robot.joints.iter().map(|j| j.child.link.clone()).collect();
        let root = self.robot.links.iter().find(|l| !children.contains(&l.name)).unwrap();
        let mut rates = vec![(Vector3::zeros(), Vector3::zeros()); self.width()];
        if self.floating {
            for i in 0..3 {
                rates[i].1 = base * Vector3::ith(i, 1.0);
                rates[3 + i].0 = base * Vector3::ith(i, 1.0);
            }
        }
        let at = Isometry3::from_parts(Translation3::identity(), base);
        let mut links = HashMap::from([(root.name.clone(), (at, rates))]);
        while links.len() < self.robot.links.len() {
            for joint in &self.robot.joints {
                if let Some(parent) = links.get(&joint.parent.link).cloned() {
                    links.insert(joint.child.link.clone(), self.child(joint, &parent, q));
                }
            }
        }
        links
    }

    fn child(&self, joint: &urdf_rs::Joint, (at, rates): &Moving, q: &[f64]) -> Moving {
        let hinge = at * isometry(&joint.origin);
        let axis = Vector3::from(joint.axis.xyz.0).normalize();
        let index = self.joints.iter().position(|name| *name == joint.name);
        let mut own = (Vector3::zeros(), Vector3::zeros());
        let place = match (&joint.joint_type, index) {
            (urdf_rs::JointType::Fixed, _) => hinge,
            (urdf_rs::JointType::Prismatic, Some(i)) => {
                own.1 = hinge.rotation * axis;
                hinge * Translation3::from(axis * q[i])
            }
            (_, Some(i)) => {
                own.0 = hinge.rotation * axis;
                hinge * UnitQuaternion::from_scaled_axis(axis * q[i])
            }
            _ => panic!("{} is not among the joints", joint.name),
        };
        let step = place.translation.vector - at.translation.vector;
        let mut rates: Vec<_> = rates.iter().map(|(w, v)| (*w, v + w.cross(&step))).collect();
        if let Some(i) = index {
            let i = i + self.width() - self.joints.len();
            rates[i] = (rates[i].0 + own.0, rates[i].1 + own.1);
        }
        (place, rates)
    }

    pub(crate) fn inertia(&self, base: UnitQuaternion<f64>, q: &[f64]) -> DMatrix<f64> {
        let links = self.links(base, q);
        let mut m = DMatrix::zeros(self.width(), self.width());
        for link in &self.robot.links {
            let (at, rates) = &links[&link.name];
            let centre = at * isometry(&link.inertial.origin);
            let i = &link.inertial.inertia;
            let central =
                Matrix3::new(i.ixx, i.ixy, i.ixz, i.ixy, i.iyy, i.iyz, i.ixz, i.iyz, i.izz);
            let turn = centre.rotation.to_rotation_matrix();
            let central = turn.matrix() * central * turn.matrix().transpose();
            let arm = centre.translation.vector - at.translation.vector;
            for (a, (wa, va)) in rates.iter().enumerate() {
                for (b, (wb, vb)) in rates.iter().enumerate() {
                    let linear = (va + wa.cross(&arm)).dot(&(vb + wb.cross(&arm)));
                    m[(a, b)] += link.inertial.mass.value * linear + wa.dot(&(central * wb));
                }
            }
        }
        m
    }

    pub(crate) fn jacobian(
        &self,
        base: UnitQuaternion<f64>,
        q: &[f64],
        frame: &str,
        directions: &[[f64; 3]],
    ) -> (DMatrix<f64>, Vector3<f64>) {
        let (at, rates) = &self.links(base, q)[frame];
        let entry = |k: usize, i: usize| Vector3::from(directions[k]).dot(&rates[i].1);
        (DMatrix::from_fn(directions.len(), self.width(), entry), at.translation.vector)
    }
}

/// What a program of the dynamics puts out.
pub(crate) struct Values {
    values: HashMap<String, f64>,
    pub(crate) velocities: usize,
    pub(crate) directions: usize,
}

impl Values {
    pub(crate) fn of(program: &ScalarProgram, inputs: &[f64]) -> Self {
        let values = program.evaluate(inputs);
        let names = program.outputs.iter().map(|(name, _)| name.clone());
        let values: HashMap<_, _> = names.zip(values).collect();
        let count = |name: &dyn Fn(usize) -> String| {
            (0..).take_while(|&i| values.contains_key(&name(i))).count()
        };
        let velocities = count(&|i| format!("M_{i}_{i}"));
        let directions = count(&|i| format!("D_{i}_{i}"));
        Self { values, velocities, directions }
    }

    fn at(&self, name: &str, i: usize, j: usize) -> f64 {
        self.values[&format!("{name}_{i}_{j}")]
    }

    pub(crate) fn d(&self) -> DMatrix<f64> {
        let n = self.directions;
        DMatrix::from_fn(n, n, |i, j| self.at("D", i.min(j), i.max(j)))
    }

    pub(crate) fn j(&self) -> DMatrix<f64> {
        DMatrix::from_fn(self.directions, self.velocities, |i, j| self.at("J", i, j))
    }

    pub(crate) fn r(&self) -> DMatrix<f64> {
        DMatrix::from_fn(self.velocities, self.directions, |i, j| self.at("R", i, j))
    }

    pub(crate) fn m(&self) -> DMatrix<f64> {
        let n = self.velocities;
        DMatrix::from_fn(n, n, |i, j| self.at("M", i.max(j), i.min(j)))
    }

    pub(crate) fn tip(&self) -> Vector3<f64> {
        Vector3::from_fn(|k, _| self.values[&format!("tip_{k}")])
    }
}

/// The largest difference beside the largest entry of what is expected.
pub(crate) fn error(found: &DMatrix<f64>, expected: &DMatrix<f64>) -> f64 {
    assert_eq!(found.shape(), expected.shape());
    (found - expected).amax() / expected.amax()
}
