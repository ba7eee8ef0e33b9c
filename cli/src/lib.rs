//! The commands of `routh`: rigid impact with friction on the command line.
#![forbid(unsafe_code)]

mod answers;
mod batch;
mod chain;
mod compare;
mod contacts;
mod derive;
mod documents;
mod failure;
mod flow;
mod generate;
mod input;
mod output;
mod plot;
mod progress;
mod rejection;
mod replies;
mod report;
mod solve;
mod trajectory;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

pub use crate::replies::{Question, replies};

use crate::failure::Failure;

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

#[derive(Subcommand)]
enum Command {
    Solve(solve::Solve),
    Trajectory(trajectory::Trajectory),
    Compare(compare::Compare),
    Flow(flow::Flow),
    Chain(chain::Chain),
    Contacts(contacts::Contacts),
    Derive(derive::Derive),
    Generate(generate::Generate),
    Report(report::Report),
}

/// Runs the command that the arguments ask for.
pub fn run() -> ExitCode {
    let outcome = match Routh::parse().command {
        Command::Solve(command) => command.run(),
        Command::Trajectory(command) => command.run(),
        Command::Compare(command) => command.run(),
        Command::Flow(command) => command.run(),
        Command::Chain(command) => command.run(),
        Command::Contacts(command) => command.run(),
        Command::Derive(command) => command.run(),
        Command::Generate(command) => command.run(),
        Command::Report(command) => command.run(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever reads has seen enough.
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
