//! Generated solvers against the library on the same impacts at the same
//! tolerance: with the contact as constants, and as arguments. Everything is
//! timed in turn, many times over, and the shortest counts.

use std::hint::black_box;

use routh_benches::robots::{Numbers, rod, rod_open, seed_robot, seed_robot_open};
use routh_benches::timed::Timed;
use routh_solver::{Accuracy, Contact, Friction, Law, Restitution};

const ROUNDS: usize = 400;
/// Impacts of each robot.
const MANY: usize = 100;

/// Prints a row: the library's time over each solver's.
fn row(name: &str, mut times: [Timed; 3]) {
    for _ in 0..ROUNDS {
        times.iter_mut().for_each(Timed::sample);
    }
    let [library, constants, arguments] = times.map(|timed| timed.least / MANY as f64);
    println!(
        "| {name} | {library:.0} | {constants:.0} | {:.2} | {arguments:.0} | {:.2} |",
        library / constants,
        library / arguments
    );
}

fn main() -> Result<(), routh_solver::Error> {
    println!("| robot | library, ns | constants | library / it | arguments | library / it |");
    println!("|---|---|---|---|---|---|");
    let mut numbers = Numbers(1);
    let restitution = Restitution::new(Law::Energetic, 0.5)?;

    let d = [
        [9.009e-3, -0.342e-3, 1.845e-3],
        [-0.342e-3, 9.307e-3, 2.26e-3],
        [1.845e-3, 2.26e-3, 3.922e-3],
    ];
    let (contact, friction) = (Contact::new(d)?, Friction::uniform(0.3)?);
    let accuracy = Accuracy::new(1e-12)?;
    let velocities: Vec<[f64; 3]> = (0..MANY)
        .map(|_| {
            let [n, t1, t2] = numbers.array(1.0);
            [-5.5 + 4.5 * n, 4.0 * t1, 4.0 * t2]
        })
        .collect();
    let flat: [f64; 9] = std::array::from_fn(|k| d[k / 3][k % 3]);
    let open_friction = seed_robot_open::Friction { fixed: 0.3, kinetic: 0.3 };
    let open_law = seed_robot_open::Restitution { law: seed_robot_open::Law::Energetic, e: 0.5 };
    row(
        "seed robot, in space, 1e-12",
        [
            Timed::new(|| {
                for v in &velocities {
                    let _ = black_box(contact.solve_with(
                        *black_box(v),
                        friction,
                        restitution,
                        accuracy,
                    ));
                }
            }),
            Timed::new(|| {
                for v in &velocities {
                    let _ = black_box(seed_robot::impact(black_box(v)));
                }
            }),
            Timed::new(|| {
                for v in &velocities {
                    let _ = black_box(seed_robot_open::impact(
                        black_box(v),
                        black_box(&flat),
                        &open_friction,
                        &open_law,
                    ));
                }
            }),
        ],
    );

    let d = [[2.5, -1.5], [-1.5, 2.5]];
    let (contact, friction) = (Contact::new(d)?, Friction::new(0.73, 0.7)?);
    let restitution = Restitution::new(Law::Energetic, 0.82)?;
    let velocities: Vec<[f64; 2]> = (0..MANY)
        .map(|_| {
            let [n, t] = numbers.array(1.0);
            [-1.1 + n, t]
        })
        .collect();
    let flat = [2.5, -1.5, -1.5, 2.5];
    let open_friction = rod_open::Friction { fixed: 0.73, kinetic: 0.7 };
    let open_law = rod_open::Restitution { law: rod_open::Law::Energetic, e: 0.82 };
    row(
        "rod, in the plane",
        [
            Timed::new(|| {
                for v in &velocities {
                    let _ = black_box(contact.solve(*black_box(v), friction, restitution));
                }
            }),
            Timed::new(|| {
                for v in &velocities {
                    let _ = black_box(rod::impact(black_box(v)));
                }
            }),
            Timed::new(|| {
                for v in &velocities {
                    let _ = black_box(rod_open::impact(
                        black_box(v),
                        black_box(&flat),
                        &open_friction,
                        &open_law,
                    ));
                }
            }),
        ],
    );
    Ok(())
}
