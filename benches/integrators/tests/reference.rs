//! Every integrator against reference data that was computed elsewhere.

use routh::{Contact, Friction};
use routh_integrators::dormand_prince::{self, Method as DormandPrince};
use routh_integrators::{Failure, Method, Motion, Problem, direct, matched, precise, runge_kutta};
use serde_json::Value;

const DATA: &str = include_str!("../../../tests/data/sliding.json");

const INERTIA: [[f64; 3]; 3] = [[1.3, 0.4, -0.2], [0.4, 2.1, 0.5], [-0.2, 0.5, 0.9]];

struct Case {
    name: String,
    problem: Problem,
    velocity: Vec<[f64; 2]>,
    scale: f64,
}

fn list<const N: usize>(value: &Value) -> [f64; N] {
    let numbers: Vec<f64> = serde_json::from_value(value.clone()).unwrap();
    numbers.try_into().unwrap()
}

fn cases() -> Vec<Case> {
    let data: Value = serde_json::from_str(DATA).unwrap();
    let rows = |value: &Value| value.as_array().unwrap().clone();
    let case = |case: &Value| {
        let inertia = rows(&case["D"]).iter().map(list::<3>).collect::<Vec<_>>();
        let (v0, mu) = (list::<2>(&case["v0"]), case["mu"].as_f64().unwrap());
        let impulse: Vec<f64> =
            rows(&case["impulse"]).iter().map(|p| p.as_f64().unwrap()).collect();
        Case {
            name: case["name"].to_string(),
            problem: Problem::new(inertia.try_into().unwrap(), mu, v0, &impulse),
            velocity: rows(&case["velocity"]).iter().map(list::<2>).collect(),
            scale: v0[0].hypot(v0[1]),
        }
    };
    rows(&data["trajectories"]).iter().map(case).collect()
}

/// The spatial paper's first motion and its velocities.
fn motion() -> (Motion, Vec<[f64; 2]>) {
    let data: Value = serde_json::from_str(DATA).unwrap();
    let rows = data["trajectories"][0]["D"].as_array().unwrap().iter().map(list::<3>);
    let contact = Contact::new(rows.collect::<Vec<_>>().try_into().unwrap()).unwrap();
    let Case { problem, velocity, .. } = cases().remove(0);
    let friction = Friction::uniform(0.3).unwrap();
    (Motion::new(contact, friction, problem.start(), problem.impulse()), velocity)
}

#[test]
fn the_precise_motion_is_the_reference() {
    for case in cases() {
        let velocity = precise::follow(&case.problem).unwrap();
        let error = matched::error(&case.velocity, &velocity);
        assert!(error <= 2e-15 * case.scale, "{}: {error:e}", case.name);
    }
}

#[test]
fn adaptive_methods_come_near_with_their_tolerance() {
    for Case { name, problem, velocity, scale } in cases() {
        for tolerance in [1e-6, 1e-9, 1e-12] {
            let near = |run: Result<routh_integrators::Run, Failure>, method: &str| {
                let error = matched::error(&velocity, &run.unwrap().velocity);
                assert!(error < 1e3 * tolerance * scale, "{name}, {method}: {error:e}");
            };
            near(direct::follow(&problem, tolerance, 20), "series_direct");
            near(dormand_prince::follow(&problem, DormandPrince::Dopri5, tolerance), "dopri5");
            near(dormand_prince::follow(&problem, DormandPrince::Dop853, tolerance), "dop853");
        }
    }
}

#[test]
fn runge_kutta_converges_with_the_fourth_power() {
    let case = cases().remove(0);
    let run = |steps| runge_kutta::follow(&case.problem, steps);
    let error = |steps| matched::error(&case.velocity, &run(steps).velocity);
    let ratio = error(100) / error(200);
    assert!((12.0..20.0).contains(&ratio), "{ratio}");
    // Every stretch between the seven impulses has steps of its own.
    let taken = run(100).steps;
    assert!((100..107).contains(&taken) && run(100).evaluations == 4 * taken, "{taken}");
}

