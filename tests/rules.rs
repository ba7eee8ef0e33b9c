//! Rules on which two solvers once differed that each had half of them; `equality` shows
//! that generated code keeps the same ones.

use routh::{Accuracy, Contact, Flow, Friction, Impact, Law, Mode, Restitution};
use routh_runtime::double::number::{length, rough_exp2, rough_log2};
use routh_runtime::double::result::{EventKind, Events, MOST_EVENTS};
use routh_runtime::double::roots::{first_crossing, rise};
use routh_runtime::double::series::MOST_STEPS;
use routh_runtime::double::step::step_control;
use routh_tests::generated::{any, any_planar};
use routh_tests::random::{Kind, Random};
use routh_tests::reference::{Input, largest, seed_robot};

/// The library's impact, which generated code has as well.
macro_rules! solve {
    ($module:ident, $input:expr) => {{
        let input = $input;
        let impact = input.solve().unwrap_or_else(|error| panic!("{error} {input:?}"));
        let generated = $module::of_row(&input.row()).unwrap();
        assert_eq!((generated.velocity, generated.impulse), (impact.velocity, impact.impulse));
        impact
    }};
}

fn input<const N: usize>(inertia: [[f64; N]; N], velocity: [f64; N], mu: f64, e: f64) -> Input<N> {
    let friction = Friction::uniform(mu).unwrap();
    let restitution = Restitution::new(Law::Energetic, e).unwrap();
    Input { inertia, velocity, friction, restitution }
}

const PLAIN: [[f64; 3]; 3] = [[1.3, 0.4, -0.2], [0.4, 2.1, 0.5], [-0.2, 0.5, 0.9]];

#[test]
fn entries_that_mirror_each_other_are_averaged() {
    let [mut one, mut mean] = [PLAIN; 2];
    one[1][0] += 8.0 * f64::EPSILON;
    (mean[0][1], mean[1][0]) = (0.4 + 4.0 * f64::EPSILON, 0.4 + 4.0 * f64::EPSILON);
    let [one, mean] = [one, mean].map(|d| solve!(any, input(d, [-1.0, 0.9, -0.3], 0.4, 0.5)));
    assert_eq!(one, mean);
}

/// Powers of two change nothing but exponents, and round once where numbers are subnormal.
#[test]
fn units_are_powers_of_two() {
    let plain = solve!(any, input(PLAIN, [-1.0, 0.9, -0.3], 0.4, 0.5));
    let power = |n: i32| 2.0_f64.powi(n / 2) * 2.0_f64.powi(n - n / 2);
    for [inertia, speed] in [[0, -500], [0, 500], [900, 0], [-900, 0], [500, -400]] {
        let (d, v) = (power(inertia), power(speed));
        let scaled = input(PLAIN.map(|row| row.map(|x| x * d)), [-v, 0.9 * v, -0.3 * v], 0.4, 0.5);
        let scaled = solve!(any, scaled);
        assert_eq!(scaled.velocity, plain.velocity.map(|x| x * v));
        assert_eq!(scaled.impulse, plain.impulse.map(|x| x * v / d));
        assert_eq!(scaled.steps, plain.steps);
    }
    let tiny = solve!(any, input(PLAIN, [-power(-1060), 0.0, 0.0], 0.4, 0.5));
    let plain = solve!(any, input(PLAIN, [-1.0, 0.0, 0.0], 0.4, 0.5));
    assert_eq!(tiny.velocity, plain.velocity.map(|x| x * power(-530) * power(-530)));
}

/// Lanes have no branch for it: rounding to the nearest power, not down.
#[test]
fn powers_for_the_step_are_rough_but_even() {
    for i in -4000..4000 {
        let x = f64::from(i) / 100.0;
        let off = (rough_exp2(x) / x.exp2() - 1.0).abs();
        assert!(off < 3e-3, "{x}: {off}");
        assert!((rough_log2(x.exp2()) - x).abs() < 0.01, "{x}");
    }
}

#[test]
fn steps_are_chosen_by_the_exact_logarithm_at_any_order() {
    for tolerance in [1e-3, 1e-6, 1e-12, 1e-15_f64] {
        let error = step_control(tolerance, 20).log2_tolerance / tolerance.log2() - 1.0;
        assert!(error.abs() < 4.0 * f64::EPSILON, "{tolerance}: {error:e}");
    }
    let [friction, restitution] = [0.3, 0.5];
    let impact = input(*seed_robot().inertia(), [-10.0, 4.0, 0.3], friction, restitution);
    let exact = impact.solve().unwrap();
    for order in 9..=33 {
        let accuracy = Accuracy::new(1e-12).unwrap().with_order(order).unwrap();
        let Input { velocity, friction, restitution, .. } = impact;
        let found = impact.contact().solve_with(velocity, friction, restitution, accuracy).unwrap();
        let error = largest((0..3).map(|i| found.velocity[i] - exact.velocity[i]));
        assert!(error < 1e-11, "{order}: {error:e}");
    }
}

/// Beside a direction that leads to a halt errors do not grow: few steps are enough.
#[test]
fn closing_to_a_halt_takes_few_steps() {
    let mut random = Random::seeded(31);
    let halting = (0..2_000).map(|_| solve!(any, random.spatial(Kind::Plain)));
    let halting: Vec<_> = halting.filter(|impact| impact.mode != Mode::PermanentSliding).collect();
    let steps: usize = halting.iter().map(|impact| impact.steps).sum();
    assert!(halting.len() > 500 && steps < 16 * halting.len(), "{steps} of {}", halting.len());
}

