//! The generated `D(q)`, `J(q)` and `M⁻¹Jᵀ` against composite rigid bodies written
//! by hand with nalgebra, and their part in a whole impact. Everything is timed in
//! turn, many times over, and the shortest counts.

use std::error::Error;

use nalgebra::{Quaternion, UnitQuaternion};
use routh_benches::robots::{
    self, DIRECTIONS, Numbers, arm7, leg3_floating, planar_arm, spatial_arm4,
};
use routh_benches::timed::{Timed, shortest};
use routh_integrators::rigid_bodies::RigidBodies;

const ROUNDS: usize = 400;
/// Positions of each robot.
const MANY: usize = 100;
/// By how much both ways may differ.
const TOLERANCE: f64 = 1e-10;

/// Prints a row of the table.
macro_rules! measure {
    ($robot:ident, $joints:literal, $directions:literal) => {{
        const FREE: usize = $robot::POSITIONS - $joints;
        let directions: [_; $directions] = std::array::from_fn(|k| DIRECTIONS[k]);
        let plain = RigidBodies::<$joints, { $robot::VELOCITIES }, $directions>::from_urdf(
            $robot::URDF,
            "tip",
            directions,
        )?;
        let mut numbers = Numbers(1);
        let mut samples = Vec::new();
        for _ in 0..MANY {
            let q: [f64; $robot::POSITIONS] = numbers.array(3.0);
            let mut qd: [f64; $robot::VELOCITIES] = numbers.array(1.0);
            let base = match q[..FREE] {
                [x, y, z, w] => UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z)),
                _ => UnitQuaternion::identity(),
            };
            let joints: [f64; $joints] = std::array::from_fn(|i| q[FREE + i]);
            let generated = $robot::Dynamics::at(&q);
            let by_hand = plain.at(&base, &joints).ok_or("M is not positive definite")?;
            let scale = by_hand.inertia.amax().max(by_hand.response.amax());
            for i in 0..$directions {
                for j in 0..$robot::VELOCITIES {
                    near(generated.jacobian[i][j], by_hand.jacobian[(i, j)], 1.0)?;
                    near(generated.response[j][i], by_hand.response[(j, i)], scale)?;
                }
                for j in 0..$directions {
                    near(generated.inertia[$directions * i + j], by_hand.inertia[(i, j)], scale)?;
                }
            }
            let normal: f64 = generated.jacobian[0].iter().zip(&qd).map(|(j, v)| j * v).sum();
            qd = qd.map(|v| -v * normal.signum());
            $robot::impact(&q, &qd).map_err(|error| format!("{error:?}"))?;
            samples.push((q, base, joints, qd));
        }
        let times = [
            Timed::each(&samples, |(q, ..)| $robot::Dynamics::at(q)),
            Timed::each(&samples, |(_, base, joints, _)| plain.at(base, joints)),
            Timed::each(&samples, |(q, _, _, qd)| $robot::impact(q, qd)),
        ];
        let [generated, by_hand, impact] = shortest(times, ROUNDS);
        println!(
            "| {} | {} | {generated:.0} | {by_hand:.0} | {:.2} | {impact:.0} | {:.0} % |",
            stringify!($robot),
            robots::operations($robot::TEXT).ok_or("the solver states no operations")?,
            by_hand / generated,
            100.0 * generated / impact,
        );
    }};
}

fn near(x: f64, y: f64, scale: f64) -> Result<(), String> {
    if (x - y).abs() < TOLERANCE * scale.max(1.0) {
        return Ok(());
    }
    Err(format!("{x} is not {y}"))
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("D, J and M⁻¹Jᵀ at {MANY} positions of each robot, ns each");
    println!(
        "| robot | operations | generated | by hand | by hand / generated | impact | of it dynamics |"
    );
    println!("|---|---|---|---|---|---|---|");
    measure!(planar_arm, 2, 2);
    measure!(spatial_arm4, 4, 3);
    measure!(leg3_floating, 3, 3);
    measure!(arm7, 7, 3);
    Ok(())
}
