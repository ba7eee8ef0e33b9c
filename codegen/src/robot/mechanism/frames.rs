//! Frames and inertial parameters chosen for the fewest operations.
//!
//! A body's frame may be turned about its joint's axis z and shifted ("lifted") along
//! it without changing the motion. A constant rotation from one joint to the next is `Rz(α) Rx(β) Rz(γ)`;
//! turning the parent by α and the body by −γ leaves `Rx(β)` alone, and for each
//! joint an angle of its own beside q. Lifting the parent to the foot of the common
//! normal of the two axes leaves a shift along x and one along the new z. A body can do
//! this for one child only. Another simplification puts a point (of the contact, the
//! next joint or the centre of mass) in the plane y = 0. [`Simplifications`] lists the
//! ones applied.
//!
//! Inertia that is symmetric about a revolute joint's axis can be moved to the parent
//! without changing the dynamics: mass, `h_z` and `diag(Iyy, Iyy, 0)` are handed down
//! from body to body, so that an arm's composite bodies have no mass. On a prismatic
//! joint all of the inertia about the origin can be moved.

use std::f64::consts::{FRAC_PI_2, PI};

use libm::{atan2, cos, hypot, sin};
use nalgebra::{Matrix3, Vector3};

use super::tree::{Body, Frame, Inertia, Motion, Tree, about, cleared, snapped};

/// Below this sine two axes are parallel.
const PARALLEL: f64 = 1e-15;

/// An origin is not lifted to a plane that is flatter to its axis than this.
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

/// A robot in the chosen frames, with one contact.
#[derive(Clone, Debug)]
pub(super) struct Frames {
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
        let skew = hypot(rotation[(0, 2)], rotation[(1, 2)]) > PARALLEL;
        let alpha = if skew { atan2(rotation[(0, 2)], -rotation[(1, 2)]) } else { 0.0 };
        let rest = about_z(-alpha) * rotation;
        let beta = atan2(-rest[(1, 2)], rest[(2, 2)]);
        let rest = about_x(-beta) * rest;
        let gamma = atan2(rest[(1, 0)], rest[(0, 0)]);
        let [alpha, beta, gamma] = [alpha, beta, gamma].map(angle);
        Self { alpha, beta, gamma }
    }

    fn skew(&self) -> bool {
        sin(self.beta).abs() > PARALLEL
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
    Frame::turned(about(2, x)).rotation
}

fn about_x(x: f64) -> Matrix3<f64> {
    Frame::turned(about(0, x)).rotation
}

/// The simplifications applied to one body's frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Simplifications {
    /// The index of a candidate turn; past the last, no turn.
    pub(super) turn: usize,
    /// Zero for no lift, else the index of a candidate lift, from one.
    pub(super) lift: usize,
}

impl Simplifications {
    /// How many turns and lifts are worth trying.
    pub(super) const TURNS: usize = 3;
    pub(super) const LIFTS: usize = 2;
}

/// The turn and the lift of a body's frame, where they are fixed already.
#[derive(Clone, Copy, Default)]
struct Freedom {
    turn: Option<f64>,
    lift: Option<f64>,
}

impl Frames {
    pub(super) fn new(tree: &Tree, contact: Contact, simplifications: &[Simplifications]) -> Self {
        let angles: Vec<_> =
            tree.bodies.iter().map(|b| Angles::of(&b.placement.rotation)).collect();
        let extent = tree.bodies.iter().map(|b| b.placement.translation.norm()).sum();
        let mut freedoms = fixed_freedoms(tree, &angles, contact, simplifications);
        for freedom in &mut freedoms {
            freedom.lift = freedom.lift.filter(|lift| lift.abs() <= extent);
        }
        let mut segments: Vec<Segment> = Vec::with_capacity(tree.bodies.len());
        for (i, body) in tree.bodies.iter().enumerate() {
            let parent = body.parent.map_or(Freedom::default(), |p| freedoms[p]);
            segments.push(Segment::new(body, &angles[i], &parent, &mut freedoms[i], extent));
        }
        let contact = contact.map(|(body, point)| {
            let freedom = body.map_or(Freedom::default(), |b| freedoms[b]);
            let lift = freedom.lift.unwrap_or(0.0);
            let turned = about_z(-freedom.turn.unwrap_or(0.0)) * (point - Vector3::z() * lift);
            (body, cleared(turned, point.amax().max(lift.abs())))
        });
        let mut frames = Self { root: tree.root, segments, contact };
        frames.regroup();
        frames
    }

