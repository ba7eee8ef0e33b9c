//! All inputs give a finite result or a typed error.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use routh::{Accuracy, Contact, Friction, Law, Restitution, Trajectory};

/// Any number, extremes and non-numbers included, mostly ordinary ones.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        6 => -2.0..2.0,
        2 => prop_oneof![-1e12..1e12, -1e-12..1e-12],
        1 => prop_oneof![Just(0.0), Just(-0.0), Just(1.0), Just(f64::MAX), Just(f64::MIN_POSITIVE)],
        1 => any::<f64>(),
    ]
}

/// Any friction coefficient, right or wrong, short of astronomical.
fn coefficient() -> impl Strategy<Value = f64> {
    number().prop_map(|x| if x.is_finite() { x.clamp(-1e15, 1e15) } else { x })
}

/// A matrix that is often, not always, symmetric and positive definite.
fn matrix<const N: usize>() -> impl Strategy<Value = [[f64; N]; N]> {
    let entries = proptest::array::uniform(proptest::array::uniform(number()));
    (entries, any::<bool>(), -150i32..150).prop_map(|(a, square, exponent)| {
        let a: [[f64; N]; N] = a;
        if !square {
            return a;
        }
        let scale = 10.0_f64.powi(exponent);
        let entry = |i: usize, j: usize| (0..N).map(|k| a[i][k] * a[j][k]).sum::<f64>() * scale;
        std::array::from_fn(|i| std::array::from_fn(|j| entry(i.min(j), i.max(j))))
    })
}

/// Whether products of entries stay far from the ends of the number range.
fn is_tame<const N: usize>(d: &[[f64; N]; N]) -> bool {
    d.iter().flatten().all(|x| *x == 0.0 || (1e-50..1e50).contains(&x.abs()))
}

fn law() -> impl Strategy<Value = Law> {
    proptest::sample::select(Law::ALL.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, rng_seed: RngSeed::Fixed(1897), ..ProptestConfig::with_cases(20_000) })]

    #[test]
    fn spatial(d in matrix::<3>(), v in proptest::array::uniform3(number()),
               fixed in coefficient(), kinetic in coefficient(), law in law(), e in 0.0..1.2f64) {
        let solved = (|| {
            let friction = Friction::new(fixed, kinetic)?;
            let restitution = Restitution::new(law, e)?;
            Contact::new(d)?.solve(v, friction, restitution)
        })();
        match solved {
            Ok(impact) => prop_assert!(impact.velocity.iter().chain(&impact.impulse).all(|x| x.is_finite())),
            Err(error) => prop_assert!(error.kind() != "step_limit" || !is_tame(&d), "{error}"),
        }
    }

    #[test]
    fn planar(d in matrix::<2>(), v in proptest::array::uniform2(number()),
              fixed in coefficient(), kinetic in coefficient(), law in law(), e in 0.0..1.2f64) {
        let solved = (|| {
            let friction = Friction::new(fixed, kinetic)?;
            let restitution = Restitution::new(law, e)?;
            Contact::new(d)?.solve(v, friction, restitution)
        })();
        match solved {
            Ok(impact) => prop_assert!(impact.velocity.iter().chain(&impact.impulse).all(|x| x.is_finite())),
            Err(error) => prop_assert!(error.kind() != "step_limit" || !is_tame(&d), "{error}"),
        }
    }

    #[test]
    fn trajectories(d in matrix::<3>(), v0 in proptest::array::uniform2(number()), mu in coefficient(),
                    impulses in proptest::collection::vec(0.0..1e6f64, 1..5), order in 6usize..65) {
        let mut sorted = impulses;
        sorted.sort_by(f64::total_cmp);
        let followed = (|| {
            let accuracy = Accuracy::new(1e-9)?.with_order(order)?;
            let friction = Friction::uniform(mu)?;
            let mut motion = Trajectory::new(&Contact::new(d)?, friction, v0, accuracy)?;
            sorted.iter().map(|&p| motion.advance(p)).collect::<Result<Vec<_>, _>>()
        })();
        match followed {
            Ok(velocities) => prop_assert!(velocities.iter().flatten().all(|x| x.is_finite())),
            Err(error) => prop_assert!(error.kind() != "step_limit" || !is_tame(&d), "{error}"),
        }
    }
}
