//! Generated solvers against the reference, against the library, and against
//! the identities that every impact obeys.

use nalgebra::{Matrix3, Vector3};
use routh_solver::{Contact, Friction, Law, Restitution};
use routh_tests::generated::{self, any, any_planar, any_planar_single, any_single, seed_robot};
use routh_tests::generated::{masses_flow, seed_robot_flow, seed_robot_flow_f32};
use routh_tests::random::{Kind, Random};
use routh_tests::reference::{Case, Impacts, Input, largest, scales};

/// What a solver found: velocity, impulse, compression impulse, works.
type Found<const N: usize> = ([f64; N], [f64; N], [f64; 3]);

fn solve(input: &Input<3>) -> Result<Found<3>, any::Error> {
    let (velocity, inertia, friction, restitution) = generated::spatial(input);
    let found = any::impact(&velocity, &inertia, &friction, &restitution)?;
    let works = [found.compression_impulse, found.normal_work, found.friction_work];
    Ok((found.velocity, found.impulse, works))
}

fn solve_planar(input: &Input<2>) -> Result<Found<2>, any_planar::Error> {
    let (velocity, inertia, friction, restitution) = generated::planar(input);
    let found = any_planar::impact(&velocity, &inertia, &friction, &restitution)?;
    let works = [found.compression_impulse, found.normal_work, found.friction_work];
    Ok((found.velocity, found.impulse, works))
}

fn error<const N: usize>(case: &Case<N>, (velocity, impulse, works): Found<N>) -> f64 {
    let [speed, size, work] = scales(&case.input.velocity, &case.expect);
    let apart = |x: &[f64], y: &[f64]| largest(x.iter().zip(y).map(|(x, y)| x - y));
    let [compression, normal, friction, ..] = case.expect.scalars;
    largest([
        apart(&velocity, &case.expect.velocity) / speed,
        apart(&impulse, &case.expect.impulse) / size,
        (works[0] - compression) / size,
        (works[1] - normal) / work,
        (works[2] - friction) / work,
    ])
}

#[test]
fn reference_impacts() {
    let Impacts { spatial, planar } = Impacts::load();
    let spatial = spatial.iter().map(|case| error(case, solve(&case.input).unwrap()));
    let planar = planar.iter().map(|case| error(case, solve_planar(&case.input).unwrap()));
    let (spatial, planar) = (largest(spatial), largest(planar));
    println!("space {spatial:.1e}, plane {planar:.1e}");
    assert!(spatial < 1e-12 && planar < 1e-12, "{spatial:e} {planar:e}");
}

/// The seed robot's own solver takes nothing but a velocity.
#[test]
fn reference_impacts_of_the_seed_robot() {
    let cases = Impacts::load().spatial;
    let seed = |case: &&Case<3>| {
        case.name.starts_with("seed-robot") && case.input.restitution.law() == Law::Energetic
    };
    let errors = cases.iter().filter(seed).map(|case| {
        let found = seed_robot::impact(&case.input.velocity).unwrap();
        let works = [found.compression_impulse, found.normal_work, found.friction_work];
        error(case, (found.velocity, found.impulse, works))
    });
    let errors: Vec<_> = errors.collect();
    assert!(errors.len() == 3 && largest(errors.iter().copied()) < 1e-11, "{errors:?}");
}

/// The generated runtime and the library were written apart from each other.
#[test]
fn random_impacts_are_the_librarys() {
    let mut random = Random::seeded(41);
    let mut apart = Vec::new();
    let mut worst = 0.0_f64;
    for i in 0..200_000 {
        let input = random.spatial(Kind::ALL[i % Kind::ALL.len()]);
        let contact = Contact::new(input.inertia).unwrap();
        let expected = contact.solve(input.velocity, input.friction, input.restitution).unwrap();
        let (velocity, impulse, _) = solve(&input).unwrap_or_else(|e| panic!("{e}: {input:?}"));
        let scale = largest(input.velocity.iter().chain(&expected.velocity).copied());
        let size = largest(expected.impulse);
        let error = largest((0..3).flat_map(|k| {
            [
                (velocity[k] - expected.velocity[k]) / scale,
                (impulse[k] - expected.impulse[k]) / size,
            ]
        }));
        if error > 1e-9 {
            apart.push((error, input));
        } else {
            worst = worst.max(error);
        }
    }
    println!("{} of 200,000 apart by more than 1e-9, the rest by {worst:.1e}", apart.len());
    for (error, input) in apart.iter().take(5) {
        println!("{error:.1e} {input:?}");
    }
    assert!(apart.is_empty(), "{}", apart.len());
}

