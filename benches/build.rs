//! Generates a solver for every robot that is measured.

use std::path::Path;

use routh_codegen::{Error, Robot};

const ROBOTS: [&str; 4] = ["planar_arm", "spatial_arm4", "leg3_floating", "arm7"];

fn main() -> Result<(), Error> {
    for name in ROBOTS {
        let file = Path::new("robots").join(name).with_extension("toml");
        Robot::from_toml(file)?.generate()?.write_to_out_dir(&format!("{name}.rs"))?;
    }
    Ok(())
}
