//! Compliant chains against the reference, the chain paper's table, closed forms
//! and identities.

use std::collections::HashMap;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use routh::chain::{Body, Chain, ChainImpact, Link};
use routh::compliant::{Compliance, Compliant, Model, hertz_stiffness};
use routh::{Accuracy, Contact, Error, Friction, Law, Restitution};
use routh_tests::chains::Chains;
use serde_json::Value;

/// The contact of two bodies and its velocity, as of a planar impact.
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
    let mut modes = HashMap::new();
    let mut worst = 0.0_f64;
    let mut solved = 0;
    while solved < 20_000 {
        let (bodies, link) = random_pair(&mut rng);
        let (contact, mut velocity) = planar_contact(&bodies, &link);
        if velocity[0] >= -1e-3 {
            continue;
        }
        solved += 1;
        let mut bodies = bodies;
        if solved % 8 == 0 {
            // Sliding begins from rest.
            let t = [-link.angle.sin(), link.angle.cos()];
            for (v, t) in bodies[0].velocity.iter_mut().zip(t) {
                *v += velocity[1] * t;
            }
            velocity[1] = 0.0;
        }
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
    assert!(worst < 1e-12, "{worst:e}");
    assert_eq!(modes.len(), 7, "{modes:?}");
    assert!(modes.values().all(|count| *count > 200), "{modes:?}");
}

/// Steel spheres in a row, the first at 1 m/s.
fn spheres(count: usize, restitution: f64, model: Model) -> Chain {
    let reference: Value = serde_json::from_str(include_str!("data/chain.json")).unwrap();
    let number = |name: &str| reference["material"][name].as_f64().unwrap();
    let [e, nu, radius, mass] = ["youngs_modulus", "poisson_ratio", "radius", "mass"].map(number);
    let stiffness = hertz_stiffness([e; 2], [nu; 2], [radius; 2]).unwrap();
    let friction = Friction::uniform(0.0).unwrap();
    let law = Compliance::new(stiffness, restitution, friction, model).unwrap();
    let ball =
        |speed| Body { mass, inertia: 0.4 * mass * radius * radius, velocity: [speed, 0.0, 0.0] };
    let bodies = (0..count).map(|i| ball(if i == 0 { 1.0 } else { 0.0 }));
    let link = Link { angle: 0.0, arms: [[radius, 0.0], [-radius, 0.0]], law };
    Chain::new(bodies.collect(), vec![link; count - 1]).unwrap()
}

/// The reference, and the values of the chain paper's Table 1 for three to six bodies:
/// 25.05 kN, 0.345 to 0.35 ms and 0.07 to 0.071 m/s, a rebound.
#[test]
fn spheres_agree_with_the_reference_and_with_table_1() {
    let reference: Value = serde_json::from_str(include_str!("data/chain.json")).unwrap();
    for (name, restitution) in [("elastic", 1.0), ("restitution_0_8", 0.8)] {
        for case in reference[name].as_array().unwrap() {
            let count = case["bodies"].as_u64().unwrap() as usize;
            let impact = spheres(count, restitution, Model::Michalczyk);
            let impact = impact.solve(Accuracy::default()).unwrap();
            let first = &impact.outcome.contacts[0];
            let velocities = case["velocities"].as_array().unwrap();
            for (found, exact) in impact.velocities.iter().zip(velocities) {
                assert!((found[0] - exact.as_f64().unwrap()).abs() < 1e-10, "{name} {count}");
            }
            let force = case["peak_force"].as_f64().unwrap();
            assert!((first.peak_force / force - 1.0).abs() < 1e-11, "{name} {count}");
            let duration = case["first_contact_duration"].as_f64().unwrap();
            assert!((first.duration / duration - 1.0).abs() < 1e-9, "{name} {count}");
            if restitution == 1.0 && count > 2 {
                assert_eq!(format!("{:.2}", first.peak_force / 1e3), "25.05");
                assert!((0.345..0.3505).contains(&(1e3 * first.duration)), "{}", first.duration);
                assert!((-0.0715..-0.0695).contains(&impact.velocities[0][0]));
                assert!((2..=4).contains(&impact.outcome.max_active_contacts));
            }
        }
    }
}

