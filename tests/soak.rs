//! Millions of random impacts of all kinds, with the identities checked of each:
//! `cargo run --release -p routh-tests --example soak -- 10000000`. With a tolerance behind,
//! series alone are tried, at that tolerance, and compared with those at 1e-15.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use routh::{Accuracy, Contact, Error, Flow, Impact};
use routh_tests::identities::{Slack, check_events, misses};
use routh_tests::random::{Kind, Random};
use routh_tests::reference::{Input, largest};

/// Impacts of one seed.
const SHARE: usize = 1000;

/// Impacts of one contact that are solved from its tables.
const EACH: usize = 50;

/// By how many powers of ten directions may differ.
const DECADES: [i32; 5] = [4, 8, 12, 16, 32];

/// Powers of ten of conditions.
const CONDITIONS: std::ops::RangeInclusive<i32> = 2..=15;

/// The most of them up to which identities are held to rounding.
const ORDINARY: i32 = 8;

/// The columns of identities, and of how far velocities are from those at 1e-15.
const IDENTITIES: [&str; 8] =
    ["momentum", "energy", "cone", "friction's work", "restitution", "gain", "parting", ACCURACY];
const ACCURACY: &str = "accuracy";

/// Identities may be missed by this many times the tolerance.
const OF_TOLERANCE: f64 = 1e3;

/// A source of random impacts, and their solver.
#[derive(Clone, Copy, Debug)]
enum Source {
    Series(Kind),
    Flow,
    Plane,
    /// Directions apart by so many powers of ten.
    SpreadSeries(i32),
    SpreadPlane(i32),
    /// A condition of so many powers of ten, oblique to the axes.
    Rotated(i32),
}

impl Source {
    /// All of them, or those that a tolerance changes.
    fn all(accuracy: Accuracy) -> Vec<Self> {
        let mut all: Vec<_> = Kind::ALL.into_iter().map(Self::Series).collect();
        all.extend(DECADES.map(Self::SpreadSeries));
        all.extend(CONDITIONS.map(Self::Rotated));
        if accuracy == Accuracy::default() {
            all.extend([Self::Flow, Self::Plane]);
            all.extend(DECADES.map(Self::SpreadPlane));
        }
        all
    }

    fn name(self) -> String {
        match self {
            Self::Series(kind) => format!("{kind:?}").to_lowercase(),
            Self::Flow => "by the flow".to_owned(),
            Self::Plane => "in the plane".to_owned(),
            Self::SpreadSeries(decades) => format!("1e{decades} apart"),
            Self::SpreadPlane(decades) => format!("1e{decades} apart, plane"),
            Self::Rotated(decades) => format!("condition 1e{decades}"),
        }
    }

    /// The tolerance of identities; for extreme inputs, the limit at which the solver
    /// refuses.
    fn slack(self, accuracy: Accuracy) -> Slack {
        let rounding = match self {
            Self::SpreadSeries(decades) if decades > ORDINARY => 1e-7,
            Self::Rotated(decades) => (1e-16 * 10.0_f64.powi(decades)).max(1e-11),
            _ => 1e-11_f64,
        };
        Slack { relative: rounding.max(OF_TOLERANCE * accuracy.tolerance()), impulse: 0.0 }
    }

    /// Solves a share of its impacts.
    fn solve(self, seed: u64, accuracy: Accuracy) -> Findings {
        let slack = self.slack(accuracy);
        let mut random = Random::seeded(seed);
        let mut found = Findings::default();
        if let Self::Flow = self {
            (0..SHARE / EACH).for_each(|i| tables(&mut found, &mut random, i));
            return found;
        }
        for _ in 0..SHARE {
            match self {
                Self::Series(kind) => series(&mut found, &random.spatial(kind), slack, accuracy),
                Self::SpreadSeries(by) => {
                    series(&mut found, &random.spread(by.into()), slack, accuracy);
                }
                Self::SpreadPlane(by) => plane(&mut found, &random.spread(by.into()), slack),
                Self::Rotated(by) => {
                    series(&mut found, &random.rotated(by.into()), slack, accuracy);
                }
                Self::Plane | Self::Flow => plane(&mut found, &random.planar(), slack),
            }
        }
        found
    }
}

fn series(found: &mut Findings, input: &Input<3>, slack: Slack, accuracy: Accuracy) {
    let solve = |contact: &Contact<3>, accuracy| {
        contact.solve_with(input.velocity, input.friction, input.restitution, accuracy)
    };
    let solved =
        Contact::new(input.inertia).and_then(|contact| Ok((contact, solve(&contact, accuracy)?)));
    if accuracy != Accuracy::default()
        && let Ok((contact, impact)) = &solved
        && let Ok(exact) = solve(contact, Accuracy::default())
    {
        let scale = largest(input.velocity.into_iter().chain(exact.velocity));
        let error = largest((0..3).map(|i| impact.velocity[i] - exact.velocity[i])) / scale;
        found.miss(ACCURACY, error);
        if error.is_nan() || error >= slack.relative {
            found.missed += 1;
            found.show(|| format!("{error:e}\n{input:?}\n{impact:?}\n{exact:?}"));
        }
    }
    found.note(input, solved, slack);
}

fn plane(found: &mut Findings, input: &Input<2>, slack: Slack) {
    let solved = Contact::new(input.inertia).and_then(|contact| {
        let impact = contact.solve(input.velocity, input.friction, input.restitution)?;
        Ok((contact, impact))
    });
    found.note(input, solved, slack);
}

