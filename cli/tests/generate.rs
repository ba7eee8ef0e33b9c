//! `routh generate` as a user runs it.

mod routh;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use routh::{command, folder, routh};
use routh_codegen::{Language, Robot};

const ROD: &str = r#"
name = "rod"
friction = 0.7
[contact]
D = [[2.5, -1.5], [-1.5, 2.5]]
[restitution]
law = "energetic"
e = 0.82
"#;

/// A robot's file in a folder of its own, changed.
fn robot(name: &str, from: &str, to: &str) -> (PathBuf, PathBuf) {
    let folder = PathBuf::from(folder(name));
    let file = folder.join("robot.toml");
    assert!(ROD.contains(from), "{from}");
    fs::write(&file, ROD.replacen(from, to, 1)).unwrap();
    (file, folder.join("out"))
}

fn run(file: &Path, out: &Path, more: &[&str]) -> routh::Run {
    let (file, out) = (file.to_str().unwrap(), out.to_str().unwrap());
    routh(&[&["generate", file, "-o", out], more].concat(), "")
}

#[test]
fn command_and_builder_give_the_same_bytes() {
    for (lang, language) in [("rust", Language::Rust), ("c", Language::C)] {
        let (file, out) = robot(&format!("bytes_{lang}"), "", "");
        let done = run(&file, &out, &["--lang", lang]);
        let printed = done.printed();
        let inertia = [[2.5, -1.5], [-1.5, 2.5]];
        let built = Robot::from_inertia("rod", &inertia)
            .friction(0.7, 0.7)
            .restitution(routh_codegen::derivations::Law::Energetic, 0.82)
            .language(language)
            .generate()
            .unwrap();
        let mut names: Vec<_> = built.files().map(|file| file.name.as_str()).collect();
        for file in built.files() {
            let written = fs::read_to_string(out.join(&file.name)).unwrap();
            assert_eq!(written, file.text, "{}", file.name);
            assert!(printed.contains(&file.name), "{printed}");
        }
        names.sort();
        let mut there: Vec<_> = fs::read_dir(&out)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        there.sort();
        assert_eq!(there, names);
    }
}

#[test]
fn a_robot_may_come_from_standard_input() {
    let out = folder("stdin") + "/out";
    routh(&["generate", "-", "-o", &out], ROD).printed();
    assert!(Path::new(&out).join("rod.rs").exists());
}

#[test]
fn unchanged_output_is_left_alone() {
    let (file, out) = robot("unchanged", "", "");
    assert_eq!(run(&file, &out, &[]).status, 0);
    let written = || {
        let times = fs::read_dir(&out).unwrap().map(|entry| {
            let entry = entry.unwrap();
            (entry.file_name(), entry.metadata().unwrap().modified().unwrap())
        });
        let mut times: Vec<_> = times.collect();
        times.sort();
        times
    };
    let before = written();
    std::thread::sleep(Duration::from_millis(20));
    let again = run(&file, &out, &[]);
    assert_eq!((again.status, again.out.matches("  unchanged ").count()), (0, 2), "{}", again.out);
    assert_eq!(written(), before);
}

#[test]
fn the_head_says_what_the_file_is() {
    let (file, out) = robot("head", "", "");
    assert_eq!(run(&file, &out, &[]).status, 0);
    let text = fs::read_to_string(out.join("rod.rs")).unwrap();
    let head: String = text.lines().take_while(|line| line.starts_with("//")).collect();
    for part in ["routh-codegen", "SHA-256", "Units", "N s", "operations", "Stack", "no steps"] {
        assert!(head.contains(part), "{part} in {head}");
    }
    let report = fs::read_to_string(out.join("REPORT.md")).unwrap();
    for part in ["operations", "largest error", "PermanentSliding", "SHA-256"] {
        assert!(report.to_lowercase().contains(&part.to_lowercase()), "{part} in {report}");
    }
}

