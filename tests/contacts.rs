//! Simultaneous contacts: identities over random systems of up to eight contacts, and
//! known solutions.

use nalgebra::{DMatrix, DVector};
use routh::contacts::{Contacts, Impacts};
use routh::{Contact, Error, Friction, Law, Mode, Restitution};
use routh_tests::random::Random;
use routh_tests::systems::{Shape, System, check};

/// Systems of each shape, with and without friction; 20,000 in release.
const EACH: usize = if cfg!(debug_assertions) { 500 } else { 20_000 };

/// Rounding, as a part of the energy before impact.
const NOTHING: f64 = 1e-12;

/// Of so many systems one may be left unsolved, where contacts are nearly dependent,
/// almost wedge, or friction acts.
const RARE: usize = 500;

fn matrix<const R: usize, const C: usize>(rows: [[f64; C]; R]) -> DMatrix<f64> {
    DMatrix::from_fn(R, C, |i, j| rows[i][j])
}

fn vector<const N: usize>(entries: [f64; N]) -> DVector<f64> {
    DVector::from_column_slice(&entries)
}

fn sweep(shape: Shape, friction: bool) {
    let mut random = Random::seeded(shape as u64 + if friction { 10 } else { 0 });
    let [mut solved, mut unattainable, mut unfound] = [0; 3];
    let (mut tried, mut gained, mut most) = (0, 0, 0.0_f64);
    for _ in 0..EACH {
        let system = System::random(&mut random, shape, friction);
        let parting = system.velocity().max() > 0.0;
        match system.solve() {
            Ok(impacts) => {
                let (gain, rounding) = check(&system, &impacts);
                assert!(gain < 1e-9 * rounding || impacts.gains_energy, "{gain:e}\n{system:?}");
                assert!(gain > -1e-12 * rounding || !impacts.gains_energy, "{gain:e}\n{system:?}");
                let equal = system.e.iter().all(|e| *e == system.e[0]);
                let never = match system.law {
                    Law::Poisson => equal || !friction,
                    _ => !parting && !friction,
                };
                assert!(!never || gain < NOTHING * rounding, "gains {gain:e}\n{system:?}");
                if system.law == Law::Poisson && !never {
                    tried += 1;
                    if gain > NOTHING * rounding {
                        gained += 1;
                        most = most.max(gain);
                    }
                }
                solved += 1;
            }
            Err(Error::NotApproaching { .. }) => assert!(system.velocity().min() >= 0.0),
            Err(Error::RestitutionUnattainable { .. }) => {
                assert!(system.law == Law::Newton && (parting || friction), "{system:?}");
                unattainable += 1;
            }
            Err(Error::PivotLimit { .. }) => {
                assert!(
                    shape == Shape::Close || shape == Shape::Redundant || friction,
                    "{system:?}"
                );
                unfound += 1;
            }
            Err(error) => panic!("{error}\n{system:?}"),
        }
    }
    println!("{shape:?}, friction {friction}: {solved} solved, {unattainable} unattainable");
    println!("  {unfound} not found; of {tried} {gained} gain up to {most:.2} of their energy");
    assert!(2 * solved > EACH && unfound * RARE <= EACH);
}

#[test]
fn frictionless_contacts() {
    Shape::ALL.into_iter().for_each(|shape| sweep(shape, false));
}

#[test]
fn contacts_with_friction() {
    Shape::ALL.into_iter().for_each(|shape| sweep(shape, true));
}

/// A contact of its own, with the inertia of another solver's.
fn alone(inertia: [[f64; 2]; 2], friction: f64) -> Contacts {
    let mass = DMatrix::from_fn(2, 2, |i, j| inertia[i][j]).try_inverse().unwrap();
    let mass = (&mass + mass.transpose()) * 0.5;
    let contacts = Contacts::new(&mass, &matrix([[1.0, 0.0]])).unwrap();
    contacts.with_friction(&matrix([[0.0, 1.0]]), &[friction]).unwrap()
}

