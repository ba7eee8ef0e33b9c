//! One expansion: straight-line code, the same for one robot, and loops.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use routh_solver::kernels::{
    ORDER, regularised_20, regularised_any, regularised_constants, seed_robot_20,
};
use routh_tests::reference::seed_robot;

fn expansions(c: &mut Criterion) {
    let [[a, h1, h2], [_, b11, b12], [_, _, b22]] = *seed_robot().inertia();
    let constants = regularised_constants(a, h1, h2, b11, b12, b22, 0.3);
    let start = [0.6, 0.8, 4.0, 0.0, 2.4, 3.2, -10.0, 0.0, 0.0, 0.0, 0.0];
    let mut rows = [[0.0; 65]; 11];
    let mut group = c.benchmark_group("expansion to order 20");
    group.bench_function("any contact", |b| {
        b.iter(|| regularised_20(black_box(&constants), black_box(&start), &mut rows));
    });
    group.bench_function("seed robot", |b| {
        b.iter(|| seed_robot_20(black_box(&start), &mut rows));
    });
    group.bench_function("loops", |b| {
        b.iter(|| regularised_any(black_box(&constants), black_box(&start), ORDER, &mut rows));
    });
    group.finish();
}

criterion_group!(benches, expansions);
criterion_main!(benches);
