//! The contact inertia of a robot by composite rigid bodies, as one would write
//! it by hand with nalgebra: for any tree, with sizes known when it is compiled,
//! and without a heap.
//!
//! Everything is in the axes of the root, about its origin, so that composite
//! bodies are plain sums: with the motion `S_i` of joint i and the momentum
//! `F_i = I_i S_i` of all that it carries, `M_ij = S_j · F_i`. Cholesky's
//! factors of `M` give `M⁻¹ Jᵀ` and `D = J M⁻¹ Jᵀ`.

mod model;

use nalgebra::{Cholesky, Matrix3, SMatrix, UnitQuaternion, Vector3};

pub use model::ModelError;

/// How many velocities a free base has: linear, then angular, in its own axes.
const FREE: usize = 6;

/// A robot of `J` joints and `V` velocities, six more where its base is free, that
/// is struck in `C` directions.
#[derive(Clone, Debug)]
pub struct RigidBodies<const J: usize, const V: usize, const C: usize> {
    root: Body,
    joints: [Joint; J],
    contact: Contact<C>,
}

/// What a robot shows at its contact point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dynamics<const V: usize, const C: usize> {
    /// `D = J M⁻¹ Jᵀ`.
    pub inertia: SMatrix<f64, C, C>,
    /// The contact's Jacobian.
    pub jacobian: SMatrix<f64, C, V>,
    /// `M⁻¹ Jᵀ`.
    pub response: SMatrix<f64, V, C>,
}

/// A body: its mass, its centre, and its inertia about that.
#[derive(Clone, Copy, Debug, Default)]
struct Body {
    mass: f64,
    centre: Vector3<f64>,
    inertia: Matrix3<f64>,
}

/// A joint in the frame of its parent, and the body it moves.
#[derive(Clone, Copy, Debug)]
struct Joint {
    parent: Option<usize>,
    slides: bool,
    axis: Vector3<f64>,
    translation: Vector3<f64>,
    /// Rodrigues: the rotation is `along + across cos q + around sin q`.
    along: Matrix3<f64>,
    across: Matrix3<f64>,
    around: Matrix3<f64>,
    body: Body,
    moves_contact: bool,
}

#[derive(Clone, Copy, Debug)]
struct Contact<const C: usize> {
    body: Option<usize>,
    point: Vector3<f64>,
    /// A row for each direction, in world axes.
    directions: SMatrix<f64, C, 3>,
}

/// Where a body is.
#[derive(Clone, Copy)]
struct Placement {
    rotation: Matrix3<f64>,
    translation: Vector3<f64>,
}

impl Placement {
    #[inline]
    fn root() -> Self {
        Self { rotation: Matrix3::identity(), translation: Vector3::zeros() }
    }

    #[inline]
    fn point(&self, point: &Vector3<f64>) -> Vector3<f64> {
        self.rotation * point + self.translation
    }
}

/// The motion of a joint, and what it carries: mass, first moment and inertia.
#[derive(Clone, Copy, Default)]
struct Moving {
    angular: Vector3<f64>,
    linear: Vector3<f64>,
    mass: f64,
    moment: Vector3<f64>,
    inertia: Matrix3<f64>,
}

impl Moving {
    #[inline]
    fn new(body: &Body, placement: &Placement) -> Self {
        let Body { mass, centre, inertia } = body;
        let centre = placement.point(centre);
        let moment = centre * *mass;
        let turned = placement.rotation * inertia * placement.rotation.transpose();
        let shifted =
            Matrix3::from_diagonal_element(moment.dot(&centre)) - moment * centre.transpose();
        Self { mass: *mass, moment, inertia: turned + shifted, ..Self::default() }
    }

    #[inline]
    fn carry(&mut self, other: &Self) {
        self.mass += other.mass;
        self.moment += other.moment;
        self.inertia += other.inertia;
    }

    /// The momentum, linear and angular.
    #[inline]
    fn momentum(&self) -> (Vector3<f64>, Vector3<f64>) {
        let linear = self.linear * self.mass + self.angular.cross(&self.moment);
        (linear, self.inertia * self.angular + self.moment.cross(&self.linear))
    }
}

impl<const J: usize, const V: usize, const C: usize> RigidBodies<J, V, C> {
    /// Velocities before those of the joints.
    const BASE: usize = V - J;

