use std::path::PathBuf;

/// Errors between a model and its generated code.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An expression has an operation for which there is no recurrence.
    #[error("no rule for `{0}`")]
    Unsupported(String),
    /// An expression names something that is neither unknown nor parameter.
    #[error("`{0}` is neither an unknown nor a parameter")]
    UnknownSymbol(String),
    /// A derivation failed or did not verify.
    #[error("derivation failed: {0}")]
    Derivation(String),
    /// Symbolica cannot be used on this machine now.
    #[error("Symbolica is unavailable: {0}")]
    SymbolicaUnavailable(String),
    /// A committed derivation cannot be read or written.
    #[error("committed derivation `{name}`: {reason}")]
    Committed {
        /// The derivation.
        name: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// A parameter was bound to a value that the program divides by.
    #[error("binding {bindings} makes `{program}` divide by zero")]
    DivisionByZero {
        /// The program.
        program: String,
        /// The bindings.
        bindings: String,
    },
    /// A name that is not an identifier, is used twice, or is reserved by the emitter.
    #[error("`{0}` cannot be a name in emitted code")]
    Name(String),
    /// An order outside [`crate::program::ORDERS`].
    #[error("order {0} is outside 2..=64")]
    Order(usize),
    /// Emitted text is not Rust, which is a defect of the emitter.
    #[error("emitted code does not parse: {0}")]
    Emit(String),
    /// A file could not be read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// A robot file is invalid.
    #[error("{path}: {reason}")]
    RobotFile {
        /// The file.
        path: PathBuf,
        /// The place and the reason.
        reason: String,
    },
    /// A robot's specification is invalid.
    #[error("{field} = {value}: {reason}")]
    Specification {
        /// Which part of it.
        field: String,
        /// Its value.
        value: String,
        /// The expected value.
        reason: String,
    },
    /// No impact of a robot could be solved and checked, so its solver is
    /// untested.
    #[error("none of {tried} sampled impacts could be solved and checked ({refused})")]
    Untested {
        /// How many impacts were tried.
        tried: usize,
        /// Those that were refused, by reason.
        refused: String,
    },
    /// A construct of generated Rust that the C printer does not support.
    #[error("no C for `{construct}`: {reason}")]
    Untranslatable {
        /// The construct.
        construct: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Output could not be written.
    #[error("cannot write {path}: {source}")]
    Write {
        /// Where to.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// A build-script function was used outside a build script.
    #[error("environment variable `{0}` is not set; is this a build script?")]
    NotInBuildScript(&'static str),
    /// A robot's description is not well formed, or not safe to parse.
    #[error("URDF, line {line}: {reason}")]
    UrdfText {
        /// The line.
        line: usize,
        /// What is wrong there.
        reason: String,
    },
    /// A link or joint lacks an element, or has an invalid number.
    #[error("URDF, {owner}: {reason}")]
    UrdfElement {
        /// The link or joint.
        owner: String,
        /// What is wrong with it, with element, attribute and value.
        reason: String,
    },
    /// A robot's description is not a URDF.
    #[error("URDF: {0}")]
    Urdf(String),
    /// Two links or two joints have the same name.
    #[error("URDF has two {kind}s named `{name}`")]
    DuplicateName {
        /// Link or joint.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// A joint connects a link that is not there.
    #[error("joint `{joint}` names the link `{link}`, which does not exist")]
    UnknownLink {
        /// The joint.
        joint: String,
        /// The link it names.
        link: String,
    },
    /// The links do not form one tree.
    #[error("the links are not one tree: {0}")]
    NotATree(String),
    /// A joint of an unsupported type.
    #[error("joint `{joint}` is {kind}; revolute, continuous, prismatic and fixed ones are known")]
    UnsupportedJoint {
        /// The joint.
        joint: String,
        /// Its type.
        kind: &'static str,
    },
    /// Too many joints for straight-line code.
    #[error("{moving} joints move; straight-line code is written for at most {most}")]
    TooManyJoints {
        /// Joints that move.
        moving: usize,
        /// The limit.
        most: usize,
    },
    /// A joint's axis has no direction.
    #[error("joint `{joint}` has the axis {axis:?}, which has no direction")]
    JointAxis {
        /// The joint.
        joint: String,
        /// Its axis.
        axis: [f64; 3],
    },
    /// A link's mass and inertia are not physical.
    #[error("link `{link}` cannot be a body: {reason}")]
    UnphysicalInertia {
        /// The link.
        link: String,
        /// What is wrong, with the value.
        reason: String,
    },
    /// A joint can move without moving any mass.
    #[error("joint `{joint}` moves nothing that has inertia; give link `{link}` mass and inertia")]
    Massless {
        /// The joint.
        joint: String,
        /// The link it carries.
        link: String,
    },
    /// A floating base can move without moving any mass.
    #[error("the floating base `{link}` needs mass and inertia")]
    MasslessBase {
        /// The root link.
        link: String,
    },
    /// A contact on a link that does not exist.
    #[error("there is no link `{frame}` for the contact; there are {known}")]
    UnknownFrame {
        /// The requested frame.
        frame: String,
        /// The links.
        known: String,
    },
    /// A contact's direction is not a unit vector, or not at right angles to the rest.
    #[error("contact: {field} = {value:?} {reason}")]
    ContactDirection {
        /// `normal` or which of the tangents.
        field: String,
        /// The direction.
        value: [f64; 3],
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A contact with no tangent, or with too many.
    #[error("contact: {0} tangents; one makes it planar, two spatial")]
    Tangents(usize),
    /// A contact on a link that no joint moves.
    #[error("no joint moves the contact frame `{0}`")]
    UnmovedContact(String),
    /// A contact with a direction in which the robot cannot move.
    #[error("at `{frame}` the robot cannot move in all directions of the contact; {hint}")]
    SingularContact {
        /// The contact's frame.
        frame: String,
        /// A hint.
        hint: &'static str,
    },
    /// A robot's numbers are too far apart for `f64`.
    #[error("`{0}` overflows")]
    Overflow(String),
}
