//! A planar arm of two joints that taps the ground and must not hit it too hard.
//!
//! Modelled: the drives follow a commanded velocity of the tip, through the
//! inverse of the contact Jacobian, with a lag; impacts are those of the generated
//! solver, within which drives and weight do nothing. Not modelled: weight and
//! centrifugal forces, which the drives are taken to make up for, and their limits.

use crate::STEP;
use crate::bounce::Bounce;

/// The solver that the build script makes of `planar_arm.toml`.
mod solver {
    include!(concat!(env!("OUT_DIR"), "/arm.rs"));
}

use solver::{Dynamics, Error, Impact};

/// Milliseconds to run for.
const TICKS: u32 = 2000;
/// Milliseconds to look ahead.
const HORIZON: u32 = 40;
/// How fast the drives take up a commanded velocity, in 1/s.
const DRIVE: f64 = 100.0;
/// The normal impulse that the tip is to bear at most, in N s.
const LIMIT: f64 = 1.0;
/// The part of the limit to aim at where the tip would exceed it.
const AIM: f64 = 0.9;
/// The height from which to tap, in m, and the speed of return, in m/s.
const CLEARANCE: f64 = 0.04;
const RETURN: f64 = 0.5;
/// Velocities to tap with, in m/s, normal first.
const TAPS: [[f64; 2]; 6] =
    [[-0.3, 0.0], [-0.4, 0.1], [-0.5, -0.4], [-0.9, 0.3], [-0.8, -0.9], [-1.2, 0.0]];
/// The millisecond in which somebody knocks at the arm, which no prediction knows
/// of, and what that does to the joints' velocities.
const KNOCK: u32 = 325;
const KNOCKED: [f64; 2] = [0.0, 0.5];

#[derive(Clone, Copy)]
struct Arm {
    q: [f64; 2],
    qd: [f64; 2],
}

/// The tip meets the ground: how the arm stood and moved just before, and what
/// comes of it.
#[derive(Clone, Copy)]
struct Touch {
    q: [f64; 2],
    qd: [f64; 2],
    velocity: [f64; 2],
    impact: Impact,
}

impl Arm {
    /// One millisecond with a commanded velocity of the tip, normal first.
    fn step(&mut self, command: [f64; 2]) -> Result<Option<Touch>, Error> {
        let at = Dynamics::at(&self.q);
        let [[a, b], [c, d]] = at.jacobian;
        let determinant = a * d - b * c;
        let wanted = [
            (d * command[0] - b * command[1]) / determinant,
            (a * command[1] - c * command[0]) / determinant,
        ];
        for (qd, wanted) in self.qd.iter_mut().zip(wanted) {
            *qd += STEP * DRIVE * (wanted - *qd);
        }
        let (height, falling) = (at.point[2], -self.velocity(&at)[0]);
        if height > STEP * falling {
            self.advance(STEP);
            return Ok(None);
        }
        let before = height / falling;
        self.advance(before);
        let (q, qd) = (self.q, self.qd);
        let velocity = self.velocity(&Dynamics::at(&q));
        let impact = solver::impact(&q, &qd)?;
        self.qd = impact.qd;
        self.advance(STEP - before);
        Ok(Some(Touch { q, qd, velocity, impact }))
    }

    fn advance(&mut self, time: f64) {
        for (q, qd) in self.q.iter_mut().zip(self.qd) {
            *q += time * qd;
        }
    }

    /// The velocity of the tip, normal first.
    fn velocity(&self, at: &Dynamics) -> [f64; 2] {
        at.jacobian.map(|row| row[0] * self.qd[0] + row[1] * self.qd[1])
    }

    /// The next touch, if one comes within the horizon while the command stands.
    fn foresee(&self, command: [f64; 2]) -> Result<Option<Touch>, Error> {
        let mut ahead = *self;
        for _ in 0..HORIZON {
            if let Some(touch) = ahead.step(command)? {
                return Ok(Some(touch));
            }
        }
        Ok(None)
    }
}

/// Taps the ground. Where the impact that is foreseen exceeds the limit the tip is
/// slowed down: impulses are proportional to velocities, so one prediction says
/// how much.
pub(crate) fn run(report: &mut impl FnMut(&Bounce)) -> Result<u32, Error> {
    let mut arm = Arm { q: [0.45, 0.6], qd: [0.0; 2] };
    let mut tap = 0;
    let mut command = TAPS[tap];
    let mut averted = None;
    let mut foreseen = None;
    for tick in 0..TICKS {
        if command[0] > 0.0 && Dynamics::at(&arm.q).point[2] > CLEARANCE {
            tap = (tap + 1) % TAPS.len();
            command = TAPS[tap];
        }
        if tick == KNOCK {
            arm.qd = [arm.qd[0] + KNOCKED[0], arm.qd[1] + KNOCKED[1]];
        }
        let mut next = arm.foresee(command)?;
        if let Some(Touch { impact: Impact { impulse: [normal, _], .. }, .. }) = next
            && normal > LIMIT
        {
            let slower = AIM * LIMIT / normal;
            command = [slower * command[0], slower * command[1]];
            averted = averted.or(Some(normal));
            foreseen = None;
            next = arm.foresee(command)?;
        }
        foreseen = foreseen.or(next.map(|touch| (tick, touch.impact)));
        if let Some(touch) = arm.step(command)? {
            let Touch { q, qd, velocity, impact } = touch;
            report(&Bounce {
                robot: "arm",
                tick,
                mode: impact.mode.name(),
                q: &q,
                qd: [&qd, &impact.qd],
                velocity: [&velocity, &impact.velocity],
                impulse: &impact.impulse,
                work: [impact.normal_work, impact.friction_work],
                foreseen: foreseen.map(|(since, expected)| (tick - since, expected.impulse[0])),
                exact: foreseen.is_some_and(|(_, expected)| expected == impact),
                averted: averted.map(|normal| ([normal, impact.impulse[0]], "N s, slowed down")),
            });
            command = [RETURN, -command[1]];
            averted = None;
            foreseen = None;
        }
    }
    Ok(TICKS)
}
