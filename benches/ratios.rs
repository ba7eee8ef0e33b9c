//! The paper's three motions by every kind of series and by Runge-Kutta, each tuned to
//! just reach an error: everything is timed in turn, many times over, and the shortest
//! counts.

use std::error::Error;

use routh_benches::timed::{Timed, in_turn};
use routh_benches::{STARTS, motion_of_the_paper};
use routh_integrators::Method;

const TARGETS: [f64; 3] = [1e-6, 1e-9, 1e-12];
/// Rounds, and those that long runs take part in.
const ROUNDS: (usize, usize) = (200, 3);

fn main() -> Result<(), Box<dyn Error>> {
    println!("steps and time in µs, each method just reaching the error\n| start | error |");
    for v0 in STARTS {
        let motion = &motion_of_the_paper(v0)?;
        for target in TARGETS {
            let (mut runs, mut times) = (Vec::new(), Vec::new());
            for method in Method::ALL {
                if let Some(tuned) = method.tuned(motion, target)? {
                    runs.push((method, tuned.steps));
                    times.push(Timed::new(move || method.follow(motion, tuned.setting)));
                }
            }
            in_turn(&mut times, ROUNDS);
            print!("| {v0:?} | {target:e} |");
            let mut fastest = f64::INFINITY;
            for ((method, steps), timed) in runs.iter().zip(&times) {
                print!(" {method:?}: {steps}, {:.2} |", timed.least / 1e3);
                if let Method::Rk4 | Method::Dopri5 | Method::Dop853 = method {
                    fastest = fastest.min(timed.least);
                }
            }
            println!(" fastest rival / series: {:.2} |", fastest / times[0].least);
        }
    }
    Ok(())
}
