//! Chains of bodies by power series, and by SciPy's integrators where their results
//! are given: `benches/peers/chain.sh` runs both.
//!
//! `ROUTH_CHAINS` names a file to write the chains to instead, `ROUTH_PEERS` one with
//! the peers' results. Each peer is compared with the series at the loosest tolerance
//! that is at least as accurate, against the reference.

use std::hint::black_box;

use routh::Accuracy;
use routh::chain::Chain;
use routh_benches::timed::{Timed, shortest};
use routh_tests::chains::Chains;
use serde::Deserialize;
use serde_json::Value;

/// Chains of the reference that are measured.
const NAMES: [&str; 4] = [
    "six spheres, elastic",
    "six spheres, R = 0.8",
    "six spheres, elastic, first normal at 30 degrees, friction 0.3",
    "figure 5: six spheres, R = 0.8, first normal at 30 degrees, friction 0.3",
];

/// How much longer than the impact the others integrate.
const BEYOND: f64 = 1.1;

/// A run of the series.
struct Run {
    tolerance: f64,
    steps: usize,
    error: f64,
    nanoseconds: f64,
}

/// A run of a peer.
#[derive(Deserialize)]
struct Peer {
    name: String,
    method: String,
    rtol: f64,
    steps: usize,
    evaluations: usize,
    nanoseconds: f64,
    solver_only_nanoseconds: f64,
    velocities: Option<Vec<[f64; 3]>>,
}

fn main() {
    if let Some(path) = std::env::var_os("ROUTH_CHAINS") {
        std::fs::write(path, documents()).expect("the chains can be written");
        return;
    }
    let peers = std::env::var_os("ROUTH_PEERS").map_or(Vec::new(), |path| {
        let text = std::fs::read_to_string(path).expect("the peers' results can be read");
        text.lines().map(|line| serde_json::from_str(line).expect("a result a line")).collect()
    });
    for case in Chains::load().cases {
        if NAMES.contains(&case.name.as_str()) {
            let runs = runs(&case.chain.chain(), &case.velocities);
            print(&case.name, &runs, &case.velocities, &peers);
        }
    }
}

/// The chains as `chain.py` reads them.
fn documents() -> String {
    let all: Value = serde_json::from_str(include_str!("../tests/data/chains.json"))
        .expect("the reference is JSON");
    let cases = all["cases"].as_array().into_iter().flatten();
    let named = cases.filter(|case| NAMES.iter().any(|name| case["name"] == *name));
    let lines = named.map(|case| {
        let mut chain = case["chain"].clone();
        chain["name"] = case["name"].clone();
        chain["until"] = Value::from(BEYOND * case["duration"].as_f64().unwrap_or_default());
        chain.to_string() + "\n"
    });
    lines.collect()
}

/// The largest error of a velocity; angular ones count at the spheres' surface.
fn error(found: &[[f64; 3]], exact: &[[f64; 3]]) -> f64 {
    let pairs = found.iter().zip(exact).flat_map(|(x, y)| {
        let scale = [1.0, 1.0, 0.05];
        (0..3).map(move |i| (x[i] - y[i]).abs() * scale[i])
    });
    pairs.fold(0.0, f64::max)
}

fn runs(chain: &Chain, exact: &[[f64; 3]]) -> Vec<Run> {
    let tolerances = (3..=15).map(|k| 10_f64.powi(-k));
    let measure = |tolerance: f64| {
        let accuracy = Accuracy::new(tolerance).expect("a tolerance in range");
        let impact = chain.solve(accuracy).ok()?;
        let [nanoseconds] = shortest([Timed::new(|| black_box(chain).solve(accuracy))], 30);
        Some(Run {
            tolerance,
            steps: impact.outcome.steps,
            error: error(&impact.velocities, exact),
            nanoseconds,
        })
    };
    tolerances.filter_map(measure).collect()
}

fn print(name: &str, runs: &[Run], exact: &[[f64; 3]], peers: &[Peer]) {
    println!("\n{name}\n");
    println!("| method | tolerance | error | steps | evaluations | ms |");
    println!("|---|---|---|---|---|---|");
    for Run { tolerance, steps, error, nanoseconds } in runs {
        let time = nanoseconds * 1e-6;
        println!("| series | {tolerance:.0e} | {error:.1e} | {steps} | {steps} | {time:.3} |");
    }
    let own: Vec<&Peer> = peers.iter().filter(|peer| peer.name == name).collect();
    if own.is_empty() {
        return;
    }
    println!(
        "\n| method | rtol | error | steps | evaluations | ms | without right-hand side | \
         series' steps | time / series | solver alone / series |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for peer in own {
        let Peer { method, rtol, steps, evaluations, .. } = peer;
        let Some(velocities) = &peer.velocities else {
            println!("| {method} | {rtol:.0e} | gave up | | | | | | | |");
            continue;
        };
        let off = error(velocities, exact);
        let Some(run) = runs.iter().find(|run| run.error <= off).or(runs.last()) else { continue };
        let [whole, alone] = [peer.nanoseconds, peer.solver_only_nanoseconds];
        println!(
            "| {method} | {rtol:.0e} | {off:.1e} | {steps} | {evaluations} | {:.2} | {:.2} | {} | \
             {:.1} | {:.1} |",
            whole * 1e-6,
            alone * 1e-6,
            run.steps,
            whole / run.nanoseconds,
            alone / run.nanoseconds,
        );
    }
}
