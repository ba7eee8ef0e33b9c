//! Generated solvers compared with the library where they are not equal to it (see
//! `equality`): by tables and in single precision. Invalid robots are refused.

use nalgebra::{Matrix3, Vector3};
use routh::{Friction, Law, Restitution};
use routh_tests::generated::{any, any_planar, any_planar_single, any_single};
use routh_tests::generated::{light_flow, masses_flow, seed_robot_flow, seed_robot_flow_f32};
use routh_tests::random::{Kind, Random};
use routh_tests::reference::{Input, largest, seed_robot};

/// An impact in numbers that single precision has. Static friction is the
/// kinetic one: where it is more, and the critical friction lies between them, a
/// slip that passes close to rest sticks or continues depending on the last digit.
fn rounded<const N: usize>(input: Input<N>) -> Input<N> {
    let single = |x: f64| f64::from(x as f32);
    let Input { inertia, velocity, friction, restitution } = input;
    Input {
        inertia: inertia.map(|row| row.map(single)),
        velocity: velocity.map(single),
        friction: Friction::uniform(single(friction.kinetic())).unwrap(),
        restitution: Restitution::new(restitution.law(), single(restitution.e())).unwrap(),
    }
}

/// A velocity before impact: most of ordinary size, some almost at rest, some
/// within 1e-12 of an axis, and every tenth grazing, with a normal velocity as
/// small as 1e-5 of the tangential one.
fn approach(random: &mut Random, i: usize) -> [f64; 3] {
    let normal = -random.uniform(0.05, 2.0);
    let speed = random.uniform(0.0, 4.0);
    let angle = random.uniform(0.0, core::f64::consts::TAU);
    let [c, d] = [speed * angle.cos(), speed * angle.sin()];
    match i % 10 {
        0 => [normal, 1e-7 * c, 1e-7 * d],
        1 => [1e-3 * normal, c, d],
        2 => [normal, c, 1e-12 * d],
        3 => [normal, 0.0, 0.0],
        _ => [normal, c, d],
    }
}

/// An impact of a robot whose tables were made for this `D`; every law, with
/// coefficients that include 0 and 1.
fn impact_of(random: &mut Random, i: usize, inertia: [[f64; 3]; 3]) -> Input<3> {
    let law = [Law::Newton, Law::Poisson, Law::Energetic][i % 3];
    let e = [0.0, 1.0, random.uniform(0.0, 1.0), random.uniform(0.0, 1.0)][i % 4];
    Input {
        inertia,
        velocity: approach(random, i),
        friction: Friction::uniform(0.3).unwrap(),
        restitution: Restitution::new(law, e).unwrap(),
    }
}

/// A velocity, then law and coefficient of restitution, as tables take them.
fn row(velocity: [f64; 3], restitution: Restitution) -> [f64; 5] {
    let [x, y, z] = velocity;
    [x, y, z, f64::from(restitution.law() as u8), restitution.e()]
}

/// Compares an impact with the library's series: velocity, impulse, compression impulse,
/// works and mode.
macro_rules! assert_series {
    ($input:expr, $found:expr) => {{
        let (input, found, expected) = (&$input, &$found, $input.solve().unwrap());
        let scale = largest(input.velocity.iter().chain(&expected.velocity).copied());
        let size = largest(expected.impulse);
        let apart = |x: [f64; 3], y: [f64; 3]| largest((0..3).map(|k| x[k] - y[k]));
        let error = largest([
            apart(found.velocity, expected.velocity) / scale,
            apart(found.impulse, expected.impulse) / size,
            (found.compression_impulse - expected.compression_impulse) / size,
            (found.normal_work - expected.normal_work) / (scale * size),
            (found.friction_work - expected.friction_work) / (scale * size),
        ]);
        assert!(error < 2e-11, "{error:e} {input:?} {found:?}");
        assert_eq!((found.mode.name(), found.steps), (expected.mode.name(), 0), "{input:?}");
    }};
}

