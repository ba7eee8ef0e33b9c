//! Ten thousand random impacts in space: one by one, in lanes on one core, and
//! in lanes on all of them.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rayon::ThreadPoolBuilder;
use routh_benches::collisions;
use routh_solver::{Accuracy, solve_batch};

const MANY: usize = 10_000;

fn batch(c: &mut Criterion) {
    let collisions = collisions(MANY);
    let alone = ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    for (name, accuracy) in [
        ("default accuracy", Accuracy::default()),
        ("tolerance 1e-6", Accuracy::new(1e-6).expect("in range")),
    ] {
        let mut group = c.benchmark_group(format!("spatial impacts, {name}"));
        group.throughput(Throughput::Elements(collisions.len() as u64)).sample_size(20);
        group.bench_function("one by one", |b| {
            b.iter(|| {
                for collision in &collisions {
                    let _ = black_box(collision.solve(accuracy));
                }
            });
        });
        group.bench_function("batch on one core", |b| {
            b.iter(|| alone.install(|| solve_batch(&collisions, accuracy)));
        });
        group.bench_function("batch on all cores", |b| {
            b.iter(|| solve_batch(&collisions, accuracy));
        });
        group.finish();
    }
}

criterion_group!(benches, batch);
criterion_main!(benches);
