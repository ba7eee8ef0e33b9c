//! The robots that the tested solvers are generated for.

use routh_codegen::mechanism::{Base, ContactFrame};
use routh_codegen::{Error, Kind, Precision, Robot, Runtime};

/// The spatial paper's robot.
const SEED: [[f64; 3]; 3] = [
    [9.009e-3, -0.342e-3, 1.845e-3],
    [-0.342e-3, 9.307e-3, 2.26e-3],
    [1.845e-3, 2.26e-3, 3.922e-3],
];

/// A contact whose second tangent is light.
const LIGHT: [[f64; 3]; 3] = [[1.0, 0.0, 4e-7], [0.0, 1.0, 0.0], [4e-7, 0.0, 1e-6]];

/// The planar paper's rod.
const ROD: [[f64; 2]; 2] = [[2.5, -1.5], [-1.5, 2.5]];

/// A contact in the plane whose numbers and their products are not exact.
pub(crate) const BAR: [[f64; 2]; 2] = [[2.31, -1.47], [-1.47, 2.63]];

/// A robot of three velocities, by its masses.
fn masses(name: &str) -> Robot {
    let rows = |rows: [[f64; 3]; 3]| rows.map(|row| row.to_vec());
    let mass = rows([[130.0, 5.0, -40.0], [5.0, 150.0, -60.0], [-40.0, -60.0, 280.0]]);
    let jacobian = rows([[1.0, 0.2, 0.0], [0.0, 1.0, 0.3], [-0.1, 0.0, 1.0]]);
    Robot::from_masses(name, &mass, &jacobian)
}

/// All of them, by the name of their files.
pub(crate) fn robots() -> Result<Vec<(&'static str, Robot)>, Error> {
    let any = |name| Robot::from_inertia(name, &SEED).runtime(&Runtime::ALL);
    let any_planar = |name| Robot::from_inertia(name, &ROD).runtime(&Runtime::ALL);
    let flow =
        |robot: Robot| robot.friction(0.3, 0.3).kind(Kind::Flow).runtime(&[Runtime::Restitution]);
    let seed = |name| flow(Robot::from_inertia(name, &SEED));
    let bar = Robot::from_inertia("bar", &BAR).friction(0.73, 0.67);
    Ok(vec![
        ("any", any("any").tolerance(1e-15)),
        ("any_3", any("any_3").tolerance(1e-3)),
        ("any_6", any("any_6").tolerance(1e-6)),
        ("any_9", any("any_9").tolerance(1e-9)),
        ("any_12", any("any_12").tolerance(1e-12)),
        ("any_single", any("any_single").precision(Precision::F32)),
        ("any_varied", any("any_varied").derivatives(true)),
        ("any_planar", any_planar("any_planar")),
        ("any_planar_single", any_planar("any_planar_single").precision(Precision::F32)),
        ("any_planar_varied", any_planar("any_planar_varied").derivatives(true)),
        ("seed_robot", Robot::from_inertia("seed_robot", &SEED).friction(0.3, 0.3)),
        ("bar", bar.runtime(&[Runtime::Restitution])),
        ("seed_robot_flow", seed("seed_robot_flow")),
        ("seed_robot_flow_f32", seed("seed_robot_flow_f32").precision(Precision::F32)),
        ("seed_robot_pieces", seed("seed_robot_pieces").pieces(true)),
        ("light_flow", flow(Robot::from_inertia("light_flow", &LIGHT))),
        ("masses_flow", flow(masses("masses_flow"))),
        ("planar_arm", model("planar_arm", Base::Fixed, 1)?),
        ("spatial_arm4", model("spatial_arm4", Base::Fixed, 2)?),
        ("leg3_floating", model("leg3_floating", Base::Floating, 2)?),
    ])
}

/// A robot of the reference, struck on its tip from below.
fn model(name: &str, base: Base, tangents: usize) -> Result<Robot, Error> {
    let contact = ContactFrame {
        frame: "tip".to_owned(),
        normal: [0.0, 0.0, 1.0],
        tangents: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]][..tangents].to_vec(),
    };
    let robot = Robot::from_urdf(name, format!("data/robots/{name}.urdf"), contact, base)?;
    Ok(robot.runtime(&[Runtime::Friction, Runtime::Restitution]).tolerance(1e-14))
}
