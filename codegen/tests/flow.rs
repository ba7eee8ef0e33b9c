//! Solvers whose slips are followed by tables: which contacts they are for, and
//! what they say of themselves.

use routh_codegen::derivations::Law;
use routh_codegen::mechanism::{Base, ContactFrame};
use routh_codegen::{Error, Kind, Language, Precision, Robot, Runtime};

const SPACE: [[f64; 3]; 3] = [[1.3, 0.4, -0.2], [0.4, 2.1, 0.5], [-0.2, 0.5, 0.9]];
const PLANE: [[f64; 2]; 2] = [[2.5, -1.5], [-1.5, 2.5]];

fn flow(name: &str, inertia: &[[f64; 3]; 3]) -> Robot {
    Robot::from_inertia(name, inertia).kind(Kind::Flow)
}

/// What a solver's summary states after a word.
fn stated(robot: &Robot, word: &str) -> f64 {
    let generated = robot.generate().unwrap();
    let summary = generated.summary();
    assert!(!summary.contains("not tested"), "{summary}");
    let line = summary.lines().find_map(|line| line.trim().strip_prefix(word)).unwrap();
    line.split_whitespace().find_map(|word| word.parse().ok()).unwrap()
}

/// The reason for which a robot has no tables.
fn refused(robot: &Robot) -> String {
    match robot.generate() {
        Err(Error::Specification { field, value, reason }) => {
            assert_eq!((&*field, &*value), ("kernel.kind", "flow"), "{reason}");
            reason
        }
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("generated"),
    }
}

#[test]
fn every_law_in_both_precisions() {
    for law in Law::ALL {
        for e in [0.0, 0.5, 1.0] {
            let robot = flow("arm", &SPACE).restitution(law, e).friction(0.4, 0.3);
            let error = stated(&robot, "error");
            assert!(error < 1e-11, "{law:?} {e}: {error:e}");
            let single = robot.precision(Precision::F32);
            let error = stated(&single, "error");
            assert!(error < 3e-5, "{law:?} {e}: {error:e}");
            let bytes = stated(&single, "tables");
            assert!(bytes < 2400.0, "{law:?} {e}: {bytes}");
        }
    }
}

/// Where every direction is invariant there is nothing to tabulate, and slips are
/// straight lines.
#[test]
fn straight_slips_need_no_sectors() {
    let round = [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]];
    for mu in [0.0, 0.3] {
        for language in [Language::Rust, Language::C] {
            let robot = flow("round", &round).friction(mu, mu).language(language);
            assert!(stated(&robot, "error") < 1e-14, "{mu}");
        }
    }
}

#[test]
fn without_friction_or_coupling() {
    assert!(stated(&flow("smooth", &SPACE).friction(0.0, 0.0), "error") < 1e-11);
    let diagonal = [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]];
    assert!(stated(&flow("diagonal", &diagonal), "error") < 1e-11);
}

#[test]
fn what_depends_on_arguments_is_refused() {
    let robot = flow("arm", &SPACE);
    assert!(refused(&robot.clone().runtime(&[Runtime::Inertia])).contains("one D"));
    assert!(refused(&robot.clone().runtime(&[Runtime::Friction])).contains("one friction"));
    assert!(refused(&robot.clone().derivatives(true)).contains("derivatives"));
    assert!(refused(&Robot::from_inertia("rod", &PLANE).kind(Kind::Flow)).contains("plane"));
    let contact = ContactFrame {
        frame: "tip".to_owned(),
        normal: [0.0, 0.0, 1.0],
        tangents: vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
    };
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/robots/spatial_arm4.urdf");
    let model = Robot::from_urdf("arm", path, contact, Base::Fixed).unwrap();
    assert!(refused(&model.kind(Kind::Flow)).contains("positions"));
    assert!(robot.runtime(&[Runtime::Restitution]).generate().is_ok());
}

#[test]
fn contacts_without_tables_are_refused() {
    // Two invariant directions are one where h lies on the astroid.
    let inertia = [[1.0, 0.0, 0.5], [0.0, 1.0, 0.0], [0.5, 0.0, 2.0]];
    let reason = refused(&flow("astroid", &inertia).friction(0.5, 0.5));
    assert!(reason.contains("invariant direction"), "{reason}");
    assert!(reason.ends_with("use kind = \"series\""), "{reason}");
}

#[test]
fn files_and_builders_say_the_same() {
    let text = "name = \"arm\"\nfriction = 0.3\n\
                [contact]\nD = [[1.3, 0.4, -0.2], [0.4, 2.1, 0.5], [-0.2, 0.5, 0.9]]\n\
                [restitution]\nlaw = \"energetic\"\ne = 0.5\n[kernel]\nkind = \"flow\"\n";
    let read = Robot::from_toml_text(text, "arm.toml").unwrap().generate().unwrap();
    let built = flow("arm", &SPACE).generate().unwrap();
    assert_eq!(read.text(), built.text());
    assert!(read.text().contains("// Kernel flow: "));
    assert!(read.text().contains("pub const TABLE_BYTES: usize = "));
}

/// Pieces come with tables in double precision, and their bytes are stated.
#[test]
fn pieces_where_asked_for() {
    let robot = flow("arm", &SPACE).friction(0.4, 0.3);
    let small = stated(&robot, "tables");
    let robot = robot.pieces(true);
    assert!(stated(&robot, "tables") > 5.0 * small && stated(&robot, "error") < 1e-9);
    assert!(robot.generate().unwrap().text().contains("pub const PIECE_BYTES: usize = "));
    for robot in [robot.clone().kind(Kind::Series), robot.precision(Precision::F32)] {
        match robot.generate() {
            Err(Error::Specification { field, .. }) => assert_eq!(field, "kernel.pieces"),
            other => panic!("{other:?}"),
        }
    }
}
