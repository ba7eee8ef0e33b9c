//! `ARCHITECTURE.md` is true: its files and functions exist, and nothing depends on what it
//! does not list.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The most files that a walk may lead through, and how often it may return to a crate.
const LONGEST: usize = 17;
const RETURNS: usize = 3;

/// Rooms that all others may use.
const COMMON: [&str; 5] = ["Error", "Precision", "error", "output", "elementary"];

fn read(path: impl AsRef<Path>) -> String {
    let path = Path::new(ROOT).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The words in backticks of each row of the tables with a head, cell by cell.
fn tables(head: &str) -> Vec<Vec<[Vec<String>; 2]>> {
    let text = read("ARCHITECTURE.md");
    let quoted = |cell: &str| {
        let parts = cell.split('`').skip(1).step_by(2);
        parts.map(str::to_owned).collect::<Vec<_>>()
    };
    let rows = |table: &str| {
        let rows = table.lines().skip(1).take_while(|line| line.starts_with('|'));
        rows.map(|row| {
            let mut cells = row.split('|').skip(1).map(quoted);
            [cells.next().unwrap_or_default(), cells.next().unwrap_or_default()]
        })
        .collect()
    };
    text.split(head).skip(1).map(|table| rows(table.trim_start())).collect()
}

/// Lists of what each may use.
fn allowed(rows: &[[Vec<String>; 2]]) -> BTreeMap<String, BTreeSet<String>> {
    rows.iter().map(|[name, uses]| (name[0].clone(), uses.iter().cloned().collect())).collect()
}

#[test]
fn walks_lead_through_files_and_functions_that_exist() {
    let walks = tables("| file | what happens |\n");
    assert_eq!(walks.len(), 2);
    for walk in walks {
        assert!(walk.len() <= LONGEST, "{} files", walk.len());
        let mut crates: Vec<&str> = Vec::new();
        for [file, functions] in &walk {
            let text = read(&file[0]);
            for function in functions.iter().filter(|name| !name.contains(['.', '('])) {
                let defined = [format!("fn {function}("), format!("fn {function}<")];
                let found = defined.iter().any(|line| text.contains(line));
                assert!(found, "{} has no fn {function}", file[0]);
            }
            let krate = file[0].split('/').next().unwrap();
            if crates.last() != Some(&krate) {
                crates.push(krate);
            }
        }
        let visited: BTreeSet<_> = crates.iter().collect();
        assert!(crates.len() - visited.len() <= RETURNS, "{crates:?}");
    }
}

#[test]
fn crates_depend_on_what_is_listed() {
    let tables = tables("| crate | may use |\n");
    let allowed = allowed(&tables[0]);
    let packages = packages();
    let found: BTreeMap<_, BTreeSet<_>> = packages
        .iter()
        .map(|package| {
            let name = package["name"].as_str().unwrap();
            let used = package["dependencies"].as_array().unwrap().iter();
            let used = used.filter_map(|dependency| dependency["name"].as_str());
            let ours = used.filter(|other| other.split('-').next() == Some("routh"));
            let others = ours.filter(|other| *other != name).map(str::to_owned);
            (name.to_owned(), others.collect())
        })
        .collect();
    assert_eq!(found, allowed);
}

/// Packages of the workspace without what they are built from.
fn packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(ROOT)
        .output()
        .unwrap();
    let mut metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    serde_json::from_value(metadata["packages"].take()).unwrap()
}

#[test]
fn dependencies_that_users_inherit_are_listed() {
    let mut listed = BTreeSet::new();
    for rows in tables("| dependency | of | reason |\n") {
        for [dependencies, of] in rows {
            for dependency in &dependencies {
                listed.extend(of.iter().map(|of| (of.clone(), dependency.clone())));
            }
        }
    }
    let mut found = BTreeSet::new();
    for package in packages().iter().filter(|package| package["publish"].is_null()) {
        let name = package["name"].as_str().unwrap();
        for dependency in package["dependencies"].as_array().unwrap() {
            let other = dependency["name"].as_str().unwrap();
            if dependency["kind"] != "dev" && other.split('-').next() != Some("routh") {
                found.insert((name.to_owned(), other.to_owned()));
            }
        }
    }
    assert_eq!(found, listed);
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

/// The names behind `crate::` in a source, tests and comments aside.
fn used(text: &str) -> BTreeSet<String> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let code: String = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let names = code.split("crate::").skip(1).flat_map(|rest| {
        let list = rest.strip_prefix('{').and_then(|list| list.split('}').next());
        let list =
            list.unwrap_or_else(|| rest.split([';', ':', ' ', '(', ')']).next().unwrap_or(""));
        list.split(',').map(|name| name.split("::").next().unwrap_or("").trim().to_owned())
    });
    names.collect()
}

#[test]
fn rooms_depend_on_what_is_listed() {
    for (source, rows) in ["codegen/src", "solver/src"].iter().zip(tables("| room | may use |\n")) {
        let (allowed, folder) = (allowed(&rows), Path::new(ROOT).join(source));
        let mut files = Vec::new();
        sources(&folder, &mut files);
        for file in files {
            let first = file.strip_prefix(&folder).unwrap().iter().next().unwrap();
            let room = first.to_string_lossy().trim_end_matches(".rs").to_owned();
            if room == "lib" || COMMON.contains(&room.as_str()) || room == "precision" {
                continue;
            }
            let allowed =
                allowed.get(&room).unwrap_or_else(|| panic!("{source}: no row of {room}"));
            for name in used(&std::fs::read_to_string(&file).unwrap()) {
                let known = name == room || name == "precision" || COMMON.contains(&name.as_str());
                assert!(known || allowed.contains(&name), "{}: {name}", file.display());
            }
        }
    }
}
