//! Bounds on the steps of a motion, also near rest.

use routh::{Accuracy, Contact, Friction, Trajectory};
use routh_tests::reference::{Sliding, largest, seed_robot};

/// Steps in factors of which the loosest tolerance is sought.
const RUNG: f64 = 0.75;

/// Errors to reach from the seed robot's starts, and the most steps for each.
const ERRORS: [f64; 3] = [2e-6, 1e-9, 1e-12];
const PLAIN: [[usize; 3]; 3] = [[5, 6, 8], [13, 15, 19], [6, 7, 9]];
const STRETCHED: [[usize; 3]; 3] = [[3, 4, 5], [8, 11, 14], [3, 4, 6]];

fn motion(contact: &Contact<3>, v0: [f64; 2], accuracy: Accuracy) -> Trajectory {
    Trajectory::new(contact, Friction::uniform(0.3).unwrap(), v0, accuracy).unwrap()
}

/// Steps at the loosest tolerance that reaches an error over all impulses.
fn steps(case: &routh_tests::reference::Trajectory, target: f64, stretched: bool) -> usize {
    let contact = Contact::new(case.inertia).unwrap();
    let mut tolerance = 1e-2;
    loop {
        let accuracy = Accuracy::new(tolerance).unwrap().with_order(24).unwrap();
        let accuracy = if stretched { accuracy.stretched() } else { accuracy };
        let mut motion = motion(&contact, case.v0, accuracy);
        let error = largest(case.impulse.iter().zip(&case.velocity).flat_map(|(&p, v)| {
            let [x, y] = motion.advance(p).unwrap();
            [x - v[0], y - v[1]]
        }));
        if error <= target {
            return motion.steps();
        }
        tolerance *= RUNG;
    }
}

#[test]
fn the_seed_robots_motions_take_few_steps() {
    for (stretched, most) in [(false, PLAIN), (true, STRETCHED)] {
        for (case, most) in Sliding::load().trajectories.iter().zip(most) {
            for (target, most) in ERRORS.into_iter().zip(most) {
                let found = steps(case, target, stretched);
                assert!(found <= most, "{} to {target:e}, {stretched}: {found}", case.name);
            }
        }
    }
}

#[test]
fn velocities_in_between_take_no_further_steps() {
    let robot = seed_robot();
    let mut sparse = motion(&robot, [1.0, -4.0], Accuracy::default());
    let mut dense = sparse.clone();
    let last = (0..=3000).map(|p| dense.advance(f64::from(p)).unwrap()).last();
    assert_eq!(last, Some(sparse.advance(3000.0).unwrap()));
    assert_eq!(sparse.steps(), dense.steps());
}

/// The flow has no scale of its own: a motion that passes ever nearer to rest
/// takes as many steps more as it takes to get there and back, by a constant
/// factor of the speed each, and none because it is slow.
#[test]
fn steps_do_not_shrink_as_the_speed_vanishes() {
    let robot = seed_robot();
    let steps = |scale: f64| {
        let mut motion = motion(&robot, [scale, -4.0 * scale], Accuracy::default());
        motion.advance(3000.0 * scale).unwrap();
        motion.steps()
    };
    let whole = steps(1.0);
    for exponent in 1..40 {
        assert_eq!(steps(0.5_f64.powi(exponent)), whole);
    }
    let closest = |offset: f64| {
        let mut motion = motion(&robot, [1.0 + offset, -4.0], Accuracy::default());
        motion.advance(3000.0).unwrap();
        motion.steps()
    };
    // From these starts the motion passes rest at up to a twentieth and at
    // less than a hundred-thousandth of its speed.
    let (far, near) = (closest(1.0), closest(0.0));
    assert!(near <= far + 14, "{far} and {near} steps");
}
