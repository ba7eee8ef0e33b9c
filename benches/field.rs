//! Named impacts and slips by every method in Rust: a table for each case, with the error
//! that a method reaches. Everything is timed in turn, and the shortest counts.
//!
//! `ROUTH_TOLERANCES` names other tolerances, with commas between, and `ROUTH_ROUNDS` the
//! number of rounds.

use std::error::Error;

use routh_benches::contest::{Case, Kind, row};

const TOLERANCES: &str = "1e-3,1e-6,1e-9,1e-12,1e-14";
const ROUNDS: &str = "20";

fn main() -> Result<(), Box<dyn Error>> {
    let variable = |name, otherwise: &str| std::env::var(name).unwrap_or(otherwise.to_owned());
    let rounds: usize = variable("ROUTH_ROUNDS", ROUNDS).parse()?;
    let named = variable("ROUTH_TOLERANCES", TOLERANCES);
    let tolerances: Vec<f64> =
        named.split(',').map(|word| word.trim().parse()).collect::<Result<_, _>>()?;
    let cases = Case::all()?;
    let mut entries = row::entries(&cases, &tolerances);
    (0..rounds).for_each(|round| row::sample(&mut entries, round));
    let rows = row::rows(entries);
    for case in &cases {
        for kind in Kind::ALL {
            println!("\n{} {}\n", case.name, kind.name());
            println!(
                "| method | tolerance, or steps | error | steps | ns |\n|---|---|---|---|---|"
            );
            for row in rows.iter().filter(|row| row.case == case.name && row.kind == kind) {
                let error = row.error.unwrap_or(f64::NAN);
                println!(
                    "| {} | {:e} | {error:.0e} | {} | {:.0} |",
                    row.method, row.tolerance, row.steps, row.nanoseconds
                );
            }
        }
    }
    Ok(())
}
