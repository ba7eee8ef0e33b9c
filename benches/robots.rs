//! Solvers that were generated for robots, and where the robots are.

macro_rules! solvers {
    ($($name:ident $($urdf:literal)?),*) => {$(
        #[doc = concat!("The solver of `", stringify!($name), "`.")]
        #[allow(missing_docs, clippy::module_inception)]
        pub mod $name {
            include!(concat!(env!("OUT_DIR"), "/", stringify!($name), ".rs"));
            $(
                /// The robot.
                pub const URDF: &str = include_str!(concat!("../tests/data/robots/", $urdf));
                /// The solver's text.
                pub const TEXT: &str =
                    include_str!(concat!(env!("OUT_DIR"), "/", stringify!($name), ".rs"));
            )?
        }
    )*};
}

solvers!(seed_robot, seed_robot_open, rod, rod_open);

solvers!(
    planar_arm "planar_arm.urdf",
    spatial_arm4 "spatial_arm4.urdf",
    leg3_floating "leg3_floating.urdf",
    arm7 "arm7.urdf"
);

/// Directions of the contacts: the normal, then the tangents.
pub const DIRECTIONS: [[f64; 3]; 3] = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

/// The operations of `D`, `J` and the response that a solver states.
pub fn operations(text: &str) -> Option<u32> {
    let line = text.lines().find_map(|line| line.strip_prefix("// D(q), J(q), response: "))?;
    line.split(' ').next()?.parse().ok()
}

/// Numbers in ±1, everywhere the same.
#[derive(Clone, Copy, Debug)]
pub struct Numbers(pub u64);

impl Iterator for Numbers {
    type Item = f64;

    fn next(&mut self) -> Option<f64> {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        Some((self.0 >> 33) as f64 / f64::from(1 << 30) - 1.0)
    }
}

impl Numbers {
    /// So many of them, times a factor.
    pub fn array<const N: usize>(&mut self, factor: f64) -> [f64; N] {
        std::array::from_fn(|_| factor * self.next().unwrap_or_default())
    }
}
