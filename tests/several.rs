//! Several contacts in space: answers of an independent integrator, and what must hold for
//! any system.

use nalgebra::{DMatrix, DVector};
use routh::several::{Exponent, Hold, Landing, NormalLaw, Several, Surface};
use routh::{Accuracy, Contact, Error, Flow, Friction, Law, Restitution};
use routh_tests::landings::{Fall, LandingCase, SAME, Shape, misses};
use routh_tests::random::{Kind, Random};
use routh_tests::reference::largest;

/// Random systems of each shape; a million in all are tried by hand.
const EACH: usize = if cfg!(debug_assertions) { 20 } else { 600 };
const MANY: usize = 200_000;

/// Of so many systems one may be refused: where friction wedges, and where what is held
/// jams.
const RARE: usize = 250;

/// Systems that were refused, or never ended: exchanges that cycled, friction beyond the
/// cones of redundant contacts, slips that together come to rest but for rounding, contacts
/// that let go and were held again.
const ONCE_REFUSED: [(Shape, u64); 15] = [
    (Shape::Box, 120),
    (Shape::Box, 364),
    (Shape::Box, 378),
    (Shape::Box, 833),
    (Shape::Box, 898),
    (Shape::Box, 949),
    (Shape::Box, 4442),
    (Shape::Box, 5811),
    (Shape::Box, 18074),
    (Shape::Chain, 478),
    (Shape::Chain, 154),
    (Shape::Coupled, 35),
    (Shape::Coupled, 292),
    (Shape::Resting, 546),
    (Shape::Resting, 632),
];

/// Of so many systems one may depend on the order, rounding included; chains, which amplify
/// it most, more often.
const SENSITIVE: usize = 60;
const AMPLIFYING: usize = 30;

/// Of so many systems one may depend on the order more than on rounding: where a plastic
/// contact's friction yields.
const SINGULAR: usize = 80;

fn exact() -> Accuracy {
    Accuracy::new(1e-14).unwrap()
}

/// How far rows are from those expected, and the largest of these.
fn off(found: &[[f64; 3]], expected: &[Vec<f64>], rows: usize) -> (f64, f64) {
    let pairs = found.iter().zip(expected).flat_map(|(x, y)| {
        let zero = std::iter::repeat(&0.0);
        x.iter().zip(y.iter().chain(zero)).take(rows).map(|(x, y)| (x - y, *y)).collect::<Vec<_>>()
    });
    pairs.fold((0.0, 0.0), |(most, scale): (f64, f64), (x, y)| {
        assert!(x.is_finite());
        (most.max(x.abs()), scale.max(y.abs()))
    })
}

#[test]
fn references_are_met() {
    for case in LandingCase::load() {
        let (name, expect) = (&case.name, &case.expect);
        let landing = case.solve(exact()).unwrap_or_else(|error| panic!("{name}: {error}"));
        let (v, fastest) = off(&landing.velocity, &expect.velocity, 3);
        let scale = fastest.max(1.0);
        assert!(v < 1e-9 * scale, "{name}: velocity off by {v:e}");
        let (p, most) =
            off(&landing.impulse, &expect.impulse, if case.impulse_unique { 3 } else { 1 });
        assert!(p < 1e-9 * most, "{name}: impulse off by {p:e} of {most:e}");
        let joints = landing.qd.iter().zip(&expect.qd).map(|(x, y)| (x - y).abs());
        assert!(largest(joints) < 1e-9 * largest(expect.qd.iter().copied()).max(1.0), "{name}");
        let works = |found: &[f64], expected: &[f64]| {
            let scale = largest(expected.iter().copied()).max(1e-3 * scale * most);
            let error = largest(found.iter().zip(expected).map(|(x, y)| x - y));
            assert!(error < 1e-9 * scale, "{name}: work off by {error:e}");
        };
        works(&landing.normal_work, &expect.normal_work);
        works(&landing.friction_work, &expect.friction_work);
        works(&[landing.energy_change], &[expect.energy_change]);
        for contact in 0..expect.velocity.len() {
            let own = |event: &&routh::several::Event| event.contact == contact;
            let found = landing.events.iter().filter(own).map(|event| event.kind.name());
            let listed = expect.events.iter().filter(|event| event.contact == contact);
            let listed: Vec<&str> = listed.map(|event| event.kind.as_str()).collect();
            let found: Vec<&str> = match case.endless {
                true => found.take(listed.len()).collect(),
                false => found.collect(),
            };
            assert_eq!(found, listed, "{name}: contact {contact}");
        }
    }
}

