//! The work that slips of random contacts take: steps, time and error by order
//! and tolerance, plainly, stretched and in the impulse itself; and how steps grow
//! as a motion passes ever nearer to rest.
//!
//! `cargo bench -p routh-benches --bench work`; a table's times are of one run.

use routh::{Accuracy, Contact, Error, Friction, Trajectory};
use routh_benches::timed::{Timed, in_turn};
use routh_benches::{IMPULSE, collisions, rest};
use routh_integrators::{Method, Motion, matched, precise};
use routh_tests::random::{Kind, Random};

/// Slips of each kind.
const MANY: usize = 200;
/// A slip is followed until its speed has fallen to this part of its largest:
/// the other integrators cannot follow it to its halt.
const SLOWEST: f64 = 1e-3;
/// Times that everything is timed in turn, to take the shortest.
const REPEATS: usize = 25;

/// Series of any order and tolerance.
const METHODS: [Method; 3] = [Method::Series, Method::Stretched, Method::Direct];

const ORDERS: [usize; 10] = [8, 10, 12, 14, 16, 20, 24, 28, 32, 40];
const TOLERANCES: [f64; 6] = [1e-4, 1e-6, 1e-8, 1e-10, 1e-12, 1e-14];

/// A motion, where it ends and how fast it was.
struct Slip {
    motion: Motion,
    reference: Vec<[f64; 2]>,
    scale: f64,
}

/// One of them, and what it took for all slips.
struct Work {
    method: Method,
    order: usize,
    tolerance: f64,
    steps: f64,
    median: f64,
    worst: f64,
    failures: usize,
}

fn main() -> Result<(), Error> {
    // Cargo passes options of its own.
    let chosen: Vec<_> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let wanted = |name: &str| chosen.is_empty() || chosen.iter().any(|word| word == name);
    if wanted("rest") {
        near_rest()?;
    }
    if wanted("slips") {
        orders_and_tolerances();
    }
    if wanted("impacts") {
        impacts()?;
    }
    Ok(())
}

/// Slips of random impacts, as far as they are ones.
fn slips(kind: Kind) -> Vec<Slip> {
    let mut random = Random::seeded(7);
    std::iter::repeat_with(|| random.spatial(kind))
        .filter_map(|input| {
            let contact = Contact::new(input.inertia).ok()?;
            let [_, x, y] = input.velocity;
            let impact = contact.solve(input.velocity, input.friction, input.restitution).ok()?;
            let [most, ..] = impact.impulse;
            slip(contact, input.friction, [x, y], most).ok()?
        })
        .take(MANY)
        .collect()
}

fn slip(
    contact: Contact<3>,
    friction: Friction,
    v0: [f64; 2],
    most: f64,
) -> Result<Option<Slip>, Error> {
    let mut scout = Trajectory::new(&contact, friction, v0, Accuracy::default())?;
    let (mut impulse, mut scale) = (0.0, v0[0].hypot(v0[1]));
    while let Some(end) = scout.step_end() {
        let [x, y] = scout.advance(end.min(most))?;
        let speed = x.hypot(y);
        scale = scale.max(speed);
        if speed < SLOWEST * scale || end == impulse {
            break;
        }
        impulse = end.min(most);
        if end >= most {
            break;
        }
        scout.advance(end * (1.0 + 1e-12))?;
    }
    if impulse == 0.0 {
        return Ok(None);
    }
    let motion = Motion::new(contact, friction, v0, &[impulse]);
    let reference = precise::follow(&motion.problem).ok();
    Ok(reference.map(|reference| Slip { motion, reference, scale }))
}

