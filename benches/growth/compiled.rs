//! Generated code, compiled into a program that times it.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use routh_benches::timed::{Timed, in_turn};

use crate::measured::{folder, root};

/// Rounds of one run of a program, and those of long runs.
const ROUNDS: (usize, usize) = (60, 3);
/// Runs that take turns with what they are compared with.
const TURNS: usize = 5;

/// Code, and a closure that calls it, `part` being its module.
pub(crate) struct Part {
    pub(crate) code: String,
    pub(crate) call: String,
}

/// A program that times its parts in turn.
pub(crate) struct Program {
    path: PathBuf,
}

impl Program {
    pub(crate) fn new(name: &str, parts: &[Part]) -> Result<Self, Box<dyn Error>> {
        let timed = root().join("benches/integrators/src/timed.rs").canonicalize()?;
        let mut text = format!("#[allow(dead_code)]\n#[path = {timed:?}]\nmod timed;\n");
        let mut calls = String::new();
        for (i, Part { code, call }) in parts.iter().enumerate() {
            text += &format!("#[allow(warnings)]\nmod part{i} {{\n{code}\n}}\n");
            calls += &format!("{{ use part{i} as part; timed::Timed::new({call}) }},\n");
        }
        text += &format!(
            "fn main() {{\n\
             let mut all = [\n{calls}];\n\
             timed::in_turn(&mut all, {ROUNDS:?});\n\
             all.iter().for_each(|timed| println!(\"{{}}\", timed.least));\n}}\n"
        );
        let folder = folder().join("programs");
        fs::create_dir_all(&folder)?;
        let (source, path) = (folder.join(name).with_extension("rs"), folder.join(name));
        fs::write(&source, text)?;
        run(rustc(&source).arg("-o").arg(&path))?;
        Ok(Self { path })
    }

    /// The shortest time of each part, in ns, over runs that take turns with what is
    /// timed here.
    pub(crate) fn run_beside(&self, others: &mut [Timed]) -> Result<Vec<f64>, Box<dyn Error>> {
        let mut least = vec![f64::INFINITY; others.len()];
        for _ in 0..TURNS {
            in_turn(others, (ROUNDS.0, ROUNDS.0));
            least.iter_mut().zip(self.run()?).for_each(|(least, time)| *least = least.min(time));
        }
        Ok(least)
    }

    /// The shortest time of each part in one run.
    fn run(&self) -> Result<Vec<f64>, Box<dyn Error>> {
        let text = String::from_utf8(run(&mut Command::new(&self.path))?)?;
        Ok(text.lines().map(str::parse).collect::<Result<_, _>>()?)
    }
}

/// Rust's compiler, as releases are built.
pub(crate) fn rustc(source: &Path) -> Command {
    let mut compiler = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    compiler.args(["--edition", "2024", "--cap-lints", "allow"]);
    compiler.args(["-C", "opt-level=3", "-C", "codegen-units=1"]).arg(source);
    compiler
}

/// Runs a command that must succeed.
pub(crate) fn run(command: &mut Command) -> Result<Vec<u8>, Box<dyn Error>> {
    let output = command.output()?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)).into())
}
