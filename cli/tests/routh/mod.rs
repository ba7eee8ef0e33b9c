//! The command as the tests run it.
// Each of them needs a part of it.
#![allow(dead_code)]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;

use serde_json::Value;

/// The root of the repository.
pub(crate) const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

const BINARY: &str = env!("CARGO_BIN_EXE_routh");

/// What a run left behind.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            status: output.status.code().expect("not killed by a signal"),
            out: String::from_utf8(output.stdout).expect("UTF-8"),
            err: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }
}

impl Run {
    /// What a run without errors printed.
    pub(crate) fn printed(&self) -> &str {
        assert_eq!((self.status, self.err.as_str()), (0, ""), "{}", self.out);
        &self.out
    }

    /// The lines of a run without errors.
    pub(crate) fn solved(&self) -> Vec<Value> {
        self.printed();
        self.lines()
    }

    /// Asserts that nothing was done for wrong usage, which is told.
    pub(crate) fn refused(&self, message: &str) {
        assert_eq!((self.status, self.out.as_str()), (2, ""), "{message}");
        assert!(self.err.contains(message), "{message} in {}", self.err);
    }

    pub(crate) fn lines(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
    }
}

/// The command at the root of the repository, with all its ends piped.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(BINARY);
    command.args(arguments).current_dir(ROOT);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the command on an input.
pub(crate) fn routh(arguments: &[&str], input: impl AsRef<[u8]> + Send) -> Run {
    let mut child = command(arguments).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    thread::scope(|scope| {
        // A command that reads no input breaks this pipe.
        scope.spawn(move || stdin.write_all(input.as_ref()));
        child.wait_with_output().unwrap().into()
    })
}

/// The examples in a subcommand's help.
pub(crate) fn examples(subcommand: &str) -> Vec<String> {
    let help = routh(&[subcommand, "--help"], "");
    let (_, examples) = help.printed().rsplit_once("\nExample").expect("help has examples");
    examples.lines().skip(1).map(|line| line.trim().to_owned()).collect()
}

/// Runs a shell command as a user does at the root of the repository.
pub(crate) fn shell(line: &str) -> Run {
    shell_in(Path::new(ROOT), line)
}

/// Runs a shell command in a folder.
pub(crate) fn shell_in(folder: &Path, line: &str) -> Run {
    let path = std::env::var("PATH").unwrap();
    let here = Path::new(BINARY).parent().unwrap().display();
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).current_dir(folder).env("PATH", format!("{here}:{path}"));
    shell.output().unwrap().into()
}

/// A file of the reference data.
pub(crate) fn reference(name: &str) -> Value {
    let path = Path::new(ROOT).join("tests/data").join(name);
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// All numbers in a value, in order.
pub(crate) fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(list) => list.iter().flat_map(numbers).collect(),
        _ => vec![value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))],
    }
}

/// The largest magnitude.
pub(crate) fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, x| most.max(x.abs()))
}

/// Asserts that values agree to a tolerance relative to a scale.
pub(crate) fn assert_close(found: &Value, wanted: &Value, tolerance: f64, what: &str) {
    let (found, wanted) = (numbers(found), numbers(wanted));
    assert_eq!(found.len(), wanted.len(), "{what}");
    for (x, y) in found.iter().zip(&wanted) {
        assert!((x - y).abs() <= tolerance, "{what}: {x} is not {y}");
    }
}

/// Asserts that two impacts agree to a tolerance relative to the scales of velocities,
/// impulses, works and the critical friction.
pub(crate) fn assert_same_impact(
    [found, wanted]: [&Value; 2],
    [velocity, impulse, work, friction]: [f64; 4],
    tolerance: f64,
    what: &str,
) {
    for (key, scale) in [
        ("velocity", velocity),
        ("impulse", impulse),
        ("compression_impulse", impulse),
        ("normal_impulse", impulse),
        ("normal_work", work),
        ("friction_work", work),
        ("energy_change", work),
        ("critical_friction", friction),
    ] {
        assert_close(&found[key], &wanted[key], tolerance * scale, &format!("{what}: {key}"));
    }
    let events = [found, wanted].map(|impact| impact["events"].as_array().unwrap());
    assert_eq!(events[0].len(), events[1].len(), "{what}");
    for (found, wanted) in events[0].iter().zip(events[1]) {
        assert_eq!(found["kind"], wanted["kind"], "{what}");
        assert_close(&found["impulse"], &wanted["impulse"], tolerance * impulse, what);
    }
}

/// An input, and the kind and parts of the message that it must yield.
pub(crate) type Case<'a> = (Vec<u8>, &'a str, &'a [&'a str]);

/// Puts good lines between the cases and checks every answer: the good ones' is what it
/// is alone.
pub(crate) fn check(subcommand: &str, good: &str, cases: &[Case]) {
    let alone = routh(&[subcommand, "-"], good).solved();
    let mut input = format!("{good}\n").into_bytes();
    for (line, ..) in cases {
        input.extend_from_slice(line);
        input.extend_from_slice(format!("\n{good}\n").as_bytes());
    }
    let run = routh(&[subcommand, "-"], input);
    assert_eq!(run.status, 1);
    let (bad, all) = (cases.len(), 2 * cases.len() + 1);
    assert_eq!(run.err, format!("routh: {bad} of {all} inputs could not be solved\n"));
    let answers = run.lines();
    assert_eq!(answers.len(), all);
    assert!(answers.iter().step_by(2).all(|answer| *answer == alone[0]));
    for (answer, (line, kind, parts)) in answers.iter().skip(1).step_by(2).zip(cases) {
        let start = String::from_utf8_lossy(&line[..line.len().min(200)]);
        let error = answer["error"].as_object().unwrap_or_else(|| panic!("{start} was solved"));
        let message = error["message"].as_str().unwrap();
        assert_eq!((error.len(), error["kind"].as_str()), (2, Some(*kind)), "{start}: {message}");
        assert!(message.chars().count() < 300, "{message}");
        for part in *parts {
            assert!(message.contains(part), "{part} in {message}");
        }
    }
}

/// A folder for one test, empty.
pub(crate) fn folder(name: &str) -> String {
    let path = concat!(env!("CARGO_TARGET_TMPDIR"), "/").to_owned() + name;
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// A drawing that was written.
pub(crate) fn drawing(path: &str) -> String {
    let svg = fs::read_to_string(path).unwrap();
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"), "{path}");
    svg
}

/// The drawing that a command writes with an option, and its results.
pub(crate) fn drawn(arguments: &[&str], option: &str, input: &str) -> (String, Vec<Value>) {
    let folder = folder(&format!("{}{option}", arguments[0]));
    let path = format!("{folder}/drawing.svg");
    let results = routh(&[arguments, &[option, &path]].concat(), input).solved();
    (drawing(&path), results)
}
