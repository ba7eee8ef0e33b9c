//! Generates a robot's solver in Rust for this crate, and in C for a compiler of C.

use routh_codegen::{Language, Robot};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let robot = Robot::from_toml("seed_robot.toml")?;
    robot.generate()?.write_to_out_dir("seed_robot.rs")?;
    let folder = std::path::PathBuf::from(std::env::var("OUT_DIR")?).join("c");
    robot.language(Language::C).generate()?.write_into(&folder)?;
    println!("cargo:rustc-env=FOLDER={}", folder.display());
    Ok(())
}