/// Momentum, energy and cones hold, no contact gains energy or approaches.
fn check(fall: &Fall, landing: &Landing) {
    for (what, error, most) in misses(fall, landing) {
        assert!(error <= most, "{what} off by {error:e}\n{fall:?}");
    }
}

fn sweep(shape: Shape, count: usize) {
    let mut random = Random::seeded(100 + shape as u64);
    let (mut solved, mut refused, mut sensitive, mut dependent) = (0, 0, 0, 0);
    for _ in 0..count {
        let fall = Fall::random(&mut random, shape);
        let landing = match fall.solve() {
            Ok(landing) => landing,
            Err(Error::NotApproaching { .. }) => continue,
            Err(
                Error::StepLimit { .. } | Error::NoContinuation { .. } | Error::NotConserved { .. },
            ) => {
                refused += 1;
                continue;
            }
            Err(error) => panic!("{error}\n{fall:?}"),
        };
        check(&fall, &landing);
        solved += 1;
        if landing.unique && fall.reordered(&landing).is_none_or(|off| off > SAME) {
            sensitive += 1;
            dependent += usize::from(fall.depends_on_order(&landing));
        }
    }
    println!("{shape:?}: {solved} solved, {refused} refused, {dependent} depend on the order");
    assert!(solved > count / 2);
    assert!(refused * RARE <= solved, "{refused} of {solved} refused");
    let rare = if shape == Shape::Chain { AMPLIFYING } else { SENSITIVE };
    assert!(sensitive * rare <= solved, "{sensitive} of {solved} depend on the order or rounding");
    assert!(dependent * SINGULAR <= solved, "{dependent} of {solved} depend on the order");
}

macro_rules! sweeps {
    ($($name:ident: $shape:ident;)*) => {$(
        #[test]
        fn $name() {
            sweep(Shape::$shape, EACH);
        }
    )*};
}

sweeps! {
    boxes_land: Box;
    planar_bodies_land: Planar;
    chains_collide: Chain;
    coupled_contacts_land: Coupled;
    resting_contacts_answer: Resting;
}

#[test]
fn systems_once_refused_are_solved() {
    for (shape, number) in ONCE_REFUSED {
        let fall = Fall::numbered(shape, number);
        match fall.solve() {
            Ok(landing) => check(&fall, &landing),
            Err(error) => panic!("{shape:?} {number}: {error}"),
        }
    }
}

#[test]
#[ignore = "hours"]
fn a_million_systems_land() {
    for shape in Shape::ALL {
        sweep(shape, MANY);
    }
}

