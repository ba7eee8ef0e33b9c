//! Every code block of `README.md` and `docs/*.md` is tested, here or, where it needs
//! the command, in `cli/tests/documents.rs`; link targets exist.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use routh_codegen::{Language, Robot};
use routh_tests::documents::{Block, Document, ROOT, Trial, documents};

type Run = fn() -> Result<(), Box<dyn Error>>;

include!(concat!(env!("OUT_DIR"), "/documents.rs"));

fn blocks(trial: Trial<'_>) -> Vec<Block> {
    let all = documents().unwrap().into_iter().flat_map(|document| document.blocks);
    all.filter(|block| block.trial() == Some(trial)).collect()
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("documents").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn every_block_is_of_a_kind_that_is_tried() {
    for document in documents().unwrap() {
        for block in &document.blocks {
            let (place, kind) = (&block.place, &block.information);
            assert!(block.trial().is_some(), "{place}: nothing tries a block of `{kind}`");
            let machine = block.trial() == Some(Trial::Machine);
            assert!(!machine || document.name == "docs/pipeline.md", "{place}: machine code");
        }
        let set_in = document.prose.iter().filter_map(|line| line.strip_prefix("    "));
        for line in set_in {
            let code = ["routh ", "cargo ", "let ", "use ", "#include", "$ "];
            let is_code = code.iter().any(|start| line.trim_start().starts_with(start));
            assert!(!is_code, "{}: code that nothing tries: {line}", document.name);
        }
    }
}

#[test]
fn rust_blocks_run() {
    assert_eq!(RUST.len(), blocks(Trial::Rust).len());
    for (place, run) in RUST {
        run().unwrap_or_else(|error| panic!("{place}: {error}"));
    }
}

/// A build script's block runs as a build script: a process with its own folder.
#[test]
fn build_scripts_run() {
    assert_eq!(BUILD_SCRIPTS.len(), blocks(Trial::BuildScript).len());
    let folder = folder("build_script");
    fs::copy("../examples/seed_robot.toml", folder.join("seed_robot.toml")).unwrap();
    let run = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "as_build_script", "--ignored"])
        .current_dir(&folder)
        .env("OUT_DIR", &folder)
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
    let made = fs::read_to_string(folder.join("seed_robot.rs")).unwrap();
    let wanted = Robot::from_toml("../examples/seed_robot.toml").unwrap().generate().unwrap();
    assert_eq!(made, wanted.text());
}

#[test]
#[ignore = "runs in a process of its own"]
fn as_build_script() {
    for (place, run) in BUILD_SCRIPTS {
        run().unwrap_or_else(|error| panic!("{place}: {error}"));
    }
}

/// C blocks are compiled as separate programs, with the solver that they call.
#[test]
fn c_blocks_run() {
    let cc = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    if Command::new(&cc).arg("--version").output().is_err() {
        let message = format!("C blocks are not tried: no compiler {cc:?}");
        assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "{message}");
        eprintln!("{message}");
        return;
    }
    let folder = folder("c");
    let robot = Robot::from_toml("../examples/seed_robot.toml").unwrap();
    robot.language(Language::C).generate().unwrap().write_into(&folder).unwrap();
    let blocks = blocks(Trial::C);
    assert!(!blocks.is_empty());
    for block in blocks {
        let (includes, lines): (Vec<_>, Vec<_>) =
            block.text.lines().partition(|line| line.starts_with('#'));
        let (includes, lines) = (includes.join("\n"), lines.join("\n"));
        let program = format!("{includes}\n#include <stdio.h>\nint main(void) {{\n{lines}\n}}\n");
        fs::write(folder.join("controller.c"), program).unwrap();
        let options = "-std=c99 -pedantic -Wall -Wextra -Werror -O2 controller.c seed_robot.c -lm";
        let compiled = Command::new(&cc)
            .current_dir(&folder)
            .args(options.split(' '))
            .args(["-o", "controller"])
            .output()
            .unwrap();
        let messages = String::from_utf8_lossy(&compiled.stderr);
        assert!(compiled.status.success(), "{}: {messages}", block.place);
        let output = Command::new(folder.join("controller")).output().unwrap();
        let found: Vec<f64> = String::from_utf8(output.stdout)
            .unwrap()
            .split_whitespace()
            .map(|x| x.parse().unwrap())
            .collect();
        // The reference's figures for this impact.
        let wanted = [4.844821609556937, -0.1836973733241901, 1.3162516337213068];
        assert_eq!(found.len(), 3, "{}", block.place);
        for (x, y) in found.iter().zip(wanted) {
            assert!((x - y).abs() < 1e-5 * y.abs(), "{}: {found:?}", block.place);
        }
    }
}