#[test]
fn flow_is_the_librarys_series() {
    let mut random = Random::seeded(48);
    for i in 0..100_000 {
        let input = impact_of(&mut random, i, *seed_robot().inertia());
        let found = seed_robot_flow::of_row(&row(input.velocity, input.restitution)).unwrap();
        assert_series!(input, found);
    }
}

/// A slip of which the last digit of its direction decides is refused; others of the same
/// contact are solved.
#[test]
fn flow_says_what_it_does_not_resolve() {
    let inertia = [[1.0, 0.0, 4e-7], [0.0, 1.0, 0.0], [4e-7, 0.0, 1e-6]];
    let mut random = Random::seeded(52);
    let mut refused = 0;
    for i in 0..10_000 {
        let mut input = impact_of(&mut random, i, inertia);
        if i % 2 == 0 {
            input.velocity[2] = 0.0;
        }
        match light_flow::of_row(&row(input.velocity, input.restitution)) {
            Ok(found) => assert_series!(input, found),
            Err(error) => {
                assert_eq!(error, light_flow::Error::Inexact, "{input:?}");
                refused += 1;
            }
        }
    }
    assert!((1_000..8_000).contains(&refused), "{refused}");
}

/// A robot of masses: its contact point is struck as by the series, and its
/// velocities follow.
#[test]
fn flow_of_masses_is_the_librarys_series() {
    let mass = Matrix3::new(130.0, 5.0, -40.0, 5.0, 150.0, -60.0, -40.0, -60.0, 280.0);
    let jacobian = Matrix3::new(1.0, 0.2, 0.0, 0.0, 1.0, 0.3, -0.1, 0.0, 1.0);
    let response = mass.cholesky().unwrap().solve(&jacobian.transpose());
    let inertia = jacobian * response;
    let inertia = ((inertia + inertia.transpose()) * 0.5).into();
    let inverse = jacobian.try_inverse().unwrap();
    let mut random = Random::seeded(50);
    for i in 0..50_000 {
        let qd = inverse * Vector3::from(approach(&mut random, i));
        let velocity = (jacobian * qd).into();
        let input = Input { velocity, ..impact_of(&mut random, i, inertia) };
        let found = masses_flow::of_row(&row(qd.into(), input.restitution)).unwrap();
        assert_series!(input, found);
        let after = qd + response * Vector3::from(found.impulse);
        let joints = (after - Vector3::from(found.qd)).amax() / qd.amax();
        assert!(joints < 1e-13, "{joints:e} {input:?}");
    }
}

/// Errors of single precision against the library: a part of the velocities must be within
/// one bound, and all within another; so many impacts are refused.
macro_rules! single {
    ($($test:ident($random:ident, $i:ident) $many:literal $input:expr, $found:expr, $part:literal $bounds:expr, $refused:literal;)*) => {$(
        #[test]
        fn $test() {
            let mut $random = Random::seeded(44);
            let mut errors: Vec<f64> = Vec::new();
            for $i in 0..$many {
                let input = rounded($input);
                let expected = input.solve().unwrap();
                let Ok(found) = $found(&input) else { continue };
                let scale = largest(input.velocity.iter().chain(&expected.velocity).copied());
                let pairs = found.velocity.into_iter().zip(expected.velocity);
                errors.push(largest(pairs.map(|(x, y)| (f64::from(x) - y) / scale)));
            }
            assert!($many - errors.len() <= $refused, "{} of {}", errors.len(), $many);
            errors.sort_by(f64::total_cmp);
            let at = |part: f64| errors[(part * (errors.len() - 1) as f64) as usize];
            let found = [at($part), at(1.0)];
            assert!(found[0] < $bounds[0] && found[1] < $bounds[1], "{found:?}");
        }
    )*};
}

single! {
    single_precision_is_close(random, i) 50_000
        random.spatial([Kind::Plain, Kind::Rest, Kind::Isotropic, Kind::Grazing][i % 4]),
        |input: &Input<3>| any_single::of_row(&input.row()),
        0.999 [1e-5, 1e-3], 0;
    single_precision_in_the_plane_is_close(random, _i) 50_000
        random.planar(),
        |input: &Input<2>| any_planar_single::of_row(&input.row()),
        0.99 [1e-6, 1e-4], 0;
    flow_in_single_precision_is_close(random, i) 100_000
        impact_of(&mut random, i, *seed_robot().inertia()),
        |input: &Input<3>| seed_robot_flow_f32::of_row(&row(input.velocity, input.restitution)),
        0.999 [1e-5, 1e-3], 20;
}

