//! One expansion: by order, in straight-line code and in loops, in `τ` and in
//! the stretched variable, in double and in single precision.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use routh_solver::kernels;

/// Rows for the highest order that loops may be asked for.
const LENGTH: usize = 65;

/// `vt1`, `vt2`, `p`, `it1`, `it2`, `vn`, `wn`, `wt` at the start of a step.
const START: [f64; 8] = [0.6, 0.8, 0.0, 0.0, 0.0, -2.0, 0.0, 0.0];

/// A group of kernels that share constants and unknowns, in one arithmetic.
macro_rules! group {
    ($c:ident, $name:literal, $real:ty, $constants:expr, $any:path; $($order:literal $kernel:path),*) => {{
        let constants = $constants.map(|x| x as $real);
        let start = std::array::from_fn(|i| START[i] as $real);
        let mut group = $c.benchmark_group($name);
        $({
            let mut rows = [Default::default(); $order + 1];
            group.bench_function(concat!("straight line, ", $order), |b| {
                b.iter(|| $kernel(black_box(&constants), black_box(&start), black_box(&mut rows)));
            });
        })*
        let mut rows = [Default::default(); LENGTH];
        for order in [8, $($order,)* 32, 40] {
            group.bench_function(format!("loops, {order}"), |b| {
                b.iter(|| {
                    let order = black_box(order);
                    $any(black_box(&constants), black_box(&start), order, black_box(&mut rows));
                });
            });
        }
        group.finish();
    }};
}

fn expansions(c: &mut Criterion) {
    let velocity = kernels::velocity_constants(0.3, 0.4, 1.2, 0.7, 0.5);
    let works = kernels::works_constants(1.1, 0.3, 0.4, 1.2, 0.7, 0.5);
    let stretched = kernels::stretched_velocity_constants(0.3, 0.4, 1.2, 0.7, 0.5, 0.2, 0.1);
    let stretched_works =
        kernels::stretched_works_constants(1.1, 0.3, 0.4, 1.2, 0.7, 0.5, 0.2, 0.1);
    group!(c, "velocity", f64, velocity, kernels::velocity_any;
        12 kernels::velocity_12, 16 kernels::velocity_16,
        20 kernels::velocity_20, 24 kernels::velocity_24);
    group!(c, "velocity, single precision", f32, velocity, kernels::velocity_any;
        12 kernels::velocity_12, 16 kernels::velocity_16,
        20 kernels::velocity_20, 24 kernels::velocity_24);
    group!(c, "works", f64, works, kernels::works_any;
        12 kernels::works_12, 16 kernels::works_16,
        20 kernels::works_20, 24 kernels::works_24);
    group!(c, "stretched velocity", f64, stretched, kernels::stretched_velocity_any;
        12 kernels::stretched_velocity_12, 16 kernels::stretched_velocity_16,
        20 kernels::stretched_velocity_20, 24 kernels::stretched_velocity_24);
    group!(c, "stretched works", f64, stretched_works, kernels::stretched_works_any;
        12 kernels::stretched_works_12, 16 kernels::stretched_works_16,
        20 kernels::stretched_works_20, 24 kernels::stretched_works_24);
}

criterion_group!(benches, expansions);
criterion_main!(benches);
