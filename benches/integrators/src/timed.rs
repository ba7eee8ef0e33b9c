//! Times that can be compared on machines with other work to do: everything is
//! timed in turn, many times over, and the shortest counts.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// A sample lasts about this long.
const SAMPLE: Duration = Duration::from_micros(100);

/// What is timed, in how large samples, and its shortest time so far.
pub struct Timed<'a> {
    run: Box<dyn FnMut() + 'a>,
    runs: u32,
    items: f64,
    /// The shortest time of one run, or of one item in it, in nanoseconds.
    pub least: f64,
}

impl<'a> Timed<'a> {
    /// Something to be timed.
    pub fn new<T>(mut run: impl FnMut() -> T + 'a) -> Self {
        let run = Box::new(move || drop(black_box(run())));
        let mut timed = Self { run, runs: 1, items: 1.0, least: f64::INFINITY };
        // The first runs are slow, with nothing in the caches.
        loop {
            timed.sample();
            let runs = (SAMPLE.as_nanos() as f64 / timed.least).clamp(1.0, 1e4) as u32;
            if runs <= timed.runs + timed.runs / 4 {
                return timed;
            }
            timed.runs = runs;
        }
    }

    /// Something to be timed with every item in turn.
    pub fn each<I, T>(items: &'a [I], run: impl Fn(&I) -> T + 'a) -> Self {
        let all = move || {
            for item in items {
                black_box(run(black_box(item)));
            }
        };
        Self::new(all).per(items.len())
    }

    /// The same as a time per item, if a run does so many.
    pub fn per(self, items: usize) -> Self {
        let items = items as f64;
        Self { items, least: self.least / items, ..self }
    }

    /// Times it once more.
    pub fn sample(&mut self) {
        let start = Instant::now();
        for _ in 0..self.runs {
            (self.run)();
        }
        let each = start.elapsed().as_nanos() as f64 / f64::from(self.runs);
        self.least = self.least.min(each / self.items);
    }

    /// Whether one run lasts much longer than a sample should.
    pub fn is_long(&self) -> bool {
        self.least * self.items > 50.0 * SAMPLE.as_nanos() as f64
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

/// The shortest times of so many rounds.
pub fn shortest<const N: usize>(mut all: [Timed; N], rounds: usize) -> [f64; N] {
    in_turn(&mut all, (rounds, rounds));
    all.map(|timed| timed.least)
}
