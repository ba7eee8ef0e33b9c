//! What is no robot is refused with the name and the value at fault, and nothing
//! that can be written in a file makes the reader panic.

use routh_codegen::Error;
use routh_codegen::mechanism::{Base, ContactFrame, Mechanism};

const REFERENCE: [&str; 4] = [
    include_str!("../../tests/data/robots/planar_arm.urdf"),
    include_str!("../../tests/data/robots/spatial_arm4.urdf"),
    include_str!("../../tests/data/robots/leg3_floating.urdf"),
    include_str!("../../tests/data/robots/arm7.urdf"),
];

/// A sound robot: a slide that carries an arm of two links.
const SOUND: &str = r#"<?xml version="1.0"?>
<robot name="sound">
  <link name="ground"/>
  <link name="cart"><inertial><mass value="1"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
  <link name="upper"><inertial><origin xyz="0.2 0 0"/><mass value="2"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/></inertial></link>
  <link name="lower"><inertial><origin xyz="0.2 0 0"/><mass value="3"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/></inertial></link>
  <link name="tip"/>
  <joint name="slide" type="prismatic"><parent link="ground"/><child link="cart"/></joint>
  <joint name="shoulder" type="revolute"><parent link="cart"/><child link="upper"/><axis xyz="0 1 0"/></joint>
  <joint name="elbow" type="continuous"><parent link="upper"/><child link="lower"/><origin xyz="0.5 0 0"/><axis xyz="0 0 1"/></joint>
  <joint name="end" type="fixed"><parent link="lower"/><child link="tip"/><origin xyz="0.5 0.1 0"/></joint>
</robot>"#;

fn read(text: &str) -> Result<Mechanism, Error> {
    Mechanism::from_urdf(text, Base::Fixed)
}

fn contact(frame: &str) -> ContactFrame {
    ContactFrame {
        frame: frame.to_owned(),
        normal: [0.0, 0.0, 1.0],
        tangents: vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
    }
}

/// The error after one replacement in the sound robot, which must apply.
fn refused(from: &str, to: &str) -> Error {
    assert!(SOUND.contains(from), "{from}");
    match read(&SOUND.replacen(from, to, 1)) {
        Err(error) => error,
        Ok(_) => panic!("`{to}` for `{from}` was accepted"),
    }
}

/// Asserts the kind of an error, and that its message has all the words.
macro_rules! assert_error {
    ($error:expr, $kind:pat, $($word:expr),*) => {{
        let error = $error;
        assert!(matches!(error, $kind), "{error:?}");
        let message = error.to_string();
        $(assert!(message.contains($word), "no `{}` in: {message}", $word);)*
    }};
}

#[test]
fn the_sound_robot_is_sound() {
    let program = read(SOUND).unwrap().dynamics(&contact("tip")).unwrap();
    assert!(program.evaluate(&[0.1_f64, 0.2, 0.3]).iter().all(|x| x.is_finite()));
    let commented = SOUND.replace("<link name=\"ground\"/>", "<!-- <x> --><link name='ground'/>");
    assert!(read(&commented).is_ok());
}

#[test]
fn text_that_is_no_urdf() {
    for text in ["", "x", "<", "<robot", "<robot name='r'>", "<a/>", "<robot/><robot/>"] {
        assert!(read(text).is_err(), "{text}");
    }
    assert_error!(refused("</robot>", ""), Error::UrdfText { .. }, "line 12", "</robot>");
    assert_error!(refused("</joint>", "</link>"), Error::UrdfText { .. }, "line 8", "</link>");
    assert_error!(refused("name=\"cart\"", "name=cart"), Error::UrdfText { .. }, "line 4", "name");
    assert_error!(
        refused("name=\"cart\"", "name=\"cart\" name=\"x\""),
        Error::UrdfText { .. },
        "`name` is given twice"
    );
    assert_error!(
        refused("<link name=\"ground\"/>", "<xacro:include filename=\"x\"/>"),
        Error::UrdfText { .. },
        "expand the file with xacro"
    );
}

