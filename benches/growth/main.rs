//! How cost grows: with the order of a series, the tolerance, nearness to rest,
//! the bodies of a chain, the corners of a landing, the joints of an arm; and generated code with its order.
//!
//! `cargo bench -p routh-benches --bench growth` measures everything, prints the
//! laws, draws `docs/growth` and puts the tables into `docs/growth.md`. Names of
//! figures after `--` measure those alone; with `draw` among them nothing is
//! measured, and what `target/growth/growth.json` holds is drawn again.
#![forbid(unsafe_code)]

mod arm;
mod axis;
mod chain;
mod compiled;
mod figure;
mod joints;
mod kernel;
mod landing;
mod law;
mod measured;
mod order;
mod page;
mod rest;
mod size;
mod tolerance;

use std::error::Error;
use std::fs;

use figure::Figure;
use measured::{Measured, load, root, save};

/// A figure: its name, how it is measured and how it is drawn.
struct Topic {
    name: &'static str,
    measure: fn() -> Result<Measured, Box<dyn Error>>,
    figure: fn(&Measured) -> Figure,
}

const TOPICS: [Topic; 7] = [
    Topic { name: "order", measure: order::measure, figure: order::figure },
    Topic { name: "tolerance", measure: tolerance::measure, figure: tolerance::figure },
    Topic { name: "rest", measure: rest::measure, figure: rest::figure },
    Topic { name: "chain", measure: chain::measure, figure: chain::figure },
    Topic { name: "landing", measure: landing::measure, figure: landing::figure },
    Topic { name: "joints", measure: joints::measure, figure: joints::figure },
    Topic { name: "size", measure: size::measure, figure: size::figure },
];

fn main() -> Result<(), Box<dyn Error>> {
    // Cargo passes options of its own.
    let words: Vec<_> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let (draw, names): (Vec<_>, Vec<_>) = words.into_iter().partition(|word| word == "draw");
    for Topic { name, measure, figure } in TOPICS {
        if !names.is_empty() && !names.iter().any(|word| word == name) {
            continue;
        }
        let measured = if draw.is_empty() { Some(measure()?) } else { None };
        let mut record = load()?;
        if let Some(measured) = measured {
            record.insert(name.to_owned(), measured);
            save(&record)?;
        }
        let Some(measured) = record.get(name) else { continue };
        let figure = figure(measured);
        let folder = root().join("docs/growth");
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(name).with_extension("svg"), figure.svg()?)?;
        let table = figure.table();
        println!("\n{name}\n\n{table}");
        page::put(name, &table)?;
    }
    Ok(())
}
