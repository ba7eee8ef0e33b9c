//! What holds for every impact, over a seeded sweep of random contacts.

use routh_solver::{Contact, EventKind, Impact, Law, Mode};
use routh_tests::random::{Kind, Random};
use routh_tests::reference::{Input, largest};

/// Contacts of each kind; 25,000 of ten kinds in release.
const EACH: usize = if cfg!(debug_assertions) { 1_000 } else { 25_000 };

/// More steps than this would be a defect of the step rule.
const MOST_STEPS: usize = 100;

/// Units of velocity, impulse and work of an impact.
fn scales<const N: usize>(input: &Input<N>, impact: &Impact<N>) -> [f64; 3] {
    let velocity = largest(input.velocity.iter().chain(&impact.velocity).copied());
    let impulse = largest(impact.impulse);
    let works = [impact.normal_work, impact.friction_work, impact.energy_change];
    [velocity, impulse, largest(works).max(1e-3 * velocity * impulse)]
}

/// Checks what the equations of motion, friction and restitution demand.
fn check<const N: usize>(input: &Input<N>, contact: &Contact<N>, impact: &Impact<N>) {
    let [velocity, impulse, work] = scales(input, impact);
    let describe = || format!("{input:?}\n{impact:?}");
    for (i, row) in contact.inertia().iter().enumerate() {
        let change: f64 = row.iter().zip(&impact.impulse).map(|(d, p)| d * p).sum();
        let scale = velocity.max(largest(*row) * impulse);
        let error = (impact.velocity[i] - input.velocity[i] - change) / scale;
        assert!(error.abs() < 1e-12, "momentum {i}: {error:e}\n{}", describe());
    }
    let error = (impact.energy_change - impact.normal_work - impact.friction_work) / work;
    assert!(error.abs() < 1e-10, "energy: {error:e}\n{}", describe());
    let tangential = impact.impulse[1..].iter().map(|p| p * p).sum::<f64>().sqrt();
    let cone = input.friction.fixed() * impact.normal_impulse();
    assert!(tangential <= cone * (1.0 + 1e-12) + 1e-15 * impulse, "cone\n{}", describe());
    assert!(impact.friction_work <= 1e-12 * work, "friction works\n{}", describe());
    let e = input.restitution.e();
    match input.restitution.law() {
        Law::Newton => {
            let error = (impact.velocity[0] + e * input.velocity[0]) / velocity;
            assert!(error.abs() < 1e-12, "Newton: {error:e}\n{}", describe());
        }
        Law::Poisson => {
            let total = (1.0 + e) * impact.compression_impulse;
            let error = (impact.normal_impulse() - total) / impulse;
            assert!(error.abs() < 1e-12, "Poisson: {error:e}\n{}", describe());
        }
        Law::Energetic => {
            assert!(impact.energy_change <= 1e-12 * work, "gains energy\n{}", describe());
            assert!(impact.normal_work <= 1e-12 * work, "gains energy\n{}", describe());
        }
    }
    assert!(impact.velocity[0] >= -1e-12 * velocity, "still approaching\n{}", describe());
    assert!(impact.steps <= MOST_STEPS, "{} steps\n{}", impact.steps, describe());
    check_events(impact, &describe);
}

fn check_events<const N: usize>(impact: &Impact<N>, describe: &dyn Fn() -> String) {
    let slack = 1e-12 * impact.normal_impulse();
    let mut last = 0.0;
    let mut compressing = true;
    for event in impact.events.iter() {
        assert!(event.impulse >= last - slack, "order\n{}", describe());
        last = event.impulse;
        match event.kind {
            EventKind::CompressionEnd => assert!(std::mem::replace(&mut compressing, false)),
            EventKind::Recompression => assert!(!std::mem::replace(&mut compressing, true)),
            _ => {}
        }
    }
    assert!(!compressing && last <= impact.normal_impulse() + slack, "end\n{}", describe());
    let has = |kind| impact.events.iter().any(|e| e.kind == kind);
    let (halts, sticks, slips) =
        (has(EventKind::Halt), has(EventKind::Stick), has(EventKind::SlipRestart));
    let expected = match impact.mode {
        Mode::PermanentSliding => (false, false, false),
        Mode::StickingInCompression | Mode::StickingInRestitution => (true, true, false),
        Mode::ReverseInCompression | Mode::ReverseInRestitution => (true, false, true),
        Mode::Sticking => (false, true, false),
        Mode::SlipFromRest => (false, false, true),
    };
    assert_eq!((halts, sticks, slips), expected, "mode\n{}", describe());
    if sticks {
        assert!(impact.velocity[1..].iter().all(|v| *v == 0.0), "sticks\n{}", describe());
    }
}

fn sweep(kind: Kind) {
    let mut random = Random::seeded(kind as u64 + 1);
    let mut steps = 0;
    for _ in 0..EACH {
        let input = random.spatial(kind);
        let contact = Contact::new(input.inertia).unwrap();
        let impact = contact.solve(input.velocity, input.friction, input.restitution);
        let impact = impact.unwrap_or_else(|e| panic!("{e}\n{input:?}"));
        check(&input, &contact, &impact);
        steps = steps.max(impact.steps);
    }
    println!("{kind:?}: at most {steps} steps");
}

macro_rules! sweeps {
    ($($name:ident: $kind:ident;)*) => {$(
        #[test]
        fn $name() {
            sweep(Kind::$kind);
        }
    )*};
}

sweeps! {
    plain_contacts: Plain;
    coupled_contacts: Coupled;
    contacts_of_all_scales: Scaled;
    stiff_contacts: Stiff;
    grazing_starts: Grazing;
    starts_at_rest: Rest;
    critical_friction: Critical;
    isotropic_contacts: Isotropic;
    starts_on_an_axis: Axis;
    slippery_contacts: Slippery;
}

#[test]
fn planar_contacts() {
    let mut random = Random::seeded(0);
    for _ in 0..2 * EACH {
        let input = random.planar();
        let contact = Contact::new(input.inertia).unwrap();
        let impact = contact.solve(input.velocity, input.friction, input.restitution).unwrap();
        check(&input, &contact, &impact);
    }
}
