//! Contacts that once went wrong.

use nalgebra::SMatrix;
use routh::{
    Accuracy, Contact, Error, Flow, Friction, Law, Mode, Multibody, Restitution, Trajectory,
};
use routh_tests::generated::{any, any_planar};
use routh_tests::reference::{Input, largest};

fn law(law: Law, e: f64) -> Restitution {
    Restitution::new(law, e).unwrap()
}

#[test]
fn a_direction_that_attracts_strongly_settles() {
    let contact = Contact::new([
        [18126.81375708001, 0.16804011376122524, -142001.5888861478],
        [0.16804011376122524, 2.1730467425658418e-05, -1.0265838789281325],
        [-142001.5888861478, -1.0265838789281325, 2967078.424517935],
    ])
    .unwrap();
    let velocity = [-27.51156820007387, -0.00010607970393033637, 2.0474498882152695e-05];
    let friction = Friction::uniform(0.05180775188590455).unwrap();
    let impact = contact.solve(velocity, friction, law(Law::Newton, 0.5)).unwrap();
    assert!(impact.steps < 100, "{}", impact.steps);
}

#[test]
fn friction_next_to_nothing_is_no_friction() {
    let restitution = law(Law::Energetic, 0.5);
    for (mu, h) in [(1e-40, 0.0), (0.0, 1e-35), (1e-300, 0.0)] {
        let contact = Contact::new([[1.0, h, 0.0], [h, 1.0, 0.0], [0.0, 0.0, 1.5]]).unwrap();
        let friction = Friction::uniform(mu).unwrap();
        let impact = contact.solve([-1.0, 1.0, 0.1], friction, restitution).unwrap();
        assert!((impact.velocity[0] - 0.5).abs() < 1e-14, "{mu}, {h}: {impact:?}");
    }
    let (a, h) = (1e10, 1e-300);
    let contact = Contact::new([[a, h, 0.0], [h, 1.0, 0.0], [0.0, 0.0, 1.5]]).unwrap();
    let friction = Friction::uniform(0.0).unwrap();
    let impact = contact.solve([-1.0, 1.0, 0.1], friction, restitution).unwrap();
    assert!((impact.velocity[0] - 0.5).abs() < 1e-14, "{impact:?}");
}

#[test]
fn a_small_energetic_restitution_is_not_lost() {
    let [a, c, b] = [0.20992769937601868, -1.1596347503944007, 7.8112618835326195];
    let (vn, vt) = (-1.8862196775960853, 0.9036797484958459);
    let friction = Friction::uniform(0.06733505973979209).unwrap();
    for e in [5.5e-9, 1e-7, 1e-5] {
        let restitution = law(Law::Energetic, e);
        let plane = Contact::new([[a, c], [c, b]]).unwrap();
        let space =
            Contact::new([[a, c, 0.0], [c, b, 0.0], [0.0, 0.0, 5.4678833184728335]]).unwrap();
        let plane = plane.solve([vn, vt], friction, restitution).unwrap().velocity[0];
        // Slightly off the axis, so that the slip is a series.
        let space = space.solve([vn, vt, 1e-9], friction, restitution).unwrap().velocity[0];
        assert!((space - plane).abs() < 1e-6 * plane + 1e-15, "{e:e}: {space:e} for {plane:e}");
    }
}

#[test]
fn the_first_integral_is_a_number_on_an_invariant_direction() {
    let contact = Contact::new([
        [1.0119560254663775, -1.5073573399520523, -0.019623793996934678],
        [-1.5073573399520523, 3.2650577418596995, 0.1310126109566809],
        [-0.019623793996934678, 0.1310126109566809, 0.025932657733351874],
    ])
    .unwrap();
    let friction = Friction::uniform(0.645081107733827).unwrap();
    let v0 = [-2.1191558568267093, 0.5633946039434707];
    let motion = Trajectory::new(&contact, friction, v0, Accuracy::default()).unwrap();
    let mut motion = motion.checked();
    for p in [0.1, 1.0, 10.0, 100.0] {
        motion.advance(p).unwrap();
    }
    assert!(motion.first_integral_drift().unwrap() < 1e-11);
}