#[test]
fn random_planar_impacts_are_the_librarys() {
    let mut random = Random::seeded(42);
    for _ in 0..200_000 {
        let input = random.planar();
        let contact = Contact::new(input.inertia).unwrap();
        let expected = contact.solve(input.velocity, input.friction, input.restitution).unwrap();
        let (velocity, impulse, _) = solve_planar(&input).unwrap();
        assert_eq!((velocity, impulse), (expected.velocity, expected.impulse), "{input:?}");
    }
}

/// Momentum, energy and friction cone, whatever the size of the numbers.
#[test]
fn identities_hold() {
    let mut random = Random::seeded(43);
    for i in 0..200_000 {
        let input = random.spatial(Kind::ALL[i % Kind::ALL.len()]);
        let (velocity, impulse, [_, normal_work, friction_work]) = solve(&input).unwrap();
        let scale = largest(input.velocity.iter().chain(&velocity).copied());
        for (row, k) in input.inertia.iter().zip(0..) {
            let change: f64 = row.iter().zip(impulse).map(|(d, p)| d * p).sum();
            let size = largest(row.iter().zip(impulse).map(|(d, p)| d * p)).max(scale);
            let error = (input.velocity[k] + change - velocity[k]).abs();
            assert!(error <= 1e-11 * size, "momentum {error:e} {input:?}");
        }
        let energy: f64 =
            (0..3).map(|k| 0.5 * impulse[k] * (input.velocity[k] + velocity[k])).sum();
        let error = (energy - normal_work - friction_work).abs();
        assert!(error <= 1e-10 * scale * largest(impulse), "energy {error:e} {input:?}");
        let friction = impulse[1].hypot(impulse[2]);
        assert!(
            friction <= input.friction.static_friction() * impulse[0] * (1.0 + 1e-9),
            "{input:?}"
        );
    }
}

/// An impact in numbers that single precision has. Static friction is the
/// kinetic one: where it is more, and the critical friction lies between them, a
/// slip that passes next to rest sticks or goes on as the last digit decides.
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

const SEED: [[f64; 3]; 3] = [
    [9.009e-3, -0.342e-3, 1.845e-3],
    [-0.342e-3, 9.307e-3, 2.26e-3],
    [1.845e-3, 2.26e-3, 3.922e-3],
];

/// The largest difference from the library's series, and whether the mode is its.
fn off(input: &Input<3>, mode: &str, (velocity, impulse, works): Found<3>) -> (f64, bool) {
    let contact = Contact::new(input.inertia).unwrap();
    let expected = contact.solve(input.velocity, input.friction, input.restitution).unwrap();
    let scale = largest(input.velocity.iter().chain(&expected.velocity).copied());
    let size = largest(expected.impulse);
    let work = scale * size;
    let error = largest((0..3).flat_map(|k| {
        [(velocity[k] - expected.velocity[k]) / scale, (impulse[k] - expected.impulse[k]) / size]
    }));
    let sums = [
        (works[0] - expected.compression_impulse) / size,
        (works[1] - expected.normal_work) / work,
        (works[2] - expected.friction_work) / work,
    ];
    (largest(sums.into_iter().chain([error])), mode == expected.mode.name())
}

/// A generated flow's restitution, of the library's.
macro_rules! restitution {
    ($module:ident, $input:expr) => {
        $module::Restitution {
            law: match $input.restitution.law() {
                Law::Newton => $module::Law::Newton,
                Law::Poisson => $module::Law::Poisson,
                Law::Energetic => $module::Law::Energetic,
            },
            e: $input.restitution.e() as $module::Real,
        }
    };
}

