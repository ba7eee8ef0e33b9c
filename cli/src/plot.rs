//! Plots: drawn in memory, then written.

mod bars;
mod family;
mod forces;
mod hodograph;
mod portrait;
mod precision;
mod regions;

pub(crate) use bars::bars;
pub(crate) use family::family;
pub(crate) use forces::forces;
pub(crate) use hodograph::{Orbit, hodograph};
pub(crate) use portrait::portrait;
pub(crate) use precision::{Curve, Panel, precision};
pub(crate) use regions::regions;

pub(crate) use routh_plots::sample;
pub(crate) use routh_plots::{Area, COLOURS, Chart, FINE, FONT, LINE, TITLE};
pub(crate) use routh_plots::{axes, axes_as, colour, decades, legend, power_of_ten, round_number};

use std::error::Error;
use std::io;
use std::path::Path;

use crate::failure::Failure;
use crate::output::write_file;

/// Draws on a white area of a size in pixels and writes it to a file.
fn save(
    path: &Path,
    size: (u32, u32),
    draw: impl FnOnce(&Area) -> Result<(), Box<dyn Error>>,
) -> Result<(), Failure> {
    let text = routh_plots::svg(size, draw).map_err(|error| Failure::File {
        path: path.display().to_string(),
        source: io::Error::other(error.to_string()),
    })?;
    write_file(path, &text)
}
