//! Results do not depend on units or frames, and a planar impact is a spatial
//! one.

use routh::{Contact, Impact};
use routh_tests::random::{Kind, Random};
use routh_tests::reference::{Input, difference};

/// Contacts of each kind and symmetry.
const EACH: usize = if cfg!(debug_assertions) { 500 } else { 10_000 };

fn solve(input: &Input<3>) -> Impact<3> {
    let contact = Contact::new(input.inertia).unwrap();
    contact.solve(input.velocity, input.friction, input.restitution).unwrap()
}

/// The tangent frame turned by an angle.
fn rotate([n, x, y]: [f64; 3], angle: f64) -> [f64; 3] {
    let (sin, cos) = angle.sin_cos();
    [n, cos * x - sin * y, sin * x + cos * y]
}

fn rotate_matrix(d: [[f64; 3]; 3], angle: f64) -> [[f64; 3]; 3] {
    let rows = d.map(|row| rotate(row, angle));
    let columns: [[f64; 3]; 3] =
        std::array::from_fn(|j| rotate(std::array::from_fn(|i| rows[i][j]), angle));
    std::array::from_fn(|i| std::array::from_fn(|j| 0.5 * (columns[i][j] + columns[j][i])))
}

/// How ill-conditioned the tangential inertia is.
fn condition(d: &[[f64; 3]; 3]) -> f64 {
    let [_, [_, b11, b12], [_, _, b22]] = *d;
    (b11 + b22) * (b11 + b22) / (b11 * b22 - b12 * b12)
}

fn for_all(seed: u64, mut check: impl FnMut(&Input<3>, f64)) {
    for kind in Kind::ALL {
        let mut random = Random::seeded(seed + kind as u64);
        for _ in 0..EACH {
            let input = random.spatial(kind);
            let parameter = random.uniform(0.0, 1.0);
            check(&input, parameter);
        }
    }
}

#[test]
fn units_of_powers_of_two_change_no_bit() {
    for_all(100, |input, parameter| {
        let (inertia, velocity) =
            ((664.0 * (parameter - 0.5)) as i32, 200 - (400.0 * parameter) as i32);
        let (u, w) = (2.0_f64.powi(inertia), 2.0_f64.powi(velocity));
        let scaled = Input {
            inertia: input.inertia.map(|row| row.map(|d| d * u)),
            velocity: input.velocity.map(|v| v * w),
            ..input.clone()
        };
        let (x, y) = (solve(input), solve(&scaled));
        // Subnormal numbers are the exception: scaling rounds them.
        if input.velocity.iter().all(|v| *v == 0.0 || v.abs().min((v * w).abs()) > 1e-280) {
            assert_eq!(x.velocity.map(|v| v * w), y.velocity, "{input:?}");
            assert_eq!(x.impulse.map(|p| p * (w / u)), y.impulse, "{input:?}");
            assert_eq!(x.normal_work * w / u * w, y.normal_work, "{input:?}");
            assert_eq!((x.mode, x.steps), (y.mode, y.steps), "{input:?}");
        }
    });
}

#[test]
fn any_units_give_the_same_impact() {
    for_all(200, |input, parameter| {
        let (u, w) = (10.0_f64.powf(14.0 * parameter - 7.0), 10.0_f64.powf(5.0 - 10.0 * parameter));
        let scaled = Input {
            inertia: input.inertia.map(|row| row.map(|d| d * u)),
            velocity: input.velocity.map(|v| v * w),
            ..input.clone()
        };
        let x = solve(input);
        let mut y = solve(&scaled);
        y.velocity = y.velocity.map(|v| v / w);
        y.impulse = y.impulse.map(|p| p * u / w);
        y.compression_impulse *= u / w;
        for work in [&mut y.normal_work, &mut y.friction_work, &mut y.energy_change] {
            *work *= u / w / w;
        }
        let error = difference(input, &x, &y);
        assert!(error < 1e-10, "{error:e}\n{input:?}\n{x:?}\n{y:?}");
    });
}

#[test]
fn turning_the_tangent_frame_turns_the_result() {
    for_all(300, |input, parameter| {
        let angle = 6.0 * parameter;
        let turned = Input {
            inertia: rotate_matrix(input.inertia, angle),
            velocity: rotate(input.velocity, angle),
            ..input.clone()
        };
        let x = solve(input);
        let mut y = solve(&turned);
        y.velocity = rotate(y.velocity, -angle);
        y.impulse = rotate(y.impulse, -angle);
        let error = difference(input, &x, &y);
        // Turning an ill-conditioned matrix rounds it to another one, and works
        // are measured in thousandths of their bound.
        let bound = 1e-10_f64.max(1e3 * f64::EPSILON * condition(&input.inertia));
        assert!(error < bound, "{error:e} above {bound:e}\n{input:?}\n{x:?}\n{y:?}");
    });
}

#[test]
fn a_mirror_mirrors_the_result() {
    let mirror = |[n, x, y]: [f64; 3]| [n, x, -y];
    for_all(400, |input, _| {
        let [n, x, y] = input.inertia;
        let mirrored = Input {
            inertia: [mirror(n), mirror(x), mirror(y).map(|d| -d)],
            velocity: mirror(input.velocity),
            ..input.clone()
        };
        let x = solve(input);
        let mut y = solve(&mirrored);
        y.velocity = mirror(y.velocity);
        y.impulse = mirror(y.impulse);
        let error = difference(input, &x, &y);
        assert!(error < 1e-12, "{error:e}\n{input:?}\n{x:?}\n{y:?}");
        assert_eq!(x.mode, y.mode, "{input:?}");
    });
}

#[test]
fn a_planar_impact_is_a_spatial_one() {
    let mut random = Random::seeded(500);
    for _ in 0..5 * EACH {
        let planar = random.planar();
        let [[a, c], [_, b]] = planar.inertia;
        let across = b * random.uniform(0.1, 3.0);
        let angle = random.uniform(0.0, 6.0);
        let embedded = [[a, c, 0.0], [c, b, 0.0], [0.0, 0.0, across]];
        let [n, t] = planar.velocity;
        let input = Input {
            inertia: rotate_matrix(embedded, angle),
            velocity: rotate([n, t, 0.0], angle),
            friction: planar.friction,
            restitution: planar.restitution,
        };
        let spatial = solve(&input);
        let contact = Contact::new(planar.inertia).unwrap();
        let impact = contact.solve(planar.velocity, planar.friction, planar.restitution).unwrap();
        let [vn, vt] = impact.velocity;
        let [pn, pt] = impact.impulse;
        let expected = Impact {
            velocity: rotate([vn, vt, 0.0], angle),
            impulse: rotate([pn, pt, 0.0], angle),
            compression_impulse: impact.compression_impulse,
            normal_work: impact.normal_work,
            friction_work: impact.friction_work,
            energy_change: impact.energy_change,
            ..spatial
        };
        let error = difference(&input, &spatial, &expected);
        assert!(error < 1e-10, "{error:e}\n{planar:?}\n{impact:?}\n{spatial:?}");
        assert_eq!(spatial.mode, impact.mode, "{planar:?}\n{impact:?}\n{spatial:?}");
    }
}
