//! Robots at the edge of what there is: their solvers are generated, and the
//! samples that they are tried on agree with the reference.

use routh_codegen::derivations::Law;
use routh_codegen::mechanism::{Base, ContactFrame};
use routh_codegen::{Error, Language, Precision, Robot};

const SPACE: [[f64; 3]; 3] = [[1.3, 0.4, -0.2], [0.4, 2.1, 0.5], [-0.2, 0.5, 0.9]];
const PLANE: [[f64; 2]; 2] = [[2.5, -1.5], [-1.5, 2.5]];

/// The largest error that a solver's summary states.
fn error(robot: &Robot) -> f64 {
    let generated = robot.generate().unwrap();
    let summary = generated.summary();
    assert!(!summary.contains("not tested"), "{summary}");
    let line = summary.lines().find_map(|line| line.trim().strip_prefix("error")).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}

#[test]
fn names_that_begin_like_macros_are_names() {
    for name in ["m", "math", "internal_arm", "fp_arm", "uintah", "size_one"] {
        let robot = Robot::from_inertia(name, &PLANE).language(Language::C);
        let text = robot.generate().unwrap();
        let define = format!("#define {}_DIMENSION 2", name.to_uppercase());
        assert!(text.files().any(|file| file.text.contains(&define)), "{name}");
    }
}

#[test]
fn contacts_without_friction_or_coupling_are_contacts() {
    let smooth = Robot::from_inertia("smooth", &[[1.0, 0.0], [0.0, 2.0]]).friction(0.0, 0.0);
    for law in Law::ALL {
        assert!(error(&smooth.clone().restitution(law, 0.5)) < 1e-14, "{law:?}");
    }
    let diagonal = [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]];
    let smooth = Robot::from_inertia("smooth", &diagonal).friction(0.0, 0.0).derivatives(true);
    assert!(error(&smooth) < 1e-14);
}

#[test]
fn plastic_impacts_have_derivatives() {
    for law in Law::ALL {
        let planar = Robot::from_inertia("plastic", &PLANE).restitution(law, 0.0).derivatives(true);
        assert!(error(&planar) < 1e-13, "{law:?}");
    }
}

#[test]
fn numbers_of_any_size_will_do() {
    for scale in [1e-200, 1e200] {
        let planar = Robot::from_inertia("rod", &PLANE.map(|row| row.map(|x| x * scale)));
        assert!(error(&planar) < 1e-13, "{scale:e}");
        let spatial = Robot::from_inertia("arm", &SPACE.map(|row| row.map(|x| x * scale)));
        assert!(error(&spatial) < 1e-11, "{scale:e}");
    }
    let sticky = Robot::from_inertia("sticky", &SPACE).friction(1e9, 1e9);
    assert!(error(&sticky) < 1e-11);
}

/// A solver of which nothing could be shown is none: a second joint so near to the tip lets
/// it move every way, but not as far as single precision tells.
#[test]
fn what_cannot_be_tested_is_not_generated() {
    let urdf = r#"<robot name="lever">
      <link name="ground"/>
      <link name="lever"><inertial><mass value="1"/>
        <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
      <link name="hand"><inertial><mass value="1"/>
        <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
      <link name="tip"/>
      <joint name="turn" type="continuous"><parent link="ground"/><child link="lever"/>
        <axis xyz="0 1 0"/></joint>
      <joint name="wrist" type="continuous"><parent link="lever"/><child link="hand"/>
        <origin xyz="0.5 0 0.2"/><axis xyz="0 1 0"/></joint>
      <joint name="end" type="fixed"><parent link="hand"/><child link="tip"/>
        <origin xyz="1e-6 0 0"/></joint>
    </robot>"#;
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("lever.urdf");
    std::fs::write(&path, urdf).unwrap();
    let contact = ContactFrame {
        frame: "tip".to_owned(),
        normal: [0.0, 0.0, 1.0],
        tangents: vec![[1.0, 0.0, 0.0]],
    };
    let lever = Robot::from_urdf("lever", path, contact, Base::Fixed).unwrap();
    let lever = lever.precision(Precision::F32);
    let error = lever.generate().map(|generated| generated.summary().to_owned()).unwrap_err();
    assert!(matches!(error, Error::Untested { .. }), "{error}");
}