#[test]
fn a_motion_starts_where_it_starts() {
    let contact = Contact::new([[1.3, 0.4, -0.2], [0.4, 2.1, 0.5], [-0.2, 0.5, 0.9]]).unwrap();
    let friction = Friction::uniform(0.15).unwrap();
    let v0 = [0.7, -1.1];
    let mut motion = Trajectory::new(&contact, friction, v0, Accuracy::default()).unwrap();
    assert_eq!(motion.advance(0.0), Ok(v0));
}

#[test]
fn a_halt_at_the_end_of_compression_is_one_in_compression() {
    let friction = Friction::uniform(1.0).unwrap();
    let restitution = law(Law::Newton, 0.5);
    let plane = Contact::new([[1.0, 0.0], [0.0, 1.0]]).unwrap();
    let space = Contact::new([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]).unwrap();
    let plane = plane.solve([-1.0, 1.0], friction, restitution).unwrap();
    let space = space.solve([-1.0, 1.0, 0.0], friction, restitution).unwrap();
    assert_eq!(plane.mode, Mode::StickingInCompression);
    assert_eq!(space.mode, plane.mode);
    assert_eq!(space.events, plane.events);
}

#[test]
fn asymmetry_is_measured_where_it_is() {
    let mass = SMatrix::<f64, 3, 3>::new(1e9, 0.0, 0.0, 0.0, 1.0, 0.5, 0.0, 0.1, 1.0);
    let jacobian = SMatrix::<f64, 2, 3>::new(1.0, 0.0, 0.0, 0.0, 1.0, 0.0);
    let error = Multibody::new(&mass, &jacobian).unwrap_err();
    assert_eq!(error.kind(), "not_symmetric");
    let mass = SMatrix::<f64, 2, 2>::new(1.0, 2.0, 2.0, 1.0);
    let error = Multibody::new(&mass, &SMatrix::<f64, 2, 2>::identity()).unwrap_err();
    assert!(matches!(error, Error::NotPositiveDefinite { pivot, .. } if pivot == -3.0), "{error}");
}

#[test]
fn a_low_order_at_a_tight_tolerance_meets_the_limit() {
    let contact = Contact::new([[1.3, 0.4, -0.2], [0.4, 2.1, 0.5], [-0.2, 0.5, 0.9]]).unwrap();
    let friction = Friction::uniform(0.15).unwrap();
    let accuracy = Accuracy::new(1e-16).unwrap().with_order(2).unwrap();
    let mut motion = Trajectory::new(&contact, friction, [0.7, -1.1], accuracy).unwrap();
    assert_eq!(motion.advance(4.0).unwrap_err().kind(), "step_limit");
}

/// Restitution ends at once, long before the normal velocity would fall again.
#[test]
fn a_restitution_that_is_next_to_nothing_ends() {
    let contact = Contact::new([
        [1.465100022732957, 0.784510434203955, 0.027040304590578507],
        [0.784510434203955, 2.8048736209925416, -0.881183319818017],
        [0.027040304590578507, -0.881183319818017, 3.8932053819707066],
    ])
    .unwrap();
    let friction = Friction::uniform(2.6497557221377694).unwrap();
    let tangential = [1.7721045842324206, 2.0141643816988295];
    for (approach, e) in [(1.8387261916750486e-18, 0.1), (1e-8, 1.35e-11), (1e-8, 1e-13)] {
        let velocity = [-approach, tangential[0], tangential[1]];
        for exponent in 4..=16 {
            let accuracy = Accuracy::new(10_f64.powi(-exponent)).unwrap();
            let restitution = law(Law::Newton, e);
            let impact = contact.solve_with(velocity, friction, restitution, accuracy).unwrap();
            let [_, x, y] = impact.velocity;
            let moved = (x - tangential[0]).hypot(y - tangential[1]);
            assert!(moved < 1e-5, "{approach:e}, {e:e}, 1e-{exponent}: {impact:?}");
        }
    }
}

#[test]
fn a_direction_that_hardly_turns_is_kept() {
    let h = 1e-140;
    let contact = Contact::new([[1.0, h, 0.0], [h, 1.0, 0.0], [0.0, 0.0, 1.0]]).unwrap();
    let frictionless = Friction::uniform(0.0).unwrap();
    let mut motion =
        Trajectory::new(&contact, frictionless, [1.0, 0.005], Accuracy::default()).unwrap();
    let [x, y] = motion.advance(1.0).unwrap();
    assert!((x - 1.0).abs() < 1e-15 && (y - 0.005).abs() < 1e-15, "{x}, {y}");
}