#[test]
fn flow_is_the_librarys_series() {
    let mut random = Random::seeded(48);
    let mut worst = [0.0_f64; 2];
    for i in 0..100_000 {
        let input = impact_of(&mut random, i, SEED);
        let found = seed_robot_flow::impact(&input.velocity, &restitution!(seed_robot_flow, input))
            .unwrap_or_else(|e| panic!("{e}: {input:?}"));
        let works = [found.compression_impulse, found.normal_work, found.friction_work];
        let (error, same) = off(&input, found.mode.name(), (found.velocity, found.impulse, works));
        let grazing = usize::from(i % 10 == 1);
        worst[grazing] = worst[grazing].max(error);
        assert!(error < [1e-10, 1e-9][grazing] && same, "{error:e} {input:?} {found:?}");
        assert_eq!(found.steps, 0);
    }
    let [ordinary, grazing] = worst;
    let bytes = seed_robot_flow::TABLE_BYTES;
    println!("{ordinary:.1e} at most, {grazing:.1e} grazing, tables of {bytes} bytes");
}

#[test]
fn flow_in_single_precision_is_close() {
    let mut random = Random::seeded(49);
    let mut errors = Vec::new();
    for i in 0..100_000 {
        let input = rounded(impact_of(&mut random, i, SEED));
        let contact = Contact::new(input.inertia).unwrap();
        let expected = contact.solve(input.velocity, input.friction, input.restitution).unwrap();
        let velocity = input.velocity.map(|v| v as f32);
        let found =
            seed_robot_flow_f32::impact(&velocity, &restitution!(seed_robot_flow_f32, input))
                .unwrap_or_else(|e| panic!("{e}: {input:?}"));
        let scale = largest(input.velocity.iter().chain(&expected.velocity).copied());
        let found = found.velocity.map(f64::from);
        errors.push(largest((0..3).map(|k| (found[k] - expected.velocity[k]) / scale)));
    }
    errors.sort_by(f64::total_cmp);
    let at = |part: f64| errors[(part * (errors.len() - 1) as f64) as usize];
    println!(
        "median {:.1e}, 99 % {:.1e}, 99.9 % {:.1e}, most {:.1e}, tables of {} bytes",
        at(0.5),
        at(0.99),
        at(0.999),
        at(1.0),
        seed_robot_flow_f32::TABLE_BYTES
    );
    assert!(at(0.999) < 1e-5 && at(1.0) < 1e-3, "{:e} {:e}", at(0.999), at(1.0));
}

/// A robot of masses: its contact point is struck as by the series, and its
/// velocities follow.
#[test]
fn flow_of_masses_is_the_librarys_series() {
    let mass = Matrix3::new(130.0, 5.0, -40.0, 5.0, 150.0, -60.0, -40.0, -60.0, 280.0);
    let jacobian = Matrix3::new(1.0, 0.2, 0.0, 0.0, 1.0, 0.3, -0.1, 0.0, 1.0);
    let response = mass.cholesky().unwrap().solve(&jacobian.transpose());
    let inertia = jacobian * response;
    let inertia = (inertia + inertia.transpose()) * 0.5;
    let inverse = jacobian.try_inverse().unwrap();
    let rows = std::array::from_fn(|i| std::array::from_fn(|j| inertia[(i, j)]));
    let mut random = Random::seeded(50);
    let mut worst = 0.0_f64;
    for i in 0..50_000 {
        let drawn = approach(&mut random, i);
        let qd: [f64; 3] = (inverse * Vector3::from(drawn)).into();
        let velocity: [f64; 3] = (jacobian * Vector3::from(qd)).into();
        let input = Input { velocity, ..impact_of(&mut random, i, rows) };
        let found = masses_flow::impact(&qd, &restitution!(masses_flow, input))
            .unwrap_or_else(|e| panic!("{e}: {input:?}"));
        let works = [found.compression_impulse, found.normal_work, found.friction_work];
        let (error, _) = off(&input, found.mode.name(), (found.velocity, found.impulse, works));
        let after = Vector3::from(qd) + response * Vector3::from(found.impulse);
        let joints = largest((0..3).map(|k| (after[k] - found.qd[k]) / largest(qd)));
        let grazing = usize::from(i % 10 == 1);
        let allowed = [1e-10, 1e-9][grazing];
        assert!(error < allowed && joints < 1e-13, "{error:e} {joints:e} {input:?}");
        worst = worst.max(error);
    }
    println!("{worst:.1e} at most, tables of {} bytes", masses_flow::TABLE_BYTES);
}

