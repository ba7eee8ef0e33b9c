//! Every figure and every event of the 30-digit reference.

use routh::{Accuracy, Contact, Friction, Trajectory};
use routh_tests::reference::{Impacts, Sliding, error, largest};

const TOLERANCE: f64 = 1e-12;

#[test]
fn spatial_impacts() {
    let mut worst = 0.0_f64;
    for case in Impacts::load().spatial {
        let input = &case.input;
        let contact = Contact::new(input.inertia).unwrap();
        let impact = contact.solve(input.velocity, input.friction, input.restitution).unwrap();
        let error = error(&case, &impact);
        println!("{:30} {error:.1e} in {} steps", case.name, impact.steps);
        worst = worst.max(error);
    }
    assert!(worst < TOLERANCE, "{worst:e}");
}

#[test]
fn planar_impacts() {
    let mut worst = 0.0_f64;
    for case in Impacts::load().planar {
        let input = &case.input;
        let contact = Contact::new(input.inertia).unwrap();
        let impact = contact.solve(input.velocity, input.friction, input.restitution).unwrap();
        let error = error(&case, &impact);
        println!("{:30} {error:.1e}", case.name);
        worst = worst.max(error);
    }
    assert!(worst < TOLERANCE, "{worst:e}");
}

#[test]
fn sliding_trajectories() {
    let mut worst = 0.0_f64;
    for case in Sliding::load().trajectories {
        let contact = Contact::new(case.inertia).unwrap();
        let friction = Friction::uniform(case.mu).unwrap();
        for accuracy in [Accuracy::default(), Accuracy::default().with_order(30).unwrap()] {
            let motion = Trajectory::new(&contact, friction, case.v0, accuracy).unwrap();
            let mut motion = motion.checked();
            let errors = case.impulse.iter().zip(&case.velocity).map(|(&p, wanted)| {
                let found = motion.advance(p).unwrap();
                largest([found[0] - wanted[0], found[1] - wanted[1]])
            });
            let error = largest(errors) / largest(case.v0);
            println!(
                "{:22} order {}: {error:.1e} in {} steps, drift {:.1e}",
                case.name,
                accuracy.order(),
                motion.steps(),
                motion.first_integral_drift().unwrap()
            );
            worst = worst.max(error);
        }
    }
    assert!(worst < 1e-11, "{worst:e}");
}
