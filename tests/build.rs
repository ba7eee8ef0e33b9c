//! Generates the solvers that the tests try.

#[allow(dead_code, unreachable_pub)]
#[path = "src/documents.rs"]
mod documents;
mod made;

use std::fmt::Write;
use std::path::Path;

use documents::Trial;

fn main() -> Result<(), routh_codegen::Error> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=made/mod.rs");
    blocks()?;
    for (name, robot) in made::robots()? {
        robot.generate()?.write_to_out_dir(&format!("{name}.rs"))?;
    }
    Ok(())
}

/// The documents' Rust blocks as functions.
fn blocks() -> Result<(), routh_codegen::Error> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| routh_codegen::Error::Read { path, source }
    };
    println!("cargo:rerun-if-changed=src/documents.rs");
    println!("cargo:rerun-if-changed=../docs");
    let all = documents::documents().map_err(failed(Path::new(documents::ROOT)))?;
    let mut functions = String::new();
    let mut lists = [String::new(), String::new()];
    for document in &all {
        println!("cargo:rerun-if-changed=../{}", document.name);
        for block in &document.blocks {
            let i = functions.len();
            let (text, place) = (&block.text, &block.place);
            let body = match block.trial() {
                Some(Trial::Rust) => format!("{text}\nOk(())"),
                Some(Trial::BuildScript) => format!("{text}\nOk(main()?)"),
                _ => continue,
            };
            let _ = writeln!(
                functions,
                "#[allow(unused)]\nfn block_{i}() -> Result<(), Box<dyn Error>> {{\n{body}\n}}"
            );
            let list = &mut lists[usize::from(block.trial() == Some(Trial::BuildScript))];
            let _ = writeln!(list, "({place:?}, block_{i}),");
        }
    }
    let [rust, scripts] = lists;
    let _ = writeln!(
        functions,
        "const RUST: &[(&str, Run)] = &[{rust}];\nconst BUILD_SCRIPTS: &[(&str, Run)] = &[{scripts}];"
    );
    let out = std::env::var("OUT_DIR").unwrap_or_default();
    let path = Path::new(&out).join("documents.rs");
    std::fs::write(&path, functions).map_err(failed(&path))
}
