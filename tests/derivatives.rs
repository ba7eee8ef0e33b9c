//! Generated Jacobians against differences, away from where the mode changes.

use routh::{Accuracy, Friction, Restitution};
use routh_tests::generated::{any_planar_varied, any_varied};
use routh_tests::random::{Kind, Random};
use routh_tests::reference::{Case, Impacts, largest};

/// Differences are this far apart in velocities, friction and restitution.
const STEP: f64 = 1e-6;

macro_rules! compare {
    ($test:ident, $module:ident, $size:literal, $random:expr) => {
        #[test]
        fn $test() {
            let mut random = Random::seeded(21);
            let (mut compared, mut errors) = ([0; 8], Vec::new());
            // Static and kinetic friction, and the coefficient of restitution.
            let fixed = $size + $size * $size;
            let [kinetic, e] = [fixed + 1, fixed + 3];
            for i in 0..40_000 {
                let mut row = $random(&mut random, i).row();
                // Room on both sides.
                row[fixed] += 0.01;
                row[e] = row[e].clamp(0.01, 0.99);
                let Ok(found) = $module::of_row(&row) else { continue };
                if row[1..$size].iter().all(|v| v.abs() < 1e-2) || row[kinetic] < 1e-2 {
                    continue;
                }
                for (j, place) in (0..$size).chain([kinetic, e]).enumerate() {
                    let beside = [STEP, -STEP, 0.1 * STEP, -0.1 * STEP].map(|h| {
                        let mut row = row.clone();
                        row[place] += h;
                        $module::of_row(&row).ok().filter(|beside| beside.mode == found.mode)
                    });
                    let [Some(more), Some(less), Some(nearer), Some(near)] = beside else {
                        continue;
                    };
                    let slope = |i: usize| (more.velocity[i] - less.velocity[i]) / (2.0 * STEP);
                    let close = |i: usize| (nearer.velocity[i] - near.velocity[i]) / (0.2 * STEP);
                    // Where they differ, the Jacobian changes within a step.
                    let size = |i: usize| 1.0 + slope(i).abs();
                    if (0..$size).any(|i| (slope(i) - close(i)).abs() > 1e-5 * size(i)) {
                        continue;
                    }
                    compared[found.mode as usize] += 1;
                    let error = (0..$size)
                        .map(|i| (found.jacobian[i][j] - slope(i)).abs() / (1.0 + slope(i).abs()))
                        .fold(0.0, f64::max);
                    errors.push((error, found.mode, j, row.clone()));
                }
            }
            errors.sort_by(|x, y| x.0.total_cmp(&y.0));
            let at = |part: f64| errors[(part * (errors.len() - 1) as f64) as usize].0;
            println!(
                "by mode {compared:?}; median {:.1e}, 99.9 % {:.1e}, most {:.1e}",
                at(0.5),
                at(0.999),
                at(1.0)
            );
            for (error, mode, j, row) in errors.iter().rev().take(5) {
                println!("{error:.1e} {mode:?} {j} {row:?}");
            }
            assert!(compared[..5].iter().all(|&n| n > 100), "{compared:?}");
            assert!(at(0.999) < 1e-6 && at(1.0) < 1e-3, "{:e} {:e}", at(0.999), at(1.0));
        }
    };
}

compare!(in_space, any_varied, 3, |random: &mut Random, i: usize| {
    random.spatial([Kind::Plain, Kind::Coupled, Kind::Isotropic, Kind::Axis][i % 4])
});
compare!(in_the_plane, any_planar_varied, 2, |random: &mut Random, _| random.planar());

/// Without restitution the impact ends with compression, and the derivative by its
/// coefficient is still not zero.
#[test]
fn plastic_impacts_have_slopes() {
    let mut random = Random::seeded(22);
    for _ in 0..2_000 {
        let mut row = random.spatial(Kind::Plain).row();
        let [plastic, more] = [0.0, 1e-7].map(|e| {
            row[15] = e;
            any_varied::of_row(&row).unwrap()
        });
        for i in 0..3 {
            let slope = (more.velocity[i] - plastic.velocity[i]) / 1e-7;
            let error = (plastic.jacobian[i][4] - slope).abs() / (1.0 + slope.abs());
            assert!(error < 1e-4, "{error:e} {row:?}");
        }
    }
}

