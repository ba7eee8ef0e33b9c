//! Ten thousand random impacts in space: one by one, in lanes on one core, and
//! in lanes on all of them.

use std::error::Error;

use rayon::ThreadPoolBuilder;
use routh::{Accuracy, solve_batch};
use routh_benches::collisions;
use routh_benches::timed::{Timed, shortest};

const MANY: usize = 10_000;
const ROUNDS: usize = 40;

fn main() -> Result<(), Box<dyn Error>> {
    let collisions = collisions(1, MANY);
    let alone = ThreadPoolBuilder::new().num_threads(1).build()?;
    println!("{MANY} impacts, µs each");
    for accuracy in [Accuracy::default(), Accuracy::new(1e-12)?, Accuracy::new(1e-6)?] {
        let batch = || drop(solve_batch(&collisions, accuracy));
        let times = [
            Timed::each(&collisions, |collision| collision.solve(accuracy)),
            Timed::new(|| alone.install(batch)).per(MANY),
            Timed::new(batch).per(MANY),
        ];
        let [single, lanes, cores] = shortest(times, ROUNDS).map(|time| time / 1e3);
        println!(
            "tolerance {:e}: one by one {single:.2}, on one core {lanes:.2} ({:.2} times), on all {cores:.2} ({:.2} times)",
            accuracy.tolerance(),
            single / lanes,
            single / cores,
        );
    }
    Ok(())
}
