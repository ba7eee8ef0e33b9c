//! Whole impacts, one by one.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use routh_solver::Contact;
use routh_tests::random::{Kind, Random};

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

criterion_group!(benches, spatial, planar);
criterion_main!(benches);
