//! The answers of compliant contacts over the ratio of their stiffnesses.

use rayon::prelude::*;
use routh::Error;
use routh::contacts::Impacts;

use crate::input::Simultaneous;

/// Powers of ten of the smallest and the largest ratio.
const DECADES: (i32, i32) = (-4, 4);

/// Ratios in a decade.
const DENSITY: i32 = 60;

/// Normal velocities after impact, rigid and for each ratio.
pub(crate) struct Family {
    pub(crate) rigid: Vec<f64>,
    pub(crate) compliant: Vec<(f64, Vec<f64>)>,
}

impl Family {
    pub(crate) fn of(system: &Simultaneous, impacts: &Impacts) -> Result<Self, Error> {
        let steps = DENSITY * (DECADES.1 - DECADES.0);
        let ratio = |i: i32| 10_f64.powf(f64::from(DECADES.0) + f64::from(i) / f64::from(DENSITY));
        let solve = |i: i32| Ok((ratio(i), system.comply(ratio(i))?));
        let compliant = (0..=steps).into_par_iter().map(solve).collect::<Result<_, Error>>()?;
        Ok(Self { rigid: impacts.velocity.clone(), compliant })
    }
}