    /// Moves symmetric inertia to the parents.
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
    /// Places a body relative to its parent, and fixes the turn and the lift of its own
    /// frame where they are still free; no origin is lifted by more than `extent`.
    fn new(body: &Body, angles: &Angles, parent: &Freedom, own: &mut Freedom, extent: f64) -> Self {
        let before = parent.turn.unwrap_or(0.0);
        let (ahead, gamma) = match angles.skew() {
            true => (angle(angles.alpha - before), angles.gamma),
            false => (0.0, angles.gamma - before * cos(angles.beta)),
        };
        let turn = *own.turn.get_or_insert(-gamma);
        let Frame { rotation, translation } = body.placement;
        let below = parent.lift.unwrap_or(0.0);
        let raised = translation - Vector3::z() * below;
        let back = about_z(-before);
        let axis = Frame::turned(back * rotation).rotation.column(2).into_owned();
        let raised = cleared(back * raised, translation.amax().max(below.abs()));
        let ways = ways(raised, axis, own.lift, extent)
            .filter(|way| body.motion == Motion::Revolute || way.slide == 0.0);
        let Way { shift: translation, slide, lift } =
            ways.min_by_key(Way::cost).unwrap_or(Way { shift: raised, slide: 0.0, lift: 0.0 });
        own.lift = Some(lift);
        let lift = Vector3::z() * lift;
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

/// A way to the origin of a body, lifted along its axis: a shift, and a slide along
/// the axis.
#[derive(Clone, Copy)]
struct Way {
    shift: Vector3<f64>,
    slide: f64,
    lift: f64,
}

impl Way {
    /// Components that are not zero.
    fn cost(&self) -> usize {
        self.shift.iter().chain([&self.slide]).filter(|x| **x != 0.0).count()
    }
}

/// Ways to a body at `to`, through the points of its axis where a coordinate is
/// zero; where no lift is asked for, they end there.
fn ways(
    to: Vector3<f64>,
    axis: Vector3<f64>,
    asked: Option<f64>,
    extent: f64,
) -> impl Iterator<Item = Way> {
    let feet = (0..3).filter(move |&k| axis[k].abs() > STEEP).map(move |k| -to[k] / axis[k]);
    let near = feet.filter(move |foot| foot.abs() <= extent);
    [asked.unwrap_or(0.0), 0.0].into_iter().chain(near).map(move |foot| {
        let shift = cleared(to + foot * axis, 4.0 * (to.amax() + foot.abs()));
        let lift = asked.unwrap_or(foot);
        Way { shift, slide: lift - foot, lift }
    })
}

/// The lift of a body to the foot of the common normal of its axis and a child's.
fn foot(child: &Frame) -> f64 {
    let (t, u) = (child.translation, child.rotation.column(2));
    t.z + u.z * (t.z * u.z - t.dot(&u)) / (1.0 - u.z * u.z)
}

/// The turn and the lift of each body's frame that its simplifications fix, taken from
/// candidates for its children, the contact and its centre of mass.
fn fixed_freedoms(
    tree: &Tree,
    angles: &[Angles],
    contact: Contact,
    simplifications: &[Simplifications],
) -> Vec<Freedom> {
    let path: Vec<usize> = tree.path(contact.and_then(|(body, _)| body)).collect();
    let mut children = vec![Vec::new(); tree.bodies.len()];
    for (i, body) in tree.bodies.iter().enumerate() {
        if let Some(parent) = body.parent {
            let first = if path.contains(&i) { 0 } else { children[parent].len() };
            children[parent].insert(first, i);
        }
    }
    let planar = |v: Vector3<f64>| (v.xy().norm() > 0.0).then(|| angle(atan2(v.y, v.x)));
    let fixed = |(i, body): (usize, &Body)| {
        let skew = || children[i].iter().filter(|&&c| angles[c].skew());
        let point = contact.filter(|(b, _)| *b == Some(i)).map(|(_, point)| point);
        let ahead = children[i].iter().map(|&c| tree.bodies[c].placement.translation);
        let points = point.into_iter().chain(ahead).chain([body.inertia.moment]);
        let points = points.filter(|_| body.motion == Motion::Revolute);
        let mut turns = skew().map(|&c| angles[c].alpha).chain(points.filter_map(planar));
        let mut lifts = skew().map(|&c| foot(&tree.bodies[c].placement));
        let Simplifications { turn, lift } = simplifications.get(i).copied().unwrap_or_default();
        Freedom { turn: turns.nth(turn), lift: lift.checked_sub(1).and_then(|n| lifts.nth(n)) }
    };
    tree.bodies.iter().enumerate().map(fixed).collect()
}