/// Single precision is what its digits are worth.
#[test]
fn single_precision_is_close() {
    let mut random = Random::seeded(44);
    let mut errors = Vec::new();
    for i in 0..50_000 {
        let kind = [Kind::Plain, Kind::Rest, Kind::Isotropic, Kind::Grazing][i % 4];
        let input = rounded(random.spatial(kind));
        let contact = Contact::new(input.inertia).unwrap();
        let expected = contact.solve(input.velocity, input.friction, input.restitution).unwrap();
        let (velocity, inertia, friction, restitution) = generated::spatial_single(&input);
        let found = any_single::impact(&velocity, &inertia, &friction, &restitution).unwrap();
        let scale = largest(input.velocity.iter().chain(&expected.velocity).copied());
        let found = found.velocity.map(f64::from);
        let error = largest((0..3).map(|k| (found[k] - expected.velocity[k]) / scale));
        if error > 1e-4 {
            println!("{error:.1e} {input:?} {expected:?} {found:?}");
        }
        errors.push(error);
    }
    errors.sort_by(f64::total_cmp);
    let at = |part: f64| errors[(part * (errors.len() - 1) as f64) as usize];
    println!(
        "median {:.1e}, 99 % {:.1e}, 99.9 % {:.1e}, most {:.1e}",
        at(0.5),
        at(0.99),
        at(0.999),
        at(1.0)
    );
    assert!(at(0.999) < 1e-5 && at(1.0) < 1e-3, "{:e} {:e}", at(0.999), at(1.0));
}

#[test]
fn single_precision_in_the_plane_is_close() {
    let mut random = Random::seeded(45);
    let mut errors = Vec::new();
    for _ in 0..50_000 {
        let input = rounded(random.planar());
        let contact = Contact::new(input.inertia).unwrap();
        let expected = contact.solve(input.velocity, input.friction, input.restitution).unwrap();
        let (velocity, inertia, friction, restitution) = generated::planar_single(&input);
        let found =
            any_planar_single::impact(&velocity, &inertia, &friction, &restitution).unwrap();
        let scale = largest(input.velocity.iter().chain(&expected.velocity).copied());
        let found = found.velocity.map(f64::from);
        errors.push(largest((0..2).map(|k| (found[k] - expected.velocity[k]) / scale)));
    }
    errors.sort_by(f64::total_cmp);
    let at = |part: f64| errors[(part * (errors.len() - 1) as f64) as usize];
    println!("median {:.1e}, 99 % {:.1e}, most {:.1e}", at(0.5), at(0.99), at(1.0));
    assert!(at(0.99) < 1e-6 && at(1.0) < 1e-4, "{:e} {:e}", at(0.99), at(1.0));
}

/// Every kind of nonsense has its error, and none is mistaken for another.
#[test]
fn nonsense_is_told_apart() {
    let good = Input {
        inertia: [[1.3, 0.4, -0.2], [0.4, 2.1, 0.5], [-0.2, 0.5, 0.9]],
        velocity: [-1.0, 0.7, -1.1],
        friction: Friction::uniform(0.4).unwrap(),
        restitution: Restitution::new(Law::Poisson, 0.5).unwrap(),
    };
    let (velocity, inertia, friction, restitution) = generated::spatial(&good);
    let check = |expected, velocity, inertia, friction, restitution| {
        assert_eq!(any::impact(&velocity, &inertia, &friction, &restitution), Err(expected));
    };
    for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for k in 0..3 {
            let mut velocity = velocity;
            velocity[k] = x;
            check(any::Error::NotFinite, velocity, inertia, friction, restitution);
        }
        for k in 0..9 {
            let mut inertia = inertia;
            inertia[k] = x;
            check(any::Error::NotFinite, velocity, inertia, friction, restitution);
        }
        let friction = any::Friction { static_friction: x, kinetic: 0.1 };
        check(any::Error::FrictionOutOfRange, velocity, inertia, friction, restitution);
        let restitution = any::Restitution { e: x, ..restitution };
        let friction = any::Friction { static_friction: 0.3, kinetic: 0.1 };
        check(any::Error::RestitutionOutOfRange, velocity, inertia, friction, restitution);
    }
    for v in [0.0, -0.0, 1.0] {
        let velocity = [v, velocity[1], velocity[2]];
        check(any::Error::NotApproaching, velocity, inertia, friction, restitution);
    }
    let mut skew = inertia;
    skew[1] += 0.1;
    check(any::Error::NotSymmetric, velocity, skew, friction, restitution);
    let mut flat = inertia;
    flat[8] = 0.0;
    check(any::Error::NotPositiveDefinite, velocity, flat, friction, restitution);
    for (fixed, kinetic) in [(0.1, 0.2), (0.1, -0.1), (-0.1, -0.1)] {
        let friction = any::Friction { static_friction: fixed, kinetic };
        check(any::Error::FrictionOutOfRange, velocity, inertia, friction, restitution);
    }
    for e in [-0.1, 1.1] {
        let restitution = any::Restitution { e, ..restitution };
        check(any::Error::RestitutionOutOfRange, velocity, inertia, friction, restitution);
    }
}

