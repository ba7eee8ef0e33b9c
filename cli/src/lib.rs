//! The commands of `routh`: rigid impact with friction on the command line.
#![forbid(unsafe_code)]

mod commands;
mod input;
mod output;
mod plot;
mod report;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

pub use crate::output::{Question, replies};

use crate::commands::Command;
use crate::output::Failure;

/// Rigid impact with friction: planar closed forms, power series and compiled flows in space
///
/// Data goes to standard output, messages to standard error. The exit status
/// is 0 if all went well, 1 if some input could not be solved, 2 for wrong
/// usage.
#[derive(Parser)]
#[command(name = "routh", version, arg_required_else_help = true, after_help = EXAMPLES)]
struct Routh {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples, from the root of the repository:
  routh solve examples/seed_robot.json
  routh trajectory examples/sliding.json
  routh compare examples/sliding.json
  routh flow examples/flow.json
  routh chain examples/chain.json
  routh contacts examples/triple_contact.json
  routh derive
  routh generate examples/seed_robot.toml -o target/seed_robot
  routh report -o target/report";

/// Runs the command that the arguments ask for.
pub fn run() -> ExitCode {
    match Routh::parse().command.run() {
        Ok(()) => ExitCode::SUCCESS,
        // The reader closed the pipe.
        Err(Failure::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(Failure::Usage(reason)) => {
            let _ = writeln!(io::stderr(), "routh: {reason}");
            ExitCode::from(2)
        }
        Err(failure) => {
            // With standard error closed, the exit status must do.
            let _ = writeln!(io::stderr(), "routh: {failure}");
            ExitCode::FAILURE
        }
    }
}
