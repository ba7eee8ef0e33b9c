//! Serial arms of any number of joints.

use std::f64::consts::FRAC_PI_2;

/// How the axes of neighbouring joints lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arm {
    /// At right angles, as most robots are made.
    Right,
    /// At angles all their own.
    Odd,
}

impl Arm {
    pub(crate) const ALL: [Self; 2] = [Self::Right, Self::Odd];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Right => "right angles",
            Self::Odd => "odd angles",
        }
    }

    /// The robot as a URDF; its last link is `tip`.
    pub(crate) fn urdf(self, joints: usize) -> String {
        let mut text = "<robot name=\"arm\">\n<link name=\"link0\"/>\n".to_owned();
        for i in 1..=joints {
            text += &link(i);
            text += &self.joint(i);
        }
        text += "<link name=\"tip\"/>\n<joint name=\"end\" type=\"fixed\">";
        text += &format!("<parent link=\"link{joints}\"/><child link=\"tip\"/>");
        text + "<origin xyz=\"0.02 0.03 0.11\" rpy=\"0 0 0\"/></joint>\n</robot>\n"
    }

    fn joint(self, i: usize) -> String {
        let (parent, x) = (i - 1, i as f64);
        let (place, turn) = match (self, i % 2) {
            (Self::Right, 0) => ([0.05, 0.0, 0.19], [FRAC_PI_2, 0.0, 0.0]),
            (Self::Right, _) => ([0.0, 0.21, 0.0], [-FRAC_PI_2, 0.0, 0.0]),
            (Self::Odd, _) => (
                [0.03 * (1.7 * x).sin(), 0.05 * (2.3 * x).cos(), 0.2],
                [0.4 + 0.3 * (1.1 * x).sin(), 0.7 * (0.9 * x).cos(), 0.2 * x],
            ),
        };
        let [x, y, z] = place;
        let [roll, pitch, yaw] = turn;
        format!(
            "<joint name=\"joint{i}\" type=\"revolute\"><parent link=\"link{parent}\"/>\
             <child link=\"link{i}\"/><origin xyz=\"{x} {y} {z}\" rpy=\"{roll} {pitch} {yaw}\"/>\
             <axis xyz=\"0 0 1\"/>\
             <limit lower=\"-2.9\" upper=\"2.9\" effort=\"200\" velocity=\"2\"/></joint>\n"
        )
    }
}

/// A body with its centre off all axes, and an inertia without zeros.
fn link(i: usize) -> String {
    let part = |k: f64| 0.5 + 0.5 * (k * i as f64).sin();
    let mass = 1.0 + 2.0 * part(1.3);
    let [x, y, z] = [0.01 + 0.02 * part(0.7), -0.03 * part(1.9), 0.1 + 0.05 * part(2.9)];
    let [xx, yy, zz] = [0.7, 1.1, 1.7].map(|k| 0.02 + 0.01 * part(k));
    let [xy, xz, yz] = [2.1, 2.7, 3.3].map(|k| 0.0005 + 0.001 * part(k));
    format!(
        "<link name=\"link{i}\"><inertial><origin xyz=\"{x} {y} {z}\" rpy=\"0 0 0\"/>\
         <mass value=\"{mass}\"/><inertia ixx=\"{xx}\" ixy=\"{xy}\" ixz=\"{xz}\" \
         iyy=\"{yy}\" iyz=\"{yz}\" izz=\"{zz}\"/></inertial></link>\n"
    )
}
