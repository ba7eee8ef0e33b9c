//! Where a step's series cross a level.

use routh_runtime::double::roots::first_crossing;

/// The first place up to the end at which a series crosses a level the given way. If it
/// starts there, it is divided by the power of its variable with which it leaves: its
/// leading coefficients below so much of the largest, at the end, count as zero, and the
/// place is the start where it leaves the given way.
pub(crate) fn crossing<const LENGTH: usize>(
    row: &[f64; LENGTH],
    order: usize,
    end: f64,
    level: f64,
    upward: bool,
    noise: f64,
) -> Option<f64> {
    let mut terms = *row;
    terms[0] -= level;
    let terms = &mut terms[..=order.min(LENGTH - 1)];
    let mut power = 1.0;
    for x in terms.iter_mut() {
        *x *= power;
        power *= end;
    }
    let most = terms.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    let start = terms.iter().position(|x| x.abs() > noise * most)?;
    let beyond = if upward { terms[start] > 0.0 } else { terms[start] < 0.0 };
    if beyond {
        return Some(0.0);
    }
    let mut rest = [0.0; LENGTH];
    for (to, x) in rest.iter_mut().zip(&terms[start..]) {
        *to = x / most;
    }
    let degree = terms.len() - 1 - start;
    first_crossing(&rest, degree, 0.0, 0.0, 1.0, upward, false).map(|part| part * end)
}
