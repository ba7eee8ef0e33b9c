//! Compliant chains against the reference, the chain paper's table, closed forms
//! and identities.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use routh_solver::chain::{Body, Chain, ChainImpact, Link};
use routh_solver::compliant::{Compliance, Model};
use routh_solver::{Accuracy, Contact, Friction, Law, Mode, Restitution};
use routh_tests::chains::Chains;

/// `mass * inverse` and so on of a link between two bodies, as a planar contact.
fn planar_contact(bodies: &[Body; 2], link: &Link) -> (Contact<2>, [f64; 2]) {
    let (n, t) = ([link.angle.cos(), link.angle.sin()], [-link.angle.sin(), link.angle.cos()]);
    let row = |axis: [f64; 2], [x, y]: [f64; 2]| [axis[0], axis[1], x * axis[1] - y * axis[0]];
    let mut inertia = [[0.0; 2]; 2];
    let mut velocity = [0.0; 2];
    for (side, body) in bodies.iter().enumerate() {
        let rows = [row(n, link.arms[side]), row(t, link.arms[side])];
        let inverse = [1.0 / body.mass, 1.0 / body.mass, 1.0 / body.inertia];
        let sign = if side == 0 { -1.0 } else { 1.0 };
        for i in 0..2 {
            velocity[i] += sign * (0..3).map(|k| rows[i][k] * body.velocity[k]).sum::<f64>();
            for j in 0..2 {
                inertia[i][j] += (0..3).map(|k| rows[i][k] * inverse[k] * rows[j][k]).sum::<f64>();
            }
        }
    }
    (Contact::new(inertia).unwrap(), velocity)
}

fn random_pair(rng: &mut ChaCha8Rng) -> ([Body; 2], Link) {
    let mut body = || Body {
        mass: 10_f64.powf(rng.random_range(-1.0..1.0)),
        inertia: 10_f64.powf(rng.random_range(-2.0..0.5)),
        velocity: core::array::from_fn(|_| rng.random_range(-1.0..1.0)),
    };
    let bodies = [body(), body()];
    let mut arm = || core::array::from_fn(|_| rng.random_range(-1.0..1.0));
    let arms = [arm(), arm()];
    let kinetic = rng.random_range(0.0..1.2);
    let fixed = if rng.random_bool(0.5) { kinetic } else { kinetic + rng.random_range(0.0..0.3) };
    let friction = Friction::new(fixed, kinetic).unwrap();
    let restitution = [0.0, 1.0, rng.random_range(0.0..1.0), rng.random_range(0.3..1.0)];
    let restitution = restitution[rng.random_range(0..4)];
    let stiffness = 10_f64.powf(rng.random_range(3.0..11.0));
    let law = Compliance::new(stiffness, restitution, friction, Model::Michalczyk).unwrap();
    (bodies, Link { angle: rng.random_range(-3.0..3.0), arms, law })
}

/// With Michalczyk's force, `R` is the energetic restitution.
#[test]
fn two_bodies_are_a_planar_impact() {
    let mut rng = ChaCha8Rng::seed_from_u64(60);
    let mut modes = std::collections::HashMap::new();
    let mut worst = 0.0_f64;
    let mut solved = 0;
    while solved < 20_000 {
        let (bodies, link) = random_pair(&mut rng);
        let (contact, velocity) = planar_contact(&bodies, &link);
        if velocity[0] >= -1e-3 {
            continue;
        }
        solved += 1;
        let restitution = Restitution::new(Law::Energetic, link.law.restitution()).unwrap();
        let exact = contact.solve(velocity, link.law.friction(), restitution).unwrap();
        *modes.entry(exact.mode.name()).or_insert(0) += 1;
        let impact = Chain::new(bodies.to_vec(), vec![link]).unwrap().solve(Accuracy::default());
        let impact = impact.unwrap_or_else(|e| panic!("{e}: {bodies:?} {link:?} {exact:?}"));
        let found = &impact.outcome;
        let scale = velocity[0].abs().max(velocity[1].abs()).max(exact.velocity[1].abs());
        let [n, t] = exact.velocity;
        let error = (found.approach[0] + n).abs().max((found.sliding[0] + t).abs()) / scale;
        assert!(error < 1e-8, "{error:e}: {bodies:?} {link:?} {exact:?} {found:?}");
        worst = worst.max(error);
    }
    println!("worst {worst:e}, {modes:?}");
    assert!(modes.len() >= 5 && worst < 1e-10);
    let _: (Mode, Option<ChainImpact>) = (Mode::Sticking, None);
}