/// Hertz's pair: largest force and duration in closed form.
#[test]
fn a_pair_of_spheres_is_hertz_s() {
    let impact = spheres(2, 1.0, Model::Elastic).solve(Accuracy::default()).unwrap();
    let touch = &impact.outcome.contacts[0];
    let (mass, radius, modulus) = (4.11548637620263 / 2.0, 0.025, 2.05e11 / (2.0 * 0.91));
    let square: f64 = radius * modulus * modulus;
    let force = 1.282689 * (mass * mass * mass * square).powf(0.2);
    let time = 2.868266 * (mass * mass / square).powf(0.2);
    assert!((touch.peak_force / force - 1.0).abs() < 1e-6);
    assert!((touch.duration / time - 1.0).abs() < 1e-6);
    assert!(impact.velocities[0][0].abs() < 1e-14 && (impact.velocities[1][0] - 1.0).abs() < 1e-14);
}

/// A damped force `1 + λ u` leads to `a (1 + e) = ln((1 + a) / (1 − a e))`,
/// `a = λ u₀`, for any stiffness and masses.
#[test]
fn damped_forces_agree_with_their_closed_form() {
    for model in [Model::Flores, Model::HuntCrossley, Model::LankaraniNikravesh] {
        for restitution in [0.05, 0.3, 0.5, 0.8, 0.95, 0.999] {
            let impact = spheres(2, restitution, model).solve(Accuracy::default()).unwrap();
            let e = -impact.outcome.approach[0];
            let a = model.damping(restitution).unwrap();
            let excess = (1.0 - a * e) - (1.0 + a) * (-a * (1.0 + e)).exp();
            assert!(excess.abs() < 1e-12 * (1.0 + a), "{model:?} {restitution}: {excess:e}");
        }
    }
}

#[test]
fn damped_forces_refuse_contacts_at_rest() {
    for model in [Model::Flores, Model::HuntCrossley, Model::LankaraniNikravesh] {
        let error = spheres(3, 0.8, model).solve(Accuracy::default()).unwrap_err();
        assert_eq!(error.kind(), "closed_at_rest");
        assert!(error.to_string().contains("contacts[1]"), "{error}");
    }
}

/// The same chain seen from the other end, turned about, or mirrored in x.
fn seen_otherwise(bodies: &[Body], links: &[Link]) -> [(Vec<Body>, Vec<Link>); 3] {
    let turn = |[x, y]: [f64; 2]| {
        let (sin, cos) = 0.7_f64.sin_cos();
        [cos * x - sin * y, sin * x + cos * y]
    };
    let flip = |[x, y]: [f64; 2]| [x, -y];
    let moved = |body: &Body, place: &dyn Fn([f64; 2]) -> [f64; 2], sense: f64| {
        let [x, y, omega] = body.velocity;
        let [x, y] = place([x, y]);
        Body { velocity: [x, y, sense * omega], ..*body }
    };
    let other_end = links.iter().rev().map(|link| {
        let [first, second] = link.arms;
        Link { angle: link.angle + core::f64::consts::PI, arms: [second, first], ..*link }
    });
    let turned = links.iter().map(|link| Link {
        angle: link.angle + 0.7,
        arms: link.arms.map(turn),
        ..*link
    });
    let mirrored =
        links.iter().map(|link| Link { angle: -link.angle, arms: link.arms.map(flip), ..*link });
    [
        (bodies.iter().rev().copied().collect(), other_end.collect()),
        (bodies.iter().map(|body| moved(body, &turn, 1.0)).collect(), turned.collect()),
        (bodies.iter().map(|body| moved(body, &flip, -1.0)).collect(), mirrored.collect()),
    ]
}

fn random_chain(rng: &mut ChaCha8Rng, touching: bool) -> (Vec<Body>, Vec<Link>) {
    let count = rng.random_range(2..=6);
    let mut bodies: Vec<Body> = (0..count).map(|_| random_pair(rng).0[0]).collect();
    if touching {
        let struck = rng.random_range(0..count);
        let others = bodies.iter_mut().enumerate().filter(|(i, _)| *i != struck);
        others.for_each(|(_, body)| body.velocity = [0.0; 3]);
    }
    let links = (1..count).map(|_| {
        let (_, link) = random_pair(rng);
        let (friction, stiffness) = (link.law.friction(), 10_f64.powf(rng.random_range(5.0..7.0)));
        let law = Compliance::new(stiffness, link.law.restitution(), friction, Model::Michalczyk);
        Link { angle: rng.random_range(-1.0..1.0), law: law.unwrap(), ..link }
    });
    let links = links.collect();
    (bodies, links)
}