#[test]
fn passed_impulses_are_refused() {
    let contact = Contact::new([[1.3, 0.4, -0.2], [0.4, 2.1, 0.5], [-0.2, 0.5, 0.9]]).unwrap();
    let friction = Friction::uniform(0.15).unwrap();
    let mut motion = Trajectory::new(&contact, friction, [0.7, -1.1], Accuracy::default()).unwrap();
    let early = motion.advance(0.1);
    assert!(early.is_ok() && motion.advance(4.0).is_ok());
    assert!(matches!(motion.advance(0.1), Err(Error::Passed { value: 0.1, .. })));
}

/// Directions whose inertias are 1e195 and 1e27 apart: once refused.
#[test]
fn inertias_may_be_any_number_apart() {
    let h = [1.0805109735421763e44, 1.3378895425287858e-54];
    let b12 = 88.7965583613637;
    let inertia = [
        [1.1440036067777302e-11, h[0], h[1]],
        [h[0], 1.836698001788e99, b12],
        [h[1], b12, 7.587812567105288e-96],
    ];
    let velocity = [-752861.2458459409, 6.435052417548587e-21, 1.6532709035144696e26];
    conserved(inertia, velocity, 31109926.82367159, law(Law::Poisson, 0.88));

    let h = [1.0300906611069423, 1.9814931962050304e-13];
    let b12 = 2.1303618872644856;
    let inertia = [
        [6.498146102844443e-13, h[0], h[1]],
        [h[0], 284119463014567.5, b12],
        [h[1], b12, 3.126347798449445e-13],
    ];
    let velocity = [-1.7607726069024903, 2869368534589.219, 37.67049161671743];
    conserved(inertia, velocity, 228161.82928163192, law(Law::Energetic, 0.19606755445742619));
}

/// An impact whose momentum balances row by row, beside the largest of each row's terms,
/// and whose impulse is in the cone.
fn conserved(inertia: [[f64; 3]; 3], velocity: [f64; 3], mu: f64, restitution: Restitution) {
    let friction = Friction::uniform(mu).unwrap();
    let impact = Contact::new(inertia).unwrap().solve(velocity, friction, restitution).unwrap();
    for i in 0..3 {
        let terms: [f64; 3] = std::array::from_fn(|j| inertia[i][j] * impact.impulse[j]);
        let scale = terms.iter().chain([&velocity[i]]).fold(0.0_f64, |x, y| x.max(y.abs()));
        let off = impact.velocity[i] - velocity[i] - terms.iter().sum::<f64>();
        assert!(off.abs() <= 1e-12 * scale, "row {i}: {off:e} of {scale:e}");
    }
    let [p, x, y] = impact.impulse;
    assert!(x.hypot(y) <= (1.0 + 1e-14) * mu * p, "{impact:?}");
}

/// Velocities and impulses of contacts near singular poses, by the series and by both kinds
/// of tables.
#[test]
fn tables_and_series_agree_near_singular_poses() {
    let newton = law(Law::Newton, 0.5);
    let energetic = law(Law::Energetic, 0.5);
    let light = [[1e-16, -4e-9, -5e-17], [-4e-9, 1.0, 3e-9], [-5e-17, 3e-9, 1e-16]];
    let diagonal = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1e-12]];
    let slippery = [[1.0, -0.3, -0.1], [-0.3, 1.0, 0.4], [-0.1, 0.4, 1.0]];
    let grazed = [[1.0, 0.2, 0.1], [0.2, 1.0, -0.4], [0.1, -0.4, 1.0]];
    for (inertia, velocity, mu, restitution) in [
        (light, [-1.0, -0.6, -0.9], 0.5, newton),
        (diagonal, [-1.0, -1.3, 1.8], 1.0, newton),
        (slippery, [-1.0, 0.9, -0.7], 1e-12, newton),
        (grazed, [-0.001, 1.0, -1.0], 1.0, energetic),
    ] {
        let (contact, friction) = (Contact::new(inertia).unwrap(), Friction::uniform(mu).unwrap());
        let series = contact.solve(velocity, friction, restitution).unwrap();
        for make in [Flow::new, Flow::compact] {
            let tables = make(&contact, friction).solve(velocity, restitution).unwrap();
            let [p, x, y] = tables.impulse;
            assert!(x.hypot(y) <= (1.0 + 1e-11) * mu * p, "{tables:?}");
            for i in 0..3 {
                let speed = largest(velocity.into_iter().chain(series.velocity));
                assert!((tables.velocity[i] - series.velocity[i]).abs() <= 1e-11 * speed);
                let off = (tables.impulse[i] - series.impulse[i]).abs();
                assert!(off <= 1e-11 * largest(series.impulse), "{tables:?} {series:?}");
            }
        }
    }
}