/// A number of any bit pattern, or one that breaks things more often.
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

/// Whatever the arguments, there is a finite result or an error.
#[test]
fn nothing_breaks_a_solver() {
    let mut random = Random::seeded(46);
    let mut solved = [0; 2];
    for i in 0..400_000 {
        // Nonsense in one or two places gets further than nonsense everywhere.
        let base = random.spatial(Kind::ALL[i % Kind::ALL.len()]);
        let (mut velocity, mut inertia, mut friction, mut restitution) = generated::spatial(&base);
        for _ in 0..1 + i % 3 {
            let x = anything(&mut random);
            match random.bits() % 15 {
                k @ 0..3 => velocity[k as usize] = x,
                k @ 3..12 => {
                    let (row, column) = ((k as usize - 3) / 3, (k as usize - 3) % 3);
                    inertia[3 * row + column] = x;
                    inertia[3 * column + row] = x;
                }
                12 => friction.static_friction = x,
                13 => friction.kinetic = x,
                _ => restitution.e = x,
            }
        }
        if let Ok(found) = any::impact(&velocity, &inertia, &friction, &restitution) {
            solved[0] += 1;
            let works = [found.compression_impulse, found.normal_work, found.friction_work];
            let all = found.velocity.iter().chain(&found.impulse).chain(&works);
            assert!(all.into_iter().all(|x| x.is_finite()), "{velocity:?} {inertia:?}");
        }
        let plane = [inertia[0], inertia[1], inertia[3], inertia[4]];
        let law = any_planar::Law::Energetic;
        let friction = any_planar::Friction {
            static_friction: friction.static_friction,
            kinetic: friction.kinetic,
        };
        let restitution = any_planar::Restitution { law, e: restitution.e };
        let velocity = [velocity[0], velocity[1]];
        if let Ok(found) = any_planar::impact(&velocity, &plane, &friction, &restitution) {
            solved[1] += 1;
            let works = [found.compression_impulse, found.normal_work, found.friction_work];
            let all = found.velocity.iter().chain(&found.impulse).chain(&works);
            assert!(all.into_iter().all(|x| x.is_finite()), "{velocity:?} {plane:?}");
        }
    }
    println!("{solved:?} of 400,000 solved");
    assert!(solved.iter().all(|&n| n > 10_000));
}

/// Units that are powers of two change nothing but the exponents.
#[test]
fn scales_are_exact() {
    let mut random = Random::seeded(47);
    for i in 0..20_000 {
        let kind = [Kind::Plain, Kind::Coupled, Kind::Isotropic, Kind::Rest][i % 4];
        let input = random.spatial(kind);
        let (velocity, inertia, friction, restitution) = generated::spatial(&input);
        let found = any::impact(&velocity, &inertia, &friction, &restitution).unwrap();
        let (speed, size) = [(1e30, 1e-40), (1e-60, 1e50), (1e-20, 1e-100)][i % 3];
        let [speed, size] = [speed, size].map(|x: f64| x.log2().round().exp2());
        let velocity = velocity.map(|x| x * speed);
        let inertia = inertia.map(|x| x * size);
        let scaled = any::impact(&velocity, &inertia, &friction, &restitution).unwrap();
        assert_eq!(scaled.velocity, found.velocity.map(|x| x * speed), "{input:?}");
        assert_eq!(scaled.impulse, found.impulse.map(|x| x * speed / size), "{input:?}");
        assert_eq!(scaled.normal_work, found.normal_work * speed / size * speed, "{input:?}");
    }
}