/// Chains of two to six bodies at any angle, off their centres, with friction and
/// restitution, most of which stick, hold or close again. Of a thousand, two may be
/// refused with `NoContinuation`: no combination of contact states was consistent.
#[test]
fn random_chains_conserve_energy_and_momentum() {
    let mut rng = ChaCha8Rng::seed_from_u64(61);
    let (mut solved, mut refused, mut most, mut seen) = (0, 0, 0, HashMap::new());
    for i in 0..20_000 {
        let (bodies, links) = random_chain(&mut rng, i % 2 == 0);
        match Chain::new(bodies, links.clone()).unwrap().solve(Accuracy::default()) {
            Ok(impact) => {
                solved += 1;
                most = most.max(impact.outcome.steps);
                check(&impact, &links, i);
                for touch in &impact.outcome.contacts {
                    *seen.entry(touch.scenario.name()).or_insert(0) += 1;
                }
            }
            Err(Error::NotApproaching { .. }) => {}
            Err(Error::NoContinuation { .. }) => refused += 1,
            Err(error) => panic!("{i}: {error}"),
        }
    }
    println!("{solved} solved, {refused} refused, at most {most} steps, {seen:?}");
    assert!(solved > 10_000 && refused * 500 <= solved, "{refused} of {solved} refused");
    assert!(most < 500, "{most} steps");
    assert!(seen.len() >= 5, "{seen:?}");
}

/// Energy and momentum are conserved and never gained, no contact pulls, none ends
/// in approach, and friction is within its cone.
fn check(impact: &ChainImpact, links: &[Link], i: usize) {
    let outcome = &impact.outcome;
    assert!(outcome.energy_error < 1e-10, "{i}: energy {:e}", outcome.energy_error);
    assert!(impact.momentum_error < 1e-11, "{i}: momentum {:e}", impact.momentum_error);
    let [before, after] = impact.kinetic_energy;
    let lost = outcome.contacts.iter().map(|touch| touch.normal_work + touch.friction_work);
    assert!((before - after - lost.sum::<f64>()).abs() < 1e-10 * before, "{i}");
    for ((touch, u), link) in outcome.contacts.iter().zip(&outcome.approach).zip(links) {
        let [p, z] = touch.impulse;
        assert!(
            z.abs() <= link.law.friction().static_friction() * p * (1.0 + 1e-9) + 1e-12,
            "{i}: {touch:?}"
        );
        assert!(touch.impulse[0] >= 0.0 && *u <= 1e-12, "{i}: {touch:?} {u}");
        assert!(touch.normal_work >= -1e-12 * before, "{i}: {touch:?}");
        assert!(touch.friction_work >= -1e-12 * before, "{i}: {touch:?}");
    }
}

/// How many contacts of so many chains have another impulse when the chain is seen
/// otherwise, and how many views are refused.
fn differing_views(count: usize, friction: impl Fn(Friction) -> Friction) -> (usize, usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(62);
    let (mut compared, mut differing, mut refused) = (0, 0, 0);
    let solve = |bodies: &[Body], links: &[Link]| {
        Chain::new(bodies.to_vec(), links.to_vec()).unwrap().solve(Accuracy::default()).ok()
    };
    while compared < count {
        let (bodies, mut links) = random_chain(&mut rng, true);
        for link in &mut links {
            let (law, friction) = (link.law, friction(link.law.friction()));
            let law = Compliance::new(law.stiffness(), law.restitution(), friction, law.model());
            link.law = law.unwrap();
        }
        let Some(one) = solve(&bodies, &links) else { continue };
        compared += 1;
        let largest = one.outcome.contacts.iter().map(|touch| touch.impulse[0]);
        let largest = largest.fold(0.0, f64::max);
        for (k, (bodies, links)) in seen_otherwise(&bodies, &links).iter().enumerate() {
            let Some(other) = solve(bodies, links) else {
                refused += 1;
                continue;
            };
            for (j, touch) in one.outcome.contacts.iter().enumerate() {
                let same = if k == 0 { links.len() - 1 - j } else { j };
                let found = other.outcome.contacts[same];
                let error = (touch.impulse[0] - found.impulse[0]).abs() / largest;
                differing += usize::from(error >= 1e-7);
            }
        }
    }
    (differing, refused)
}