/// Slips that begin beside a direction that repels them, where one of the tangential
/// inertias is far less than the other: the last digit of their direction decides about their
/// impulse. Tables once lost it. Impulses by an integration of 113 bits.
#[test]
fn tables_resolve_light_directions() {
    use Law::{Energetic, Newton, Poisson};
    let steep = [[4e10, -0.0018, -6.4e11], [-0.0018, 1.71e-15, 0.12], [-6.4e11, 0.12, 3.84e13]];
    for (inertia, velocity, mu, restitution, impulse, mode) in [
        (
            [[1.0, 0.1, 0.0], [0.1, 1.0, 5e-15], [0.0, 5e-15, 1e-14]],
            [-1.0, 2.0, 0.0],
            3.0,
            law(Energetic, 0.5),
            [1.7887306023540819, -2.178873060235414, 1.089436530117707],
            Mode::StickingInCompression,
        ),
        (
            [[1.0, 0.0, -2e-13], [0.0, 1.0, 0.0], [-2e-13, 0.0, 1e-12]],
            [-1.0, 0.5, 0.0],
            1.0,
            law(Newton, 0.0),
            [1.00000000000004, -0.5, 0.200000000000008],
            Mode::StickingInCompression,
        ),
        (
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1e-12]],
            [-1.0, 0.5, 1e-12],
            1.0,
            law(Newton, 0.5),
            [1.5, -0.5, -1.0],
            Mode::StickingInRestitution,
        ),
        (
            steep,
            [-1.4e5, -3e-9, 8.8e6],
            2.0,
            law(Energetic, 0.5),
            [2.6281496938290477e-07, 2.9834685168784807e-07, -2.2478641717695253e-07],
            Mode::PermanentSliding,
        ),
        (
            [[1.0, 0.0, 4e-7], [0.0, 1.0, 0.0], [4e-7, 0.0, 1e-6]],
            [-1.0, 2.0, 0.0],
            3.0,
            law(Poisson, 0.0),
            [1.0000001600000257, -2.0, -0.40000006400001026],
            Mode::StickingInCompression,
        ),
    ] {
        let (contact, friction) = (Contact::new(inertia).unwrap(), Friction::uniform(mu).unwrap());
        let series = contact.solve(velocity, friction, restitution).unwrap();
        let tables = [Flow::new, Flow::compact]
            .map(|make| make(&contact, friction).solve(velocity, restitution).unwrap());
        for impact in [series, tables[0], tables[1]] {
            let off = largest((0..3).map(|i| impact.impulse[i] - impulse[i]));
            assert!(off <= 1e-11 * largest(impulse), "{impact:?}");
            assert_eq!(impact.mode, mode, "{impact:?}");
        }
    }
}

/// An impact that once was off by five tolerances.
#[test]
fn impulses_keep_to_the_tolerance() {
    let contact = Contact::new([[1.0, -0.4, 0.4], [-0.4, 1.4, 0.0], [0.4, 0.0, 0.8]]).unwrap();
    let (friction, restitution) = (Friction::uniform(0.1).unwrap(), law(Law::Energetic, 0.8));
    let solve = |tolerance| {
        let accuracy = Accuracy::new(tolerance).unwrap();
        contact.solve_with([-1.1, -1.1, -0.9], friction, restitution, accuracy).unwrap()
    };
    let fine = solve(1e-16);
    for exponent in 3..=13 {
        let tolerance = 10_f64.powi(-exponent);
        let rough = solve(tolerance);
        for (x, y) in [(rough.velocity, fine.velocity), (rough.impulse, fine.impulse)] {
            let off = largest((0..3).map(|i| x[i] - y[i]));
            assert!(off <= tolerance * largest(y), "{off:e} at {tolerance:e}");
        }
    }
}

