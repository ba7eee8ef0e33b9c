//! Motions of the paper's robot that pass ever nearer to rest.

use routh::{Accuracy, Contact, Error, Friction, Trajectory};
use routh_integrators::Motion;
use routh_tests::reference::seed_robot;

use crate::{IMPULSE, MU};

/// The speed that they start with, in m/s.
const SPEED: f64 = 4.0;

/// A motion for each least speed that is wanted, and the one it has. They start
/// in directions ever nearer to the one that leads to rest.
///
/// # Errors
/// None: the friction is in range.
pub fn motions(wanted: &[f64]) -> Result<Vec<(f64, Motion)>, Error> {
    let (robot, friction) = (seed_robot(), Friction::uniform(MU)?);
    let to_rest = direction_to_rest(&robot, friction)?;
    let motion = |&wanted: &f64| {
        let (mut low, mut high) = (1e-9_f64, 2.0_f64);
        for _ in 0..30 {
            let middle = (low * high).sqrt();
            let far = least_speed(&robot, friction, start(to_rest + middle))? > wanted;
            if far { high = middle } else { low = middle }
        }
        let v0 = start(to_rest + low);
        let least = least_speed(&robot, friction, v0)?;
        Ok((least, Motion::new(robot, friction, v0, &[IMPULSE])))
    };
    wanted.iter().map(motion).collect()
}

fn start(angle: f64) -> [f64; 2] {
    [SPEED * angle.cos(), SPEED * angle.sin()]
}

/// The angle from which a motion comes to rest.
fn direction_to_rest(robot: &Contact<3>, friction: Friction) -> Result<f64, Error> {
    let (mut to_rest, mut width) = (0.0, std::f64::consts::PI);
    while width > 1e-15 {
        let mut least = f64::INFINITY;
        let middle = to_rest;
        for i in -50..=50 {
            let angle = middle + width * f64::from(i) / 50.0;
            let speed = least_speed(robot, friction, start(angle))?;
            if speed < least {
                (least, to_rest) = (speed, angle);
            }
        }
        width *= 0.04;
    }
    Ok(to_rest)
}

/// The least speed of a motion.
fn least_speed(robot: &Contact<3>, friction: Friction, v0: [f64; 2]) -> Result<f64, Error> {
    let speed = |p: f64| -> Result<f64, Error> {
        let mut motion = Trajectory::new(robot, friction, v0, Accuracy::default())?;
        let [x, y] = motion.advance(p)?;
        Ok(x.hypot(y))
    };
    let (mut low, mut high) = (0.0, IMPULSE);
    while high - low > 1e-13 * IMPULSE {
        let [left, right] = [low + (high - low) / 3.0, high - (high - low) / 3.0];
        if speed(left)? < speed(right)? { high = right } else { low = left }
    }
    speed(0.5 * (low + high))
}
