//! What was measured, kept between runs.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use routh_benches::timed::{Timed, in_turn};
use serde::{Deserialize, Serialize};

/// A quantity of something over what it grows with.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Curve {
    pub(crate) quantity: String,
    pub(crate) of: String,
    pub(crate) points: Vec<[f64; 2]>,
}

/// All that one figure shows.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Measured(Vec<Curve>);

/// All figures, by name.
pub(crate) type Record = BTreeMap<String, Measured>;

impl Measured {
    /// Adds a point to a curve, which is begun if there is none.
    pub(crate) fn add(&mut self, quantity: &str, of: &str, point: [f64; 2]) {
        let same = |curve: &&mut Curve| curve.quantity == quantity && curve.of == of;
        match self.0.iter_mut().find(same) {
            Some(curve) => curve.points.push(point),
            None => self.0.push(Curve {
                quantity: quantity.to_owned(),
                of: of.to_owned(),
                points: vec![point],
            }),
        }
    }

    /// Times runs in turn and adds the time of each, divided by a unit in ns, to the
    /// curve it belongs to.
    pub(crate) fn add_times(
        &mut self,
        (quantity, unit): (&str, f64),
        runs: Vec<(&str, f64, Timed)>,
        rounds: (usize, usize),
    ) {
        let (places, mut times): (Vec<_>, Vec<_>) =
            runs.into_iter().map(|(of, x, timed)| ((of, x), timed)).unzip();
        in_turn(&mut times, rounds);
        for ((of, x), timed) in places.iter().zip(times) {
            self.add(quantity, of, [*x, timed.least / unit]);
        }
    }

    /// The points of a curve, none if it was not measured.
    pub(crate) fn points(&self, quantity: &str, of: &str) -> &[[f64; 2]] {
        let same = |curve: &&Curve| curve.quantity == quantity && curve.of == of;
        self.0.iter().find(same).map_or(&[], |curve| &curve.points)
    }
}

/// What earlier runs left; nothing if there were none.
pub(crate) fn load() -> Result<Record, Box<dyn Error>> {
    let path = folder().join("growth.json");
    if !path.exists() {
        return Ok(Record::default());
    }
    Ok(serde_json::from_str(&fs::read_to_string(path)?)?)
}

/// Keeps it for later runs.
pub(crate) fn save(record: &Record) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder())?;
    Ok(fs::write(folder().join("growth.json"), serde_json::to_string_pretty(record)?)?)
}

/// `target/growth`.
pub(crate) fn folder() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"));
    target.parent().unwrap_or(target).join("growth")
}

/// The repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