/// Impacts of one contact; the number selects its kind.
fn tables(found: &mut Findings, random: &mut Random, i: usize) {
    let kind = Kind::ALL[i % Kind::ALL.len()];
    let mut input = random.spatial(kind);
    let slack = of_tables(&input);
    let contact = match Contact::new(input.inertia) {
        Ok(contact) => contact,
        Err(error) => return found.note(&input, Err(error), slack),
    };
    let make = if i < Kind::ALL.len() { Flow::new } else { Flow::compact };
    let flow = make(&contact, input.friction);
    let size = largest(input.velocity);
    for _ in 0..EACH {
        let solved = flow.solve(input.velocity, input.restitution);
        found.note(&input, solved.map(|impact| (contact, impact)), slack);
        let next = random.spatial(kind);
        let scale = size / largest(next.velocity);
        input.velocity = next.velocity.map(|v| v * scale);
        input.restitution = next.restitution;
    }
}

/// The tangential impulse follows from velocities, and is as much less precise as the
/// tangential inertia is small in some direction.
fn of_tables(input: &Input<3>) -> Slack {
    let [_, [_, b11, b12], [_, _, b22]] = input.inertia;
    let least = (b11 * b22 - b12 * b12) / (b11 + b22);
    Slack { relative: 1e-10, impulse: 1e-11 * largest(input.velocity) / least }
}

/// The results of a run.
#[derive(Default)]
struct Findings {
    solved: usize,
    refused: BTreeMap<&'static str, usize>,
    worst: BTreeMap<&'static str, f64>,
    steps: usize,
    missed: usize,
    examples: Vec<String>,
}

impl Findings {
    fn note<const N: usize>(
        &mut self,
        input: &Input<N>,
        solved: Result<(Contact<N>, Impact<N>), Error>,
        slack: Slack,
    ) {
        match solved {
            Ok((contact, impact)) => self.check(input, &contact, &impact, slack),
            Err(error) => {
                *self.refused.entry(error.kind()).or_default() += 1;
                if error.kind() == "step_limit" {
                    self.show(|| format!("{error}\n{input:?}"));
                }
            }
        }
    }

    fn check<const N: usize>(
        &mut self,
        input: &Input<N>,
        contact: &Contact<N>,
        impact: &Impact<N>,
        slack: Slack,
    ) {
        self.solved += 1;
        self.steps = self.steps.max(impact.steps);
        let misses = misses(input, contact, impact, slack.impulse);
        misses.iter().for_each(|miss| self.miss(miss.identity, miss.error));
        let missed = misses.iter().find(|miss| miss.exceeds(slack.relative));
        if let Some(wrong) = missed.map(|miss| miss.identity).or(check_events(impact).err()) {
            self.missed += 1;
            self.show(|| format!("{wrong}\n{input:?}\n{impact:?}"));
        }
    }

    fn miss(&mut self, identity: &'static str, error: f64) {
        let worst = self.worst.entry(identity).or_default();
        *worst = if error <= *worst { *worst } else { error };
    }

    fn show(&mut self, example: impl FnOnce() -> String) {
        if self.examples.len() < 3 {
            self.examples.push(example());
        }
    }

    fn merge(mut self, other: Self) -> Self {
        self.solved += other.solved;
        self.steps = self.steps.max(other.steps);
        self.missed += other.missed;
        for (kind, count) in other.refused {
            *self.refused.entry(kind).or_default() += count;
        }
        other.worst.into_iter().for_each(|(identity, error)| self.miss(identity, error));
        other.examples.into_iter().for_each(|example| self.show(|| example));
        self
    }

    fn row(&self, name: &str, identities: &[&str]) -> String {
        let refused: Vec<_> =
            self.refused.iter().map(|(kind, count)| format!("{count} `{kind}`")).collect();
        let refused = if refused.is_empty() { "0".to_owned() } else { refused.join(", ") };
        let worst = |identity| match self.worst.get(identity) {
            None | Some(0.0) => "0".to_owned(),
            Some(worst) => format!("{worst:.0e}"),
        };
        let worst = identities.iter().map(|identity| worst(*identity));
        let worst = worst.collect::<Vec<_>>().join(" | ");
        let Self { solved, steps, missed, .. } = self;
        format!("| {name} | {solved} | {refused} | {steps} | {worst} | {missed} |")
    }
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let total = arguments.next().map_or(Some(1_000_000), |count| count.parse().ok());
    let accuracy = arguments.next().map_or(Some(Accuracy::default()), |tolerance| {
        tolerance.parse().ok().and_then(|tolerance| Accuracy::new(tolerance).ok())
    });
    let (Some(total), Some(accuracy)) = (total, accuracy) else {
        eprintln!("usage: soak [IMPACTS [TOLERANCE]]");
        return ExitCode::from(2);
    };
    let sources = Source::all(accuracy);
    let shares = usize::div_ceil(total, SHARE * sources.len());
    let (all, done) = (shares * sources.len(), AtomicUsize::new(0));
    let progress = || {
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        if done * 20 / all > (done - 1) * 20 / all {
            eprintln!("{} % of {} impacts", 100 * done / all, all * SHARE);
        }
    };
    let head = ["impacts", "solved", "refused", "steps"];
    let identities = match accuracy == Accuracy::default() {
        true => &IDENTITIES[..IDENTITIES.len() - 1],
        false => &IDENTITIES[..],
    };
    println!("| {} | {} | missed |", head.join(" | "), identities.join(" | "));
    println!("|{}", "---|".repeat(head.len() + identities.len() + 1));
    let mut missed = 0;
    for (row, &source) in sources.iter().enumerate() {
        let solve = |share: usize| {
            let found = source.solve((row * 1_000_000 + share) as u64, accuracy);
            progress();
            found
        };
        let found = (0..shares).into_par_iter().map(solve);
        let found = found.reduce(Findings::default, Findings::merge);
        println!("{}", found.row(&source.name(), identities));
        found.examples.iter().for_each(|example| eprintln!("{}: {example}", source.name()));
        missed += found.missed;
    }
    if missed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
