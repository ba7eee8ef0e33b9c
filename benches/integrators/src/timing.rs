//! How long a run takes, as far as a shared machine can tell.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// A batch lasts about this long, if a single run does not last longer.
const BATCH: Duration = Duration::from_millis(1);
/// Batches if they last as long as they should, and if they last much longer.
const BATCHES: (usize, usize) = (9, 3);

/// The median over a few batches of the nanoseconds that one run takes.
pub fn median_nanoseconds<T>(mut run: impl FnMut() -> T) -> f64 {
    let mut batch = |runs: u32| {
        let start = Instant::now();
        for _ in 0..runs {
            black_box(run());
        }
        start.elapsed()
    };
    let warm = batch(1).min(batch(1)).max(Duration::from_nanos(1));
    let runs = (BATCH.as_nanos() / warm.as_nanos()).clamp(1, 1 << 20) as u32;
    let batches = if warm < 4 * BATCH { BATCHES.0 } else { BATCHES.1 };
    let mut times: Vec<_> = (0..batches).map(|_| batch(runs)).collect();
    times.sort();
    times[batches / 2].as_nanos() as f64 / f64::from(runs)
}