/// What has no part in dynamics may hold what it likes, and white space is white
/// space.
#[test]
fn legal_text_is_read() {
    let seen = "<link name=\"ground\"><visual><geometry><mesh filename=\"a&amp;b\"/></geometry>\
                </visual></link>";
    read(&SOUND.replace("<link name=\"ground\"/>", seen)).unwrap();
    for space in ["\t", "\n", "\r\n", "  "] {
        read(&SOUND.replace("0 0 1", &["0", "0", "1"].join(space))).unwrap();
    }
}

#[test]
fn bombs_are_refused_before_they_are_parsed() {
    let bomb = format!(
        "<!DOCTYPE r [<!ENTITY a \"{}\"><!ENTITY b \"&a;&a;&a;\">]>{SOUND}",
        "x".repeat(100)
    );
    assert_error!(read(&bomb).unwrap_err(), Error::UrdfText { line: 1, .. }, "entities");
    let entity = SOUND.replace("\"tip\"", "\"&tip;\"");
    assert_error!(read(&entity).unwrap_err(), Error::UrdfElement { .. }, "&tip;", "entity");
    let deep = format!("<robot>{}", "<link name=\"x\">".repeat(200_000));
    assert_error!(read(&deep).unwrap_err(), Error::UrdfText { .. }, "nested more than 100");
    let long = format!("{SOUND}{}", " ".repeat(17 << 20));
    assert_error!(read(&long).unwrap_err(), Error::UrdfText { .. }, "bytes, more than");
}

#[test]
fn elements_and_numbers() {
    use Error::UrdfElement as Kind;
    assert_error!(refused(" ixy=\"0\"", ""), Kind { .. }, "link `cart`", "inertia", "ixy");
    assert_error!(refused("<mass value=\"1\"/>", ""), Kind { .. }, "link `cart`", "mass");
    assert_error!(refused("<mass value=\"1\"/>", "<mass/>"), Kind { .. }, "`cart`", "value");
    assert_error!(refused("<parent link=\"ground\"/>", ""), Kind { .. }, "`slide`", "parent");
    assert_error!(refused(" link=\"ground\"", ""), Kind { .. }, "joint `slide`", "link");
    assert_error!(refused(" type=\"fixed\"", ""), Kind { .. }, "joint `end`", "type");
    let twice = "<mass value=\"1\"/><mass value=\"1\"/>";
    assert_error!(refused("<mass value=\"1\"/>", twice), Kind { .. }, "`cart`", "twice");
    for (value, reason) in [
        ("nan", "finite"),
        ("inf", "finite"),
        ("1e400", "finite"),
        ("1e99", "larger"),
        ("x", "number"),
    ] {
        let mass = format!("<mass value=\"{value}\"/>");
        assert_error!(refused("<mass value=\"1\"/>", &mass), Kind { .. }, "`cart`", value, reason);
        let origin = format!("xyz=\"0.5 {value} 0\"");
        let error = refused("xyz=\"0.5 0.1 0\"", &origin);
        assert_error!(error, Kind { .. }, "`end`", "xyz", value, reason);
        let axis = format!("axis xyz=\"0 1 {value}\"");
        let error = refused("axis xyz=\"0 1 0\"", &axis);
        assert_error!(error, Kind { .. }, "`shoulder`", value, reason);
    }
    let quaternion = refused("<origin xyz=\"0.5 0 0\"/>", "<origin quat_xyzw=\"0 0 nan 1\"/>");
    assert_error!(quaternion, Kind { .. }, "`elbow`", "quat_xyzw", "nan");
    assert_error!(refused("\"0 0 1\"", "\"0 0 1 0\""), Kind { .. }, "`elbow`", "0 0 1 0");
    assert_error!(refused("\"fixed\"", "\"glued\""), Kind { .. }, "`end`", "glued");
}

