//! Generates a solver for every robot that is measured.

use std::path::Path;

use routh_codegen::{Error, Robot, Runtime};

const ROBOTS: [&str; 4] = ["planar_arm", "spatial_arm4", "leg3_floating", "arm7"];

/// Robots known by their contact alone; generated with constants and without.
const CONTACTS: [(&str, &str); 2] = [("../examples", "seed_robot"), ("robots", "rod")];

fn main() -> Result<(), Error> {
    for name in ROBOTS {
        let file = Path::new("robots").join(name).with_extension("toml");
        Robot::from_toml(file)?.generate()?.write_to_out_dir(&format!("{name}.rs"))?;
    }
    for (folder, name) in CONTACTS {
        let robot = Robot::from_toml(Path::new(folder).join(name).with_extension("toml"))?;
        robot.generate()?.write_to_out_dir(&format!("{name}.rs"))?;
        let open = robot.runtime(&Runtime::ALL).named(&format!("{name}_open"));
        open.generate()?.write_to_out_dir(&format!("{name}_open.rs"))?;
    }
    Ok(())
}
