//! Generates what gives the robots' contact inertia at their joints' positions.

use routh_codegen::{Error, Robot};

fn main() -> Result<(), Error> {
    for name in ["leg", "planar_arm"] {
        let robot = Robot::from_toml(format!("../../examples/{name}.toml"))?;
        robot.generate()?.write_to_out_dir(&format!("{name}.rs"))?;
    }
    Ok(())
}
