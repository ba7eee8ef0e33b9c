//! The paper's three motions by every kind of series and by Runge-Kutta, each tuned to
//! just reach an error, and the ratios that the criterion benchmark `batch` shows:
//! everything is timed in turn, many times over, and the shortest counts.

use std::error::Error;
use std::hint::black_box;

use rayon::ThreadPoolBuilder;
use routh_benches::timed::{Timed, in_turn};
use routh_benches::{Method, Motion, STARTS, collisions};
use routh_solver::{Accuracy, solve_batch};

const TARGETS: [f64; 3] = [1e-6, 1e-9, 1e-12];
/// Rounds, and those that long runs take part in.
const ROUNDS: (usize, usize) = (200, 3);
/// Impacts of a batch.
const MANY: usize = 10_000;

fn main() -> Result<(), Box<dyn Error>> {
    println!("steps and time in µs, each method just reaching the error\n| start | error |");
    for v0 in STARTS {
        let motion = Motion::of_the_paper(v0)?;
        for target in TARGETS {
            let mut methods = Vec::new();
            for method in Method::ALL {
                methods.extend(method.tuned(&motion, target)?);
            }
            let timed = |tuned: &routh_benches::Tuned| {
                let (tuned, motion) = (*tuned, &motion);
                Timed::new(move || drop(black_box(tuned.follow(motion))))
            };
            let mut times: Vec<_> = methods.iter().map(timed).collect();
            in_turn(&mut times, ROUNDS);
            print!("| {v0:?} | {target:e} |");
            for (tuned, timed) in methods.iter().zip(&times) {
                print!(" {:?}: {}, {:.2} |", tuned.method, tuned.steps, timed.least / 1e3);
            }
            let series = times[0].least;
            let others = methods.iter().zip(&times).filter(|(tuned, _)| {
                matches!(tuned.method, Method::Rk4 | Method::Dopri5 | Method::Dop853)
            });
            let fastest = others.fold(f64::INFINITY, |least, (_, timed)| least.min(timed.least));
            println!(" fastest rival / series: {:.2} |", fastest / series);
        }
    }
    let collisions = collisions(MANY);
    let alone = ThreadPoolBuilder::new().num_threads(1).build()?;
    println!("\n{MANY} impacts, µs each");
    for accuracy in [Accuracy::default(), Accuracy::new(1e-12)?, Accuracy::new(1e-6)?] {
        let batch = || drop(black_box(solve_batch(&collisions, accuracy)));
        let mut times = [
            Timed::new(|| {
                for collision in &collisions {
                    let _ = black_box(collision.solve(accuracy));
                }
            }),
            Timed::new(|| alone.install(batch)),
            Timed::new(batch),
        ];
        for _ in 0..ROUNDS.0 / 5 {
            times.iter_mut().for_each(Timed::sample);
        }
        let [single, lanes, cores] = times.map(|timed| timed.least / 1e3 / MANY as f64);
        println!(
            "tolerance {:e}: one by one {single:.2}, on one core {lanes:.2} ({:.2} times), on all {cores:.2} ({:.2} times)",
            accuracy.tolerance(),
            single / lanes,
            single / cores,
        );
    }
    Ok(())
}
