//! Robots whose contact inertia depends on their joints: generated code.

macro_rules! generated {
    ($($name:ident),*) => {$(
        #[allow(missing_docs, unreachable_pub, dead_code, clippy::all)]
        mod $name {
            include!(concat!(env!("OUT_DIR"), "/", stringify!($name), ".rs"));
        }
    )*};
}

generated!(leg, planar_arm);

/// Joints that a robot has at most.
pub const MOST_JOINTS: usize = 3;

/// `D`, row by row: of the leg, whose base stands upright, or of the planar arm; none
/// of another robot.
pub fn inertia(robot: usize, &[a, b, c]: &[f64; MOST_JOINTS]) -> Vec<f64> {
    match robot {
        0 => leg::Dynamics::at(&[0.0, 0.0, 0.0, 1.0, a, b, c]).inertia.to_vec(),
        1 => planar_arm::Dynamics::at(&[a, b]).inertia.to_vec(),
        _ => Vec::new(),
    }
}
