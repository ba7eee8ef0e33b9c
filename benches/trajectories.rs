//! The paper's three motions by every method, each tuned to just reach an error:
//! a group for each start and error, so that ratios are within one run.

use criterion::{Criterion, criterion_group, criterion_main};
use routh_benches::{Method, Motion, STARTS};

fn trajectories(c: &mut Criterion) {
    for v0 in STARTS {
        let motion = Motion::of_the_paper(v0).expect("in range");
        for target in [1e-6, 1e-9, 1e-12] {
            let [x, y] = v0;
            let mut group = c.benchmark_group(format!("({x}, {y}) to {target:e}"));
            for method in Method::ALL {
                let tuned = method.tuned(&motion, target).expect("a reference");
                let Some(tuned) = tuned else {
                    println!("{method:?} does not come as near as {target:e}");
                    continue;
                };
                let name = format!("{method:?}, {} steps", tuned.steps);
                group.bench_function(name, |b| b.iter(|| tuned.follow(&motion)));
            }
            group.finish();
        }
    }
}

criterion_group!(benches, trajectories);
criterion_main!(benches);
