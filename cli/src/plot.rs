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
use std::path::Path;

use crate::output::{Failure, write_file};

/// A drawing as SVG.
pub(crate) struct Drawing {
    svg: String,
}

impl Drawing {
    /// Draws on a white area of a size in pixels.
    fn new(
        size: (u32, u32),
        draw: impl FnOnce(&Area) -> Result<(), Box<dyn Error>>,
    ) -> Result<Self, Failure> {
        let svg =
            routh_plots::svg(size, draw).map_err(|error| Failure::Drawing(error.to_string()))?;
        Ok(Self { svg })
    }

    pub(crate) fn svg(&self) -> &str {
        &self.svg
    }

    pub(crate) fn write(&self, path: &Path) -> Result<(), Failure> {
        write_file(path, &self.svg)
    }
}