#[test]
fn links_that_are_no_tree() {
    let duplicate = refused("\"upper\"", "\"cart\"");
    assert_error!(duplicate, Error::DuplicateName { kind: "link", .. }, "`cart`");
    let duplicate = refused("name=\"elbow\"", "name=\"slide\"");
    assert_error!(duplicate, Error::DuplicateName { kind: "joint", .. }, "`slide`");
    let unknown = refused("<parent link=\"lower\"/>", "<parent link=\"nowhere\"/>");
    assert_error!(unknown, Error::UnknownLink { .. }, "`end`", "`nowhere`");
    let two = refused("<child link=\"tip\"/>", "<child link=\"cart\"/>");
    assert_error!(two, Error::NotATree(..), "`cart`", "`slide`", "`end`");
    let lonely = refused("<link name=\"tip\"/>", "<link name=\"tip\"/><link name=\"other\"/>");
    assert_error!(lonely, Error::NotATree(..), "`ground`", "`other`");
    let ring = refused("<parent link=\"ground\"/>", "<parent link=\"tip\"/>");
    assert_error!(ring, Error::NotATree(..), "loop");
    let itself = refused("<parent link=\"lower\"/>", "<parent link=\"tip\"/>");
    assert_error!(itself, Error::NotATree(..), "`tip`", "loop");
    assert_error!(read("<robot name='r'/>").unwrap_err(), Error::NotATree(..), "no links");
    let whole = r#"<robot name="r"><link name="a"/><link name="b"/>
        <joint name="x" type="fixed"><parent link="a"/><child link="b"/></joint>
        <joint name="y" type="fixed"><parent link="b"/><child link="a"/></joint></robot>"#;
    assert_error!(read(whole).unwrap_err(), Error::NotATree(..), "every link");
}

#[test]
fn joints_without_equations() {
    for kind in ["floating", "planar", "spherical"] {
        let error = refused("\"continuous\"", &format!("\"{kind}\""));
        assert_error!(error, Error::UnsupportedJoint { .. }, "`elbow`", kind);
    }
    let mimic = refused("<axis xyz=\"0 0 1\"/>", "<mimic joint=\"shoulder\"/>");
    assert_error!(mimic, Error::UnsupportedJoint { .. }, "`elbow`", "mimic");
    let axis = refused("\"0 1 0\"", "\"0 0 0\"");
    assert_error!(axis, Error::JointAxis { .. }, "`shoulder`", "0.0, 0.0, 0.0");
}

