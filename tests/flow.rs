//! The compiled flow against the reference, the series and the identities.

use routh::{Contact, Flow, Friction, Impact, Law, Restitution};
use routh_tests::identities::{Slack, check};
use routh_tests::random::{Kind, Random};
use routh_tests::reference::{Impacts, Input, difference, error, largest};

const TOLERANCE: f64 = 1e-10;

/// Contacts of each kind, and impacts of each contact: 250,000 in release.
const CONTACTS: usize = if cfg!(debug_assertions) { 10 } else { 250 };
const EACH: usize = 100;

#[test]
fn reference_impacts() {
    let (mut worst, mut by_series) = (0.0_f64, 0);
    for case in Impacts::load().spatial {
        let contact = Contact::new(case.input.inertia).unwrap();
        for make in [Flow::new, Flow::compact] {
            let flow = make(&contact, case.input.friction);
            let impact = flow.solve(case.input.velocity, case.input.restitution).unwrap();
            by_series += usize::from(impact.steps > 0);
            let error = error(&case, &impact);
            println!("{:30} {error:.1e}", case.name);
            worst = worst.max(error);
        }
    }
    assert!(worst < 1e-11 && by_series <= 2, "{worst:e}, {by_series} by the series");
}

/// The largest difference of velocities, relative to the largest velocity.
fn apart(input: &Input<3>, x: &Impact<3>, y: &Impact<3>) -> f64 {
    let scale = largest(input.velocity.iter().chain(&x.velocity).copied());
    let apart = largest(x.velocity.iter().zip(&y.velocity).map(|(x, y)| (x - y) / scale));
    if x.velocity.iter().chain(&y.velocity).all(|v| v.is_finite()) { apart } else { f64::NAN }
}

/// The tangential impulse follows from the velocities, and is as much less
/// precise as the tangential inertia is small in some direction.
fn slack(input: &Input<3>) -> Slack {
    let [_, [_, b11, b12], [_, _, b22]] = input.inertia;
    let least = (b11 * b22 - b12 * b12) / (b11 + b22);
    Slack { relative: 1e-10, impulse: 1e-11 * largest(input.velocity) / least }
}

/// Results of comparisons with the series.
#[derive(Default)]
struct Found {
    impacts: usize,
    worst: f64,
    others: f64,
    by_series: usize,
    other_modes: usize,
}

impl Found {
    fn compare(&mut self, input: &Input<3>, contact: &Contact<3>, flow: &Flow) {
        let found = flow.solve(input.velocity, input.restitution).unwrap();
        let series = contact.solve(input.velocity, input.friction, input.restitution).unwrap();
        let kinds = |impact: &Impact<3>| impact.events.iter().map(|e| e.kind).collect::<Vec<_>>();
        let apart = apart(input, &series, &found);
        assert!(apart < TOLERANCE, "{apart:e}\n{input:?}\n{found:?}\n{series:?}");
        self.impacts += 1;
        self.worst = self.worst.max(apart);
        self.others = self.others.max(difference(input, &series, &found));
        self.by_series += usize::from(series.steps > 0 && found.steps > 0);
        self.other_modes += usize::from(kinds(&found) != kinds(&series));
        check(input, contact, &found, slack(input));
    }

    fn report(&self, kind: Kind) {
        println!(
            "{kind:?}: {} impacts, velocities apart by {:.1e}, all by {:.1e}; {} by the series, {} with other events",
            self.impacts, self.worst, self.others, self.by_series, self.other_modes,
        );
        // Where sliding velocities change by far more than the normal one, this is not exact
        // enough beside them.
        let most = if matches!(kind, Kind::Stiff) { 0.03 } else { 0.001 };
        assert!((self.by_series as f64) < most * self.impacts as f64);
        assert!(self.other_modes * 10_000 <= self.impacts && self.others < 1e-7);
    }
}

/// Impacts of random contacts of a kind, several of each contact.
fn sweep(
    kind: Kind,
    contacts: usize,
    each: usize,
    make: fn(&Contact<3>, Friction) -> Flow,
) -> Found {
    let mut random = Random::seeded(kind as u64 + 300);
    let mut found = Found::default();
    for _ in 0..contacts {
        let mut input = random.spatial(kind);
        let contact = Contact::new(input.inertia).unwrap();
        let flow = make(&contact, input.friction);
        let size = largest(input.velocity);
        for i in 0..each {
            found.compare(&input, &contact, &flow);
            let Input { velocity: [n, x, y], restitution, .. } = random.spatial(kind);
            let faster = if i % 2 == 0 { 1.0 } else { 10.0_f64.powf(random.uniform(-1.5, 1.5)) };
            let velocity = [n, faster * x, faster * y];
            let scale = size / largest(velocity);
            input.velocity = velocity.map(|v| v * scale);
            input.restitution = restitution;
        }
    }
    found
}

