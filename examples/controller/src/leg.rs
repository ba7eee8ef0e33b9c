//! A leg of three joints with a free base that falls and bounces on its foot.
//!
//! Modelled: the base's origin falls freely, in the axes of the turning base; a
//! soft gimbal turns the base back, and drives bring the joints back to their pose
//! or swing the foot; impacts are those of the generated solver, within which
//! gimbal, drives and weight do nothing. Not modelled: what the links' motion does
//! to the base in flight, which the gimbal is taken to bear; any contact but the
//! foot's; standing, so the run ends with the last bounce worth the name.

use crate::STEP;
use crate::bounce::Bounce;

/// The solver that the build script makes of `leg.toml`.
mod solver {
    include!(concat!(env!("OUT_DIR"), "/leg.rs"));
}

use solver::{Dynamics, Error, Impact};

/// Milliseconds to run for.
const TICKS: u32 = 2000;
/// Milliseconds to look ahead.
const HORIZON: u32 = 40;
/// Weight by mass, in m/s².
const GRAVITY: f64 = 9.81;
/// Stiffness and damping of gimbal and joints by inertia, in 1/s² and 1/s.
const STIFFNESS: f64 = 900.0;
const DAMPING: f64 = 60.0;
/// How fast the foot takes up the ground's velocity, in 1/s.
const DRIVE: f64 = 150.0;
/// What friction at the foot may use up in an impact, in J.
const LIMIT: f64 = 0.02;
/// The slowest rebound to go on from, in m/s.
const REST: f64 = 0.1;
/// Where gimbal and drives bring base and joints: upright on the foot.
const POSE: [f64; 7] = [0.904, 0.214, 0.369, -0.031, -0.548, -0.07, -0.392];

#[derive(Clone, Copy)]
struct Leg {
    /// Of the base's origin.
    height: f64,
    q: [f64; 7],
    qd: [f64; 9],
}

/// What the drives do.
#[derive(Clone, Copy, PartialEq)]
enum Command {
    /// Bring the joints back to their pose.
    Return,
    /// Let the foot follow the ground, by the last two joints.
    Follow,
}

/// The foot meets the ground: how the leg stood and moved just before, and what
/// comes of it.
#[derive(Clone, Copy)]
struct Touch {
    q: [f64; 7],
    qd: [f64; 9],
    velocity: [f64; 3],
    impact: Impact,
}

