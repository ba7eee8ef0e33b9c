//! One thing, so many times: what `instructions.sh` counts the instructions of.
//!
//! `kernel ORDER TIMES` expands a series by `velocity`, `works`,
//! `stretched_velocity` or `stretched_works`, in straight-line code, or in loops
//! as `velocity_any` and so on; `steps` and `stretched_steps ORDER TIMES MANY`
//! follow the paper's robot from (1, −4) into the step after so many.

use std::error::Error;
use std::hint::black_box;

use routh::{Accuracy, Contact, Friction, Trajectory, kernels};
use routh_benches::MU;
use routh_tests::reference::seed_robot;

/// Rows for the highest order.
const LENGTH: usize = 65;

/// `vt1`, `vt2`, `p`, `it1`, `it2`, `vn`, `wn`, `wt` at the start of a step.
const START: [f64; 8] = [0.6, 0.8, 0.0, 0.0, 0.0, -2.0, 0.0, 0.0];

/// Repeats the kernel of an order.
macro_rules! repeat {
    ($times:ident, $order:ident, $constants:expr; $any:path; $($n:literal $kernel:path),*) => {{
        let (constants, start) = ($constants, std::array::from_fn(|i| START[i]));
        let mut rows = [Default::default(); LENGTH];
        match $order {
            $(Some($n) => {
                let rows = rows.first_chunk_mut().ok_or("no rows")?;
                for _ in 0..$times {
                    $kernel(black_box(&constants), black_box(&start), black_box(&mut *rows));
                }
            })*
            Some(order) => return Err(format!("no straight line of order {order}").into()),
            None => {
                let order = argument(2)?;
                for _ in 0..$times {
                    let order = black_box(order);
                    $any(black_box(&constants), black_box(&start), order, black_box(&mut rows));
                }
            }
        }
    }};
}

fn argument(place: usize) -> Result<usize, Box<dyn Error>> {
    Ok(std::env::args().nth(place).ok_or("kernel ORDER TIMES")?.parse()?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1).unwrap_or_default();
    // Cargo passes this when it runs all benchmarks: there is nothing to time.
    if name.is_empty() || name.starts_with('-') {
        println!("benches/instructions.sh counts");
        return Ok(());
    }
    let (order, times) = (argument(2)?, argument(3)?);
    let kernel = name.strip_suffix("_any").unwrap_or(&name);
    let straight = (kernel == name).then_some(order);
    let (a, h1, h2, b1, b2, mu) = (1.1, 0.3, 0.4, 1.2, 0.7, 0.5);
    let (c1, c2) = (0.2, 0.1);
    match kernel {
        "velocity" => {
            repeat!(times, straight, kernels::velocity_constants(h1, h2, b1, b2, mu);
                kernels::velocity_any;
                12 kernels::velocity_12, 16 kernels::velocity_16,
                20 kernels::velocity_20, 24 kernels::velocity_24)
        }
        "works" => {
            repeat!(times, straight, kernels::works_constants(a, h1, h2, b1, b2, mu);
                kernels::works_any;
                12 kernels::works_12, 16 kernels::works_16,
                20 kernels::works_20, 24 kernels::works_24)
        }
        "stretched_velocity" => {
            repeat!(times, straight,
                kernels::stretched_velocity_constants(h1, h2, b1, b2, mu, c1, c2);
                kernels::stretched_velocity_any;
                12 kernels::stretched_velocity_12, 16 kernels::stretched_velocity_16,
                20 kernels::stretched_velocity_20, 24 kernels::stretched_velocity_24)
        }
        "stretched_works" => {
            repeat!(times, straight,
                kernels::stretched_works_constants(a, h1, h2, b1, b2, mu, c1, c2);
                kernels::stretched_works_any;
                12 kernels::stretched_works_12, 16 kernels::stretched_works_16,
                20 kernels::stretched_works_20, 24 kernels::stretched_works_24)
        }
        "steps" | "stretched_steps" => {
            let plain = Accuracy::new(1e-12)?;
            let accuracy = if kernel == "steps" { plain } else { plain.stretched() };
            steps(accuracy.with_order(order)?, times, argument(4)?)?;
        }
        _ => return Err(format!("no kernel {kernel}").into()),
    }
    Ok(())
}

/// Follows a motion to the middle of the step after so many.
fn steps(accuracy: Accuracy, times: usize, many: usize) -> Result<(), Box<dyn Error>> {
    let (robot, friction): (Contact<3>, _) = (seed_robot(), Friction::uniform(MU)?);
    let start = || Trajectory::new(&robot, friction, [1.0, -4.0], accuracy);
    let (mut scout, mut from) = (start()?, 0.0);
    for _ in 0..many {
        from = scout.step_end().ok_or("too few steps")?;
        scout.advance(from * (1.0 + 1e-12))?;
    }
    let impulse = 0.5 * (from + scout.step_end().ok_or("too few steps")?);
    for _ in 0..times {
        black_box(start()?.advance(black_box(impulse))?);
    }
    Ok(())
}
