//! A batch gives the same bits as each impact alone.

use routh::{Accuracy, Collision, Contact, Error, Friction, Impact, Law, Restitution, solve_batch};
use routh_tests::random::{Kind, Random};
use routh_tests::reference::Input;

/// Contacts of each kind.
const EACH: usize = if cfg!(debug_assertions) { 1000 } else { 11_000 };

fn collision(input: &Input<3>) -> Collision {
    Collision {
        contact: Contact::new(input.inertia).unwrap(),
        velocity: input.velocity,
        friction: input.friction,
        restitution: input.restitution,
    }
}

/// Contacts of every kind side by side, some of extreme scale and some with
/// velocities that cannot be solved.
fn collisions(seed: u64, each: usize) -> Vec<Collision> {
    let mut random = Random::seeded(seed);
    let mut all = Vec::with_capacity(each * Kind::ALL.len());
    for i in 0..each {
        for kind in Kind::ALL {
            let mut collision = collision(&random.spatial(kind));
            let [normal, first, second] = &mut collision.velocity;
            match i % 50 {
                0 => *normal = f64::NAN,
                1 => *first = f64::INFINITY,
                2 => *second = f64::NEG_INFINITY,
                3 => *normal = -*normal,
                4 => *normal = 0.0,
                5 => *normal = -1e-310,
                6 => collision.velocity = collision.velocity.map(|v| v * 1e300),
                7 => collision.velocity = collision.velocity.map(|v| v * 1e-300),
                8 => [*first, *second] = [*first * 1e-290, *second * 1e-290],
                9 => [*first, *second] = [*first * 1e150, *second * 1e150],
                _ => {}
            }
            all.push(collision);
        }
    }
    all
}

/// All of an impact's numbers.
fn bits(impact: &Impact<3>) -> Vec<u64> {
    let Impact { velocity, impulse, compression_impulse, normal_work, friction_work, .. } = impact;
    let scalars =
        [compression_impulse, normal_work, friction_work, &impact.energy_change].into_iter();
    let events = impact.events.iter().map(|event| &event.impulse);
    velocity.iter().chain(impulse).chain(scalars).chain(events).map(|x| x.to_bits()).collect()
}

/// Errors may quote a velocity that is not a number and so equals nothing.
fn same(x: &Result<Impact<3>, Error>, y: &Result<Impact<3>, Error>) -> bool {
    match (x, y) {
        (Ok(found), Ok(wanted)) => x == y && bits(found) == bits(wanted),
        (Err(found), Err(wanted)) => format!("{found:?}") == format!("{wanted:?}"),
        _ => false,
    }
}

/// How many of them were solved.
#[track_caller]
fn assert_alike(collisions: &[Collision], accuracy: Accuracy) -> usize {
    let found = solve_batch(collisions, accuracy);
    assert_eq!(found.len(), collisions.len());
    for (found, collision) in found.iter().zip(collisions) {
        let alone = collision.solve(accuracy);
        assert!(same(found, &alone), "{accuracy:?}\n{collision:?}\n{found:?}\n{alone:?}");
    }
    found.iter().filter(|result| result.is_ok()).count()
}

#[test]
fn contacts_of_every_kind() {
    let collisions = collisions(1, EACH);
    let solved = assert_alike(&collisions, Accuracy::default());
    assert!(solved > collisions.len() * 8 / 10 && solved < collisions.len() * 95 / 100, "{solved}");
}

/// 32 is the highest order in lanes, and stretched steps are not in lanes.
#[test]
fn tolerances_and_orders() {
    let collisions = collisions(2, EACH / 20);
    for tolerance in [1e-2, 1e-6, 1e-10, 1e-16] {
        assert_alike(&collisions, Accuracy::new(tolerance).unwrap());
    }
    for order in [2, 3, 12, 13, 16, 20, 24, 31, 32, 33, 40, 64] {
        let tolerance = if order < 10 { 1e-4 } else { 1e-12 };
        let accuracy = Accuracy::new(tolerance).unwrap().with_order(order).unwrap();
        assert_alike(&collisions[..collisions.len() / 4], accuracy);
    }
    assert_alike(&collisions, Accuracy::default().stretched());
}

/// A lane, a row of lanes and a core's share, and one fewer and one more.
#[test]
fn any_number_of_them() {
    let collisions = collisions(3, 206);
    for length in [0, 1, 7, 8, 9, 15, 16, 17, 1023, 1024, 1025, 2049] {
        assert_alike(&collisions[1..=length], Accuracy::default());
    }
}

/// An impact's result does not depend on its neighbours.
#[test]
fn neighbours_do_not_matter() {
    let all = collisions(4, EACH / 20);
    let accuracy = Accuracy::default();
    let forward = solve_batch(&all, accuracy);
    let reversed: Vec<_> = all.iter().rev().copied().collect();
    let backward = solve_batch(&reversed, accuracy);
    assert!(forward.iter().zip(backward.iter().rev()).all(|(x, y)| same(x, y)));
}

#[test]
fn nothing_but_errors() {
    let collision = Collision {
        contact: Contact::new([[1.3, 0.4, -0.2], [0.4, 2.1, 0.5], [-0.2, 0.5, 0.9]]).unwrap(),
        velocity: [1.0, 0.7, -1.1],
        friction: Friction::uniform(0.15).unwrap(),
        restitution: Restitution::new(Law::Energetic, 0.5).unwrap(),
    };
    assert_eq!(assert_alike(&[collision; 100], Accuracy::default()), 0);
}
