//! `routh generate`: a solver for one robot, as source text.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use routh_codegen::{Language, Robot};

use crate::output::{Failure, Progress};

/// Generate a solver for one robot, as Rust or C
#[derive(Args)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub(crate) struct Generate {
    /// The robot's file; `-` is standard input
    robot: PathBuf,
    /// Folder to write into
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Language of the solver
    #[arg(long, value_enum, default_value_t = Lang::Rust)]
    lang: Lang,
}

const ABOUT: &str = "\
Generate a solver for one robot, as Rust or C

ROBOT is a TOML file: the contact inertia D, or M and J, or a URDF with a
contact frame; friction, restitution, and options of the solver.

  name = \"seed_robot\"
  [contact]               # or M = ... and J = ..., or
  D = [[2.5, -1.5], [-1.5, 2.5]]
  # [robot]               # a model, found beside this file
  # urdf = \"arm.urdf\"
  # contact_frame = \"tip\"
  # normal = [0, 0, 1]
  # tangents = [[1, 0, 0], [0, 1, 0]]
  # floating_base = false
  [friction]
  static = 0.3
  kinetic = 0.3
  [restitution]
  law = \"energetic\"       # or \"newton\", \"poisson\"
  e = 0.5
  [kernel]                # all of it may be left out
  kind = \"series\"
  tolerance = 1e-12
  precision = \"f64\"       # or \"f32\"
  runtime = []            # \"D\", \"friction\", \"restitution\": arguments
  derivatives = false     # the Jacobian of the velocity after impact

Written into DIR: NAME.rs, or NAME.c, NAME.h and NAME_test.c; and REPORT.md,
with operation counts, errors against a reference, and steps. Files are
written whole or not at all, and only if they change.";

const EXAMPLES: &str = "\
Examples, from the root of the repository:
  routh generate examples/seed_robot.toml -o target/seed_robot
  routh generate examples/leg.toml -o target/leg --lang c";

#[derive(Clone, Copy, ValueEnum)]
enum Lang {
    /// One self-contained file, also as no_std
    Rust,
    /// C99: header, source and a test program
    C,
}

impl From<Lang> for Language {
    fn from(lang: Lang) -> Self {
        match lang {
            Lang::Rust => Self::Rust,
            Lang::C => Self::C,
        }
    }
}

/// What there is to be done before writing.
const PARTS: usize = 4;

impl Generate {
    fn read(&self) -> Result<Robot, Failure> {
        if self.robot.as_os_str() != "-" {
            return Ok(Robot::from_toml(&self.robot)?);
        }
        let text = io::read_to_string(io::stdin())
            .map_err(|source| Failure::Read { path: "-".to_owned(), source })?;
        Ok(Robot::from_toml_text(&text, "-")?)
    }

    pub(crate) fn run(&self) -> Result<(), Failure> {
        let progress = Progress::of_parts(PARTS);
        progress.part("reading the robot");
        let robot = self.read()?.language(self.lang.into());
        let generated = robot.generate_with(&|part| progress.part(part))?;
        let written = generated.write_into(&self.output)?;
        drop(progress);
        let mut out = io::stdout().lock();
        let mut text = generated.summary().to_owned();
        for (file, changed) in generated.files().zip(written) {
            let done = if changed { "written" } else { "unchanged" };
            text += &format!("  {done:11} {}\n", self.output.join(&file.name).display());
        }
        out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Failure::Write)
    }
}