routh_tests::sweeps!(|kind| {
    for make in [Flow::new, Flow::compact] {
        sweep(kind, CONTACTS, EACH, make).report(kind);
    }
});

/// Sweeps all kinds on two threads.
fn sweep_all(contacts: usize, each: usize, make: fn(&Contact<3>, Friction) -> Flow) {
    std::thread::scope(|scope| {
        for half in [&Kind::ALL[..5], &Kind::ALL[5..]] {
            scope.spawn(move || {
                half.iter().for_each(|&kind| sweep(kind, contacts, each, make).report(kind));
            });
        }
    });
}

#[test]
#[ignore = "takes five minutes on two cores"]
fn a_million_contacts() {
    sweep_all(100_000, 1, Flow::compact);
}

#[test]
#[ignore = "takes two minutes on two cores"]
fn two_million_impacts() {
    sweep_all(4_000, 50, Flow::new);
}

/// Impacts whose restitution does its work just before a halt.
#[test]
fn restitution_that_ends_next_to_a_halt() {
    let inertia = [
        [0.6179867012829234, 0.25428999636759564, -0.202231730139025],
        [0.25428999636759564, 1.481121962479422, -0.4494332237190105],
        [-0.202231730139025, -0.4494332237190105, 1.2558535225414595],
    ];
    let contact = Contact::new(inertia).unwrap();
    let friction = Friction::uniform(0.6781808887073398).unwrap();
    let flow = Flow::new(&contact, friction);
    let mut found = Found::default();
    for i in 0..20_000 {
        let e = 0.17 + 5e-7 * f64::from(i);
        let velocity = [-1.0, 1.8169847012025295, -1.879817741016923];
        let restitution = Restitution::new(Law::Energetic, e).unwrap();
        let input = Input { inertia, velocity, friction, restitution };
        found.compare(&input, &contact, &flow);
    }
}

/// Tangential impulses are as precise as normal ones, however small a tangential inertia or
/// friction is.
#[test]
fn impulses_of_small_inertias_and_frictions() {
    let velocity = [-1.0, -1.3, 1.8];
    for (small, mu) in [(1e-12, 1.0), (1e-6, 0.5), (1.0, 1e-12), (0.7, 1e-6), (1e-4, 0.1)] {
        let contact = Contact::new([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, small]]).unwrap();
        let friction = Friction::uniform(mu).unwrap();
        let flow = Flow::new(&contact, friction);
        for law in Law::ALL {
            let restitution = Restitution::new(law, 0.5).unwrap();
            let found = flow.solve(velocity, restitution).unwrap();
            let series = contact.solve(velocity, friction, restitution).unwrap();
            let apart = |i: usize| (found.impulse[i] - series.impulse[i]).abs();
            println!("{small:e} {mu:e} {law:?} {:e} {:e} {:e}", apart(0), apart(1), apart(2));
            let size = largest(series.impulse);
            assert!(apart(0) < 1e-11 * size, "{found:?}\n{series:?}");
            assert!(apart(1).max(apart(2)) < 1e-11 * mu.min(1.0) * size, "{found:?}\n{series:?}");
        }
    }
}

/// Results beyond the range of numbers are errors, not infinities.
#[test]
fn inertias_next_to_nothing() {
    for scale in [1e-308, 1e-300, 1e-200, 1e200, 1e300] {
        let inertia = [[1.3, 0.4, -0.2], [0.4, 2.1, 0.5], [-0.2, 0.5, 0.9]];
        let inertia = inertia.map(|row| row.map(|x| x * scale));
        let Ok(contact) = Contact::new(inertia) else { continue };
        let friction = Friction::uniform(0.3).unwrap();
        let flow = Flow::new(&contact, friction);
        for speed in [1e-10, 1.0, 1e3, 1e10] {
            for law in Law::ALL {
                let velocity = [-speed, 0.7 * speed, -1.1 * speed];
                let restitution = Restitution::new(law, 0.5).unwrap();
                let found = flow.solve(velocity, restitution).map_err(|error| error.kind());
                let series = contact.solve(velocity, friction, restitution);
                match series {
                    Ok(series) => {
                        let input = Input { inertia, velocity, friction, restitution };
                        assert!(apart(&input, &series, &found.unwrap()) < TOLERANCE);
                    }
                    Err(error) => assert_eq!(found, Err(error.kind()), "{scale} {speed}"),
                }
            }
        }
    }
}

