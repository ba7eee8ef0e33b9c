//! Impacts at the edges of the theory and of the numbers, against 77 digits.

use routh::{Contact, Flow, Impact};
use routh_tests::reference::{Case, Impacts, error};

/// Fails with all cases that are off by more than they may, or refused.
fn all_within<const N: usize>(
    cases: &[Case<N>],
    solve: impl Fn(&Case<N>) -> Result<Impact<N>, routh::Error>,
) {
    let missed = cases.iter().filter_map(|case| match solve(case) {
        Err(error) => Some(format!("{}: {error}", case.name)),
        Ok(impact) => {
            let error = error(case, &impact);
            let most = case.tolerance;
            (error.is_nan() || error > most)
                .then(|| format!("{}: {error:.1e} of {most:.1e}", case.name))
        }
    });
    let missed: Vec<_> = missed.collect();
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn series_meet_all() {
    all_within(&Impacts::adversarial().spatial, |case| case.input.solve());
}

#[test]
fn closed_forms_meet_all() {
    all_within(&Impacts::adversarial().planar, |case| case.input.solve());
}

#[test]
fn tables_meet_all() {
    for make in [Flow::new, Flow::compact] {
        all_within(&Impacts::adversarial().spatial, |case| {
            let contact = Contact::new(case.input.inertia)?;
            make(&contact, case.input.friction).solve(case.input.velocity, case.input.restitution)
        });
    }
}
