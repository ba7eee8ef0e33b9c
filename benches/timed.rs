//! Times that can be compared on machines with other work to do: everything is
//! timed in turn, many times over, and the shortest counts.

use std::time::{Duration, Instant};

/// A sample lasts about this long.
const SAMPLE: Duration = Duration::from_micros(100);

/// What is timed, in how large samples, and its shortest time so far.
pub struct Timed<'a> {
    run: Box<dyn FnMut() + 'a>,
    runs: u32,
    /// The shortest time of one run, in nanoseconds.
    pub least: f64,
}

impl<'a> Timed<'a> {
    /// Something to be timed.
    pub fn new(run: impl FnMut() + 'a) -> Self {
        let mut timed = Self { run: Box::new(run), runs: 1, least: f64::INFINITY };
        timed.sample();
        let runs = SAMPLE.as_nanos() as f64 / timed.least;
        timed.runs = runs.clamp(1.0, 1e4) as u32;
        timed
    }

    /// Times it once more.
    pub fn sample(&mut self) {
        let start = Instant::now();
        for _ in 0..self.runs {
            (self.run)();
        }
        let each = start.elapsed().as_nanos() as f64 / f64::from(self.runs);
        self.least = self.least.min(each);
    }

    /// Whether one run lasts much longer than a sample should.
    pub fn is_long(&self) -> bool {
        self.least > 50.0 * SAMPLE.as_nanos() as f64
    }
}

/// Times everything in turn for so many rounds, the first few of which long runs
/// take part in.
pub fn in_turn(all: &mut [Timed], (rounds, of_long): (usize, usize)) {
    for round in 0..rounds {
        for timed in all.iter_mut().filter(|timed| round < of_long || !timed.is_long()) {
            timed.sample();
        }
    }
}
