//! Identities of every impact, over a seeded sweep of random contacts.

use routh::Contact;
use routh_tests::identities::{CLOSE, check};
use routh_tests::random::{Kind, Random};

/// Contacts of each kind; 25,000 of ten kinds in release.
const EACH: usize = if cfg!(debug_assertions) { 1_000 } else { 25_000 };

fn sweep(kind: Kind) {
    let mut random = Random::seeded(kind as u64 + 1);
    let mut steps = 0;
    for _ in 0..EACH {
        let input = random.spatial(kind);
        let contact = Contact::new(input.inertia).unwrap();
        let impact = contact.solve(input.velocity, input.friction, input.restitution);
        let impact = impact.unwrap_or_else(|e| panic!("{e}\n{input:?}"));
        check(&input, &contact, &impact, CLOSE);
        steps = steps.max(impact.steps);
    }
    println!("{kind:?}: at most {steps} steps");
}

routh_tests::sweeps!(sweep);

#[test]
fn planar_contacts() {
    let mut random = Random::seeded(0);
    for _ in 0..2 * EACH {
        let input = random.planar();
        let contact = Contact::new(input.inertia).unwrap();
        let impact = contact.solve(input.velocity, input.friction, input.restitution).unwrap();
        check(&input, &contact, &impact, CLOSE);
    }
}
