//! The tolerance is kept: no velocity and no impulse of an impact is off by more than the
//! part of its scale that was asked for.

use routh::{Accuracy, Contact, Impact};
use routh_tests::random::{Kind, Random};
use routh_tests::reference::{Input, largest};

/// Impacts at each tolerance.
const MANY: usize = 10_000;

/// Powers of ten of the tolerances.
const EXPONENTS: std::ops::RangeInclusive<i32> = 3..=14;

/// Responses to a unit in the last place of the input that rounding may add up to.
const LAST_PLACES: f64 = 20.0;

/// More exact than any tolerance here.
fn finest() -> Accuracy {
    Accuracy::new(1e-16).unwrap()
}

/// The largest error of velocities and of impulses, each as a part of its scale.
fn error(input: &Input<3>, rough: &Impact<3>, fine: &Impact<3>) -> f64 {
    let apart = |a: [f64; 3], b: [f64; 3]| largest((0..3).map(|i| a[i] - b[i]));
    let speed = largest(input.velocity.into_iter().chain(fine.velocity));
    let velocity = apart(rough.velocity, fine.velocity) / speed;
    velocity.max(apart(rough.impulse, fine.impulse) / largest(fine.impulse))
}

/// How far an impact moves where one number of its input moves by a unit in the last place.
fn rounding(input: &Input<3>, fine: &Impact<3>) -> f64 {
    let solve = |moved: &Input<3>| {
        let contact = Contact::new(moved.inertia).ok()?;
        contact.solve_with(moved.velocity, moved.friction, moved.restitution, finest()).ok()
    };
    let moves = |i: usize| {
        let mut moved = input.clone();
        if i < 3 {
            moved.velocity[i] = moved.velocity[i].next_up();
        } else {
            let (row, column) = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)][i - 3];
            moved.inertia[row][column] = moved.inertia[row][column].next_up();
            moved.inertia[column][row] = moved.inertia[row][column];
        }
        solve(&moved).map_or(0.0, |other| error(input, &other, fine))
    };
    largest((0..9).map(moves))
}

#[test]
fn errors_keep_to_the_tolerance() {
    for exponent in EXPONENTS {
        let tolerance = 10_f64.powi(-exponent);
        let accuracy = Accuracy::new(tolerance).unwrap();
        let (mut random, mut errors, mut beyond, mut steps) = (Random::seeded(5), Vec::new(), 0, 0);
        for number in 0..MANY {
            let input = random.spatial(Kind::ALL[number % Kind::ALL.len()]);
            let solve = |accuracy| {
                let Input { velocity, friction, restitution, .. } = input;
                input.contact().solve_with(velocity, friction, restitution, accuracy).unwrap()
            };
            let (rough, fine) = (solve(accuracy), solve(finest()));
            let off = error(&input, &rough, &fine);
            if off > tolerance {
                let limit = tolerance + LAST_PLACES * rounding(&input, &fine);
                assert!(off < limit, "{off:e} of {limit:e} at 1e-{exponent}: {input:?}");
                beyond += 1;
            }
            steps += rough.steps;
            errors.push(off / tolerance);
        }
        errors.sort_by(f64::total_cmp);
        let [median, most, worst] =
            [0.5, 0.999, 1.0].map(|part| errors[(part * (errors.len() - 1) as f64) as usize]);
        println!(
            "1e-{exponent}: {median:.1e}, {most:.1e}, {worst:.1e} of it; \
             {beyond} beyond it by rounding; {steps} steps"
        );
    }
}
