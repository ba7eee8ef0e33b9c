//! Named impacts and slips by every method, a group for each case and tolerance, so that
//! ratios are within one run; a method's name states the error that it reaches.
//!
//! `ROUTH_TOLERANCES` names other tolerances, with commas between; rivals are run in that
//! form of the equations that takes them less time.

use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use routh_benches::contest::{Case, Kind, Method, Rival};
use routh_benches::timed::Timed;

const TOLERANCES: &str = "1e-3,1e-6,1e-9,1e-12,1e-14";
/// Times that both forms are tried.
const TRIALS: usize = 5;

/// The setting with which a method is asked for a tolerance: the tolerance itself, or the
/// fewest steps that reach it.
fn setting(method: Method, kind: Kind, case: &Case, tolerance: f64) -> Option<f64> {
    let settings = method.settings(kind);
    match method {
        Method::Rk4 => settings.into_iter().find(|&steps| {
            method.follow(kind, case, steps).is_ok_and(|found| found.error(case) <= tolerance)
        }),
        Method::Flow => settings.first().copied(),
        _ => Some(tolerance).filter(|_| !settings.is_empty()),
    }
}

/// How long a method takes, if it gets through.
fn trial(method: Method, kind: Kind, case: &Case, setting: f64) -> Option<f64> {
    let found = method.follow(kind, case, setting).ok()?;
    found.error(case).is_finite().then(|| {
        let mut timed = Timed::new(|| drop(method.follow(kind, case, setting)));
        (0..TRIALS).for_each(|_| timed.sample());
        timed.least
    })
}

/// The project's methods, and each rival in its better form.
fn methods(kind: Kind, case: &Case, tolerance: f64) -> Vec<(Method, f64)> {
    let own = Method::OWN.into_iter();
    let own = own.filter_map(|method| Some((method, setting(method, kind, case, tolerance)?)));
    let rivals = Rival::ALL.into_iter().filter_map(|rival| {
        let forms = [Method::OverImpulse(rival), Method::OverTau(rival)].into_iter();
        forms
            .filter_map(|form| Some((trial(form, kind, case, tolerance)?, form)))
            .min_by(|x, y| x.0.total_cmp(&y.0))
            .map(|(_, form)| (form, tolerance))
    });
    own.chain(rivals).collect()
}

fn field(c: &mut Criterion) {
    let tolerances = std::env::var("ROUTH_TOLERANCES").unwrap_or_else(|_| TOLERANCES.to_owned());
    let tolerances = tolerances.split(',').map(|word| word.trim().parse().expect("a tolerance"));
    let tolerances: Vec<f64> = tolerances.collect();
    for case in &Case::all().expect("a reference") {
        for kind in Kind::ALL {
            for &tolerance in &tolerances {
                let name = format!("{} {}, {tolerance:e}", case.name, kind.name());
                let mut group = c.benchmark_group(name);
                group.sample_size(10).nresamples(1000);
                group.warm_up_time(Duration::from_millis(10));
                group.measurement_time(Duration::from_millis(50));
                for (method, setting) in methods(kind, case, tolerance) {
                    let Ok(found) = method.follow(kind, case, setting) else { continue };
                    let many = match method.many(case) {
                        1 => String::new(),
                        many => format!("{many} times "),
                    };
                    let name = format!("{many}{}, error {:.0e}", method.name(), found.error(case));
                    group.bench_function(name, |b| b.iter(|| method.follow(kind, case, setting)));
                }
                group.finish();
            }
        }
    }
}

criterion_group!(benches, field);
criterion_main!(benches);