/// What is wrong is named, with its value, and nothing is written.
#[test]
fn bad_robots_are_refused() {
    let cases: &[(&str, &str, &[&str])] = &[
        ("name = \"rod\"", "name = \"Rod 1\"", &["name", "Rod 1"]),
        ("name = \"rod\"", "name = \"while\"", &["name", "while"]),
        ("name = \"rod\"", "names = \"rod\"", &["names", "name"]),
        ("[[2.5, -1.5], [-1.5, 2.5]]", "[[2.5, -1.5], [-1.4, 2.5]]", &["D[1][0]", "-1.4", "-1.5"]),
        ("[[2.5, -1.5], [-1.5, 2.5]]", "[[2.5, -3.5], [-3.5, 2.5]]", &["D[0][0]", "definite"]),
        ("[[2.5, -1.5], [-1.5, 2.5]]", "[[2.5, nan], [nan, 2.5]]", &["D[0][1]", "NaN"]),
        ("[[2.5, -1.5], [-1.5, 2.5]]", "[[2.5, -1.5], [-1.5]]", &["D[1]", "1 entries", "2"]),
        ("[[2.5, -1.5], [-1.5, 2.5]]", "[[2.5]]", &["D", "1 directions"]),
        ("D = [[2.5, -1.5], [-1.5, 2.5]]", "M = [[1.0]]", &["contact", "M and J"]),
        ("friction = 0.7", "friction = -0.7", &["friction.kinetic", "-0.7"]),
        ("friction = 0.7", "friction = {static = 0.1, kinetic = 0.2}", &["friction.static", "0.1"]),
        ("friction = 0.7", "", &["friction", "kernel.runtime"]),
        ("e = 0.82", "e = 1.5", &["restitution.e", "1.5"]),
        ("\"energetic\"", "\"bouncy\"", &["bouncy", "energetic"]),
        ("e = 0.82", "e = 0.82\n[kernel]\ntolerance = 1.0", &["kernel.tolerance", "1.0"]),
        ("e = 0.82", "e = 0.82\n[kernel]\nruntime = [\"q\"]", &["q", "friction"]),
        ("e = 0.82", "e = 0.82\n[kernel]\nkind = \"magic\"", &["magic", "series"]),
        ("[contact]", "[robot]\nurdf = \"x\"\n[contact]", &["contact_frame"]),
        ("[contact]", "[contact", &["line 4"]),
    ];
    for (i, (from, to, parts)) in cases.iter().enumerate() {
        let (file, out) = robot(&format!("bad_{i}"), from, to);
        let run = run(&file, &out, &[]);
        assert_eq!((run.status, run.out.as_str()), (1, ""), "{to}");
        assert!(run.err.starts_with("routh: "), "{}", run.err);
        for part in *parts {
            assert!(run.err.contains(part), "{part} in {}", run.err);
        }
        assert!(!out.exists(), "{to}");
    }
    let missing = routh(&["generate", "no/such.toml", "-o", "target/none"], "");
    assert_eq!(missing.status, 1);
    assert!(missing.err.contains("no/such.toml"));
    assert_eq!(routh(&["generate", "examples/rod.toml"], "").status, 2);
    assert_eq!(routh(&["generate", "examples/rod.toml", "-o", "x", "--lang", "ada"], "").status, 2);
}

#[test]
fn a_model_that_is_missing_is_named() {
    let folder = PathBuf::from(folder("missing_model"));
    let file = folder.join("robot.toml");
    let text = "name = \"arm\"\nfriction = 0.3\nrestitution = {law = \"newton\", e = 0.5}\n\
                [robot]\nurdf = \"gone.urdf\"\ncontact_frame = \"tip\"\nnormal = [0, 0, 1]\n\
                tangents = [[1, 0, 0]]\n";
    fs::write(&file, text).unwrap();
    let run = run(&file, &folder.join("out"), &[]);
    assert_eq!(run.status, 1);
    assert!(run.err.contains("gone.urdf"), "{}", run.err);
}

/// Whenever it is killed, a file is the old one or the new one: at any time
/// before, and while a new file is being written beside the old.
#[test]
fn killing_leaves_the_old_file_or_the_new_one() {
    let (file, out) = robot("killed", "", "");
    let begun = Instant::now();
    assert_eq!(run(&file, &out, &[]).status, 0);
    let whole = begun.elapsed();
    let source = out.join("rod.rs");
    let old = fs::read_to_string(&source).unwrap();
    fs::write(&file, ROD.replace("0.82", "0.5")).unwrap();
    let arguments = ["generate", file.to_str().unwrap(), "-o", out.to_str().unwrap()];
    let is_whole = || {
        let found = fs::read_to_string(&source).unwrap();
        let new = found.contains("e = 0.5") && found.ends_with("pub use rod::*;\n");
        assert!(found == old || new, "{} bytes", found.len());
        new
    };
    for part in 0..4 {
        let mut child = command(&arguments).spawn().unwrap();
        std::thread::sleep(whole * part / 4);
        child.kill().unwrap();
        child.wait().unwrap();
        is_whole();
    }
    let partial = || {
        let mut names = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name());
        names.any(|name| name.to_string_lossy().starts_with('.'))
    };
    let mut caught = 0;
    for _ in 0..6 {
        fs::write(&source, &old).unwrap();
        let mut child = command(&arguments).spawn().unwrap();
        while !partial() && child.try_wait().unwrap().is_none() {}
        caught += usize::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
        is_whole();
        for entry in fs::read_dir(&out).unwrap() {
            let path = entry.unwrap().path();
            if path.file_name().unwrap().to_string_lossy().starts_with('.') {
                fs::remove_file(path).unwrap();
            }
        }
    }
    println!("{caught} times caught in the act");
    assert_eq!(run(&file, &out, &[]).status, 0);
    assert!(is_whole());
}
