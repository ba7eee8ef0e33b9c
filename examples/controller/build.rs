//! Makes the impact solvers of both robots.

use routh_codegen::{Error, Robot};

fn main() -> Result<(), Error> {
    Robot::from_toml("../planar_arm.toml")?.generate()?.write_to_out_dir("arm.rs")?;
    Robot::from_toml("../leg.toml")?.generate()?.write_to_out_dir("leg.rs")
}
