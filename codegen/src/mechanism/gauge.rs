//! The choice of frames and of inertial parameters that leaves the least to do.
//!
//! A body's frame may be turned about its joint's axis z at will. A constant
//! rotation from one joint to the next is `Rz(α) Rx(β) Rz(γ)`; turning the
//! parent by α and the body by −γ leaves `Rx(β)` alone, and for each joint an
//! angle of its own beside q. One child can have this of a body; where none asks
//! for it, the turn puts the point that matters there into the plane y = 0.
//!
//! Inertia that is symmetric about a revolute joint's axis may as well sit on the
//! parent: mass, `h_z` and `diag(Iyy, Iyy, 0)` are handed down from body to body,
//! so that an arm's composite bodies have no mass. On a prismatic joint all of the
//! inertia about the origin may.

use std::f64::consts::{FRAC_PI_2, PI};

use nalgebra::{Matrix3, Rotation3, Vector3};

use super::tree::{Frame, Inertia, Motion, Tree, cleared, snapped};

/// Below this sine two axes are parallel.
const PARALLEL: f64 = 1e-15;

/// A body whose frame in its parent's is `translation`, then
/// `Rz(ahead) Rx(tilt) Rz(q + offset)`, or with q as a slide along the last z.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub(super) parent: Option<usize>,
    pub(super) motion: Motion,
    pub(super) ahead: f64,
    pub(super) tilt: f64,
    pub(super) offset: f64,
    pub(super) translation: Vector3<f64>,
    pub(super) inertia: Inertia,
}

/// A robot in its best frames, seen from one contact.
#[derive(Clone, Debug)]
pub(super) struct Gauge {
    pub(super) root: Inertia,
    pub(super) segments: Vec<Segment>,
    /// The contact's body and the point on it.
    pub(super) contact: Option<(Option<usize>, Vector3<f64>)>,
}

/// Angles of `Rz(α) Rx(β) Rz(γ)`; α is zero where β is 0 or π.
#[derive(Clone, Copy)]
struct Angles {
    alpha: f64,
    beta: f64,
    gamma: f64,
}

impl Angles {
    fn of(rotation: &Matrix3<f64>) -> Self {
        let skew = rotation[(0, 2)].hypot(rotation[(1, 2)]) > PARALLEL;
        let alpha = if skew { rotation[(0, 2)].atan2(-rotation[(1, 2)]) } else { 0.0 };
        let rest = about_z(-alpha) * rotation;
        let beta = (-rest[(1, 2)]).atan2(rest[(2, 2)]);
        let rest = about_x(-beta) * rest;
        let gamma = rest[(1, 0)].atan2(rest[(0, 0)]);
        let [alpha, beta, gamma] = [alpha, beta, gamma].map(angle);
        Self { alpha, beta, gamma }
    }

    fn skew(&self) -> bool {
        self.beta.sin().abs() > PARALLEL
    }
}

/// The angle in (−π, π], exact where it is a quarter turn.
fn angle(x: f64) -> f64 {
    let x = snapped(x, FRAC_PI_2, 1e-15);
    if x > PI {
        angle(x - 2.0 * PI)
    } else if x <= -PI {
        angle(x + 2.0 * PI)
    } else {
        x
    }
}

fn about_z(x: f64) -> Matrix3<f64> {
    Frame::turned(*Rotation3::from_axis_angle(&Vector3::z_axis(), x).matrix()).rotation
}

fn about_x(x: f64) -> Matrix3<f64> {
    Frame::turned(*Rotation3::from_axis_angle(&Vector3::x_axis(), x).matrix()).rotation
}

