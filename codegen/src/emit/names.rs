//! Names of a program as Rust identifiers, kept apart from the emitter's own.

use crate::Error;
use crate::program::SeriesProgram;

/// Names of arguments, loop variables and functions in emitted code.
const TAKEN: [&str; 22] = [
    "start",
    "rows",
    "given",
    "unknowns",
    "order",
    "constants",
    "next",
    "value",
    "count",
    "half",
    "last",
    "low",
    "high",
    "i",
    "k",
    "j",
    "sqrt",
    "exp",
    "ln",
    "sin",
    "cos",
    "pow",
];

/// Prefixes of numbered locals in emitted code.
const NUMBERED: [&str; 6] = ["u", "s", "k", "sum", "part", "inverse"];

/// Checks the names of a program that is a whole system, as [`check`] does.
pub(super) fn check_whole(program: &SeriesProgram) -> Result<(), Error> {
    match program.given.first() {
        None => check(program),
        Some(_) => Err(Error::Unsupported(format!("{} without what it is given", program.name))),
    }
}

/// Checks that a program's names are identifiers, different from each other
/// and from what emitted code uses itself.
pub(super) fn check(program: &SeriesProgram) -> Result<(), Error> {
    let states = program.states.iter().map(|state| &state.name);
    let names: Vec<_> = states.chain(&program.given).chain(&program.scalars.inputs).collect();
    for (i, name) in names.iter().enumerate() {
        let numbered = NUMBERED.iter().filter_map(|prefix| name.strip_prefix(prefix));
        let taken = TAKEN.contains(&name.as_str())
            || numbered.into_iter().any(|rest| {
                rest.starts_with(|c: char| c.is_ascii_digit())
                    && rest.chars().all(|c| c.is_ascii_digit() || c == '_')
            });
        if taken || names[..i].contains(name) || syn::parse_str::<syn::Ident>(name).is_err() {
            return Err(Error::Name((*name).clone()));
        }
    }
    Ok(())
}
