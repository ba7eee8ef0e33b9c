//! The contact's Jacobian, each column in the frame of its own joint.
//!
//! The contact's directions go out from the world to every link and the contact
//! point comes back in, so that `J_ki = p_x d_y − p_y d_x` about a joint and `d_z`
//! along one. Where three directions have far to turn, the third is the cross
//! product of the others.

use nalgebra::{Matrix3, Vector3};

use super::Base;
use super::arithmetic::{Arithmetic, Term};
use super::dynamics::{Chain, FREE, constant};
use super::spatial::{Placement, Vector};
use super::tree::Motion;

/// A cross product costs as much as this many turns of a vector.
const TURNS: f64 = 1.5;

/// Orthonormal directions in the axes of some frame.
struct Directions {
    vectors: Vec<Vector>,
    /// The sign of the third as a product of the others, if there is a third.
    hand: Option<f64>,
    constant: bool,
}

impl Directions {
    fn new(directions: &[Vector3<f64>]) -> Self {
        let hand = match directions {
            [x, y, z] => Some(Matrix3::from_columns(&[*x, *y, *z]).determinant().signum()),
            _ => None,
        };
        Self { vectors: directions.iter().map(constant).collect(), hand, constant: true }
    }

    /// Changes the frame by `turn`, which costs as many turns as `cost`.
    fn change(
        &mut self,
        a: &mut Arithmetic,
        cost: usize,
        turn: impl Fn(&mut Arithmetic, Vector) -> Vector,
    ) {
        let product = self.hand.filter(|_| cost as f64 > TURNS);
        let turned = if product.is_some() { 2 } else { self.vectors.len() };
        self.vectors[..turned].iter_mut().for_each(|d| *d = turn(a, *d));
        if let (Some(hand), [x, y, z]) = (product, &mut self.vectors[..]) {
            *z = a.cross(*x, *y).map(|d| if hand < 0.0 { -d } else { d });
        }
        self.constant = false;
    }

    fn enter_base(&mut self, a: &mut Arithmetic, rotation: &[[Term; 3]; 3]) {
        let axes = |d: &Vector| d.iter().filter(|x| **x != Term::ZERO).count();
        let cost = self.vectors.last().map_or(0, axes);
        self.change(a, cost, |a, d| {
            [0, 1, 2].map(|j| a.dot(&[0, 1, 2].map(|i| rotation[i][j]), &d))
        });
    }

    fn enter_body(&mut self, a: &mut Arithmetic, placement: &Placement) {
        let cost = if self.constant { 1 } else { placement.turns_to_do() };
        self.change(a, cost, |a, d| placement.direction_inward(a, d));
    }
}

impl Chain<'_> {
    /// Rows of J and the contact point in world axes.
    pub(super) fn jacobian(
        &self,
        a: &mut Arithmetic,
        directions: &[Vector3<f64>],
    ) -> (Vec<Vec<Term>>, Option<Vector>) {
        let width = self.freedom + self.placements.len();
        let mut rows = vec![vec![Term::ZERO; width]; directions.len()];
        let Some((body, point)) = self.frames.contact else { return (rows, None) };
        let mut path: Vec<(usize, Vector)> = Vec::new();
        let mut at = (body, constant(&point));
        while let (Some(body), point) = at {
            path.push((body, point));
            at = (self.parent(body), self.placements[body].point(a, point));
        }
        let mut tip = at.1;
        let mut directions = Directions::new(directions);
        if self.base == Base::Floating {
            let rotation = orientation(a);
            directions.enter_base(a, &rotation);
            for (row, &d) in rows.iter_mut().zip(&directions.vectors) {
                row[..3].copy_from_slice(&d);
                row[3..FREE].copy_from_slice(&a.cross(tip, d));
            }
            tip = rotation.map(|row| a.dot(&row, &tip));
        }
        for &(body, point) in path.iter().rev() {
            directions.enter_body(a, &self.placements[body]);
            for (row, &d) in rows.iter_mut().zip(&directions.vectors) {
                row[self.freedom + body] = match self.frames.segments[body].motion {
                    Motion::Revolute => a.minor([point[0], d[1]], [point[1], d[0]]),
                    Motion::Prismatic => d[2],
                };
            }
        }
        (rows, Some(tip))
    }
}

/// The rotation of the base, from a quaternion of any length but zero.
fn orientation(a: &mut Arithmetic) -> [[Term; 3]; 3] {
    let q: [Term; 4] = std::array::from_fn(|i| a.input(i));
    let norm = a.dot(&q, &q);
    let half = a.mul(Term::Constant(0.5), norm);
    let twice = a.inverse(half).unwrap_or(Term::Constant(f64::NAN));
    let scaled: [Term; 3] = std::array::from_fn(|i| a.mul(twice, q[i]));
    let squares: [Term; 3] = std::array::from_fn(|i| a.mul(scaled[i], q[i]));
    let mut rotation = [[Term::ZERO; 3]; 3];
    for k in 0..3 {
        let [i, j] = [(k + 1) % 3, (k + 2) % 3];
        let square = a.add(squares[i], squares[j]);
        rotation[k][k] = a.sub(Term::Constant(1.0), square);
        let (even, odd) = (a.mul(scaled[i], q[j]), a.mul(scaled[k], q[3]));
        rotation[i][j] = a.sub(even, odd);
        rotation[j][i] = a.add(even, odd);
    }
    rotation
}