/// Contacts of condition 1e8 to 1e14 oblique to the axes, of which up to half were refused.
#[test]
fn oblique_singular_contacts_are_solved() {
    let q = [0.9, -0.9, -0.8];
    for exponent in 8..=13 {
        let least = 10_f64.powi(-exponent);
        let inertia: [[f64; 3]; 3] = std::array::from_fn(|i| {
            std::array::from_fn(|j| q[i] * q[j] + if i == j { least } else { 0.0 })
        });
        let velocity = [-1.0, -0.2, 0.2];
        for restitution in Law::ALL.map(|kind| law(kind, 0.5)) {
            conserved(inertia, velocity, 1.5, restitution);
        }
    }
}

/// Squares of such a velocity underflow to zero; a division by them once failed.
#[test]
fn a_slip_next_to_nothing_is_rest() {
    let friction = Friction::new(12.25, 5e-312).unwrap();
    for tangential in [1e-318, 1e-300, 1e-130, -1e-130, 1e-100, 1e-6] {
        let plane = Contact::new([[1.0, 0.0], [0.0, 212.0]]).unwrap();
        let space = Contact::new([[1.0, 0.0, 0.0], [0.0, 212.0, 0.0], [0.0, 0.0, 9.0]]).unwrap();
        let restitution = law(Law::Newton, 0.5);
        let plane = plane.solve([-1.0, tangential], friction, restitution).unwrap();
        let space = space.solve([-1.0, tangential, 0.0], friction, restitution).unwrap();
        assert_eq!(plane.velocity[0], 0.5, "{tangential:e}");
        assert_eq!(space.velocity[0], 0.5, "{tangential:e}");
    }
}

/// Products of friction and inertia that are no numbers beside the least inertia: these were
/// once not finite, or took steps without end.
#[test]
fn friction_that_overflows_is_named() {
    let restitution = law(Law::Newton, 0.5);
    let steep = |b| [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, b]];
    let heavy = [[1e200, 1e199, 0.0], [1e199, 1e200, 0.0], [0.0, 0.0, 1.0]];
    for (inertia, mu) in [(steep(1e-12), 1e300), (heavy, 1e200), (steep(1e300), 1e10)] {
        let (contact, friction) = (Contact::new(inertia).unwrap(), Friction::uniform(mu).unwrap());
        let velocity = [-1.0, 1.0, 0.3];
        let [series, tables, compact] = [
            contact.solve(velocity, friction, restitution),
            Flow::new(&contact, friction).solve(velocity, restitution),
            Flow::compact(&contact, friction).solve(velocity, restitution),
        ];
        for error in [series, tables, compact].map(Result::unwrap_err) {
            assert_eq!(error.kind(), "friction_out_of_range");
            assert!(
                error.to_string().starts_with(&format!("friction.kinetic = {mu:?} ")),
                "{error}"
            );
        }
        let input = Input { inertia, velocity, friction, restitution };
        assert_eq!(any::of_row(&input.row()), Err(any::Error::FrictionOutOfRange));
    }
    let (inertia, velocity) = ([[1.0, 1e150], [1e150, 1e301]], [-1.0, 1.0]);
    let (contact, friction) = (Contact::new(inertia).unwrap(), Friction::uniform(1e200).unwrap());
    let error = contact.solve(velocity, friction, restitution).unwrap_err();
    assert_eq!(error.kind(), "friction_out_of_range");
    let input = Input { inertia, velocity, friction, restitution };
    assert_eq!(any_planar::of_row(&input.row()), Err(any_planar::Error::FrictionOutOfRange));
}

/// Friction may be as strong as its products allow: a slip halts at once.
#[test]
fn friction_next_to_infinite_halts_at_once() {
    let restitution = law(Law::Newton, 0.5);
    let inertia = [[1.0, 0.2, 0.0], [0.2, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let contact = Contact::new(inertia).unwrap();
    for mu in [1e10, 1e100, 1e200, 1e300] {
        let friction = Friction::uniform(mu).unwrap();
        for impact in [
            contact.solve([-1.0, 1.0, 0.3], friction, restitution).unwrap(),
            Flow::new(&contact, friction).solve([-1.0, 1.0, 0.3], restitution).unwrap(),
        ] {
            // b⁻¹ (v⁺ - v⁻ - h p) at rest.
            let p = impact.impulse[0];
            let off = [p - 1.7 / 0.96, impact.impulse[1] + 1.0 + 0.2 * p, impact.impulse[2] + 0.3];
            assert!(largest(off) < 1e-9, "{mu:e}: {impact:?}");
        }
    }
}
