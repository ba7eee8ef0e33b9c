//! Random impacts at several contacts, with the identities checked of each, and solved again
//! with the contacts in another order and other frames:
//! `cargo run --release -p routh-tests --example soak_several -- 1000000`. With a shape and a
//! number behind, that one alone, as input of `routh contacts`.

use std::collections::BTreeMap;
use std::process::ExitCode;

use rayon::prelude::*;
use routh::Error;
use routh::several::{Hold, Landing, NormalLaw, Surface};
use routh_tests::landings::{Fall, ROUNDING, SAME, Shape, misses};
use routh_tests::random::Random;

/// The tolerance with which that of 1e-13 is compared.
const LOOSER: f64 = 1e-12;

/// The results of a run.
#[derive(Default)]
struct Findings {
    solved: usize,
    ambiguous: usize,
    sensitive: usize,
    dependent: usize,
    inexact: usize,
    steps: usize,
    refused: BTreeMap<&'static str, usize>,
    worst: BTreeMap<&'static str, f64>,
    missed: usize,
    examples: Vec<String>,
}

impl Findings {
    fn of(shape: Shape, number: u64) -> Self {
        let fall = Fall::numbered(shape, number);
        let mut found = Self::default();
        let show = |what: &str| vec![format!("{shape:?} {number}{}: {what}", traits(&fall))];
        match fall.solve() {
            Ok(landing) => {
                found.solved = 1;
                found.ambiguous = usize::from(!landing.unique);
                found.steps = landing.steps;
                for (what, error, most) in misses(&fall, &landing) {
                    found.worst.insert(what, error);
                    if error.is_nan() || error > most {
                        found.missed = 1;
                        found.examples = show(&format!("{what} {error:e}"));
                    }
                }
                if landing.unique {
                    found.compare(&fall, &landing, &show, number);
                }
            }
            Err(Error::NotApproaching { .. }) => {}
            Err(error) => {
                found.refused.insert(error.kind(), 1);
                found.examples = show(&error.to_string());
            }
        }
        found
    }

    /// Compares with another order of contacts, and with another tolerance.
    fn compare(
        &mut self,
        fall: &Fall,
        landing: &Landing,
        show: &dyn Fn(&str) -> Vec<String>,
        number: u64,
    ) {
        let order = fall.reordered(landing).unwrap_or(f64::INFINITY);
        let looser = fall.solve_within(LOOSER);
        let tolerance = looser.map_or(f64::INFINITY, |other| fall.apart(landing, &other));
        if order <= SAME && tolerance <= SAME {
            return;
        }
        let sensitivity = fall.sensitivity(landing, &mut Random::seeded(number));
        self.dependent = usize::from(order > SAME.max(ROUNDING * sensitivity));
        self.inexact = usize::from(tolerance > SAME.max(10.0 * LOOSER * sensitivity));
        if self.dependent + self.inexact == 0 {
            self.sensitive = 1;
            return;
        }
        self.examples = show(&format!(
            "order {order:.0e}, tolerance {tolerance:.0e}, sensitivity {sensitivity:.0e}, {} steps",
            landing.steps
        ));
    }

    fn merge(mut self, other: Self) -> Self {
        self.solved += other.solved;
        self.ambiguous += other.ambiguous;
        self.sensitive += other.sensitive;
        self.dependent += other.dependent;
        self.inexact += other.inexact;
        self.missed += other.missed;
        self.steps = self.steps.max(other.steps);
        for (kind, count) in other.refused {
            *self.refused.entry(kind).or_default() += count;
        }
        for (what, error) in other.worst {
            let worst = self.worst.entry(what).or_default();
            *worst = if error <= *worst { *worst } else { error };
        }
        self.examples.extend(other.examples);
        self
    }

    fn row(&self, shape: Shape) -> String {
        let refused: Vec<_> =
            self.refused.iter().map(|(kind, count)| format!("{count} `{kind}`")).collect();
        let refused = if refused.is_empty() { "0".to_owned() } else { refused.join(", ") };
        let worst: Vec<_> = self.worst.values().map(|error| format!("{error:.0e}")).collect();
        let Self { solved, ambiguous, sensitive, dependent, inexact, steps, missed, .. } = self;
        let worst = worst.join(" | ");
        format!(
            "| {shape:?} | {solved} | {refused} | {ambiguous} | {sensitive} | {dependent} | {inexact} | {steps} | {worst} | {missed} |"
        )
    }
}

/// What makes a system hard.
fn traits(fall: &Fall) -> String {
    let any = |holds: fn(&Surface) -> bool| fall.surfaces.iter().any(holds);
    let traits = [
        ("held", fall.law == NormalLaw::Michalczyk),
        ("plastic", any(|surface| surface.hold == Hold::Plastic)),
        ("e = 0", any(|surface| surface.restitution == 0.0)),
        ("static", any(|own| own.friction.static_friction() > own.friction.kinetic())),
    ];
    traits.iter().filter(|(_, has)| *has).map(|(name, _)| format!(", {name}")).collect()
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let total = arguments.first().map_or(Some(100_000), |count| count.parse::<u64>().ok());
    let Some(total) = total else {
        eprintln!("usage: soak_several [SYSTEMS [SHAPE NUMBER]]");
        return ExitCode::from(2);
    };
    if let [_, shape, number] = &arguments[..] {
        let shape = Shape::ALL.into_iter().find(|known| format!("{known:?}") == *shape);
        let (Some(shape), Ok(number)) = (shape, number.parse()) else {
            eprintln!("no such system");
            return ExitCode::from(2);
        };
        println!("{}", Fall::numbered(shape, number).to_json());
        return ExitCode::SUCCESS;
    }
    println!(
        "| systems | solved | refused | not unique | sensitive | depend on the order | depend on the tolerance | steps | cone | energy | gain | momentum | parting | missed |"
    );
    println!("|{}", "---|".repeat(14));
    let mut missed = 0;
    for shape in Shape::ALL {
        let each = 0..total / Shape::ALL.len() as u64;
        let found = each.into_par_iter().map(|number| Findings::of(shape, number));
        let found = found.reduce(Findings::default, Findings::merge);
        println!("{}", found.row(shape));
        found.examples.iter().take(200).for_each(|example| eprintln!("{example}"));
        missed += found.missed;
    }
    if missed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