/// At rest inside the cone the derivative by the tangential velocity is that of starts beside
/// it, which slip briefly and then stick.
#[test]
fn starts_at_rest_have_slopes() {
    let mut random = Random::seeded(23);
    let mut compared = [0; 2];
    for _ in 0..3_000 {
        let mut row = random.spatial(Kind::Coupled).row();
        (row[1], row[2]) = (0.0, 0.0);
        let found = any_varied::of_row(&row).unwrap();
        if found.critical_friction < 0.9 * row[13] {
            for j in 1..3 {
                let [more, less] = [1e-8, -1e-8].map(|h| {
                    row[j] = h;
                    any_varied::of_row(&row).unwrap()
                });
                row[j] = 0.0;
                for i in 0..3 {
                    let slope = (more.velocity[i] - less.velocity[i]) / 2e-8;
                    let error = (found.jacobian[i][j] - slope).abs() / (1.0 + slope.abs());
                    assert!(error < 1e-5, "{error:e} {i} {j} {row:?}");
                }
            }
            compared[0] += 1;
        }
        let mut row = random.planar().row();
        row[1] = 0.0;
        let found = any_planar_varied::of_row(&row).unwrap();
        if found.critical_friction < 0.9 * row[7] {
            let [more, less] = [1e-8, -1e-8].map(|h| {
                row[1] = h;
                any_planar_varied::of_row(&row).unwrap()
            });
            for i in 0..2 {
                let slope = (more.velocity[i] - less.velocity[i]) / 2e-8;
                let error = (found.jacobian[i][1] - slope).abs() / (1.0 + slope.abs());
                assert!(error < 1e-5, "{error:e} {i} {row:?}");
            }
            compared[1] += 1;
        }
    }
    assert!(compared.iter().all(|n| *n > 300), "{compared:?}");
    let row = [&[-1.0, 0.0, 0.0][..], &[1.0, 0.3, 0.0, 0.3, 1.0, 0.0, 0.0, 0.0, 1.0]].concat();
    let found = any_varied::of_row(&[&row[..], &[1.0, 1.0, 1.0, 0.5]].concat()).unwrap();
    assert!((found.jacobian[0][1] - 0.15).abs() < 1e-15, "{found:?}");
}

/// At the edges of the theory and of the numbers a Jacobian is finite, or refused by its
/// name, and true where differences tell.
#[test]
fn jacobians_at_the_edges() {
    let (mut compared, mut refused, mut worst) = (0, 0, (0.0, String::new()));
    for Case { name, input, .. } in Impacts::adversarial().spatial {
        let contact = input.contact();
        let solve = |velocity, mu, e| {
            let friction = Friction::new(input.friction.static_friction().max(mu), mu).ok()?;
            let restitution = Restitution::new(input.restitution.law(), e).ok()?;
            let solved =
                contact.differentiate(velocity, friction, restitution, Accuracy::default()).ok()?;
            Some((solved.0.velocity, solved.0.mode, solved.0.events.count, solved.1))
        };
        let (mu, e) = (input.friction.kinetic(), input.restitution.e());
        let differentiated = contact.differentiate(
            input.velocity,
            input.friction,
            input.restitution,
            Accuracy::default(),
        );
        let (impact, jacobian) = match differentiated {
            Ok(found) => found,
            Err(error) => {
                assert_eq!(error.kind(), "not_finite", "{name}: {error}");
                refused += 1;
                continue;
            }
        };
        assert!(jacobian.as_flattened().iter().all(|x| x.is_finite()), "{name}: {jacobian:?}");
        let speed = largest(input.velocity.into_iter().chain(impact.velocity));
        for j in 0..5 {
            // Errors are felt as parts of what an argument contributes to a velocity.
            let own = |v: f64| if v == 0.0 { speed } else { v.abs() };
            let [n, t1, t2] = input.velocity.map(own);
            let scale = [n, t1, t2, mu, 1.0][j];
            let moved = |h: f64| {
                let mut velocity = input.velocity;
                let (mut mu, mut e) = (mu, e);
                match j {
                    3 => mu += h,
                    4 => e += h,
                    _ => velocity[j] += h,
                }
                solve(velocity, mu, e)
                    .filter(|found| (found.1, found.2) == (impact.mode, impact.events.count))
            };
            let slopes = [1e-5, 1e-6].map(|part| {
                let h = part * scale;
                let (more, less) = (moved(h)?, moved(-h)?);
                Some([0, 1, 2].map(|i| (more.0[i] - less.0[i]) / (2.0 * h)))
            });
            let [Some(coarse), Some(fine)] = slopes else { continue };
            let unit = speed / scale;
            let size = largest(fine).max(unit);
            if largest((0..3).map(|i| coarse[i] - fine[i])) > 1e-5 * size {
                continue;
            }
            compared += 1;
            let error = largest((0..3).map(|i| jacobian[i][j] - fine[i])) / size;
            if error > worst.0 || error.is_nan() {
                worst = (error, format!("{name}, column {j}: {fine:?} {jacobian:?}"));
            }
        }
    }
    println!("{compared} columns compared, {refused} refused, worst {:.1e}: {}", worst.0, worst.1);
    assert!(compared > 3500 && worst.0 < 1e-5);
}