/// Places in the row of a spatial impact.
const INERTIA: usize = 3;
const STATIC: usize = 12;
const KINETIC: usize = 13;
const E: usize = 15;

/// Every kind of invalid argument has its own error.
#[test]
fn invalid_arguments_have_their_own_errors() {
    use any::Error::*;
    let good = [
        [-1.0, 0.7, -1.1, 1.3].as_slice(),
        &[0.4, -0.2, 0.4, 2.1, 0.5, -0.2, 0.5, 0.9],
        &[0.4, 0.4, 1.0, 0.5],
    ]
    .concat();
    assert!(any::of_row(&good).is_ok());
    let check = |expected, changes: &[(usize, f64)]| {
        let mut row = good.clone();
        changes.iter().for_each(|&(place, x)| row[place] = x);
        assert_eq!(any::of_row(&row), Err(expected), "{row:?}");
    };
    for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        (0..STATIC).for_each(|place| check(NotFinite, &[(place, x)]));
        check(FrictionOutOfRange, &[(STATIC, x)]);
        check(RestitutionOutOfRange, &[(E, x)]);
    }
    for v in [0.0, -0.0, 1.0] {
        check(NotApproaching, &[(0, v)]);
    }
    check(NotSymmetric, &[(INERTIA + 1, 0.5)]);
    check(NotPositiveDefinite, &[(INERTIA + 8, 0.0)]);
    for (fixed, kinetic) in [(0.1, 0.2), (0.1, -0.1), (-0.1, -0.1)] {
        check(FrictionOutOfRange, &[(STATIC, fixed), (KINETIC, kinetic)]);
    }
    for e in [-0.1, 1.1] {
        check(RestitutionOutOfRange, &[(E, e)]);
    }
}

/// A number of any bit pattern, or a special value.
fn anything(random: &mut Random) -> f64 {
    const ODD: [f64; 12] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        f64::NAN,
        f64::INFINITY,
        f64::MIN_POSITIVE,
        5e-324,
        f64::MAX,
        f64::EPSILON,
        1e-160,
        -1e160,
    ];
    let bits = random.bits();
    match bits % 4 {
        0 => ODD[(bits >> 8) as usize % ODD.len()],
        1 => random.uniform(-2.0, 2.0),
        _ => f64::from_bits(bits),
    }
}

/// All arguments give a finite result or an error.
#[test]
fn nothing_breaks_a_solver() {
    macro_rules! solves {
        ($module:ident, $row:expr) => {{
            let found = $module::of_row(&$row);
            if let Ok(found) = &found {
                let works = [found.compression_impulse, found.normal_work, found.friction_work];
                let mut all = found.velocity.iter().chain(&found.impulse).chain(&works);
                assert!(all.all(|x| x.is_finite()), "{:?}", $row);
            }
            usize::from(found.is_ok())
        }};
    }
    let mut random = Random::seeded(46);
    let mut solved = [0; 2];
    for i in 0..400_000 {
        // One or two invalid numbers reach more code than many.
        let mut row = random.spatial(Kind::ALL[i % Kind::ALL.len()]).row();
        for _ in 0..1 + i % 3 {
            let x = anything(&mut random);
            let place = random.bits() as usize % 15;
            row[if place == 14 { E } else { place }] = x;
            if let Some(entry @ 0..9) = place.checked_sub(INERTIA) {
                row[INERTIA + 3 * (entry % 3) + entry / 3] = x;
            }
        }
        solved[0] += solves!(any, row);
        solved[1] += solves!(any_planar, [0, 1, 3, 4, 6, 7, 12, 13, 14, 15].map(|k| row[k]));
    }
    assert!(solved.iter().all(|&n| n > 10_000), "{solved:?}");
}