/// A little velocity across an attracting direction decides friction where inertias are far
/// apart; it is dropped by the rates that it changes, at every tolerance.
#[test]
fn settling_changes_no_rate() {
    let mut random = Random::seeded(32);
    for i in 0..4_000 {
        let decades = [8.0, 16.0, 20.0, 24.0][i % 4];
        let input: Input<3> = random.spread(decades);
        let (Ok(contact), Input { velocity, friction, restitution, .. }) =
            (Contact::new(input.inertia), input)
        else {
            continue;
        };
        let at = |tolerance| {
            let accuracy = Accuracy::new(tolerance).unwrap();
            contact.solve_with(velocity, friction, restitution, accuracy)
        };
        let (Ok(exact), Ok(loose)) = (at(1e-15), at(1e-6)) else { continue };
        let apart = |x: [f64; 3], y: [f64; 3]| largest((0..3).map(|i| x[i] - y[i]));
        let speed = largest(velocity.into_iter().chain(exact.velocity));
        assert!(apart(exact.velocity, loose.velocity) < 1e-3 * speed, "{velocity:?} {contact:?}");
        let impulse = largest(exact.impulse);
        assert!(apart(exact.impulse, loose.impulse) < 1e-2 * impulse, "{velocity:?} {contact:?}");
    }
}

#[test]
fn lengths_neither_overflow_nor_vanish() {
    for size in [1e-300, 1e-150, 1.0, 1e150, 1e300] {
        assert!((length(3.0 * size, 4.0 * size) / (5.0 * size) - 1.0).abs() < 1e-15, "{size}");
    }
}

#[test]
fn the_hardest_contacts_stay_within_the_limit_of_steps() {
    let mut random = Random::seeded(33);
    let steps = (0..20_000).filter_map(|_| random.spread::<3>(32.0).solve().ok());
    let most = steps.map(|impact| impact.steps).max().unwrap();
    assert!(most > 100 && 10 * most < MOST_STEPS, "{most}");
}

#[test]
fn rises_are_found_from_where_they_begin() {
    assert_eq!(rise(&[1.0, 1.0, 0.0], 2, 1e-30, 0.0, 1.0), Some(1e-30));
    assert_eq!(rise(&[1e30, 1.0, 0.0], 2, 0.25, 0.5, 1.0), Some(0.75));
    assert_eq!(rise(&[1.0, 1.0, 0.0], 2, 0.75, 0.5, 1.0), None);
}

/// Two roots that are 1e-6 apart are two, and the search ends where none is.
#[test]
fn crossings_are_told_apart() {
    let (x, y) = (0.5, 0.5 + 1e-6);
    let found = first_crossing(&[-x * y, x + y, -1.0], 2, 0.0, 0.0, 1.0, true, false);
    assert!((found.unwrap() - x).abs() < 1e-9);
    assert_eq!(first_crossing(&[-1e-13, 0.0, 0.0], 2, 0.0, 0.0, 1.0, true, false), None);
}

#[test]
fn events_beyond_those_that_fit_are_refused() {
    let mut events = Events::NONE;
    let noted = (0..=MOST_EVENTS).map(|_| events.note(EventKind::CompressionEnd, 0.0));
    assert_eq!(noted.filter(|&fits| fits).count(), MOST_EVENTS);
}

#[test]
fn without_restitution_nothing_rebounds() {
    let mut random = Random::seeded(34);
    for i in 0..2_000 {
        let mut input = random.spatial(Kind::ALL[i % Kind::ALL.len()]);
        input.restitution = Restitution::new(input.restitution.law(), 0.0).unwrap();
        assert_eq!(solve!(any, &input).velocity[0], 0.0, "{input:?}");
    }
}

#[test]
fn a_planar_slip_below_1e_120_is_rest() {
    for vt in [1e-121, -1e-300, 0.0] {
        let impact = solve!(any_planar, input([[1.0, 0.3], [0.3, 2.0]], [-1.0, vt], 0.4, 0.5));
        assert_eq!(impact.mode, Mode::Sticking, "{vt}");
    }
}

/// By tables the works are those of a motion: friction takes energy, and the normal force
/// does no less than what is left of it. Impacts that tables cannot follow go by series.
#[test]
fn tables_do_no_work_of_their_own() {
    let mut random = Random::seeded(35);
    for i in 0..400 {
        let input = random.spatial(Kind::ALL[i % Kind::ALL.len()]);
        let Input { velocity, friction, restitution, .. } = input;
        let flow = Flow::new(&input.contact(), friction);
        let [x, y] = [flow.solve(velocity, restitution).unwrap(), input.solve().unwrap()];
        let work = largest(velocity.into_iter().chain(y.velocity)) * largest(y.impulse);
        assert!(x.friction_work <= 1e-12 * work, "{input:?}");
        assert!(x.normal_work - x.energy_change >= -1e-9 * work, "{input:?}");
        let apart = |f: fn(&Impact<3>) -> f64| (f(&x) - f(&y)).abs() <= 1e-8 * work;
        assert!(apart(|i| i.normal_work) && apart(|i| i.friction_work), "{input:?}");
    }
}