impl Gauge {
    pub(super) fn new(tree: &Tree, contact: Option<(Option<usize>, Vector3<f64>)>) -> Self {
        let angles: Vec<_> =
            tree.bodies.iter().map(|b| Angles::of(&b.placement.rotation)).collect();
        let mut turns = asked_turns(tree, &angles, contact);
        let mut segments: Vec<Segment> = Vec::with_capacity(tree.bodies.len());
        for (i, body) in tree.bodies.iter().enumerate() {
            let Angles { alpha, beta, gamma } = angles[i];
            let before = body.parent.and_then(|p| turns[p]).unwrap_or(0.0);
            let (ahead, gamma) = match angles[i].skew() {
                true => (angle(alpha - before), gamma),
                false => (0.0, gamma - before * beta.cos()),
            };
            let turn = *turns[i].get_or_insert(-gamma);
            let back = about_z(-turn);
            let translation = about_z(-before) * body.placement.translation;
            segments.push(Segment {
                parent: body.parent,
                motion: body.motion,
                ahead,
                tilt: beta,
                offset: angle(gamma + turn),
                translation: cleared(translation, body.placement.translation.amax()),
                inertia: body.inertia.seen_from(&Frame::turned(back)),
            });
        }
        let contact = contact.map(|(body, point)| {
            let turn = body.and_then(|b| turns[b]).unwrap_or(0.0);
            (body, cleared(about_z(-turn) * point, point.amax()))
        });
        let mut gauge = Self { root: tree.root, segments, contact };
        gauge.regroup();
        gauge
    }

    /// Hands symmetric inertia down to the parents.
    fn regroup(&mut self) {
        for i in (0..self.segments.len()).rev() {
            let segment = &mut self.segments[i];
            let full = segment.inertia;
            let (symmetric, turn) = match segment.motion {
                Motion::Revolute => (symmetric(&full), 0.0),
                Motion::Prismatic => {
                    (Inertia { inertia: full.inertia, ..Inertia::ZERO }, segment.offset)
                }
            };
            segment.inertia = Inertia {
                mass: full.mass - symmetric.mass,
                moment: full.moment - symmetric.moment,
                inertia: cleared(full.inertia - symmetric.inertia, full.inertia.amax()),
            };
            let rotation = about_z(segment.ahead) * about_x(segment.tilt) * about_z(turn);
            let frame = Frame { translation: segment.translation, ..Frame::turned(rotation) };
            let parent = match segment.parent {
                Some(parent) => &mut self.segments[parent].inertia,
                None => &mut self.root,
            };
            *parent = parent.plus(&symmetric.seen_from(&frame));
        }
    }
}

/// The part of an inertia that a turn about z neither changes nor sets in motion.
fn symmetric(full: &Inertia) -> Inertia {
    let across = full.inertia[(1, 1)];
    Inertia {
        mass: full.mass,
        moment: Vector3::new(0.0, 0.0, full.moment.z),
        inertia: Matrix3::from_diagonal(&Vector3::new(across, across, 0.0)),
    }
}

/// The turn of each body's frame that its child, the contact or its centre of
/// mass asks for.
fn asked_turns(
    tree: &Tree,
    angles: &[Angles],
    contact: Option<(Option<usize>, Vector3<f64>)>,
) -> Vec<Option<f64>> {
    let path: Vec<usize> = tree.path(contact.and_then(|(body, _)| body)).collect();
    let mut children = vec![Vec::new(); tree.bodies.len()];
    for (i, body) in tree.bodies.iter().enumerate() {
        if let Some(parent) = body.parent {
            let first = if path.contains(&i) { 0 } else { children[parent].len() };
            children[parent].insert(first, i);
        }
    }
    let planar = |v: &Vector3<f64>| (v.xy().norm() > 0.0).then(|| angle(v.y.atan2(v.x)));
    tree.bodies
        .iter()
        .enumerate()
        .map(|(i, body)| {
            if let Some(&child) = children[i].iter().find(|&&c| angles[c].skew()) {
                return Some(angles[child].alpha);
            }
            if body.motion == Motion::Prismatic {
                return None;
            }
            let point = contact.filter(|(b, _)| *b == Some(i)).map(|(_, point)| point);
            let ahead = children[i].first().map(|&c| tree.bodies[c].placement.translation);
            [point, ahead, Some(body.inertia.moment)].iter().flatten().find_map(planar)
        })
        .collect()
}
