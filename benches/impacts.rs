//! Whole impacts, and the papers' sliding motion against Runge-Kutta.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use routh_benches::runge_kutta;
use routh_solver::{Accuracy, Contact, Friction, Trajectory};
use routh_tests::random::{Kind, Random};
use routh_tests::reference::seed_robot;

/// Random impacts, so that no branch is learned by heart.
const MANY: usize = 1000;

fn spatial(c: &mut Criterion) {
    let mut group = c.benchmark_group("a thousand spatial impacts");
    for kind in [Kind::Plain, Kind::Grazing, Kind::Rest] {
        let mut random = Random::seeded(1);
        let inputs: Vec<_> = (0..MANY)
            .map(|_| random.spatial(kind))
            .filter_map(|input| Some((Contact::new(input.inertia).ok()?, input)))
            .collect();
        group.bench_function(format!("{kind:?}"), |b| {
            b.iter(|| {
                for (contact, input) in &inputs {
                    let impact = contact.solve(input.velocity, input.friction, input.restitution);
                    let _ = black_box(impact);
                }
            });
        });
    }
    group.finish();
}

fn planar(c: &mut Criterion) {
    let mut random = Random::seeded(1);
    let inputs: Vec<_> = (0..MANY)
        .map(|_| random.planar())
        .filter_map(|input| Some((Contact::new(input.inertia).ok()?, input)))
        .collect();
    c.bench_function("a thousand planar impacts", |b| {
        b.iter(|| {
            for (contact, input) in &inputs {
                let impact = contact.solve(input.velocity, input.friction, input.restitution);
                let _ = black_box(impact);
            }
        });
    });
}

fn sliding(c: &mut Criterion) {
    let robot = seed_robot();
    let mut group = c.benchmark_group("seed robot from (4, 0) to p = 3000");
    for tolerance in [1e-6, 1e-12] {
        group.bench_function(format!("series, tolerance {tolerance:e}"), |b| {
            b.iter(|| {
                let accuracy = Accuracy::new(tolerance);
                let motion = accuracy.and_then(|accuracy| {
                    Trajectory::new(&robot, Friction::uniform(0.3)?, [4.0, 0.0], accuracy)
                });
                black_box(motion.and_then(|mut motion| motion.advance(3000.0)))
            });
        });
    }
    for steps in [38, 300, 1000] {
        group.bench_function(format!("Runge-Kutta, {steps} steps"), |b| {
            b.iter(|| runge_kutta(&robot, 0.3, black_box([4.0, 0.0]), 3000.0, steps));
        });
    }
    group.finish();
}

criterion_group!(benches, spatial, planar, sliding);
criterion_main!(benches);
