//! Vectors, inertias and forces in the frames of bodies.
//!
//! Every frame change is a product of turns about coordinate axes and a shift,
//! so that a vector costs four multiplications a turn, none by a quarter turn,
//! and a symmetric matrix `S` turned about z by `(c, s)` nine: with
//! `t = c (Sxx − Syy) − 2 s Sxy`
//!
//! ```text
//! S'xx = Syy + c t,   S'yy = Sxx − c t,   S'xy = Sxy + s t.
//! ```

use super::arithmetic::{Arithmetic, Term};

pub(super) type Vector = [Term; 3];

/// Cosine and sine of an angle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub(super) cos: Term,
    pub(super) sin: Term,
}

impl Turn {
    fn back(self) -> Self {
        Self { sin: -self.sin, ..self }
    }
}

/// A symmetric matrix; `product[k]` is the entry in neither row nor column k.
#[derive(Clone, Copy, Debug)]
pub(super) struct Symmetric {
    pub(super) diagonal: Vector,
    pub(super) product: Vector,
}

/// Mass, first moment and inertia about the origin of a frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Composite {
    pub(super) mass: Term,
    pub(super) moment: Vector,
    pub(super) inertia: Symmetric,
}

/// A force (or momentum) and its moment about the origin of a frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Force {
    pub(super) linear: Vector,
    pub(super) angular: Vector,
}

/// The frame of a body in that of its parent: shifted by `translation`, turned by
/// each of `turns` in its place, and shifted by `slide` along the new z.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    pub(super) translation: Vector,
    pub(super) turns: [(usize, Turn); 3],
    pub(super) slide: Term,
}

impl Placement {
    /// How many of the turns are not by quarters.
    pub(super) fn turns_to_do(&self) -> usize {
        let quarter = |turn: &Turn| [turn.cos, turn.sin].contains(&Term::ZERO);
        self.turns.iter().filter(|(_, turn)| !quarter(turn)).count()
    }

    fn along(&self) -> Vector {
        [Term::ZERO, Term::ZERO, self.slide]
    }

    /// A parent's direction in the body's axes.
    pub(super) fn direction_inward(&self, a: &mut Arithmetic, v: Vector) -> Vector {
        self.turns.iter().fold(v, |v, &(axis, turn)| a.turned(axis, turn.back(), v))
    }

    fn direction_outward(&self, a: &mut Arithmetic, v: Vector) -> Vector {
        self.turns.iter().rev().fold(v, |v, &(axis, turn)| a.turned(axis, turn, v))
    }

    /// A body's point in the parent's frame.
    pub(super) fn point(&self, a: &mut Arithmetic, p: Vector) -> Vector {
        let p = a.sum(p, self.along());
        let p = self.direction_outward(a, p);
        a.sum(p, self.translation)
    }

    /// A body's force in the parent's frame.
    pub(super) fn force(&self, a: &mut Arithmetic, force: Force) -> Force {
        let slid = a.moved(force, self.along());
        let turned = Force {
            linear: self.direction_outward(a, slid.linear),
            angular: self.direction_outward(a, slid.angular),
        };
        a.moved(turned, self.translation)
    }

    /// A body's inertia in the parent's frame.
    pub(super) fn composite(&self, a: &mut Arithmetic, body: &Composite) -> Composite {
        let slid = a.shifted_composite(body, self.along());
        let turned = self.turns.iter().rev().fold(slid, |body, &(axis, turn)| Composite {
            mass: body.mass,
            moment: a.turned(axis, turn, body.moment),
            inertia: a.turned_symmetric(axis, turn, &body.inertia),
        });
        a.shifted_composite(&turned, self.translation)
    }
}

/// The two axes after `axis`, in cyclic order.
fn others(axis: usize) -> [usize; 2] {
    [(axis + 1) % 3, (axis + 2) % 3]
}

impl Arithmetic {
    pub(super) fn sum(&mut self, x: Vector, y: Vector) -> Vector {
        [0, 1, 2].map(|i| self.add(x[i], y[i]))
    }

    pub(super) fn cross(&mut self, x: Vector, y: Vector) -> Vector {
        [0, 1, 2].map(|axis| {
            let [i, j] = others(axis);
            self.minor([x[i], y[j]], [x[j], y[i]])
        })
    }

    fn turned(&mut self, axis: usize, turn: Turn, mut v: Vector) -> Vector {
        let [i, j] = others(axis);
        [v[i], v[j]] = self.turned_pair(turn, [v[i], v[j]]);
        v
    }

    fn turned_pair(&mut self, Turn { cos, sin }: Turn, [x, y]: [Term; 2]) -> [Term; 2] {
        [self.minor([cos, x], [sin, y]), self.minor([sin, x], [-cos, y])]
    }

    fn turned_symmetric(&mut self, axis: usize, turn: Turn, s: &Symmetric) -> Symmetric {
        let [i, j] = others(axis);
        let Turn { cos, sin } = turn;
        let difference = self.sub(s.diagonal[i], s.diagonal[j]);
        let twice = self.add(s.product[axis], s.product[axis]);
        let t = self.minor([cos, difference], [sin, twice]);
        let (ct, st) = (self.mul(cos, t), self.mul(sin, t));
        let mut new = *s;
        new.diagonal[i] = self.add(s.diagonal[j], ct);
        new.diagonal[j] = self.sub(s.diagonal[i], ct);
        new.product[axis] = self.add(s.product[axis], st);
        [new.product[j], new.product[i]] = self.turned_pair(turn, [s.product[j], s.product[i]]);
        new
    }

    fn moved(&mut self, Force { linear, angular }: Force, by: Vector) -> Force {
        let moment = self.cross(by, linear);
        Force { linear, angular: self.sum(angular, moment) }
    }

    /// The same body about an origin that lies at `−by`.
    fn shifted_composite(&mut self, body: &Composite, by: Vector) -> Composite {
        let mass_moment = by.map(|x| self.mul(body.mass, x));
        let moment = self.sum(body.moment, mass_moment);
        let both = self.sum(body.moment, moment);
        let along = [0, 1, 2].map(|k| self.mul(by[k], both[k]));
        let mut inertia = body.inertia;
        for axis in 0..3 {
            let [i, j] = others(axis);
            let square = self.add(along[i], along[j]);
            inertia.diagonal[axis] = self.add(inertia.diagonal[axis], square);
            let cross = self.minor([by[i], body.moment[j]], [-moment[i], by[j]]);
            inertia.product[axis] = self.sub(inertia.product[axis], cross);
        }
        Composite { mass: body.mass, moment, inertia }
    }

    pub(super) fn added(&mut self, x: &Composite, y: &Composite) -> Composite {
        Composite {
            mass: self.add(x.mass, y.mass),
            moment: self.sum(x.moment, y.moment),
            inertia: Symmetric {
                diagonal: self.sum(x.inertia.diagonal, y.inertia.diagonal),
                product: self.sum(x.inertia.product, y.inertia.product),
            },
        }
    }
}
