//! The arcs between invariant directions, cut into sectors.

use alloc::vec::Vec;
use core::f64::consts::PI;

use crate::directions::{angle, invariant_directions};
use crate::field::Field;
use crate::sector::{DEGREE, Maker, Passage, Refusal, Sector};

/// Where speeds change by less than this part of the field's rate along the end
/// of an arc, the impulse to a halt is too large to be counted from there.
const STEADY: f64 = 0.05;

/// What is left to a neighbour of the gap between two invariant directions.
const SHARE: f64 = 0.45;

/// The widest a sector may be to each side, as a tangent of half the angle.
const WIDEST: f64 = 0.5;

/// What a sector is narrowed by until its functions are smooth enough.
const NARROWER: f64 = 0.75;

/// How often: down to a thousandth.
const ATTEMPTS: usize = 24;

/// How much wider the next one is tried.
const WIDER: f64 = 1.6;

/// Sectors in an arc; only arcs between directions that are almost one need
/// more.
const MOST: usize = 200;

/// What an arc begins or ends with.
struct End {
    angle: f64,
    chart: usize,
    /// `t` at its border.
    width: f64,
}

/// All sectors of a field.
pub(crate) fn sectors(maker: &Maker) -> Vec<Sector> {
    let directions = invariant_directions(maker.field);
    let turns = turns(maker.field);
    let mut sectors = Vec::with_capacity(32);
    let mut ends = Vec::with_capacity(4);
    for (i, &e) in directions.iter().enumerate() {
        let gaps = [before(&directions, i), after(&directions, i)];
        let sector = chart(maker, e, gaps, &turns);
        ends.push(End { angle: angle(e), chart: i, width: sector.width });
        sectors.push(sector);
    }
    for i in 0..ends.len() {
        arc(maker, &ends[i], &ends[(i + 1) % ends.len()], &turns, &mut sectors);
    }
    sectors
}

/// The angle from a direction to the next.
fn after(directions: &[[f64; 2]], i: usize) -> f64 {
    forward(angle(directions[i]), angle(directions[(i + 1) % directions.len()]))
}

fn before(directions: &[[f64; 2]], i: usize) -> f64 {
    after(directions, (i + directions.len() - 1) % directions.len())
}

/// The angle from one to another, forward.
fn forward(from: f64, to: f64) -> f64 {
    let gap = to - from;
    if gap > 0.0 { gap } else { gap + 2.0 * PI }
}

/// Where `a = μ h·σ`, so that the normal velocity turns.
fn turns(field: &Field) -> Vec<f64> {
    let most = field.mu * libm::hypot(field.h[0], field.h[1]);
    if most <= field.a {
        return Vec::new();
    }
    let (middle, aside) = (libm::atan2(field.h[1], field.h[0]), libm::acos(field.a / most));
    [middle - aside, middle + aside].map(|x| if x < 0.0 { x + 2.0 * PI } else { x }).to_vec()
}

/// The sector about an invariant direction.
fn chart(maker: &Maker, e: [f64; 2], gaps: [f64; 2], turns: &[f64]) -> Sector {
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
        width: widest,
        passage: Passage::Inward,
        rises: field.normal_rate(e) > 0.0,
        slope: turning.slope,
        along: turning.along,
        rate: field.normal_rate(e),
        rows: [[0.0; 4]; DEGREE + 1],
    };
    if turning.slope > 0.0 {
        sector.passage = Passage::Outward { below: 0, above: 0 };
    }
    let refusal = if turning.slope == 0.0 || room < 1e-9 {
        Some(if to_turn < 1e-9 { Refusal::Turning } else { Refusal::Degenerate })
    } else {
        fill_chart(maker, &mut sector).then_some(Refusal::Resonant)
    };
    if let Some(refusal) = refusal {
        sector.passage = Passage::Refused(refusal);
        sector.width = widest.min(1e-3);
    }
    sector
}

/// Finds a chart's functions, free of rounding if they can be; whether there are
/// none.
fn fill_chart(maker: &Maker, sector: &mut Sector) -> bool {
    let widest = sector.width;
    for strict in [true, false] {
        sector.width = widest;
        for _ in 0..ATTEMPTS / 2 {
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

/// Cuts the arc between two charts into sectors, from its end to its beginning.
fn arc(maker: &Maker, one: &End, other: &End, turns: &[f64], sectors: &mut Vec<Sector>) {
    let gap = forward(one.angle, other.angle);
    let middle = one.angle + 0.5 * gap;
    let across = maker.field.turning([libm::cos(middle), libm::sin(middle)]).across;
    let way = if across > 0.0 { 1.0 } else { -1.0 };
    let (start, end) = if way > 0.0 { (one, other) } else { (other, one) };
    let border = |end: &End| 2.0 * libm::atan(end.width);
    // From the end, backward: `done` of `length`.
    let length = gap - border(start) - border(end);
    let origin = end.angle - way * border(end);
    let mut next = end.chart;
    let chart = &sectors[next];
    let rate = chart.rate;
    let [a, pi, chi, omega] = chart.functions(-way);
    let steady = chart.along.abs() < STEADY * maker.field.rate();
    let pi = if steady { 0.0 } else { (pi - 1.0 / chart.along) / a };
    let mut values = match chart.passage {
        Passage::Refused(_) => [0.0; 4],
        _ => [0.0, pi, chi / a, omega / (a * a)],
    };
    let mut stops: Vec<f64> = turns
        .iter()
        .map(|&turn| if way > 0.0 { forward(turn, origin) } else { forward(origin, turn) })
        .filter(|&x| x < length)
        .collect();
    stops.push(length);
    stops.sort_by(f64::total_cmp);
    let mut width = 0.5 * border(end);
    let mut done = 0.0;
    let mut count = 0;
    for stop in stops {
        while done < stop {
            let mut found = None;
            let mut reach = done;
            for _ in 0..ATTEMPTS {
                reach = if done + 1.2 * width >= stop { stop } else { done + width };
                let half = 0.5 * (reach - done);
                let e = at(origin - way * (done + half));
                found = maker.piece(e, way * libm::tan(0.5 * half), rate, values);
                if found.is_some() {
                    break;
                }
                width = NARROWER * (reach - done);
            }
            count += 1;
            let half = 0.5 * (reach - done);
            let refused = found.is_none() || count > MOST;
            let (rows, before) = found.unwrap_or(([[0.0; 4]; DEGREE + 1], [0.0; 4]));
            let half = if refused { 0.5 * (length - done) } else { half };
            let direction = at(origin - way * (done + half));
            let mut sector = Sector {
                direction,
                width: way * libm::tan(0.5 * half),
                passage: Passage::Through { next },
                rises: maker.field.normal_rate(direction) > 0.0,
                slope: 0.0,
                along: 0.0,
                rate,
                rows,
            };
            if refused {
                sector.passage = Passage::Refused(Refusal::Degenerate);
            }
            next = sectors.len();
            values = before;
            sectors.push(sector);
            if refused {
                join(&mut sectors[start.chart], way, next);
                return;
            }
            width = WIDER * (reach - done);
            done = reach;
        }
    }
    join(&mut sectors[start.chart], way, next);
}

fn at(angle: f64) -> [f64; 2] {
    [libm::cos(angle), libm::sin(angle)]
}

/// Leads a chart's flow into the sector beside it.
fn join(chart: &mut Sector, way: f64, next: usize) {
    if let Passage::Outward { below, above } = &mut chart.passage {
        *(if way > 0.0 { above } else { below }) = next;
    }
}
