//! The reported drift is the true error, within a factor, at any tolerance.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use routh::{Accuracy, Contact, Friction, Trajectory};
use routh_tests::reference::Sliding;

/// Below this, both are rounding.
const ROUNDING: f64 = 2e-14;

fn motion(contact: &Contact<3>, mu: f64, v0: [f64; 2], accuracy: Accuracy) -> Trajectory {
    let friction = Friction::uniform(mu).unwrap();
    Trajectory::new(contact, friction, v0, accuracy).unwrap().checked()
}

/// The error of a velocity relative to the larger of the speeds there and at
/// the start.
fn error(found: [f64; 2], wanted: [f64; 2], v0: [f64; 2]) -> f64 {
    let speed = wanted[0].hypot(wanted[1]).max(v0[0].hypot(v0[1]));
    (found[0] - wanted[0]).hypot(found[1] - wanted[1]) / speed
}

/// Drift over error, rounding counting as agreement.
fn ratio(drift: f64, error: f64) -> f64 {
    drift.max(ROUNDING) / error.max(ROUNDING)
}

#[test]
fn drift_tracks_the_error_of_the_reference() {
    for case in Sliding::load().trajectories {
        let contact = Contact::new(case.inertia).unwrap();
        for exponent in 4..=10 {
            let accuracy = Accuracy::new(10_f64.powi(-exponent)).unwrap();
            let mut motion = motion(&contact, case.mu, case.v0, accuracy);
            let worst =
                case.impulse.iter().zip(&case.velocity).fold(0.0, |worst: f64, (&p, &v)| {
                    worst.max(error(motion.advance(p).unwrap(), v, case.v0))
                });
            let drift = motion.first_integral_drift().unwrap();
            let ratio = ratio(drift, worst);
            println!("{:20} 1e-{exponent}: error {worst:.1e}, drift {drift:.1e}", case.name);
            assert!((0.01..100.0).contains(&ratio), "{} 1e-{exponent}: {ratio}", case.name);
        }
    }
}

/// Random contacts against themselves at the default accuracy, at the ends of
/// steps, where errors are largest. Errors far below the tolerance may be
/// estimated too high, never too low.
#[test]
fn drift_tracks_the_error_of_random_contacts() {
    let mut random = ChaCha8Rng::seed_from_u64(11);
    let mut ratios = Vec::new();
    while ratios.len() < 2000 {
        let mut uniform = || random.random_range(-1.0..1.0);
        let root: [[f64; 3]; 3] = std::array::from_fn(|_| std::array::from_fn(|_| uniform()));
        let inertia = std::array::from_fn(|i| {
            std::array::from_fn(|j| (0..3).map(|k| root[i][k] * root[j][k]).sum())
        });
        let (mu, v0) = (uniform().abs(), [uniform(), uniform()]);
        let tolerance = 10_f64.powf(-7.0 + 3.0 * uniform());
        let Ok(contact) = Contact::new(inertia) else { continue };
        let mut rough = motion(&contact, mu, v0, Accuracy::new(tolerance).unwrap());
        let mut fine = motion(&contact, mu, v0, Accuracy::default());
        let mut worst = 0.0_f64;
        for _ in 0..12 {
            let Some(p) = rough.step_end() else { break };
            let wanted = fine.advance(p).unwrap();
            worst = worst.max(error(rough.advance(p).unwrap(), wanted, v0));
            rough.advance(p * (1.0 + 1e-12)).unwrap();
        }
        let drift = rough.first_integral_drift().unwrap();
        let ratio = ratio(drift, worst);
        let within = ratio > 0.01 && (ratio < 100.0 || drift < tolerance);
        assert!(within, "{inertia:?} {mu} {v0:?} {tolerance:e}: {drift:e}, {ratio}");
        ratios.push(ratio);
    }
    let close = ratios.iter().filter(|ratio| (0.5..2.0).contains(*ratio)).count();
    println!("{close} of {} within a factor of two", ratios.len());
    assert!(close * 10 > ratios.len() * 9);
}
