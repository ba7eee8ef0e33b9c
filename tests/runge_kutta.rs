//! Impacts against Runge-Kutta on the equations as the paper writes them, in
//! the normal impulse and with a square root: an independent method.

use routh::{Contact, Event, Impact};
use routh_integrators::impact;
use routh_tests::random::{Kind, Random};
use routh_tests::reference::largest;

const MANY: usize = 2_000;
/// How many of them may pass rest so closely that the steps see a halt.
const MOST_DIFFERENT: usize = 2;

fn error(found: &Impact<3>, wanted: &Impact<3>, before: [f64; 3]) -> f64 {
    let (speed, total) = (largest(before.into_iter().chain(wanted.velocity)), wanted.impulse[0]);
    let velocities = (0..3).map(|i| (found.velocity[i] - wanted.velocity[i]) / speed);
    let impulses = (0..3).map(|i| (found.impulse[i] - wanted.impulse[i]) / total);
    let works = [
        found.normal_work - wanted.normal_work,
        found.friction_work - wanted.friction_work,
        found.energy_change - wanted.energy_change,
    ];
    largest(velocities.chain(impulses).chain(works.map(|work| work / (speed * total))))
}

fn happen_alike(found: &[Event], wanted: &[Event]) -> bool {
    found.iter().map(|event| event.kind).eq(wanted.iter().map(|event| event.kind))
}

fn compare(kind: Kind) {
    let mut random = Random::seeded(600 + kind as u64);
    let mut different = 0;
    for _ in 0..MANY {
        let mut input = random.spatial(kind);
        while input.restitution.e() < 0.05 {
            input = random.spatial(kind);
        }
        let (velocity, friction, restitution) = (input.velocity, input.friction, input.restitution);
        let contact = Contact::new(input.inertia).unwrap();
        let wanted = contact.solve(velocity, friction, restitution).unwrap();
        let impact = impact::follow(&contact, velocity, friction, restitution, 1000).unwrap();
        if impact.mode == wanted.mode && happen_alike(&impact.events, &wanted.events) {
            let error = error(&impact, &wanted, velocity);
            assert!(error < 1e-8, "{error:e}\n{input:?}\n{wanted:?}\n{impact:?}");
        } else {
            different += 1;
        }
    }
    assert!(different <= MOST_DIFFERENT, "{different} of {MANY} have another mode or other events");
}

#[test]
fn plain_impacts() {
    compare(Kind::Plain);
}

#[test]
fn coupled_impacts() {
    compare(Kind::Coupled);
}

#[test]
fn isotropic_impacts() {
    compare(Kind::Isotropic);
}
