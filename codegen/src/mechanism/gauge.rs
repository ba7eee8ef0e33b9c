//! The choice of frames and of inertial parameters that leaves the least to do.
//!
//! A body's frame may be turned about its joint's axis z, and lifted along it, at
//! will. A constant rotation from one joint to the next is `Rz(α) Rx(β) Rz(γ)`;
//! turning the parent by α and the body by −γ leaves `Rx(β)` alone, and for each
//! joint an angle of its own beside q. Lifting the parent to the foot of the common
//! normal of the two axes leaves a shift along x and one along the new z. Only one
//! child can have this of a body; another wish is that a point, of the contact, the
//! next joint or the centre of mass, lie in the plane y = 0. [`Grant`] says which
//! wishes come true.
//!
//! Inertia that is symmetric about a revolute joint's axis may as well sit on the
//! parent: mass, `h_z` and `diag(Iyy, Iyy, 0)` are handed down from body to body,
//! so that an arm's composite bodies have no mass. On a prismatic joint all of the
//! inertia about the origin may.

use std::f64::consts::{FRAC_PI_2, PI};

use nalgebra::{Matrix3, Rotation3, Vector3};

use super::tree::{Body, Frame, Inertia, Motion, Tree, cleared, snapped};

/// Below this sine two axes are parallel.
const PARALLEL: f64 = 1e-15;

/// An origin is not moved along its axis by more than this times the distance
/// between joints, nor along an axis less steep than this.
const FAR: f64 = 4.0;
const STEEP: f64 = 0.25;

/// A body whose frame in its parent's is `translation`, then
/// `Rz(ahead) Rx(tilt) Rz(q + offset)` and `slide` along the last z, or with q as
/// the slide.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub(super) parent: Option<usize>,
    pub(super) motion: Motion,
    pub(super) ahead: f64,
    pub(super) tilt: f64,
    pub(super) offset: f64,
    pub(super) slide: f64,
    pub(super) translation: Vector3<f64>,
    pub(super) inertia: Inertia,
}

/// A robot in its best frames, seen from one contact.
#[derive(Clone, Debug)]
pub(super) struct Gauge {
    pub(super) root: Inertia,
    pub(super) segments: Vec<Segment>,
    pub(super) contact: Contact,
}

/// A contact's body, `None` for the root, and its point there.
pub(super) type Contact = Option<(Option<usize>, Vector3<f64>)>;

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

/// Which of what is asked of a body's frame it is to grant, by number; a number
/// past the last is nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Grant {
    pub(super) turn: usize,
    pub(super) lift: usize,
}

impl Grant {
    /// How many turns and lifts are worth trying.
    pub(super) const TURNS: usize = 3;
    pub(super) const LIFTS: usize = 2;
}

/// What is free in the frame of a body, where something asks for it.
#[derive(Clone, Copy, Default)]
struct Freedom {
    turn: Option<f64>,
    lift: Option<f64>,
}

