//! Contacts at rest, along their tangents and, where they are held, along their normals.

use super::modes::{Mode, Normal, Tangent};
use super::motion::Motion;
use super::outcome::Kind;
use super::rest;
use super::system::{Pressing, ROWS};

/// By how much less friction shows where to redundant contacts begin to slide.
const LESS: f64 = 1e-6;

impl<const K: usize, const N: usize> Motion<'_, K, N> {
    /// Decides together what contacts at rest do, along their tangents and, where they are held,
    /// along their normals.
    pub(super) fn settle(&mut self) {
        if !self.shaken && !self.resting.iter().any(|resting| *resting) {
            return;
        }
        let (before, mut normals) = (self.modes, self.modes.map(|mode| mode.normal));
        // Each contact changes a few times at most.
        for _ in 0..8 * (self.system.count + 1) {
            let forces = self.rest(&before, &normals);
            let Some((i, normal)) = self.misfit(&forces) else { break };
            normals[i] = normal;
        }
        for (i, mode) in before.iter().enumerate().take(self.system.count) {
            let (was, is) = (self.was[i].take().unwrap_or(mode.normal), self.modes[i]);
            let plastic = self.system.laws[i].pressing == Pressing::Plastic;
            match (was, is.normal) {
                (Normal::Loading | Normal::Unloading, Normal::Held) if !plastic => {
                    self.note(i, Kind::Hold);
                }
                (Normal::Unloading | Normal::Held, Normal::Loading) if was != is.normal => {
                    self.note(i, Kind::Recompression);
                }
                (Normal::Held, Normal::Unloading) => self.note(i, Kind::Release),
                (Normal::Held, Normal::Open(_)) => {
                    self.note(i, Kind::Open);
                    self.wait(i);
                    continue;
                }
                _ => {}
            }
            match (mode.tangent, is.tangent) {
                (_, Tangent::Stuck) if self.resting[i] => self.note(i, Kind::Stick),
                (Tangent::Stuck, Tangent::Straight(_) | Tangent::Leaving(_)) => {
                    self.note(i, Kind::SlipRestart);
                }
                _ => {}
            }
        }
        let leaves =
            |mode: &Mode| matches!(mode.tangent, Tangent::Straight(_) | Tangent::Leaving(_));
        self.sticky = self.loose && !self.modes.iter().any(leaves);
        self.resting = [false; K];
        self.yielding = [false; K];
        self.shaken = false;
        self.loose = false;
    }

    /// Decides the tangents of contacts at rest, given what all do along their normals, and
    /// returns all forces.
    fn rest(&mut self, before: &[Mode; K], normals: &[Normal; K]) -> [f64; N] {
        let modes: [Mode; K] =
            core::array::from_fn(|i| Mode { normal: normals[i], tangent: before[i].tangent });
        let resting: [bool; K] = core::array::from_fn(|i| {
            !modes[i].is_open() && (self.resting[i] || modes[i].tangent == Tangent::Stuck)
        });
        let less = if self.loose { LESS } else { 0.0 };
        let decision =
            rest::decide(self.system, &self.points, &modes, &resting, &self.yielding, less);
        self.unique &= decision.unique;
        self.modes = modes;
        for i in (0..self.system.count).filter(|&i| resting[i]) {
            self.modes[i].tangent = match decision.leaves[i] {
                None => Tangent::Stuck,
                Some([x, _]) if self.system.laws[i].tangents == 1 => {
                    Tangent::Straight([x.signum(), 0.0])
                }
                Some(along) => Tangent::Leaving(along),
            };
        }
        let forces = self.forces();
        for (i, mode) in self.modes.iter_mut().enumerate().take(self.system.count) {
            match mode.tangent {
                Tangent::Leaving(along) if forces[ROWS * i] <= 0.0 || self.loose => {
                    mode.tangent = Tangent::Straight(along);
                }
                _ => {}
            }
        }
        forces
    }

    /// A contact that cannot go on as it does along its normal, and what it does instead.
    fn misfit(&self, forces: &[f64; N]) -> Option<(usize, Normal)> {
        const ROUNDING: f64 = 1e-12;
        // One that has just let go does so where its acceleration is zero, but for rounding.
        const GOING: f64 = 1e-9;
        let rates = self.system.accelerations(forces);
        let most = rates.iter().chain(forces).fold(0.0, |most: f64, x| most.max(x.abs()));
        (0..self.system.count).find_map(|i| {
            let (law, point) = (&self.system.laws[i], &self.points[i]);
            let (force, rate) = (forces[ROWS * i], rates[ROWS * i]);
            let whole = law.stiffness * self.system.power(point.x.max(0.0));
            let turning = self.system.jumps && point.v[0] == 0.0;
            let going = self.was[i] == Some(Normal::Held);
            let slack = if going { GOING } else { ROUNDING } * most;
            match self.modes[i].normal {
                Normal::Held if law.pressing == Pressing::Plastic || !self.system.jumps => {
                    (force < -slack).then_some((i, Normal::Open(0.0)))
                }
                Normal::Held if force < law.returned * whole - slack => {
                    Some((i, Normal::Unloading))
                }
                Normal::Held if force > whole + slack => Some((i, Normal::Loading)),
                Normal::Unloading if turning && rate < -slack => Some((i, Normal::Held)),
                Normal::Loading if turning && rate > slack => Some((i, Normal::Held)),
                _ => None,
            }
        })
    }
}