#[test]
fn more_joints_than_code_is_for() {
    let link = r#"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>"#;
    let chain: String = (0..65)
        .map(|i| {
            format!(
                r#"<link name="l{i}"{link}<joint name="j{i}" type="revolute"><parent link="l{i}"/><child link="l{}"/></joint>"#,
                i + 1
            )
        })
        .collect();
    let error = read(&format!(r#"<robot name="r">{chain}<link name="l65"{link}</robot>"#));
    assert_error!(error.unwrap_err(), Error::TooManyJoints { .. }, "65 joints", "64");
}

#[test]
fn a_long_axis_is_normalised() {
    let long = read(&SOUND.replace("\"0 1 0\"", "\"0 25 0\"")).unwrap();
    let of = |m: &Mechanism| m.dynamics(&contact("tip")).unwrap().evaluate(&[0.1, 0.2, 0.3]);
    assert_eq!(of(&long), of(&read(SOUND).unwrap()));
}

#[test]
fn bodies_that_cannot_be() {
    use Error::UnphysicalInertia as Kind;
    let mass = |x: &str| refused("<mass value=\"1\"/>", &format!("<mass value=\"{x}\"/>"));
    assert_error!(mass("-1"), Kind { .. }, "`cart`", "-1");
    assert_error!(mass("0"), Kind { .. }, "`cart`", "inertia without mass");
    assert_error!(refused("ixx=\"0.1\"", "ixx=\"-0.1\""), Kind { .. }, "`cart`", "-0.1");
    assert_error!(refused("ixx=\"0.1\"", "ixx=\"0.3\""), Kind { .. }, "`cart`", "0.3");
    assert_error!(refused("ixy=\"0\"", "ixy=\"0.2\""), Kind { .. }, "`cart`", "negative");
    let printed = SOUND.replace("ixx=\"0.1\"", "ixx=\"0.200001\"");
    assert!(read(&printed).is_ok(), "rounding of printed digits is allowed");
}

/// The sound robot with a link's inertial element taken away.
fn without_inertia(text: &str, link: &str) -> String {
    let start = text.find(&format!("<link name=\"{link}\"><inertial>")).unwrap();
    let inertial = start + text[start..].find("<inertial>").unwrap();
    let end = inertial + text[inertial..].find("</inertial>").unwrap() + "</inertial>".len();
    format!("{}{}", &text[..inertial], &text[end..])
}

#[test]
fn motion_without_inertia() {
    let leaf = read(&without_inertia(SOUND, "lower")).unwrap_err();
    assert_error!(leaf, Error::Massless { .. }, "`elbow`", "`lower`");
    let carried = without_inertia(&without_inertia(SOUND, "upper"), "cart");
    assert!(read(&carried).is_ok(), "massless links may carry massive ones");
    let point = SOUND
        .replace("<origin xyz=\"0.2 0 0\"/><mass value=\"3\"/>", "<mass value=\"3\"/>")
        .replace("<inertia ixx=\"0.01\" ixy=\"0\" ixz=\"0\" iyy=\"0.02\" iyz=\"0\" izz=\"0.02\"/></inertial></link>\n  <link name=\"tip\"", "<inertia ixx=\"0\" ixy=\"0\" ixz=\"0\" iyy=\"0\" iyz=\"0\" izz=\"0\"/></inertial></link>\n  <link name=\"tip\"");
    assert_error!(read(&point).unwrap_err(), Error::Massless { .. }, "`elbow`", "`lower`");
    let twice = SOUND.replace("type=\"revolute\"", "type=\"prismatic\"").replace("0 1 0", "1 0 0");
    let parallel = without_inertia(&twice, "cart");
    assert_error!(read(&parallel).unwrap_err(), Error::Massless { .. }, "`slide`", "`cart`");
    let floating = Mechanism::from_urdf(SOUND, Base::Floating).unwrap_err();
    assert_error!(floating, Error::MasslessBase { .. }, "`ground`");
    let point = SOUND.replace(
        "<link name=\"ground\"/>",
        "<link name=\"ground\"><inertial><mass value=\"1\"/><inertia ixx=\"0\" ixy=\"0\" ixz=\"0\" iyy=\"0\" iyz=\"0\" izz=\"0\"/></inertial></link>",
    );
    let turning = point.replace("prismatic", "revolute");
    let floating = Mechanism::from_urdf(&turning, Base::Floating).unwrap_err();
    assert_error!(floating, Error::MasslessBase { .. }, "`ground`");
}

#[test]
fn contacts_that_cannot_be() {
    let robot = read(SOUND).unwrap();
    let unknown = robot.dynamics(&contact("toe")).unwrap_err();
    assert_error!(
        unknown,
        Error::UnknownFrame { .. },
        "`toe`",
        "`ground`, `cart`, `upper`, `lower`, `tip`"
    );
    let unmoved = robot.dynamics(&contact("ground")).unwrap_err();
    assert_error!(unmoved, Error::UnmovedContact(..), "`ground`");
    let singular = robot.dynamics(&contact("cart")).unwrap_err();
    assert_error!(singular, Error::SingularContact { .. }, "`cart`");
    let planar = read(REFERENCE[0]).unwrap().dynamics(&contact("tip")).unwrap_err();
    assert_error!(planar, Error::SingularContact { .. }, "`tip`", "one tangent");
    let with = |normal, tangents: &[[f64; 3]]| {
        let frame = "tip".to_owned();
        robot.dynamics(&ContactFrame { frame, normal, tangents: tangents.to_vec() }).unwrap_err()
    };
    let (x, y, z) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
    assert_error!(with(z, &[]), Error::Tangents(0), "0 tangents");
    assert_error!(with(z, &[x, y, x]), Error::Tangents(3), "3 tangents");
    use Error::ContactDirection as Kind;
    assert_error!(with([0.0, 0.0, 2.0], &[x, y]), Kind { .. }, "normal", "2.0", "unit");
    assert_error!(with([0.0, f64::NAN, 1.0], &[x, y]), Kind { .. }, "normal", "NaN", "finite");
    assert_error!(with(z, &[x, x]), Kind { .. }, "tangents[1]", "1.0", "right angles");
    assert_error!(with(z, &[z, y]), Kind { .. }, "tangents[0]", "right angles");
}

/// Reads, and where that succeeds may write the dynamics; only panics matter.
fn survive(text: &str, write: bool) {
    for base in [Base::Fixed, Base::Floating] {
        if let Ok(robot) = Mechanism::from_urdf(text, base)
            && write
        {
            let _ = robot.dynamics(&contact("tip"));
        }
    }
}

#[test]
fn no_truncation_panics() {
    for text in REFERENCE {
        for end in 0..text.len() - 10 {
            assert!(read(&text[..end]).is_err());
        }
    }
}

#[test]
fn no_mutation_panics() {
    let mut state = 7_u64;
    let mut random = |n: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    let tokens: [&[u8]; 12] = [
        b"<",
        b">",
        b"\"",
        b"/",
        b"'",
        b" xmlns=\"a\"",
        b" x:y='1'",
        b"<x:y/>",
        b"1e308",
        b"-0",
        b"\xc3\xa9",
        b"&#0;",
    ];
    for text in REFERENCE.into_iter().chain([SOUND]) {
        for _ in 0..1000 {
            let mut bytes = text.as_bytes().to_vec();
            for _ in 0..1 + random(3) {
                let at = random(bytes.len());
                match random(4) {
                    0 => bytes[at] = (32 + random(96)) as u8,
                    1 => bytes[at] ^= 1 << random(8),
                    2 => drop(bytes.splice(at..at, tokens[random(tokens.len())].iter().copied())),
                    _ => drop(bytes.drain(at..(at + random(40)).min(bytes.len()))),
                }
            }
            survive(&String::from_utf8_lossy(&bytes), random(20) == 0);
        }
    }
}

#[test]
fn no_number_panics() {
    for number in ["0", "-0", "5e-324", "1e-310", "1e-160", "1e-30", "1e12", "-1e12"] {
        for field in ["value=\"2\"", "ixx=\"0.01\"", "izz=\"0.02\""] {
            let name = field.split('=').next().unwrap();
            survive(&SOUND.replace(field, &format!("{name}=\"{number}\"")), true);
        }
        for field in ["xyz=\"0.5 0.1 0\"", "xyz=\"0.2 0 0\"", "xyz=\"0 1 0\""] {
            survive(&SOUND.replace(field, &format!("xyz=\"{number} 0.1 {number}\"")), true);
        }
        let everywhere = ["0.01", "0.02", "0.1", "0.2", "0.5", "1", "2", "3"]
            .iter()
            .fold(SOUND.replace("1.0", "x"), |text, n| {
                text.replace(&format!("\"{n}"), &format!("\"{number}"))
            });
        survive(&everywhere, true);
    }
}

#[test]
fn many_links_are_read_in_time() {
    let fixed: String = (0..20_000)
        .map(|i| {
            format!(
                r#"<link name="f{i}"/><joint name="g{i}" type="fixed"><parent link="tip"/><child link="f{i}"/></joint>"#
            )
        })
        .collect();
    let robot = read(&SOUND.replace("</robot>", &format!("{fixed}</robot>"))).unwrap();
    assert_eq!(robot.link_names().count(), 20_005);
    assert_eq!(robot.joint_names().count(), 3);
}

#[test]
fn namespaces_do_not_matter() {
    let spaced = SOUND
        .replace("<robot ", "<robot xmlns=\"http://a\" xmlns:g=\"http://b\" g:x=\"1\" h:y=\"2\" ")
        .replace(
            "<link name=\"ground\"/>",
            "<link name=\"ground\"/><gazebo:x y=\"1\"><z/></gazebo:x>",
        );
    assert!(read(&spaced).is_ok());
}
