//! Charts: the sectors about invariant directions.

use alloc::vec::Vec;
use core::f64::consts::PI;

use routh_runtime::double::orbit::{FUNCTIONS, Passage};

use crate::directions::{angle, forward};
use crate::field::Field;
use crate::sector::{DEGREE, Maker, Refusal, Sector};

/// What is left to a neighbour of the gap between two invariant directions.
const SHARE: f64 = 0.45;

/// The widest a chart may be to each side, as a tangent of half the angle.
const WIDEST: f64 = 0.5;

/// The narrowest gap, in radians, in which there is room for charts.
const NARROWEST: f64 = 1e-9;

/// What a chart is narrowed by until its functions are smooth enough, and how
/// often.
const NARROWER: f64 = 0.75;
const ATTEMPTS: usize = 12;

/// Where `a = μ h·σ`, so that the normal velocity turns.
pub(crate) fn turns(field: &Field) -> Vec<f64> {
    let most = field.mu * libm::hypot(field.h[0], field.h[1]);
    if most <= field.a {
        return Vec::new();
    }
    let (middle, aside) = (libm::atan2(field.h[1], field.h[0]), libm::acos(field.a / most));
    [middle - aside, middle + aside].map(|x| if x < 0.0 { x + 2.0 * PI } else { x }).to_vec()
}

/// The sector about an invariant direction, and why it has no functions if it has none.
pub(crate) fn chart(
    maker: &Maker,
    e: [f64; 2],
    gaps: [f64; 2],
    turns: &[f64],
) -> (Sector, Option<Refusal>) {
    let field = maker.field;
    let turning = field.turning(e);
    let here = angle(e);
    let to_turn = turns
        .iter()
        .fold(2.0 * PI, |least, &turn| least.min(forward(here, turn)).min(forward(turn, here)));
    let room = (SHARE * gaps[0].min(gaps[1])).min(0.9 * to_turn);
    let widest = libm::tan(0.5 * room.min(1.0)).min(WIDEST);
    let mut sector = Sector {
        direction: e,
        limit: e,
        width: widest,
        passage: if turning.slope > 0.0 { Passage::Outward } else { Passage::Inward },
        rises: field.normal_rate(e) > 0.0,
        slope: turning.slope,
        along: turning.along,
        rate: field.normal_rate(e),
        rows: [[0.0; FUNCTIONS]; DEGREE + 1],
        next: [0; 2],
    };
    let refusal = if turning.slope == 0.0 || room < NARROWEST {
        Some(if to_turn < NARROWEST { Refusal::Turning } else { Refusal::Degenerate })
    } else {
        fill_chart(maker, &mut sector).then_some(Refusal::Resonant)
    };
    if refusal.is_some() {
        sector.passage = Passage::Refused;
        sector.width = widest.min(1e-3);
    }
    (sector, refusal)
}

/// Finds a chart's functions, free of rounding if they can be; whether there are
/// none.
fn fill_chart(maker: &Maker, sector: &mut Sector) -> bool {
    let widest = sector.width;
    for strict in [true, false] {
        sector.width = widest;
        for _ in 0..ATTEMPTS {
            if let Some(rows) = maker.chart(sector.direction, sector.width, strict) {
                sector.rows = rows;
                return false;
            }
            sector.width *= NARROWER;
        }
    }
    sector.width = sector.width.min(libm::sqrt(0.1 * maker.tolerance));
    match maker.linear_chart(sector.direction, sector.width) {
        Some(rows) => sector.rows = rows,
        None => return true,
    }
    false
}
