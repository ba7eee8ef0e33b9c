//! What the program says of its impacts holds together, and the program in C says
//! the same to the last bit.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use routh_codegen::{Language, Robot};

const PACKAGE: &str = env!("CARGO_MANIFEST_DIR");
/// Rounding, relative to the terms of a sum.
const ROUNDING: f64 = 1e-12;

/// One line of `--bits`.
struct Bounce {
    robot: String,
    tick: u32,
    mode: String,
    q: Vec<f64>,
    qd: [Vec<f64>; 2],
    velocity: [Vec<f64>; 2],
    impulse: Vec<f64>,
    work: Vec<f64>,
    lead: u32,
    foreseen: f64,
    exact: bool,
}

impl Bounce {
    fn parse(line: &str) -> Self {
        let words: Vec<_> = line.split(' ').collect();
        let mut rest = &words[3..];
        let mut numbers = |name: &str| -> Vec<f64> {
            assert_eq!(rest[0], name, "{line}");
            let count = rest[1..].iter().take_while(|word| word.len() == 16).count();
            let (these, others) = rest[1..].split_at(count);
            rest = others;
            these.iter().map(|x| f64::from_bits(u64::from_str_radix(x, 16).unwrap())).collect()
        };
        let q = numbers("q");
        let qd = [numbers("qd"), numbers("to")];
        let velocity = [numbers("velocity"), numbers("to")];
        let (impulse, work) = (numbers("impulse"), numbers("work"));
        let ["foreseen", lead, foreseen, "exact", exact] = *rest else { panic!("{line}") };
        Self {
            robot: words[0].to_owned(),
            tick: words[1].parse().unwrap(),
            mode: words[2].to_owned(),
            q,
            qd,
            velocity,
            impulse,
            work,
            lead: lead.parse().unwrap(),
            foreseen: f64::from_bits(u64::from_str_radix(foreseen, 16).unwrap()),
            exact: exact == "1",
        }
    }
}

fn finished(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn rust(arguments: &[&str]) -> String {
    finished(Command::new(env!("CARGO_BIN_EXE_routh-controller")).args(arguments))
}

fn bounces() -> Vec<Bounce> {
    rust(&["--bits"]).lines().map(Bounce::parse).collect()
}

#[test]
fn both_robots_bounce() {
    let bounces = bounces();
    for (robot, positions, dimension) in [("arm", 2, 2), ("leg", 7, 3)] {
        let these: Vec<_> = bounces.iter().filter(|b| b.robot == robot).collect();
        assert!((5..=20).contains(&these.len()), "{} impacts of the {robot}", these.len());
        assert!(these.windows(2).all(|pair| pair[0].tick < pair[1].tick));
        assert!(these.iter().all(|b| b.q.len() == positions && b.impulse.len() == dimension));
    }
}

#[test]
fn impacts_rebound_and_gain_nothing() {
    for bounce in bounces() {
        let [before, after] = bounce.velocity;
        assert!(before[0] < 0.0 && after[0] > 0.0 && bounce.impulse[0] > 0.0);
        let terms = || bounce.impulse.iter().zip(before.iter().zip(&after));
        let change: f64 = terms().map(|(p, (v, w))| 0.5 * p * (v + w)).sum();
        let scale: f64 = terms().map(|(p, (v, w))| p.abs() * (v.abs() + w.abs())).sum();
        let work = bounce.work[0] + bounce.work[1];
        assert!((work - change).abs() <= ROUNDING * scale, "{work} is not {change}");
        assert!(bounce.work.iter().all(|work| *work <= 0.0));
    }
}

#[test]
fn friction_stays_in_its_cone_and_modes_are_true() {
    for bounce in bounces() {
        let tangential = |x: &[f64]| x[1..].iter().map(|x| x * x).sum::<f64>().sqrt();
        let [normal, ..] = bounce.impulse[..] else { panic!() };
        assert!(tangential(&bounce.impulse) <= 0.5 * normal * (1.0 + ROUNDING));
        let rests = tangential(&bounce.velocity[1]) == 0.0;
        assert_eq!(rests, bounce.mode.starts_with("sticking"), "{}", bounce.mode);
    }
}

#[test]
fn the_quaternion_stays_a_unit() {
    for bounce in bounces().iter().filter(|b| b.robot == "leg") {
        let square: f64 = bounce.q[..4].iter().map(|x| x * x).sum();
        assert!((square - 1.0).abs() < 1e-6, "{square}");
    }
}

#[test]
fn impacts_come_as_foreseen_but_for_the_one_after_the_knock() {
    let bounces = bounces();
    let surprises: Vec<_> = bounces.iter().filter(|b| !b.exact).collect();
    assert_eq!(surprises.len(), 1);
    for bounce in &bounces {
        assert!(bounce.lead > 0, "{} {} was not foreseen", bounce.robot, bounce.tick);
        assert_eq!(bounce.foreseen == bounce.impulse[0], bounce.exact);
        assert_ne!(bounce.qd[0], bounce.qd[1]);
    }
    let knocked = surprises[0];
    let (made, came) = (knocked.tick - knocked.lead, knocked.tick);
    assert!(knocked.robot == "arm" && (made..came).contains(&325));
}

#[test]
fn the_arm_keeps_to_its_limit() {
    let bounces = bounces();
    assert!(bounces.iter().filter(|b| b.robot == "arm").all(|b| b.impulse[0] <= 1.0));
    let text = rust(&[]);
    assert!(text.contains("N s, slowed down") && text.contains("J of friction, foot swung"));
    assert_eq!(text.lines().count(), 1 + bounces.len() + 1 + 2);
}

#[test]
fn wrong_usage_is_told() {
    let output =
        Command::new(env!("CARGO_BIN_EXE_routh-controller")).arg("--bit").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty() && !output.stderr.is_empty());
}

/// The C compiler, if there is one. Where there is none this is said past the
/// capture of what passing tests print.
fn compiler() -> Option<Command> {
    let name = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let found = Command::new(&name).arg("--version").output().is_ok();
    if !found {
        let message = format!("C is not tried: no compiler {name:?}; name one in CC\n");
        assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "{message}");
        std::io::stderr().write_all(message.as_bytes()).unwrap();
    }
    found.then(|| Command::new(name))
}

const STRICT: [&str; 7] =
    ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O2", "-ffp-contract=off"];

#[test]
fn c_does_the_same_to_the_last_bit() {
    let Some(mut compile) = compiler() else { return };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("controller");
    for robot in ["planar_arm", "leg"] {
        let robot = Robot::from_toml(format!("{PACKAGE}/../{robot}.toml")).unwrap();
        robot.language(Language::C).generate().unwrap().write_into(&folder).unwrap();
    }
    let source = folder.join("controller.c");
    std::fs::copy(PathBuf::from(PACKAGE).join("controller.c"), source).unwrap();
    compile.current_dir(&folder).args(STRICT);
    finished(compile.args(["controller.c", "planar_arm.c", "leg.c", "-lm", "-o", "controller"]));
    for arguments in [&[][..], &["--bits"]] {
        let c = finished(Command::new(folder.join("controller")).args(arguments));
        assert!(c == rust(arguments), "C differs, see {}", folder.display());
    }
}
