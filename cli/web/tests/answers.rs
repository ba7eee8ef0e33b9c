//! The module's answers are the solver's, and its course ends where the impact does.

use routh::{Contact, Friction, Law, Restitution};
use routh_web::exchange;
use routh_web::impact::Posed;
use routh_web::robots::inertia;

const D: [[f64; 3]; 3] = [[1.3, 0.4, -0.2], [0.4, 2.1, 0.5], [-0.2, 0.5, 0.9]];
const VELOCITY: [f64; 3] = [-1.0, 0.7, -1.1];
/// Numbers before those of the events.
const HEAD: usize = 13;
/// Numbers of a point of the course.
const POINT: usize = 5;

fn posed(dimensions: f64, fixed: f64, kinetic: f64, law: f64) -> Posed {
    let mut numbers = [0.0; 17];
    numbers[0] = dimensions;
    numbers[1..10].copy_from_slice(D.as_flattened());
    numbers[10..13].copy_from_slice(&VELOCITY);
    numbers[13..].copy_from_slice(&[fixed, kinetic, law, 0.7]);
    Posed::from(numbers)
}

#[test]
fn answers_are_the_solver_s() {
    for (law, number) in Law::ALL.into_iter().zip([0.0, 1.0, 2.0]) {
        for mu in [0.05, 0.3, 2.0] {
            let friction = Friction::uniform(mu).unwrap();
            let restitution = Restitution::new(law, 0.7).unwrap();
            let spatial = Contact::new(D).unwrap().solve(VELOCITY, friction, restitution).unwrap();
            assert_eq!(posed(3.0, mu, mu, number).solve().unwrap(), spatial);

            let [[a, c, _], [_, b, _], _] = D;
            let planar = Contact::new([[a, c], [c, b]]).unwrap();
            let planar = planar.solve([-1.0, 0.7], friction, restitution).unwrap();
            let found = posed(2.0, mu, mu, number).solve().unwrap();
            assert_eq!(
                (found.velocity[..2].to_vec(), found.mode),
                (planar.velocity.to_vec(), planar.mode)
            );
        }
    }
}

#[test]
fn the_course_ends_where_the_impact_does() {
    for mu in [0.05, 0.3, 2.0] {
        let answer = posed(3.0, mu, mu, 2.0).answer().unwrap();
        let (head, rest) = answer.numbers.split_at(HEAD);
        let events = head[HEAD - 1] as usize;
        let course = &rest[events..];
        assert_eq!(answer.text.split(' ').count(), 1 + events);
        assert_eq!(course.len() % POINT, 0);
        let last = &course[course.len() - POINT..];
        assert!((last[0] - head[3]).abs() < 1e-13);
        for (found, after) in last[1..4].iter().zip(head) {
            assert!((found - after).abs() < 1e-13, "{found} {after}");
        }
        let steps = course.chunks(POINT).filter(|point| point[4] == 1.0).count();
        assert!(steps >= 1 && steps <= 2 + head[HEAD - 2] as usize);
    }
}

#[test]
fn what_is_refused_is_told() {
    let error = posed(3.0, 0.1, 0.3, 2.0).answer().unwrap_err();
    assert_eq!(error.kind(), "friction_out_of_range");
}

#[test]
fn generated_robots_have_a_contact_inertia() {
    for (robot, size) in [(0, 3), (1, 2)] {
        let d = inertia(robot, &[0.3, 0.7, -1.2]);
        assert_eq!(d.len(), size * size);
        assert!((0..size).all(|i| d[i * size + i] > 0.0 && (d[i] - d[i * size]).abs() < 1e-12));
    }
    assert!(inertia(2, &[0.0; 3]).is_empty());
}

#[test]
fn answers_are_cut_to_the_memory_there_is() {
    let numbers = vec![1.0; exchange::OUTPUTS + 1];
    let text = "x".repeat(exchange::BYTES + 1);
    assert_eq!(exchange::write(&exchange::Answer { numbers, text }), exchange::OUTPUTS);
    assert_eq!(exchange::text_length(), exchange::BYTES);
}