/// One contact equals the solver of one contact wherever the direction of sliding at
/// the end of a phase is that of all its sliding.
#[test]
fn one_contact_is_that_of_the_planar_solver() {
    let mut random = Random::seeded(3);
    let mut worst: f64 = 0.0;
    let mut seen = std::collections::BTreeMap::new();
    for n in 0..2 * EACH {
        let input = random.planar();
        let law = [Law::Newton, Law::Poisson][n % 2];
        let e = input.restitution.e();
        let mu = if n.is_multiple_of(5) { 0.0 } else { input.friction.kinetic() };
        let contact = Contact::new(input.inertia).unwrap();
        let wanted = contact
            .solve(
                input.velocity,
                Friction::uniform(mu).unwrap(),
                Restitution::new(law, e).unwrap(),
            )
            .unwrap();
        let reverses =
            matches!(wanted.mode, Mode::ReverseInCompression | Mode::ReverseInRestitution);
        let contacts = alone(input.inertia, mu);
        let found = contacts.solve(&vector([input.velocity[0], input.velocity[1]]), law, &[e]);
        let found = found.unwrap_or_else(|error| panic!("{error}\n{input:?}"));
        let tangential = found.tangential.as_ref().unwrap();
        *seen.entry(wanted.mode.name()).or_insert(0) += 1;
        if reverses {
            continue;
        }
        let impulse = wanted.impulse[0];
        for (x, y, scale) in [
            (found.velocity[0], wanted.velocity[0], 1.0),
            (tangential.velocity[0], wanted.velocity[1], 1.0),
            (found.impulse[0], impulse, impulse),
            (tangential.impulse[0], wanted.impulse[1], impulse),
            (found.compression_impulse[0], wanted.compression_impulse, impulse),
        ] {
            let error = (x - y).abs() / scale;
            worst = worst.max(error);
            assert!(error < 1e-9, "{error:e}: {x} is not {y}\n{input:?}\n{wanted:?}");
        }
    }
    println!("{seen:?}, worst {worst:e}");
    assert_eq!(seen.len(), 7);
}

/// Where contacts approach or rest and share one `e`, both laws agree.
#[test]
fn newton_and_poisson_agree_on_one_coefficient() {
    let mut random = Random::seeded(4);
    for n in 0..EACH {
        let shape = Shape::ALL[n % 4];
        let mut system = System::random(&mut random, shape, false);
        if system.velocity().max() > 0.0 || shape == Shape::Close {
            continue;
        }
        let e = system.e[0];
        system.e.fill(e);
        let [poisson, newton] = [Law::Poisson, Law::Newton].map(|law| {
            system.law = law;
            system.solve().unwrap()
        });
        assert_alike(&poisson, &newton, &system, 1e-9);
    }
}

fn assert_alike(one: &Impacts, other: &Impacts, system: &System, tolerance: f64) {
    let scales = [system.velocity().amax(), 0.0, system.qd.amax()];
    let vectors = |impacts: &Impacts| {
        [impacts.velocity.clone(), impacts.impulse.clone(), impacts.qd.as_slice().to_vec()]
            .map(DVector::from)
    };
    for ((x, y), scale) in vectors(one).into_iter().zip(vectors(other)).zip(scales) {
        let error = (&x - &y).amax() / x.amax().max(scale);
        assert!(error < tolerance, "{error:e}\n{one:?}\n{other:?}");
    }
}

/// The order of contacts, their units and those of the coordinates do not matter, even
/// where impulses are not unique.
#[test]
fn order_and_units_do_not_matter() {
    let mut random = Random::seeded(5);
    for n in 0..EACH {
        let shape = [Shape::Plain, Shape::Redundant, Shape::Resting][n % 3];
        let system = System::random(&mut random, shape, false);
        let Ok(impacts) = system.solve() else { continue };
        if system.scaled().approach() < 1e-9 {
            continue;
        }
        // Nearly dependent rows turn rounding into impulses.
        let scaled = system.scaled();
        let size = impacts.impulse.iter().zip(&scaled.lengths).map(|(p, l)| p * l / scaled.unit);
        if size.fold(0.0, f64::max) > 1e2 {
            continue;
        }
        let k = system.contacts();
        let order: Vec<usize> = (0..k).map(|i| (5 * i + 3) % k).collect();
        let order = if k == 5 { vec![4, 2, 0, 1, 3] } else { order };
        let mut permuted = system.clone();
        permuted.jacobian = system.jacobian.select_rows(&order);
        permuted.e = order.iter().map(|&i| system.e[i]).collect();
        let mut found = permuted.solve().unwrap();
        let mut wanted = impacts.clone();
        wanted.velocity = order.iter().map(|&i| impacts.velocity[i]).collect();
        wanted.impulse = order.iter().map(|&i| impacts.impulse[i]).collect();
        assert_alike(&found, &wanted, &system, 1e-7);

        let (unit, speed) = (random.power(-9.0, 9.0), random.power(-9.0, 9.0));
        let rows: Vec<f64> = (0..k).map(|_| random.power(-9.0, 9.0)).collect();
        let mut rescaled = system.clone();
        rescaled.mass *= unit;
        rescaled.qd *= speed;
        (0..k).for_each(|i| rescaled.jacobian.row_mut(i).scale_mut(rows[i]));
        found = rescaled.solve().unwrap();
        found.qd /= speed;
        for (i, row) in rows.iter().enumerate() {
            found.velocity[i] /= speed * row;
            found.impulse[i] /= speed * unit / row;
        }
        assert_alike(&found, &impacts, &system, 1e-7);
    }
}

