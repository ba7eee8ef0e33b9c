//! Dependencies have the licences that `deny.toml` allows, and those that it excepts by name
//! come with Symbolica alone.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The words in quotes of the lines of `deny.toml` that begin like this.
fn quoted(start: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(format!("{ROOT}/deny.toml")).unwrap();
    let lines = text.lines().filter(|line| line.trim_start().starts_with(start));
    lines.map(|line| line.split('"').skip(1).step_by(2).map(str::to_owned).collect()).collect()
}

/// What the workspace is built from on this machine, with all features.
fn metadata() -> Value {
    let version = Command::new("rustc").arg("-vV").output().unwrap();
    let version = String::from_utf8(version.stdout).unwrap();
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--all-features", "--format-version", "1", "--locked"])
        .args(["--filter-platform", host])
        .current_dir(ROOT)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Whether an SPDX expression can be met by these licences.
fn met(expression: &str, allowed: &[String]) -> bool {
    let plain = expression.replace(['(', ')'], "").replace('/', " OR ");
    // Or any later version, which this one is.
    let known =
        |licence: &str| allowed.iter().any(|known| known == licence.trim().trim_end_matches('+'));
    plain.split(" AND ").all(|part| part.split(" OR ").any(known))
}

#[test]
fn dependencies_have_licences_that_are_allowed() {
    let metadata = metadata();
    let allowed = quoted("allow = [").remove(0);
    let excepted: BTreeMap<_, _> =
        quoted("{ crate =").into_iter().map(|mut words| (words.remove(0), words)).collect();
    let packages = metadata["packages"].as_array().unwrap();
    let id = |package: &Value| package["id"].as_str().unwrap().to_owned();
    let used: BTreeMap<_, Vec<_>> = metadata["resolve"]["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|node| {
            let used = node["dependencies"].as_array().unwrap();
            (id(node), used.iter().map(|id| id.as_str().unwrap()).collect())
        })
        .collect();
    let symbolica = packages.iter().find(|package| package["name"] == "symbolica").map(id);
    let mut without = BTreeSet::new();
    let members = metadata["workspace_members"].as_array().unwrap().iter();
    let mut next: Vec<_> = members.map(|id| id.as_str().unwrap()).collect();
    while let Some(id) = next.pop() {
        if symbolica.as_deref() != Some(id) && without.insert(id) {
            next.extend(&used[id]);
        }
    }
    for package in packages.iter().filter(|package| used.contains_key(&id(package))) {
        let name = package["name"].as_str().unwrap();
        let licence = package["license"].as_str().unwrap_or("LicenseRef-Symbolica");
        let mut allowed = allowed.clone();
        if let Some(excepted) = excepted.get(name) {
            assert!(!without.contains(id(package).as_str()), "{name} comes without Symbolica");
            allowed.extend(excepted.clone());
        }
        assert!(met(licence, &allowed), "{name}: {licence}");
    }
}