#[test]
fn robot_files_are_read() {
    let folder = folder("robot");
    fs::copy("../examples/leg.urdf", folder.join("leg.urdf")).unwrap();
    let blocks = blocks(Trial::Robot);
    assert!(!blocks.is_empty());
    for block in blocks {
        let file = folder.join("robot.toml");
        fs::write(&file, &block.text).unwrap();
        let made = Robot::from_toml(&file).and_then(|robot| robot.generate());
        made.unwrap_or_else(|error| panic!("{}: {error}", block.place));
    }
}

/// Where a link of a document leads: a path from the root, and an anchor.
fn target(document: &Document, link: &str) -> Option<(PathBuf, Option<String>)> {
    if link.starts_with("https://") {
        return None;
    }
    let (file, anchor) = match link.split_once('#') {
        Some((file, anchor)) => (file, Some(anchor.to_owned())),
        None => (link, None),
    };
    let mut path = PathBuf::from(&document.name);
    if !file.is_empty() {
        path.pop();
        for part in Path::new(file) {
            match part.to_str() {
                Some("..") => drop(path.pop()),
                _ => path.push(part),
            }
        }
    }
    Some((path, anchor))
}

#[test]
fn links_lead_somewhere() {
    let documents = documents().unwrap();
    for document in &documents {
        for link in document.links() {
            let Some((path, anchor)) = target(document, &link) else { continue };
            let name = &document.name;
            assert!(Path::new(ROOT).join(&path).exists(), "{name}: there is no {link}");
            if let Some(anchor) = anchor {
                let there = documents.iter().find(|other| Path::new(&other.name) == path);
                let anchors = there.map(Document::anchors).unwrap_or_default();
                assert!(anchors.contains(&anchor), "{name}: {link} is none of {anchors:?}");
            }
        }
    }
}

#[test]
fn every_document_is_reached_from_the_index() {
    let documents = documents().unwrap();
    let mut reached = BTreeSet::new();
    let mut open = vec![PathBuf::from("docs/README.md")];
    while let Some(path) = open.pop() {
        let Some(document) = documents.iter().find(|d| Path::new(&d.name) == path) else {
            continue;
        };
        if reached.insert(document.name.clone()) {
            let links = document.links();
            open.extend(links.iter().filter_map(|link| Some(target(document, link)?.0)));
        }
    }
    let all: BTreeSet<_> = documents.iter().map(|document| document.name.clone()).collect();
    assert_eq!(reached, all);
}

/// Extensions of file names in documents.
const ENDINGS: [&str; 8] = [".rs", ".md", ".json", ".toml", ".sh", ".txt", ".svg", ".urdf"];

/// Files that are written beside a generated solver.
const GENERATED: [&str; 4] = ["REPORT.md", "seed_robot.rs", "NAME.rs", "target/growth/growth.json"];

/// Files under a folder, as paths from the root.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(Path::new(ROOT).join(folder)).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name();
        let path = folder.join(&name);
        match entry.file_type().unwrap().is_dir() {
            true if name != "target" && !name.to_string_lossy().starts_with('.') => {
                files(&path, found);
            }
            true => {}
            false => found.push(path),
        }
    }
}

#[test]
fn named_files_exist() {
    let mut all = Vec::new();
    files(Path::new(""), &mut all);
    for document in documents().unwrap() {
        for span in document.spans() {
            let named = ENDINGS.iter().any(|ending| span.ends_with(ending));
            if !named || span.contains(' ') || GENERATED.contains(&span.as_str()) {
                continue;
            }
            let exists = all.iter().any(|path| path.ends_with(&span));
            assert!(exists, "{}: there is no {span}", document.name);
        }
    }
}

/// A test shows every erratum.
#[test]
fn named_tests_exist() {
    let mut all = Vec::new();
    ["tests", "codegen/tests"].iter().for_each(|folder| files(Path::new(folder), &mut all));
    let sources = all.iter().filter(|path| path.extension().is_some_and(|kind| kind == "rs"));
    let sources: Vec<_> =
        sources.map(|path| fs::read_to_string(Path::new(ROOT).join(path)).unwrap()).collect();
    let documents = documents().unwrap();
    let errata = documents.iter().find(|document| document.name == "docs/errata.md").unwrap();
    let is_name = |span: &str| {
        let letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        span.chars().all(letter) && span.matches('_').count() > 2
    };
    let named: Vec<_> = errata.spans().into_iter().filter(|span| is_name(span)).collect();
    assert!(named.len() > 10);
    for name in named {
        let test = format!("#[test]\nfn {name}()");
        assert!(sources.iter().any(|source| source.contains(&test)), "there is no test {name}");
    }
}
