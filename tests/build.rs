//! Generates the solvers that the tests try.

mod made;

fn main() -> Result<(), routh_codegen::Error> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=made/mod.rs");
    for (name, robot) in made::robots()? {
        robot.generate()?.write_to_out_dir(&format!("{name}.rs"))?;
    }
    Ok(())
}