impl Gauge {
    pub(super) fn new(tree: &Tree, contact: Contact, grants: &[Grant]) -> Self {
        let angles: Vec<_> =
            tree.bodies.iter().map(|b| Angles::of(&b.placement.rotation)).collect();
        let mut freedoms = granted(tree, &angles, contact, grants);
        let mut segments: Vec<Segment> = Vec::with_capacity(tree.bodies.len());
        for (i, body) in tree.bodies.iter().enumerate() {
            let parent = body.parent.map_or(Freedom::default(), |p| freedoms[p]);
            let segment = Segment::new(body, &angles[i], &parent, &mut freedoms[i]);
            segments.push(segment);
        }
        let contact = contact.map(|(body, point)| {
            let freedom = body.map_or(Freedom::default(), |b| freedoms[b]);
            let lifted = point - Vector3::z() * freedom.lift.unwrap_or(0.0);
            let turned = about_z(-freedom.turn.unwrap_or(0.0)) * lifted;
            (body, cleared(turned, point.amax()))
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
            let rotation = Frame::turned(rotation).rotation;
            let translation = segment.translation + segment.slide * rotation.column(2);
            let frame = Frame { rotation, translation };
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

impl Segment {
    /// A body in its frame, given the parent's, and completing what is free in its
    /// own.
    fn new(body: &Body, angles: &Angles, parent: &Freedom, own: &mut Freedom) -> Self {
        let before = parent.turn.unwrap_or(0.0);
        let (ahead, gamma) = match angles.skew() {
            true => (angle(angles.alpha - before), angles.gamma),
            false => (0.0, angles.gamma - before * angles.beta.cos()),
        };
        let turn = *own.turn.get_or_insert(-gamma);
        let Frame { rotation, translation } = body.placement;
        let raised = translation - Vector3::z() * parent.lift.unwrap_or(0.0);
        let back = about_z(-before);
        let axis = Frame::turned(back * rotation).rotation.column(2).into_owned();
        let raised = cleared(back * raised, translation.amax());
        let (translation, slide) = short_way(raised, axis, body.motion, &mut own.lift);
        let lift = Vector3::z() * own.lift.unwrap_or(0.0);
        let frame = Frame { translation: about_z(-turn) * -lift, ..Frame::turned(about_z(-turn)) };
        Self {
            parent: body.parent,
            motion: body.motion,
            ahead,
            tilt: angles.beta,
            offset: angle(gamma + turn),
            slide,
            translation,
            inertia: body.inertia.seen_from(&frame),
        }
    }
}

/// Splits the way to a body's origin, at `to` lifted along `axis`, into a shift and
/// a slide along the axis, with the fewest components.
fn short_way(
    to: Vector3<f64>,
    axis: Vector3<f64>,
    motion: Motion,
    lift: &mut Option<f64>,
) -> (Vector3<f64>, f64) {
    let asked = *lift;
    let feet = (0..3).filter(|&k| axis[k].abs() > STEEP).map(|k| -to[k] / axis[k]);
    let ways = [asked.unwrap_or(0.0), 0.0].into_iter().chain(feet).map(|foot| {
        let shift = cleared(to + foot * axis, 4.0 * (to.amax() + foot.abs()));
        (shift, foot, asked.map_or(0.0, |lift| lift - foot))
    });
    let whole = |slide: f64| motion == Motion::Revolute || slide == 0.0;
    let cost = |shift: &Vector3<f64>, slide: f64| {
        shift.iter().chain([&slide]).filter(|x| **x != 0.0).count()
    };
    let best = ways
        .filter(|&(_, _, slide)| whole(slide))
        .min_by_key(|(shift, _, slide)| cost(shift, *slide));
    match best {
        Some((shift, foot, slide)) => {
            lift.get_or_insert(foot);
            (shift, slide)
        }
        None => (to, 0.0),
    }
}

/// The lift of a body to the foot of the common normal of its axis and that of a
/// child, unless they are so nearly parallel that it is far away.
fn foot(child: &Frame) -> Option<f64> {
    let (t, u) = (child.translation, child.rotation.column(2));
    let outer = (t.z * u.z - t.dot(&u)) / (1.0 - u.z * u.z);
    let inner = t.z + outer * u.z;
    let near = |x: f64| x.abs() <= FAR * t.norm();
    (near(outer) && near(inner)).then_some(inner)
}

/// What is granted of what its children, the contact and its centre of mass ask of
/// each body's frame.
fn granted(tree: &Tree, angles: &[Angles], contact: Contact, grants: &[Grant]) -> Vec<Freedom> {
    let path: Vec<usize> = tree.path(contact.and_then(|(body, _)| body)).collect();
    let mut children = vec![Vec::new(); tree.bodies.len()];
    for (i, body) in tree.bodies.iter().enumerate() {
        if let Some(parent) = body.parent {
            let first = if path.contains(&i) { 0 } else { children[parent].len() };
            children[parent].insert(first, i);
        }
    }
    let planar = |v: Vector3<f64>| (v.xy().norm() > 0.0).then(|| angle(v.y.atan2(v.x)));
    let grant = |(i, body): (usize, &Body)| {
        let skew = || children[i].iter().filter(|&&c| angles[c].skew());
        let point = contact.filter(|(b, _)| *b == Some(i)).map(|(_, point)| point);
        let ahead = children[i].iter().map(|&c| tree.bodies[c].placement.translation);
        let points = point.into_iter().chain(ahead).chain([body.inertia.moment]);
        let points = points.filter(|_| body.motion == Motion::Revolute);
        let mut turns = skew().map(|&c| angles[c].alpha).chain(points.filter_map(planar));
        let mut lifts = skew().filter_map(|&c| foot(&tree.bodies[c].placement));
        let Grant { turn, lift } = grants.get(i).copied().unwrap_or_default();
        Freedom { turn: turns.nth(turn), lift: lift.checked_sub(1).and_then(|n| lifts.nth(n)) }
    };
    tree.bodies.iter().enumerate().map(grant).collect()
}
