//! `routh`: rigid impact with friction on the command line.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    routh_cli::run()
}