/// A table of mass 4 on the corners of a square, with inertias 2 about both axes.
fn table() -> Contacts {
    let mass = DMatrix::from_diagonal(&vector([4.0, 2.0, 2.0]));
    let legs = matrix([[1.0, 1.0, 1.0], [1.0, -1.0, 1.0], [1.0, -1.0, -1.0], [1.0, 1.0, -1.0]]);
    Contacts::new(&mass, &legs).unwrap()
}

#[test]
fn four_legs_share_an_impulse() {
    for law in [Law::Newton, Law::Poisson] {
        let flat = table().solve(&vector([-1.0, 0.0, 0.0]), law, &[0.5; 4]).unwrap();
        assert!((flat.qd - vector([0.5, 0.0, 0.0])).amax() < 1e-14);
        assert!(flat.impulse.iter().all(|p| (p - 1.5).abs() < 1e-14), "{:?}", flat.impulse);
        assert!((flat.energy_change + 1.5).abs() < 1e-14);

        // Turning about the edge of legs 0 and 1, on which it stands.
        let tilted = table().solve(&vector([-1.0, 0.0, 1.0]), law, &[0.0; 4]).unwrap();
        let [a, b, c, d] = tilted.impulse[..] else { panic!() };
        assert!((a - b).abs() < 1e-13 && (c - d).abs() < 1e-13 && c > 0.0 && a >= 0.0);
    }
}

/// With different coefficients the share of every leg counts, and all four differ.
#[test]
fn four_legs_with_coefficients_of_their_own() {
    let e = [0.9, 0.1, 0.5, 0.5];
    let impacts = table().solve(&vector([-1.0, 0.0, 0.0]), Law::Poisson, &e).unwrap();
    assert!(impacts.compression_impulse.iter().all(|p| (p - 1.0).abs() < 1e-14));
    let wanted = vector([0.5, 0.4, 0.0]);
    let found = &impacts.qd;
    let push = |i: usize| impacts.impulse[i] - impacts.compression_impulse[i] * (1.0 + e[i]);
    assert!((0..4).all(|i| push(i).abs() < 1e-13), "{:?}", impacts.impulse);
    assert!((found - wanted).amax() < 1e-13, "{found}");
}

/// Two contacts in a wedge, of which one separates before impact: only then may
/// Newton's law gain energy or have no solution.
#[test]
fn newtons_law_gains_where_a_parting_contact_is_in_the_way() {
    let solve = |second: [f64; 2], law| {
        let rows = matrix([[1.0, 0.0], second]);
        let contacts = Contacts::new(&DMatrix::identity(2, 2), &rows).unwrap();
        contacts.solve(&vector([-1.0, 0.0]), law, &[0.5, 0.5])
    };
    let gained = solve([-0.8, 0.6], Law::Newton).unwrap();
    // To (0.5, 0.5·0.8/0.6), the only velocity at which both contacts end.
    assert!((gained.qd - vector([0.5, 2.0 / 3.0])).amax() < 1e-14);
    let narrow = solve([-0.96, 0.28], Law::Newton).unwrap();
    assert!(narrow.energy_change > 1.0 && narrow.gains_energy);
    let closed = solve([-1.0, 0.0], Law::Newton).unwrap_err();
    assert_eq!(closed.kind(), "restitution_out_of_range");
    for second in [[-0.8, 0.6], [-0.96, 0.28], [-1.0, 0.0]] {
        assert!(solve(second, Law::Poisson).unwrap().energy_change <= 0.0);
    }
}