    /// `D`, `J` and `M⁻¹ Jᵀ` where the joints are at `q` and the base is turned by
    /// `base`; none if `M` is not positive definite.
    #[inline]
    pub fn at(&self, base: &UnitQuaternion<f64>, q: &[f64; J]) -> Option<Dynamics<V, C>> {
        let (mass, jacobian) = self.mass_and_jacobian(base, q);
        let response = Cholesky::new(mass)?.solve(&jacobian.transpose());
        Some(Dynamics { inertia: jacobian * response, jacobian, response })
    }

    /// The lower triangle of `M`, and `J`.
    #[inline]
    pub fn mass_and_jacobian(
        &self,
        base: &UnitQuaternion<f64>,
        q: &[f64; J],
    ) -> (SMatrix<f64, V, V>, SMatrix<f64, C, V>) {
        let mut placements = [Placement::root(); J];
        let mut moving = [Moving::default(); J];
        for (i, joint) in self.joints.iter().enumerate() {
            let parent = joint.parent.map_or_else(Placement::root, |parent| placements[parent]);
            placements[i] = joint.place(&parent, q[i]);
            moving[i] = Moving::new(&joint.body, &placements[i]);
            let axis = parent.rotation * joint.axis;
            (moving[i].angular, moving[i].linear) = match joint.slides {
                true => (Vector3::zeros(), axis),
                false => (axis, placements[i].translation.cross(&axis)),
            };
        }
        let jacobian = self.jacobian(base, &placements, &moving);
        (self.mass(&mut moving), jacobian)
    }

    fn jacobian(
        &self,
        base: &UnitQuaternion<f64>,
        placements: &[Placement; J],
        moving: &[Moving; J],
    ) -> SMatrix<f64, C, V> {
        let Contact { body, point, directions } = &self.contact;
        let point = body.map_or(*point, |body| placements[body].point(point));
        let mut jacobian = SMatrix::<f64, C, V>::zeros();
        let mut directions = *directions;
        if Self::BASE == FREE {
            directions *= base.to_rotation_matrix().matrix();
            jacobian.fixed_view_mut::<C, 3>(0, 0).copy_from(&directions);
            let turning = directions * -point.cross_matrix();
            jacobian.fixed_view_mut::<C, 3>(0, 3).copy_from(&turning);
        }
        for (i, (joint, moving)) in self.joints.iter().zip(moving).enumerate() {
            if joint.moves_contact {
                let velocity = moving.linear + moving.angular.cross(&point);
                jacobian.set_column(Self::BASE + i, &(directions * velocity));
            }
        }
        jacobian
    }

    fn mass(&self, moving: &mut [Moving; J]) -> SMatrix<f64, V, V> {
        let mut mass = SMatrix::<f64, V, V>::zeros();
        let mut root = Moving::new(&self.root, &Placement::root());
        for i in (0..J).rev() {
            let (linear, angular) = moving[i].momentum();
            let row = Self::BASE + i;
            let mut below = Some(i);
            while let Some(j) = below {
                let motion = &moving[j];
                mass[(row, Self::BASE + j)] =
                    motion.linear.dot(&linear) + motion.angular.dot(&angular);
                below = self.joints[j].parent;
            }
            if Self::BASE == FREE {
                mass.fixed_view_mut::<1, 3>(row, 0).tr_copy_from(&linear);
                mass.fixed_view_mut::<1, 3>(row, 3).tr_copy_from(&angular);
            }
            let carried = moving[i];
            match self.joints[i].parent {
                Some(parent) => moving[parent].carry(&carried),
                None => root.carry(&carried),
            }
        }
        if Self::BASE == FREE {
            mass.fixed_view_mut::<3, 3>(0, 0).fill_diagonal(root.mass);
            mass.fixed_view_mut::<3, 3>(3, 0).copy_from(&root.moment.cross_matrix());
            mass.fixed_view_mut::<3, 3>(3, 3).copy_from(&root.inertia);
        }
        mass
    }
}

impl Joint {
    #[inline]
    fn place(&self, parent: &Placement, q: f64) -> Placement {
        if self.slides {
            let rotation = parent.rotation * self.along;
            return Placement {
                rotation,
                translation: parent.point(&(self.translation + self.axis * q)),
            };
        }
        let (sin, cos) = q.sin_cos();
        let rotation = self.along + self.across * cos + self.around * sin;
        Placement {
            rotation: parent.rotation * rotation,
            translation: parent.point(&self.translation),
        }
    }
}