impl Leg {
    /// One millisecond.
    fn step(&mut self, command: Command) -> Result<Option<Touch>, Error> {
        let at = Dynamics::at(&self.q);
        self.accelerate(&at, command);
        let (height, falling) = (self.height + at.point[2], -self.velocity(&at)[0]);
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

    /// Velocities after a millisecond without contact.
    fn accelerate(&mut self, at: &Dynamics, command: Command) {
        let [_, slip @ ..] = self.velocity(at);
        let up = self.up();
        let turn = self.turn();
        let [vx, vy, vz, wx, wy, wz, joints @ ..] = self.qd;
        let v = [
            vx + STEP * (wz * vy - wy * vz - GRAVITY * up[0]),
            vy + STEP * (wx * vz - wz * vx - GRAVITY * up[1]),
            vz + STEP * (wy * vx - wx * vy - GRAVITY * up[2]),
        ];
        let w = [
            wx - STEP * (STIFFNESS * turn[0] + DAMPING * wx),
            wy - STEP * (STIFFNESS * turn[1] + DAMPING * wy),
            wz - STEP * (STIFFNESS * turn[2] + DAMPING * wz),
        ];
        let mut joints = joints;
        match command {
            Command::Return => {
                for (i, joint) in joints.iter_mut().enumerate() {
                    let off = self.q[4 + i] - POSE[4 + i];
                    *joint -= STEP * (STIFFNESS * off + DAMPING * *joint);
                }
            }
            Command::Follow => {
                let [_, [.., a, b], [.., c, d]] = at.jacobian;
                let determinant = a * d - b * c;
                joints[1] -= STEP * DRIVE * ((d * slip[0] - b * slip[1]) / determinant);
                joints[2] -= STEP * DRIVE * ((a * slip[1] - c * slip[0]) / determinant);
            }
        }
        self.qd = [v[0], v[1], v[2], w[0], w[1], w[2], joints[0], joints[1], joints[2]];
    }

    fn advance(&mut self, time: f64) {
        let up = self.up();
        let [vx, vy, vz, wx, wy, wz, ..] = self.qd;
        self.height += time * (up[0] * vx + up[1] * vy + up[2] * vz);
        let [x, y, z, w, ..] = self.q;
        let half = 0.5 * time;
        self.q[0] = x + half * (w * wx + y * wz - z * wy);
        self.q[1] = y + half * (w * wy + z * wx - x * wz);
        self.q[2] = z + half * (w * wz + x * wy - y * wx);
        self.q[3] = w - half * (x * wx + y * wy + z * wz);
        let [x, y, z, w, ..] = self.q;
        // One step of Newton's for the inverse square root, which is near 1.
        let unit = 1.5 - 0.5 * (x * x + y * y + z * z + w * w);
        for i in 0..4 {
            self.q[i] *= unit;
        }
        for i in 0..3 {
            self.q[4 + i] += time * self.qd[6 + i];
        }
    }

    /// The world's vertical in base axes.
    fn up(&self) -> [f64; 3] {
        let [x, y, z, w, ..] = self.q;
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)]
    }

    /// The small rotation from the pose, in base axes.
    fn turn(&self) -> [f64; 3] {
        let [x, y, z, w, ..] = self.q;
        let [a, b, c, d, ..] = POSE;
        [
            2.0 * (d * x - w * a - (b * z - c * y)),
            2.0 * (d * y - w * b - (c * x - a * z)),
            2.0 * (d * z - w * c - (a * y - b * x)),
        ]
    }

    /// The velocity of the foot, normal first.
    fn velocity(&self, at: &Dynamics) -> [f64; 3] {
        at.jacobian.map(|row| row.iter().zip(self.qd).fold(0.0, |sum, (j, qd)| sum + j * qd))
    }

    /// The next touch, if one comes within the horizon while the command stands.
    fn foresee(&self, command: Command) -> Result<Option<Touch>, Error> {
        let mut ahead = *self;
        for _ in 0..HORIZON {
            if let Some(touch) = ahead.step(command)? {
                return Ok(Some(touch));
            }
        }
        Ok(None)
    }
}

/// Drops the leg. Where friction would use up too much in the impact that is
/// foreseen, and less if the foot follows the ground, it does so before it lands.
pub(crate) fn run(report: &mut impl FnMut(&Bounce)) -> Result<u32, Error> {
    let mut leg = Leg { height: 1.5, q: POSE, qd: [0.0; 9] };
    leg.qd[1] = 1.0;
    let mut command = Command::Return;
    let mut averted = None;
    let mut foreseen = None;
    for tick in 0..TICKS {
        let mut next = leg.foresee(command)?;
        if let Some(Touch { impact: Impact { friction_work: first, .. }, .. }) = next
            && command == Command::Return
            && first < -LIMIT
            && let Some(swung) = leg.foresee(Command::Follow)?
            && swung.impact.friction_work > first
        {
            command = Command::Follow;
            averted = Some(-first);
            foreseen = None;
            next = Some(swung);
        }
        foreseen = foreseen.or(next.map(|touch| (tick, touch.impact)));
        if let Some(touch) = leg.step(command)? {
            let Touch { q, qd, velocity, impact } = touch;
            report(&Bounce {
                robot: "leg",
                tick,
                mode: impact.mode.name(),
                q: &q,
                qd: [&qd, &impact.qd],
                velocity: [&velocity, &impact.velocity],
                impulse: &impact.impulse,
                work: [impact.normal_work, impact.friction_work],
                foreseen: foreseen.map(|(since, expected)| (tick - since, expected.impulse[0])),
                exact: foreseen.is_some_and(|(_, expected)| expected == impact),
                averted: averted
                    .map(|work| ([work, -impact.friction_work], "J of friction, foot swung")),
            });
            if impact.velocity[0] < REST {
                return Ok(tick + 1);
            }
            command = Command::Return;
            averted = None;
            foreseen = None;
        }
    }
    Ok(TICKS)
}
