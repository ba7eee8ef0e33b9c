//! Inertia matrix and contact Jacobian, written out for one robot.
//!
//! Composite bodies are gathered from the tips to the root, each in the frame of
//! its own joint; the momentum of composite i, moved by joint i alone, is carried
//! to the joints below and there read off as `M_ij`.

use std::f64::consts::FRAC_PI_2;

use nalgebra::Vector3;

use super::Base;
use super::arithmetic::{Arithmetic, Term};
use super::frames::{Frames, Segment};
use super::spatial::{Composite, Force, Placement, Symmetric, Turn, Vector};
use super::tree::{Inertia, Motion};
use crate::program::Function;

/// Degrees of freedom and coordinates of a free base.
pub(super) const FREE: usize = 6;
const QUATERNION: usize = 4;

/// The inertia matrix, its lower triangle alone, and the rows of the Jacobian.
pub(super) struct Dynamics {
    pub(super) arithmetic: Arithmetic,
    pub(super) inertia: Vec<Vec<Term>>,
    pub(super) jacobian: Vec<Vec<Term>>,
    pub(super) tip: Option<Vector>,
}

/// Names of the inputs.
pub(super) fn inputs(base: Base, joints: usize) -> Vec<String> {
    let quaternion = match base {
        Base::Fixed => &[][..],
        Base::Floating => &["qx", "qy", "qz", "qw"],
    };
    let joints = (0..joints).map(|i| format!("q{i}"));
    quaternion.iter().map(|&name| name.to_owned()).chain(joints).collect()
}

impl Dynamics {
    /// The dynamics at a contact with the given directions in the world.
    pub(super) fn new(base: Base, frames: &Frames, directions: &[Vector3<f64>]) -> Self {
        let mut a = Arithmetic::new(inputs(base, frames.segments.len()));
        let (freedom, coordinates) = match base {
            Base::Fixed => (0, 0),
            Base::Floating => (FREE, QUATERNION),
        };
        let placements: Vec<_> = frames
            .segments
            .iter()
            .enumerate()
            .map(|(i, segment)| {
                let q = a.input(coordinates + i);
                placement(&mut a, segment, q)
            })
            .collect();
        let chain = Chain { base, freedom, frames, placements };
        let inertia = chain.inertia(&mut a);
        let (jacobian, tip) = chain.jacobian(&mut a, directions);
        Self { arithmetic: a, inertia, jacobian, tip }
    }
}

/// A constant turn.
fn fixed(angle: f64) -> Turn {
    let quarters = (angle / FRAC_PI_2).round();
    let rest = angle - quarters * FRAC_PI_2;
    let turn =
        Turn { cos: Term::Constant(libm::cos(rest)), sin: Term::Constant(libm::sin(rest) + 0.0) };
    quarter_turned(turn, quarters)
}

/// The turn by q and a constant angle; quarter turns need no operation.
fn moving(a: &mut Arithmetic, q: Term, offset: f64) -> Turn {
    let quarters = (offset / FRAC_PI_2).round();
    let angle = a.add(q, Term::Constant(offset - quarters * FRAC_PI_2));
    let turn = Turn { cos: a.apply(Function::Cos, angle), sin: a.apply(Function::Sin, angle) };
    quarter_turned(turn, quarters)
}

fn quarter_turned(Turn { cos, sin }: Turn, quarters: f64) -> Turn {
    match quarters.rem_euclid(4.0) as u8 {
        0 => Turn { cos, sin },
        1 => Turn { cos: -sin, sin: cos },
        2 => Turn { cos: -cos, sin: -sin },
        _ => Turn { cos: sin, sin: -cos },
    }
}

fn placement(a: &mut Arithmetic, segment: &Segment, q: Term) -> Placement {
    let (last, slide) = match segment.motion {
        Motion::Revolute => (moving(a, q, segment.offset), Term::Constant(segment.slide)),
        Motion::Prismatic => (fixed(segment.offset), q),
    };
    Placement {
        translation: constant(&segment.translation),
        turns: [(2, fixed(segment.ahead)), (0, fixed(segment.tilt)), (2, last)],
        slide,
    }
}

