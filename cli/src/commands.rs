//! The commands, each with its options and help.

pub(crate) mod chain;
pub(crate) mod compare;
pub(crate) mod contacts;
mod derive;
pub(crate) mod flow;
mod generate;
mod report;
pub(crate) mod solve;
pub(crate) mod trajectory;

use clap::Subcommand;

use crate::output::Failure;

/// Defines what can be asked for; every command has a `run`.
macro_rules! commands {
    ($($name:ident: $command:path),* $(,)?) => {
        #[derive(Subcommand)]
        pub(crate) enum Command {
            $($name($command)),*
        }

        impl Command {
            pub(crate) fn run(&self) -> Result<(), Failure> {
                match self {
                    $(Self::$name(command) => command.run()),*
                }
            }
        }
    };
}

commands! {
    Solve: solve::Solve,
    Trajectory: trajectory::Trajectory,
    Compare: compare::Compare,
    Flow: flow::Flow,
    Chain: chain::Chain,
    Contacts: contacts::Contacts,
    Derive: derive::Derive,
    Generate: generate::Generate,
    Report: report::Report,
}