/// One contact obeys the energetic law, whatever its stiffness, its exponent and the way it
/// unloads.
#[test]
fn one_contact_is_a_single_contact() {
    let mut random = Random::seeded(7);
    for round in 0..EACH {
        let kind = [Kind::Plain, Kind::Rest, Kind::Axis][round % 3];
        let input = random.spatial(kind);
        let e = if round % 7 == 0 { 0.0 } else { random.uniform(0.05, 1.0) };
        let energetic = Restitution::new(Law::Energetic, e).unwrap();
        let Ok(impact) =
            input.contact().solve_with(input.velocity, input.friction, energetic, exact())
        else {
            continue;
        };
        let stiffness = random.power(-3.0, 3.0);
        let surface = Surface { stiffness, ..Surface::new(e, input.friction) };
        let inertia = DMatrix::from_fn(3, 3, |i, j| input.inertia[i][j]);
        for law in [NormalLaw::Bistiffness, NormalLaw::Michalczyk] {
            for exponent in [Exponent::Hertz, Exponent::Linear] {
                let one = Several::new(inertia.clone(), vec![surface], law, exponent).unwrap();
                let landing = one.solve(&input.velocity, exact()).unwrap_or_else(|error| {
                    panic!("{error} {law:?} {exponent:?} {surface:?}\n{input:?}")
                });
                let scale = largest(input.velocity);
                let pairs = landing.velocity[0].iter().zip(impact.velocity);
                let off = largest(pairs.map(|(x, y)| x - y));
                assert!(off < 1e-11 * scale, "{off:e} {law:?} {exponent:?} {surface:?}\n{input:?}");
            }
        }
    }
}

#[test]
fn uncoupled_contacts_do_not_know_of_each_other() {
    let mut random = Random::seeded(8);
    for _ in 0..EACH / 4 {
        let [mut x, mut y] = [(); 2].map(|()| Fall::random(&mut random, Shape::Coupled));
        (y.law, y.exponent) = (x.law, x.exponent);
        let (Ok(first), Ok(second)) = (x.solve(), y.solve()) else { continue };
        let (own, all) = (x.velocity.len(), x.velocity.len() + y.velocity.len());
        if x.surfaces.len() + y.surfaces.len() > 8 {
            continue;
        }
        let mut inertia = DMatrix::zeros(all, all);
        inertia.view_mut((0, 0), (own, own)).copy_from(&x.inertia);
        inertia.view_mut((own, own), (all - own, all - own)).copy_from(&y.inertia);
        let velocity: Vec<f64> = x.velocity.iter().chain(&y.velocity).copied().collect();
        (x.inertia, x.velocity) = (inertia, DVector::from_vec(velocity));
        x.surfaces.append(&mut y.surfaces);
        let Ok(both) = x.solve() else { continue };
        let apart = first.velocity.iter().chain(&second.velocity);
        let off = both.velocity.iter().zip(apart).flat_map(|(x, y)| [0, 1, 2].map(|d| x[d] - y[d]));
        let few = both.events.len() < 60;
        assert!(!few || largest(off) < 1e-9, "{x:?}");
    }
}

/// Units change nothing: neither those of velocity, nor of mass, nor of stiffness.
#[test]
fn units_change_nothing() {
    let mut random = Random::seeded(9);
    for _ in 0..EACH / 4 {
        let fall = Fall::random(&mut random, Shape::Box);
        let Ok(landing) = fall.solve() else { continue };
        for (speed, inertia, stiffness) in
            [(2.0_f64.powi(40), 1.0, 1.0), (1.0, 2.0_f64.powi(-60), 2.0_f64.powi(30))]
        {
            let scaled = Fall {
                inertia: &fall.inertia * inertia,
                velocity: &fall.velocity * speed,
                surfaces: fall
                    .surfaces
                    .iter()
                    .map(|own| Surface { stiffness: own.stiffness * stiffness, ..*own })
                    .collect(),
                ..fall
            };
            let other = scaled.solve().unwrap();
            for (x, y) in landing.velocity.iter().zip(&other.velocity) {
                assert_eq!(x.map(|v| v * speed), *y);
            }
        }
    }
}

#[test]
fn elastic_balls_keep_their_energy() {
    for exponent in [Exponent::Hertz, Exponent::Linear] {
        for count in 1..=8 {
            let smooth = Friction::uniform(0.0).unwrap();
            let ball = Surface { tangents: 0, ..Surface::new(1.0, smooth) };
            let inertia = DMatrix::from_fn(count, count, |i, j| match i.abs_diff(j) {
                0 => 2.0,
                1 => -1.0,
                _ => 0.0,
            });
            let mut velocity = vec![0.0; count];
            velocity[0] = -1.0;
            let law = NormalLaw::Bistiffness;
            let row = Several::new(inertia, vec![ball; count], law, exponent).unwrap();
            let landing = row.solve(&velocity, exact()).unwrap();
            let (v, p) = (&landing.velocity, &landing.impulse);
            let change: f64 = (0..count).map(|i| 0.5 * p[i][0] * (v[i][0] + velocity[i])).sum();
            assert!(change.abs() < 1e-12, "{count} {change:e}");
        }
    }
}