pub(super) fn constant(v: &Vector3<f64>) -> Vector {
    [v.x, v.y, v.z].map(|x| Term::Constant(x + 0.0))
}

fn composite(inertia: &Inertia) -> Composite {
    let entry = |i, j| Term::Constant(inertia.inertia[(i, j)] + 0.0);
    Composite {
        mass: Term::Constant(inertia.mass),
        moment: constant(&inertia.moment),
        inertia: Symmetric {
            diagonal: [entry(0, 0), entry(1, 1), entry(2, 2)],
            product: [entry(1, 2), entry(2, 0), entry(0, 1)],
        },
    }
}

/// The segments with their joints' coordinates put in.
pub(super) struct Chain<'a> {
    pub(super) base: Base,
    /// Velocities before those of the joints.
    pub(super) freedom: usize,
    pub(super) frames: &'a Frames,
    pub(super) placements: Vec<Placement>,
}

impl Chain<'_> {
    pub(super) fn parent(&self, body: usize) -> Option<usize> {
        self.frames.segments[body].parent
    }

    fn inertia(&self, a: &mut Arithmetic) -> Vec<Vec<Term>> {
        let mut root = composite(&self.frames.root);
        let mut bodies: Vec<_> =
            self.frames.segments.iter().map(|segment| composite(&segment.inertia)).collect();
        let joints = self.freedom + bodies.len();
        let mut matrix: Vec<_> = (1..=joints).map(|width| vec![Term::ZERO; width]).collect();
        for i in (0..bodies.len()).rev() {
            let momentum = self.momentum(i, &bodies[i]);
            self.carry(a, i, momentum, &mut matrix[self.freedom + i]);
            match (self.parent(i), self.base) {
                (Some(parent), _) => {
                    let moved = self.placements[i].composite(a, &bodies[i]);
                    bodies[parent] = a.added(&bodies[parent], &moved);
                }
                (None, Base::Floating) => {
                    let moved = self.placements[i].composite(a, &bodies[i]);
                    root = a.added(&root, &moved);
                }
                (None, Base::Fixed) => {}
            }
        }
        if self.base == Base::Floating {
            base_block(&root, &mut matrix);
        }
        matrix
    }

    /// The momentum of composite `i` moved by its own joint at unit rate.
    fn momentum(&self, i: usize, body: &Composite) -> Force {
        let [x, y, _] = body.moment;
        let Symmetric { diagonal, product } = body.inertia;
        match self.frames.segments[i].motion {
            Motion::Revolute => Force {
                linear: [-y, x, Term::ZERO],
                angular: [product[1], product[0], diagonal[2]],
            },
            Motion::Prismatic => {
                Force { linear: [Term::ZERO, Term::ZERO, body.mass], angular: [y, -x, Term::ZERO] }
            }
        }
    }

    /// Row `i` of M: its momentum seen by the joints below.
    fn carry(&self, a: &mut Arithmetic, i: usize, mut momentum: Force, row: &mut [Term]) {
        let mut at = Some(i);
        while let Some(body) = at {
            row[self.freedom + body] = match self.frames.segments[body].motion {
                Motion::Revolute => momentum.angular[2],
                Motion::Prismatic => momentum.linear[2],
            };
            at = self.parent(body);
            if at.is_some() || self.base == Base::Floating {
                momentum = self.placements[body].force(a, momentum);
            }
        }
        if self.base == Base::Floating {
            row[..3].copy_from_slice(&momentum.linear);
            row[3..FREE].copy_from_slice(&momentum.angular);
        }
    }
}

/// The rows of M for the six velocities of a free base.
fn base_block(root: &Composite, matrix: &mut [Vec<Term>]) {
    let [x, y, z] = root.moment;
    let coupling = [[Term::ZERO, -z, y], [z, Term::ZERO, -x], [-y, x, Term::ZERO]];
    let Symmetric { diagonal: [xx, yy, zz], product: [yz, zx, xy] } = root.inertia;
    let inertia = [[xx, xy, zx], [xy, yy, yz], [zx, yz, zz]];
    for i in 0..3 {
        matrix[i][i] = root.mass;
        matrix[3 + i][..3].copy_from_slice(&coupling[i]);
        matrix[3 + i][3..].copy_from_slice(&inertia[i][..=i]);
    }
}
