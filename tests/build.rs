//! Generates the solvers that the tests try.

mod made;

use std::fmt::Write;
use std::path::Path;

fn main() -> Result<(), routh_codegen::Error> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=made/mod.rs");
    readme()?;
    for (name, robot) in made::robots()? {
        robot.generate()?.write_to_out_dir(&format!("{name}.rs"))?;
    }
    Ok(())
}

/// The README's Rust blocks as functions, but for the build script, and its C.
fn readme() -> Result<(), routh_codegen::Error> {
    println!("cargo:rerun-if-changed=../README.md");
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| routh_codegen::Error::Read { path, source }
    };
    let path = Path::new("../README.md");
    let text = std::fs::read_to_string(path).map_err(failed(path))?;
    let blocks = |language: &str| -> Vec<&str> {
        let fence = format!("```{language}\n");
        let parts = text.split(&*fence).skip(1);
        parts.filter_map(|part| part.split("```").next()).collect()
    };
    let rust = blocks("rust").into_iter().filter(|block| !block.contains("fn main"));
    let mut functions = String::new();
    let mut count = 0;
    for (i, block) in rust.enumerate() {
        count += 1;
        let _ = writeln!(
            functions,
            "#[allow(unused_variables)]\nfn block_{i}() -> Result<(), Box<dyn Error>> {{\n{block}\nOk(())\n}}"
        );
    }
    let c = blocks("c").concat();
    let _ = writeln!(functions, "const BLOCKS: usize = {count};\nconst C: &str = r##\"{c}\"##;");
    let out = std::env::var("OUT_DIR").unwrap_or_default();
    let path = Path::new(&out).join("readme.rs");
    std::fs::write(&path, functions).map_err(failed(&path))
}