#[test]
fn the_fewest_steps_reach_the_error_and_one_fewer_does_not() {
    let (motion, velocity) = motion();
    let sweep = Method::Rk4.sweep(&motion, &velocity);
    let fewest = sweep.reach(1e-9).unwrap();
    assert!(fewest.error <= 1e-9);
    let fewer = Method::Rk4.follow(&motion, fewest.setting - 1.0).unwrap();
    let fewer = matched::error(&velocity, &fewer.velocity);
    assert!(fewer > 1e-9, "{fewer:e}");
    assert_eq!(sweep.reach(0.0), None);
}

#[test]
fn the_loosest_tolerance_reaches_the_error_and_looser_ones_do_not() {
    let (motion, velocity) = motion();
    let sweep = Method::Direct.sweep(&motion, &velocity);
    let loosest = sweep.reach(1e-9).unwrap();
    assert!(loosest.error <= 1e-9);
    let mut looser = sweep.trials.iter().filter(|trial| trial.setting > loosest.setting);
    assert!(looser.all(|trial| trial.error > 1e-9));
    assert!(sweep.nearest().unwrap().error <= loosest.error);
}

#[test]
fn a_halted_motion_sticks_where_friction_can_hold_it() {
    let problem = Problem::new(INERTIA, 2.0, [0.7, -1.1], &[0.0, 1e-3, 1e3]);
    let [start, moving, stuck] = precise::follow(&problem).unwrap().try_into().unwrap();
    assert_eq!((start, stuck), ([0.7, -1.1], [0.0, 0.0]));
    assert!(moving[0].hypot(moving[1]) > 1.0);
}

#[test]
fn out_of_rest_a_motion_follows_the_invariant_direction() {
    let problem = Problem::new(INERTIA, 0.15, [0.0, 0.0], &[1.0, 2.0]);
    let [one, two] = precise::follow(&problem).unwrap().try_into().unwrap();
    let rate = problem.rate(one);
    for i in 0..2 {
        assert!((one[i] - rate[i]).abs() < 1e-15);
        assert!((two[i] - 2.0 * one[i]).abs() < 1e-15);
    }
    let direct = direct::follow(&problem, 1e-9, 20);
    assert_eq!(direct, Err(Failure::AtRest { impulse: 0.0 }));
}

#[test]
fn units_do_not_matter() {
    let (big, small) = (2f64.powi(400), 2f64.powi(-300));
    let scaled = INERTIA.map(|row| row.map(|d| d * small));
    let plain = Problem::new(INERTIA, 0.15, [0.7, -1.1], &[1.0, 4.0]);
    let other =
        Problem::new(scaled, 0.15, [0.7 * big, -1.1 * big], &[big / small, 4.0 * big / small]);
    let velocity = precise::follow(&plain).unwrap().into_flattened();
    let scaled = precise::follow(&other).unwrap().into_flattened();
    assert_eq!(velocity, scaled.iter().map(|v| v / big).collect::<Vec<_>>());
}

#[test]
fn what_has_decayed_does_not_come_back() {
    let inertia = [
        [2.4948041776042134, -0.14230127686085947, -0.04406146714422023],
        [-0.14230127686085947, 6.449236308024989, 2.2232486141503816],
        [-0.04406146714422023, 2.2232486141503816, 0.8871560991130037],
    ];
    let v0 = [-7.705202963012117e-13, 6.871889686303372e-13];
    let problem = Problem::new(inertia, 0.01959556246046751, v0, &[3e-8, 3e-6, 3e-4]);
    let reference = precise::follow(&problem).unwrap();
    let direct = direct::follow(&problem, 1e-14, 20).unwrap();
    let error = matched::error(&reference, &direct.velocity);
    assert!(error < 1e-13 * 5e-6, "{error:e}");
}