#[test]
fn unsolvable_systems_are_errors() {
    let mass = DMatrix::identity(2, 2);
    let rows = matrix([[1.0, 0.0], [0.0, 1.0]]);
    let contacts = Contacts::new(&mass, &rows).unwrap();
    let qd = vector([-1.0, 0.0]);
    let kinds = [
        (contacts.solve(&qd, Law::Energetic, &[0.5; 2]), "malformed_input"),
        (contacts.solve(&qd, Law::Newton, &[0.5]), "wrong_dimension"),
        (contacts.solve(&qd, Law::Newton, &[0.5, 1.5]), "restitution_out_of_range"),
        (contacts.solve(&qd, Law::Newton, &[0.5, f64::NAN]), "not_finite"),
        (contacts.solve(&vector([-1.0]), Law::Newton, &[0.5; 2]), "wrong_dimension"),
        (contacts.solve(&vector([f64::NAN, 0.0]), Law::Newton, &[0.5; 2]), "not_finite"),
        (contacts.solve(&vector([0.0, 0.0]), Law::Newton, &[0.5; 2]), "not_approaching"),
        (contacts.solve(&vector([1e300, -1e300]), Law::Newton, &[0.5; 2]), "not_finite"),
    ];
    for (result, kind) in kinds {
        assert_eq!(result.unwrap_err().kind(), kind);
    }
    let kinds = [
        (Contacts::new(&DMatrix::zeros(2, 3), &rows), "wrong_dimension"),
        (Contacts::new(&mass, &DMatrix::zeros(0, 2)), "wrong_dimension"),
        (Contacts::new(&mass, &matrix([[1.0]])), "wrong_dimension"),
        (Contacts::new(&mass, &matrix([[f64::INFINITY, 0.0]])), "not_finite"),
        (Contacts::new(&mass, &matrix([[0.0, 0.0]])), "not_positive_definite"),
        (Contacts::new(&-mass.clone(), &rows), "not_positive_definite"),
        (Contacts::new(&matrix([[1.0, 0.5], [0.0, 1.0]]), &rows), "not_symmetric"),
        (contacts.clone().with_friction(&rows, &[0.5]), "wrong_dimension"),
        (contacts.clone().with_friction(&matrix([[1.0, 0.0]]), &[0.5; 2]), "wrong_dimension"),
        (contacts.clone().with_friction(&rows, &[0.5, -0.5]), "friction_out_of_range"),
    ];
    for (result, kind) in kinds {
        assert_eq!(result.unwrap_err().kind(), kind);
    }
}

fn entry(matrix: &mut DMatrix<f64>, place: usize) -> &mut f64 {
    let length = matrix.len();
    &mut matrix.as_mut_slice()[place % length]
}

/// All numbers give a finite result or a typed error.
#[test]
fn any_input_has_an_answer() {
    let mut random = Random::seeded(6);
    let mut solved = 0;
    for n in 0..EACH {
        let number = |random: &mut Random| match random.bits() % 8 {
            0 => f64::from_bits(random.bits()),
            1 => 0.0,
            2 => random.power(-300.0, 300.0),
            _ => random.normal(),
        };
        let mut system = System::random(&mut random, Shape::ALL[n % 5], n.is_multiple_of(2));
        for _ in 0..1 + random.bits() % 3 {
            let place = random.bits() as usize;
            let value = number(&mut random);
            match random.bits() % 5 {
                0 => *entry(&mut system.jacobian, place) = value,
                1 => {
                    let i = place % system.qd.len();
                    system.qd[i] = value;
                }
                2 => {
                    let i = place % system.qd.len();
                    system.mass[(i, i)] = value.abs();
                }
                3 => {
                    let k = system.contacts();
                    if let Some((_, mu)) = &mut system.tangents {
                        mu[place % k] = value.abs().min(1e15);
                    }
                }
                _ => {
                    if let Some((tangents, _)) = &mut system.tangents {
                        *entry(tangents, place) = value;
                    }
                }
            }
        }
        if let Ok(impacts) = system.solve() {
            solved += 1;
            let all = impacts.velocity.iter().chain(&impacts.impulse);
            assert!(all.chain(&impacts.qd).all(|x| x.is_finite()), "{system:?}\n{impacts:?}");
        }
    }
    assert!(4 * solved > EACH, "{solved}");
}