/// `[1, −0.6; −0.6, 1.2]`, stiffness 1 and 0.2, e = 0 and 0.8: the first contact drops
/// through the point of zero acceleration, and stays if it is plastic.
#[test]
fn little_restitution_has_a_limit() {
    let solve = |restitution: f64, hold: Hold| {
        let smooth = Friction::uniform(0.0).unwrap();
        let own = |e, stiffness| Surface { stiffness, tangents: 0, ..Surface::new(e, smooth) };
        let surfaces = vec![Surface { hold, ..own(restitution, 1.0) }, own(0.8, 0.2)];
        let inertia = DMatrix::from_row_slice(2, 2, &[1.0, -0.6, -0.6, 1.2]);
        let (law, exponent) = (NormalLaw::Bistiffness, Exponent::Hertz);
        let pair = Several::new(inertia, surfaces, law, exponent).unwrap();
        pair.solve(&[-1.0, -0.7], exact())
            .unwrap()
            .velocity
            .iter()
            .map(|row| row[0])
            .collect::<Vec<_>>()
            .try_into()
            .unwrap()
    };
    let near = |found: [f64; 2], expected: [f64; 2], digits: f64| {
        let off = largest(found.iter().zip(expected).map(|(x, y)| x - y));
        assert!(off < digits, "{found:?}");
    };
    near(solve(0.05, Hold::Unilateral), [0.0029, 0.68131], 1e-4);
    near(solve(0.02, Hold::Unilateral), [0.0021, 0.68298], 1e-4);
    near(solve(0.01, Hold::Unilateral), [0.0012, 0.68397], 1e-4);
    near(solve(0.0, Hold::Unilateral), [0.0, 0.68517], 1e-5);
    assert_eq!(solve(0.0, Hold::Plastic)[0], 0.0);
}

#[test]
fn bad_input_is_named() {
    let smooth = Friction::uniform(0.0).unwrap();
    let one = Surface { tangents: 0, ..Surface::new(0.5, smooth) };
    let of = |entries: &[f64], surfaces: Vec<Surface>| {
        let rows = entries.len().isqrt();
        let inertia = DMatrix::from_row_slice(rows, rows, entries);
        Several::new(inertia, surfaces, NormalLaw::Bistiffness, Exponent::Hertz)
    };
    let message = |found: Result<Several, Error>| found.unwrap_err().to_string();
    let soft = Surface { stiffness: 0.0, ..one };
    assert!(message(of(&[1.0], vec![soft])).starts_with("contacts[0].stiffness = 0.0"));
    let more = Surface { restitution: 1.5, ..one };
    assert!(message(of(&[1.0], vec![more])).starts_with("contacts[0].restitution = 1.5"));
    let bent = Surface { tangents: 3, ..one };
    assert!(message(of(&[1.0], vec![bent])).starts_with("contacts[0].tangents = 3.0"));
    let held = Surface { hold: Hold::Held, ..one };
    assert!(message(of(&[1.0], vec![held])).starts_with("contacts = 0.0"));
    assert!(message(of(&[1.0; 1], vec![one; 2])).starts_with("D has size 1, not 2"));
    assert!(message(of(&[0.0], vec![one])).starts_with("D[0][0] = 0.0"));
    assert!(message(of(&[1.0, 2.0, 2.0, 1.0], vec![one; 2])).contains("not positive definite"));
    let pair = of(&[1.0, 1.0, 1.0, 1.0], vec![one; 2]).unwrap();
    let refused = |velocity: &[f64]| pair.solve(velocity, exact()).unwrap_err();
    assert!(matches!(refused(&[-1.0]), Error::WrongDimension { .. }));
    assert!(matches!(refused(&[-1.0, f64::NAN]), Error::NotFinite { .. }));
    assert!(matches!(refused(&[1.0, 1.0]), Error::NotApproaching { .. }));
    assert!(matches!(refused(&[-1.0, 1.0]), Error::Unattainable { .. }));
}

