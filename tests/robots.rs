//! Generated robots against Pinocchio: inertia, Jacobian, contact velocity and
//! the velocities after impact.

use routh_tests::generated::{leg3_floating, planar_arm, spatial_arm4};
use routh_tests::reference::largest;
use serde_json::Value;

fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(entries) => entries.iter().flat_map(numbers).collect(),
        other => vec![other.as_f64().unwrap()],
    }
}

fn apart(found: &[f64], wanted: &[f64]) -> f64 {
    assert_eq!(found.len(), wanted.len());
    largest(found.iter().zip(wanted).map(|(x, y)| x - y)) / largest(wanted.iter().copied())
}

macro_rules! robot {
    ($robot:ident, $file:literal, $impacts:literal, $q:expr) => {
        #[test]
        fn $robot() {
            let all: Value = serde_json::from_str(include_str!($file)).unwrap();
            let mut impacts = 0;
            for case in all["cases"].as_array().unwrap() {
                let joints = numbers(&case["q"]);
                let q: Vec<f64> = $q.iter().copied().chain(joints).collect();
                let q = q.try_into().unwrap();
                let qd: [f64; $robot::VELOCITIES] = numbers(&case["qd"]).try_into().unwrap();
                let dynamics = $robot::Dynamics::at(&q);
                assert!(apart(&dynamics.inertia, &numbers(&case["D"])) < 1e-10);
                if !case["J"].is_null() {
                    assert!(apart(dynamics.jacobian.as_flattened(), &numbers(&case["J"])) < 1e-10);
                    assert!(apart(&dynamics.point, &numbers(&case["tip"])) < 1e-10);
                }
                let velocity: Vec<f64> = dynamics
                    .jacobian
                    .iter()
                    .map(|row| row.iter().zip(qd).map(|(j, v)| j * v).sum())
                    .collect();
                assert!(apart(&velocity, &numbers(&case["velocity"])) < 1e-10);
                let impact = &case["impact"];
                if impact.is_null() {
                    continue;
                }
                impacts += 1;
                let friction = $robot::Friction {
                    static_friction: impact["friction"]["static"].as_f64().unwrap(),
                    kinetic: impact["friction"]["kinetic"].as_f64().unwrap(),
                };
                assert_eq!(impact["restitution"]["law"], "energetic");
                let e = impact["restitution"]["e"].as_f64().unwrap();
                let restitution = $robot::Restitution { law: $robot::Law::Energetic, e };
                let found = $robot::impact(&q, &qd, &friction, &restitution).unwrap();
                let errors = [
                    apart(&found.velocity, &numbers(&impact["velocity_after"])),
                    apart(&found.impulse, &numbers(&impact["impulse"])),
                    match &impact["qd_after"] {
                        Value::Null => 0.0,
                        after => apart(&found.qd, &numbers(after)),
                    },
                ];
                assert!(largest(errors) < 1e-9, "{errors:?}");
            }
            assert_eq!(impacts, $impacts);
        }
    };
}

robot!(planar_arm, "data/robots/planar_arm.json", 0, [0.0; 0]);
robot!(spatial_arm4, "data/robots/spatial_arm4.json", 5, [0.0; 0]);
robot!(leg3_floating, "data/robots/leg3_floating.json", 5, [0.0, 0.0, 0.0, 1.0]);