impl Work {
    fn new(method: Method, tolerance: f64, order: usize, slips: &[Slip]) -> Self {
        let (mut steps, mut failures, mut errors) = (0, 0, Vec::new());
        for slip in slips {
            match method.follow_to_order(&slip.motion, tolerance, order) {
                Ok(found) => {
                    steps += found.steps;
                    errors.push(matched::error(&slip.reference, &found.velocity) / slip.scale);
                }
                Err(_) => failures += 1,
            }
        }
        errors.sort_by(f64::total_cmp);
        Self {
            method,
            order,
            tolerance,
            steps: steps as f64 / errors.len().max(1) as f64,
            median: errors.get(errors.len() / 2).copied().unwrap_or(f64::NAN),
            worst: errors.last().copied().unwrap_or(f64::NAN),
            failures,
        }
    }
}

/// Mean steps and time, median and worst error for orders and tolerances.
fn orders_and_tolerances() {
    let slips: Vec<_> = [Kind::Plain, Kind::Grazing].into_iter().flat_map(slips).collect();
    let mut works = Vec::new();
    for method in METHODS {
        for order in ORDERS {
            works.extend(TOLERANCES.map(|tolerance| Work::new(method, tolerance, order, &slips)));
        }
    }
    let timed = |&Work { method, tolerance, order, .. }: &Work| {
        Timed::each(&slips, move |slip| method.follow_to_order(&slip.motion, tolerance, order))
    };
    let mut times: Vec<_> = works.iter().map(timed).collect();
    in_turn(&mut times, (REPEATS, REPEATS));
    println!("\n{} slips; mean steps, mean time in µs, median and worst error", slips.len());
    for method in METHODS {
        print!("\n{method:?}\n| order |");
        TOLERANCES.iter().for_each(|tolerance| print!(" {tolerance:e} |"));
        for (work, timed) in works.iter().zip(&times).filter(|(work, _)| work.method == method) {
            let Work { order, tolerance, steps, median, worst, failures, .. } = *work;
            if tolerance == TOLERANCES[0] {
                print!("\n| {order} |");
            }
            print!(" {steps:.1}, {:.2}, {median:.0e}, {worst:.0e}", timed.least / 1e3);
            if failures > 0 {
                print!(", {failures} failed");
            }
            print!(" |");
        }
        println!();
    }
}

/// Time of whole impacts, works and events included.
fn impacts() -> Result<(), Error> {
    let collisions = collisions(7, MANY);
    let (mut accuracies, mut times) = (Vec::new(), Vec::new());
    for stretched in [false, true] {
        for order in [8, 12, 16, 20, 24, 32] {
            for tolerance in TOLERANCES {
                let plain = Accuracy::new(tolerance)?;
                let accuracy = if stretched { plain.stretched() } else { plain };
                let accuracy = accuracy.with_order(order)?;
                accuracies.push(accuracy);
                times.push(Timed::each(&collisions, move |collision| collision.solve(accuracy)));
            }
        }
    }
    in_turn(&mut times, (REPEATS, REPEATS));
    print!("\nwhole impacts; mean time in µs\n| order |");
    TOLERANCES.iter().for_each(|tolerance| print!(" {tolerance:e} |"));
    for (accuracy, timed) in accuracies.iter().zip(times) {
        if accuracy.tolerance() == TOLERANCES[0] {
            let name = if accuracy.is_stretched() { "stretched, " } else { "" };
            print!("\n| {name}{} |", accuracy.order());
        }
        print!(" {:.2} |", timed.least / 1e3);
    }
    println!();
    Ok(())
}

/// Steps of the paper's robot ever nearer to rest, at order 20 and tolerance 1e-12.
fn near_rest() -> Result<(), Error> {
    println!("\nsteps to {IMPULSE} N s by how near to rest the motion passes");
    println!("| least speed, m/s | Series | Stretched | Direct |");
    let wanted = [1, 2, 3, 4, 5, 6, 8, 10, 12].map(|power| 10f64.powi(-power));
    for (least, motion) in rest::motions(&wanted)? {
        print!("| {least:.1e} |");
        for method in METHODS {
            match method.follow_to_order(&motion, 1e-12, 20) {
                Ok(run) => print!(" {} |", run.steps),
                Err(failure) => print!(" {failure} |"),
            }
        }
        println!();
    }
    Ok(())
}