#[test]
fn chains_do_not_know_where_they_are_seen_from() {
    let one_coefficient = |friction: Friction| Friction::uniform(friction.kinetic()).unwrap();
    let (differing, refused) = differing_views(2_000, one_coefficient);
    assert_eq!(differing, 0);
    assert!(refused <= 6, "{refused} views refused");
}

/// Where static friction exceeds kinetic, sticking and sliding may both be possible,
/// and which is found depends on the order in which contacts are tested.
#[test]
fn few_chains_with_two_coefficients_know_where_they_are_seen_from() {
    let (differing, refused) = differing_views(1_000, |friction| friction);
    assert!(differing + refused <= 20, "{differing} contacts differ, {refused} views refused");
}

/// All orders are solved, and a sliding speed far above that of approach causes no error.
#[test]
fn orders_and_grazing_impacts() {
    let reference: Value = serde_json::from_str(include_str!("data/chain.json")).unwrap();
    let exact = reference["restitution_0_8"][1]["velocities"][0].as_f64().unwrap();
    for order in [2, 3, 4, 12, 31, 48, 64] {
        let accuracy = Accuracy::default().with_order(order).unwrap();
        let impact = spheres(3, 0.8, Model::Michalczyk).solve(accuracy).unwrap();
        assert!((impact.velocities[0][0] - exact).abs() < 1e-9, "{order}");
    }
    for ratio in [1e-2, 1e-4, 1e-6] {
        let contact = Contact::new([[2.5, -1.5], [-1.5, 2.5]]).unwrap();
        let friction = Friction::uniform(0.2).unwrap();
        let restitution = Restitution::new(Law::Energetic, 0.6).unwrap();
        let exact = contact.solve([-ratio, 1.0], friction, restitution).unwrap();
        let law = Compliance::new(1e9, 0.6, friction, Model::Michalczyk).unwrap();
        let response = nalgebra::DMatrix::from_row_slice(2, 2, &[2.5, -1.5, -1.5, 2.5]);
        let pair = Compliant::new(response, vec![law]).unwrap();
        let found = pair.solve(&[ratio], &[-1.0], Accuracy::default()).unwrap();
        let error = (found.approach[0] + exact.velocity[0]).abs() / ratio;
        assert!(error < 1e-9, "{ratio}: {error:e}");
    }
}

/// Chains with every kind of kink, against an independent integration.
#[test]
fn chains_agree_with_an_independent_integration() {
    let cases = Chains::load().cases;
    assert_eq!(cases.len(), 43);
    for case in cases {
        let impact = case.chain.chain().solve(Accuracy::default());
        let impact = impact.unwrap_or_else(|error| panic!("{}: {error}", case.name));
        let (speed, arm) = (case.chain.speed(), case.chain.longest_arm());
        let bound = 3.0 * case.accuracy;
        for (found, exact) in impact.velocities.iter().zip(&case.velocities) {
            for (i, scale) in [1.0, 1.0, arm].into_iter().enumerate() {
                let error = (found[i] - exact[i]).abs() * scale / speed;
                assert!(error < bound, "{}: velocity {error:e}", case.name);
            }
        }
        let peak = case.contacts.iter().fold(0.0, |most: f64, x| most.max(x.peak_force));
        let impulse = case.contacts.iter().fold(0.0, |most: f64, x| most.max(x.impulse[0]));
        if let Some(exact) = case.duration {
            let error = (impact.outcome.duration / exact - 1.0).abs();
            assert!(error < bound.max(1e-12), "{}: duration {error:e}", case.name);
        }
        assert_eq!(case.contacts.len(), impact.outcome.contacts.len());
        for (exact, found) in case.contacts.iter().zip(&impact.outcome.contacts) {
            let force = (found.peak_force - exact.peak_force).abs() / peak;
            assert!(force < bound, "{}: force {force:e}", case.name);
            for i in 0..2 {
                let error = (found.impulse[i] - exact.impulse[i]).abs() / impulse;
                assert!(error < bound, "{}: impulse {error:e}", case.name);
            }
            if let (Some(exact), Some(whole)) = (exact.duration, case.duration) {
                let error = (found.duration - exact).abs() / whole;
                assert!(error < bound, "{}: duration {error:e}", case.name);
            }
            assert_eq!(found.scenario.name(), exact.scenario, "{}", case.name);
        }
    }
}
