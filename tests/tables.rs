//! The printed tables of the planar paper: an example rod under three laws.
//! Misprints are checked against the true value, and shown to be misprints.

use nalgebra::{SMatrix, SVector};
use routh::{Friction, Impact, Law, Multibody, Restitution};

struct Rod {
    impact: Impact<2>,
    qd: SVector<f64, 3>,
}

/// The paper's rod, Eq. 58-59 with `J[1][2] = 0.353553` and `I = 1/12`.
fn rod(law: Law, e: f64) -> Rod {
    let arm = 0.5 * 0.5_f64.sqrt();
    let mass = SMatrix::<f64, 3, 3>::from_diagonal(&SVector::from([1.0, 1.0, 1.0 / 12.0]));
    let jacobian = SMatrix::<f64, 2, 3>::new(0.0, 1.0, -arm, 1.0, 0.0, arm);
    let rod = Multibody::new(&mass, &jacobian).unwrap();
    let qd = SVector::from([0.6, -1.0, 0.0]);
    let friction = Friction::new(0.73, 0.7).unwrap();
    let restitution = Restitution::new(law, e).unwrap();
    let impact = rod.contact().solve(rod.contact_velocity(&qd), friction, restitution).unwrap();
    Rod { qd: rod.velocity_after(&qd, &impact), impact }
}

/// Whether a value, rounded or cut off, equals the printed one.
fn prints(value: f64, printed: &str) -> bool {
    let digits = printed.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let unit = 10.0_f64.powi(-(digits as i32));
    let printed: f64 = printed.parse().unwrap();
    let beyond = (value - printed) * if printed < 0.0 { -1.0 } else { 1.0 } / unit;
    (-0.5000001..1.0).contains(&beyond)
}

fn row(name: &str, values: [f64; 3], printed: [&str; 3]) {
    for (value, printed) in values.into_iter().zip(printed) {
        assert!(prints(value, printed), "{name}: {value} is not {printed}");
    }
}

#[test]
fn table_1_of_the_planar_paper() {
    let rods = Law::ALL.map(|law| rod(law, 0.82));
    let each = |f: &dyn Fn(&Rod) -> f64| [f(&rods[0]), f(&rods[1]), f(&rods[2])];
    row("v_ne", each(&|r| r.impact.velocity[0]), ["0.82", "0.5248", "0.589"]);
    row("v_te", each(&|r| r.impact.velocity[1]), ["0", "0", "0"]);
    row("I_ne", each(&|r| r.impact.impulse[0]), ["0.9125", "0.728", "0.7681"]);
    row("I_te", each(&|r| r.impact.impulse[1]), ["0.3075", "0.1968", "0.2209"]);
    row("qd_1", each(&|r| r.qd[0]), ["0.9075", "0.7968", "0.8209"]);
    row("qd_2", each(&|r| r.qd[1]), ["-0.0875", "-0.272", "-0.2319"]);
    row("qd_3", each(&|r| r.qd[2]), ["-2.5668", "-2.2537", "-2.3218"]);
    row("W_ne", each(&|r| r.impact.normal_work), ["0.0489", "-0.0752", "-0.0528"]);
    assert!(!prints(rods[0].impact.normal_work, "-0.0489"));
    row("energy", each(&|r| r.impact.energy_change), ["0.0101", "-0.1139", "-0.0916"]);
}

#[test]
fn table_2_of_the_planar_paper() {
    let rods = Law::ALL.map(|law| rod(law, 1.0));
    let each = |f: &dyn Fn(&Rod) -> f64| [f(&rods[0]), f(&rods[1]), f(&rods[2])];
    row("qd_1", each(&|r| r.qd[0]), ["0.975", "0.84", "0.869"]);
    row("qd_2", each(&|r| r.qd[1]), ["0.025", "-0.2", "-0.151"]);
    assert!(!prints(rods[0].qd[1], "-0.025"));
    row("W_te", each(&|r| r.impact.friction_work), ["-0.0388", "-0.0388", "-0.0388"]);
    row("energy", each(&|r| r.impact.energy_change), ["0.1125", "-0.072", "-0.0388"]);
    row("qd_3", each(&|r| r.qd[2]), ["-2.758", "-2.376", "-2.458"]);
}