/// A contact that slides and touches without approaching jams where friction presses it down
/// more than it lifts: the answer is the limit of slower and slower approach.
#[test]
fn an_impact_without_collision_is_a_limit() {
    let inertia = DMatrix::from_row_slice(3, 3, &[1.0, 1.4, 0.3, 1.4, 2.5, 0.2, 0.3, 0.2, 2.0]);
    let surface = Surface::new(0.5, Friction::uniform(1.2).unwrap());
    let (law, exponent) = (NormalLaw::Bistiffness, Exponent::Hertz);
    let one = Several::new(inertia, vec![surface], law, exponent).unwrap();
    let from = |normal: f64| one.solve(&[normal, 1.0, 0.1], exact()).unwrap().velocity[0];
    let limit = from(0.0);
    assert!(limit[0] > 0.1, "{limit:?}");
    for slow in [1e-6, 1e-8, 1e-10] {
        let off = largest(from(-slow).iter().zip(limit).map(|(x, y)| x - y));
        assert!(off < 10.0 * slow + 1e-9, "{slow:e} {off:e}");
    }
    // Sliding the other way friction lifts it.
    assert!(matches!(one.solve(&[0.0, -1.0, 0.1], exact()), Err(Error::NotApproaching { .. })));
}

/// The same at one contact by series, by tables and in the plane, under each law.
#[test]
fn a_single_contact_that_jams_is_a_limit() {
    let inertia = [[1.0, 1.4, 0.3], [1.4, 2.5, 0.2], [0.3, 0.2, 2.0]];
    let (contact, friction) = (Contact::new(inertia).unwrap(), Friction::uniform(1.2).unwrap());
    let plane = Contact::new([[1.0, 1.4], [1.4, 2.5]]).unwrap();
    for law in [Law::Newton, Law::Poisson, Law::Energetic] {
        let restitution = Restitution::new(law, 0.5).unwrap();
        let space = |normal| contact.solve([normal, 1.0, 0.1], friction, restitution).unwrap();
        let limit = space(0.0).velocity;
        let off = |other: [f64; 3]| largest(limit.iter().zip(other).map(|(x, y)| x - y));
        assert!(off(space(-1e-9).velocity) < 1e-8, "{law:?}");
        let flow = Flow::new(&contact, friction);
        assert_eq!(flow.solve([0.0, 1.0, 0.1], restitution).unwrap().velocity, limit);
        let planar = |normal| plane.solve([normal, 1.0], friction, restitution).unwrap().velocity;
        let ([x, y], [u, v]) = (planar(0.0), planar(-1e-9));
        assert!((x - u).abs() < 1e-8 && (y - v).abs() < 1e-8, "{law:?}");
        if law == Law::Energetic {
            let several = Several::new(
                DMatrix::from_fn(3, 3, |i, j| inertia[i][j]),
                vec![Surface::new(0.5, friction)],
                NormalLaw::Bistiffness,
                Exponent::Hertz,
            );
            let landing = several.unwrap().solve(&[0.0, 1.0, 0.1], exact()).unwrap();
            assert!(off(landing.velocity[0]) < 1e-9);
        }
        for lifts in [-1.0, 0.0] {
            let refused = contact.solve([0.0, lifts, 0.1], friction, restitution);
            assert!(matches!(refused, Err(Error::NotApproaching { .. })), "{law:?} {lifts}");
        }
    }
}
