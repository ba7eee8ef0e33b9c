//! The error at each tolerance: whole impacts against the default accuracy.

use routh::{Accuracy, Contact};
use routh_tests::random::{Kind, Random};
use routh_tests::reference::largest;

/// Impacts of each kind.
const MANY: usize = 4000;

/// Errors of velocities and impulses over the tolerance, from small to large, and how
/// many impacts have wrong halts.
fn errors(kind: Kind, tolerance: f64) -> (Vec<f64>, usize) {
    let mut random = Random::seeded(5);
    let accuracy = Accuracy::new(tolerance).unwrap();
    let (mut errors, mut other) = (Vec::new(), 0);
    for _ in 0..MANY {
        let input = random.spatial(kind);
        let Ok(contact) = Contact::new(input.inertia) else { continue };
        let solve = |accuracy| {
            contact.solve_with(input.velocity, input.friction, input.restitution, accuracy)
        };
        let (Ok(rough), Ok(fine)) = (solve(accuracy), solve(Accuracy::default())) else { continue };
        let kinds = |impact: &routh::Impact<3>| {
            impact.events.iter().map(|event| event.kind).collect::<Vec<_>>()
        };
        if kinds(&rough) != kinds(&fine) {
            other += 1;
            continue;
        }
        let apart = |a: [f64; 3], b: [f64; 3]| largest((0..3).map(|i| a[i] - b[i]));
        let speeds = largest(input.velocity.into_iter().chain(fine.velocity));
        let velocity = apart(rough.velocity, fine.velocity) / speeds;
        let impulse = apart(rough.impulse, fine.impulse) / largest(fine.impulse);
        errors.push(velocity.max(impulse) / tolerance);
    }
    errors.sort_by(f64::total_cmp);
    (errors, other)
}

/// A hundredth of the tolerance in the median, a few times it in the worst; and events are those of
/// the exact trajectory.
#[test]
fn errors_keep_to_the_tolerance() {
    for kind in [Kind::Plain, Kind::Coupled, Kind::Grazing, Kind::Critical] {
        for exponent in [3, 6, 9, 12] {
            let (errors, other) = errors(kind, 10_f64.powi(-exponent));
            let [median, most, worst] =
                [0.5, 0.999, 1.0].map(|part| errors[(part * (errors.len() - 1) as f64) as usize]);
            let found = format!("{kind:?} 1e-{exponent}: {median:.1e}, {most:.1e}, {worst:.1e}");
            assert!(median < 0.1 && most < 10.0 && worst < 50.0, "{found}");
            assert_eq!(other, 0, "{found}");
        }
    }
}
