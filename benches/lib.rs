//! The paper's motions, random impacts, robots, and what times them.
#![forbid(unsafe_code)]

pub mod contest;
pub mod rest;
pub mod robots;

pub use routh_integrators::timed;

use routh::{Collision, Contact, Error, Friction};
use routh_integrators::Motion;
use routh_tests::random::{Kind, Random};
use routh_tests::reference::{Input, seed_robot};

/// The spatial paper's friction.
pub const MU: f64 = 0.3;
/// Its impulse, in N s.
pub const IMPULSE: f64 = 3000.0;
/// Its three starts, in m/s.
pub const STARTS: [[f64; 2]; 3] = [[4.0, 0.0], [1.0, -4.0], [-4.0, -4.0]];

/// Random impacts in space.
pub fn collisions(seed: u64, many: usize) -> Vec<Collision> {
    let mut random = Random::seeded(seed);
    std::iter::repeat_with(|| random.spatial(Kind::Plain))
        .filter_map(|input| {
            let contact = Contact::new(input.inertia).ok()?;
            let Input { velocity, friction, restitution, .. } = input;
            Some(Collision { contact, velocity, friction, restitution })
        })
        .take(many)
        .collect()
}

/// The motion of the spatial paper's robot from a sliding velocity.
///
/// # Errors
/// None: the friction is in range.
pub fn motion_of_the_paper(v0: [f64; 2]) -> Result<Motion, Error> {
    Ok(Motion::new(seed_robot(), Friction::uniform(MU)?, v0, &[IMPULSE]))
}