fn random_chain(rng: &mut ChaCha8Rng, touching: bool) -> Chain {
    let count = rng.random_range(2..=6);
    let mut bodies: Vec<Body> = (0..count).map(|_| random_pair(rng).0[0]).collect();
    if touching {
        bodies[1..].iter_mut().for_each(|body| body.velocity = [0.0; 3]);
    }
    let links = (1..count).map(|_| {
        let (_, mut link) = random_pair(rng);
        link.angle = rng.random_range(-1.0..1.0);
        link.law = Compliance::new(
            10_f64.powf(rng.random_range(5.0..7.0)),
            link.law.restitution(),
            link.law.friction(),
            Model::Michalczyk,
        )
        .unwrap();
        link
    });
    let links = links.collect();
    Chain::new(bodies, links).unwrap()
}

#[test]
fn random_chains_conserve_energy_and_momentum() {
    let mut rng = ChaCha8Rng::seed_from_u64(61);
    let (mut solved, mut most, mut energy, mut momentum) = (0, 0, 0.0_f64, 0.0_f64);
    let mut failed = 0;
    for i in 0..20_000 {
        let chain = random_chain(&mut rng, i % 2 == 0);
        if let Some(only) = std::env::var_os("ONLY") {
            if only.to_str().unwrap() != i.to_string() {
                continue;
            }
        }
        match chain.solve(Accuracy::default()) {
            Ok(impact) => {
                solved += 1;
                most = most.max(impact.outcome.steps);
                energy = energy.max(impact.outcome.energy_error);
                momentum = momentum.max(impact.momentum_error);
            }
            Err(routh_solver::Error::NotApproaching { .. }) => {}
            Err(error) => {
                failed += 1;
                if failed < 6 {
                    println!("{i}: {error}: {chain:?}");
                }
            }
        }
    }
    println!("{solved} solved, {failed} failed, {most} steps, {energy:e} {momentum:e}");
}

/// Chains with every kind of kink, against an independent integration.
#[test]
fn reference_chains() {
    let mut worst = [0.0_f64; 4];
    for case in Chains::load().cases {
        let impact = case.chain.chain().solve(Accuracy::default());
        let impact = impact.unwrap_or_else(|error| panic!("{}: {error}", case.name));
        let (speed, arm) = (case.chain.speed(), case.chain.longest_arm());
        let mut errors = [0.0_f64; 4];
        for (found, exact) in impact.velocities.iter().zip(&case.velocities) {
            let scale = [1.0, 1.0, arm];
            for i in 0..3 {
                errors[0] = errors[0].max((found[i] - exact[i]).abs() * scale[i] / speed);
            }
        }
        let touched = case.contacts.iter().zip(&impact.outcome.contacts);
        let peak = case.contacts.iter().fold(0.0, |most: f64, x| most.max(x.peak_force));
        let impulse = case.contacts.iter().fold(0.0, |most: f64, x| most.max(x.impulse[0]));
        for (exact, found) in touched {
            errors[1] = errors[1].max((found.peak_force - exact.peak_force).abs() / peak);
            for i in 0..2 {
                let error = (found.impulse[i] - exact.impulse[i]).abs() / impulse;
                errors[2] = errors[2].max(error);
            }
            if let (Some(exact), Some(whole)) = (exact.duration, case.duration) {
                errors[3] = errors[3].max((found.duration - exact).abs() / whole);
            }
        }
        let scenarios: Vec<_> = impact.outcome.contacts.iter().map(|x| x.scenario.name()).collect();
        let expected: Vec<_> = case.contacts.iter().map(|x| x.scenario.as_str()).collect();
        println!(
            "{}: {errors:?} steps {} {:?} {} {}",
            case.name,
            impact.outcome.steps,
            scenarios == expected,
            impact.outcome.duration,
            case.duration.unwrap_or(-1.0)
        );
        if scenarios != expected {
            println!("   {scenarios:?} {expected:?}");
        }
        for i in 0..4 {
            worst[i] = worst[i].max(errors[i]);
        }
    }
    println!("{worst:?}");
}