#[test]
fn starts_on_and_beside_invariant_directions() {
    let mut random = Random::seeded(17);
    let mut worst = 0.0_f64;
    for _ in 0..CONTACTS {
        let mut input = random.spatial(Kind::Plain);
        let contact = Contact::new(input.inertia).unwrap();
        let flow = Flow::new(&contact, input.friction);
        for sector in &flow.table().sectors {
            let [c, d] = sector.direction;
            for off in [0.0, 1e-16, 1e-15, -1e-15, 3e-14, -1e-12, 1e-9, -1e-6, 1e-3] {
                let [x, y] = flow.outward([c - off * d, d + off * c]);
                input.velocity = [input.velocity[0], x, y];
                let found = flow.solve(input.velocity, input.restitution).unwrap();
                let series =
                    contact.solve(input.velocity, input.friction, input.restitution).unwrap();
                let apart = apart(&input, &series, &found);
                assert!(apart < TOLERANCE, "{off:e} {apart:e}\n{input:?}\n{found:?}\n{series:?}");
                worst = worst.max(apart);
            }
        }
    }
    println!("{worst:.1e}");
}

#[test]
fn units_of_powers_of_two_change_no_bit() {
    let mut random = Random::seeded(23);
    for _ in 0..CONTACTS {
        let input = random.spatial(Kind::Plain);
        let (inertia, velocity) = (random.uniform(-40.0, 40.0), random.uniform(-30.0, 30.0));
        let (u, w) = (2.0_f64.powi(inertia as i32), 2.0_f64.powi(velocity as i32));
        let flow = |unit: f64| {
            let inertia = input.inertia.map(|row| row.map(|d| d * unit));
            Flow::new(&Contact::new(inertia).unwrap(), input.friction)
        };
        let x = flow(1.0).solve(input.velocity, input.restitution).unwrap();
        let y = flow(u).solve(input.velocity.map(|v| v * w), input.restitution).unwrap();
        assert_eq!(x.velocity.map(|v| v * w), y.velocity, "{input:?}");
        assert_eq!(x.impulse.map(|p| p * (w / u)), y.impulse, "{input:?}");
        assert_eq!(x.mode, y.mode, "{input:?}");
    }
}

/// All numbers: a result where the series have one, and the same kind of
/// error where they have none. Where the contact point is almost at rest, it may pass
/// rest so closely that rounding decides whether it sticks.
#[test]
fn arbitrary_velocities() {
    let mut random = Random::seeded(29);
    for _ in 0..CONTACTS {
        let input = random.spatial(Kind::Plain);
        let contact = Contact::new(input.inertia).unwrap();
        let flow = Flow::new(&contact, input.friction);
        for i in 0..4 * EACH {
            let velocity = [0; 3].map(|_| f64::from_bits(random.bits()));
            let velocity =
                if i % 2 == 0 { velocity } else { [-velocity[0].abs(), velocity[1], velocity[2]] };
            let found = flow.solve(velocity, input.restitution);
            match contact.solve(velocity, input.friction, input.restitution) {
                Ok(series) => {
                    let input = Input { velocity, ..input.clone() };
                    let found = found.unwrap_or_else(|e| panic!("{e}\n{input:?}"));
                    let apart = apart(&input, &series, &found);
                    let rests = largest([velocity[1], velocity[2]]) < 1e-90 * velocity[0].abs();
                    assert!(
                        apart < TOLERANCE || rests && apart.is_finite(),
                        "{apart:e}\n{input:?}\n{found:?}\n{series:?}"
                    );
                }
                Err(error) => {
                    let found = found.map_err(|error| error.kind());
                    assert_eq!(found, Err(error.kind()), "{velocity:?}");
                }
            }
        }
    }
}

#[test]
fn every_direction_invariant() {
    let contact = Contact::new([[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]]).unwrap();
    for mu in [0.0, 0.3] {
        let friction = Friction::uniform(mu).unwrap();
        let flow = Flow::new(&contact, friction);
        assert!(flow.table().sectors.is_empty());
        for law in Law::ALL {
            let restitution = Restitution::new(law, 0.5).unwrap();
            for velocity in [[-1.0, 0.2, 0.1], [-1.0, 3.0, -4.0], [-1.0, 0.0, 0.0]] {
                let found = flow.solve(velocity, restitution).unwrap();
                let series = contact.solve(velocity, friction, restitution).unwrap();
                assert_eq!(found, series);
            }
        }
    }
}
