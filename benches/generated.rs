//! Generated solvers against the library on the same impacts at the same
//! tolerance: with the contact as constants, and as arguments. Everything is
//! timed in turn, many times over, and the shortest counts.

use std::error::Error;
use std::hint::black_box;

use routh::{Accuracy, Contact, Friction, Law, Restitution};
use routh_benches::robots::{Numbers, rod, rod_open, seed_robot, seed_robot_open};
use routh_benches::timed::{Timed, shortest};

const ROUNDS: usize = 400;
/// Impacts of each robot.
const MANY: usize = 100;

/// Prints a row: the library's time over each solver's.
macro_rules! row {
    ($name:literal, $robot:ident, $open:ident, $velocities:ident, $contact:expr,
     $solve:ident $(, $accuracy:expr)?) => {{
        let (d, [static_friction, kinetic], e) = $contact;
        let (contact, friction) = (Contact::new(d)?, Friction::new(static_friction, kinetic)?);
        let restitution = Restitution::new(Law::Energetic, e)?;
        let flat = d.as_flattened().try_into()?;
        let open_friction = $open::Friction { static_friction, kinetic };
        let open_law = $open::Restitution { law: $open::Law::Energetic, e };
        let times = [
            Timed::each(&$velocities, |v| {
                contact.$solve(*v, friction, restitution $(, $accuracy)?)
            }),
            Timed::each(&$velocities, $robot::impact),
            Timed::each(&$velocities, |v| {
                $open::impact(v, black_box(&flat), &open_friction, &open_law)
            }),
        ];
        let [library, constants, arguments] = shortest(times, ROUNDS);
        println!(
            "| {} | {library:.0} | {constants:.0} | {:.2} | {arguments:.0} | {:.2} |",
            $name,
            library / constants,
            library / arguments
        );
    }};
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("| robot | library, ns | constants | library / it | arguments | library / it |");
    println!("|---|---|---|---|---|---|");
    let mut numbers = Numbers(1);
    let spatial: Vec<[f64; 3]> = (0..MANY)
        .map(|_| {
            let [n, t1, t2] = numbers.array(1.0);
            [-5.5 + 4.5 * n, 4.0 * t1, 4.0 * t2]
        })
        .collect();
    let planar: Vec<[f64; 2]> = (0..MANY)
        .map(|_| {
            let [n, t] = numbers.array(1.0);
            [-1.1 + n, t]
        })
        .collect();
    let d = [
        [9.009e-3, -0.342e-3, 1.845e-3],
        [-0.342e-3, 9.307e-3, 2.26e-3],
        [1.845e-3, 2.26e-3, 3.922e-3],
    ];
    let contact = (d, [0.3, 0.3], 0.5);
    let accuracy = Accuracy::new(1e-12)?;
    row!(
        "seed robot, in space, 1e-12",
        seed_robot,
        seed_robot_open,
        spatial,
        contact,
        solve_with,
        accuracy
    );
    let contact = ([[2.5, -1.5], [-1.5, 2.5]], [0.73, 0.7], 0.82);
    row!("rod, in the plane", rod, rod_open, planar, contact, solve);
    Ok(())
}
