//! Commands in `README.md` and `docs/*.md` run, draw the figures that stand beside them
//! and print what is quoted; `tests/documents.rs` tries the other blocks.

mod routh;

#[allow(dead_code, unreachable_pub)]
#[path = "../../tests/src/documents.rs"]
mod documents;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use documents::{ROOT, Trial, documents};
use routh::{Run, folder, routh, shell_in};

/// Commands that are not run, and why; that they exist is checked.
const NOT_RUN: [(&str, &str); 13] = [
    ("cargo test", "it is what runs this"),
    ("cargo run", "programs other than the command take minutes"),
    ("cargo bench", "it takes minutes"),
    ("cargo doc", "it builds everything"),
    ("cargo add", "tests/packages/run uses what was packed"),
    ("cargo install", "it builds everything"),
    ("tests/metal/", "it takes minutes and other software"),
    ("cli/web/", "it takes minutes and other software"),
    ("tests/fuzz/", "it takes minutes and other software"),
    ("benches/", "it takes minutes and other software"),
    ("cc ", "there may be no compiler; C is compiled in tests/documents.rs"),
    ("objdump ", "it shows what the compiler at hand makes"),
    ("valgrind ", "it counts what the compiler at hand makes"),
];

/// A folder with the examples, in which commands may write.
fn scratch(name: &str) -> PathBuf {
    let folder = PathBuf::from(folder(name));
    fs::create_dir(folder.join("docs")).unwrap();
    let from = Path::new(ROOT).join("examples");
    let copied = Command::new("cp").arg("-r").arg(from).arg(&folder).status().unwrap();
    assert!(copied.success());
    folder
}

/// Runs a command as it is printed, unless it is one of those that are not run.
fn run(line: &str, place: &str, folder: &Path) {
    let line = line
        .strip_prefix("cargo run --release -- ")
        .map_or(line.to_owned(), |arguments| format!("routh {arguments}"));
    if NOT_RUN.iter().any(|(start, _)| line.starts_with(start)) {
        return assert_exists(&line, place);
    }
    assert!(line.starts_with("routh "), "{place}: nothing tries `{line}`");
    let Run { status, err, .. } = shell_in(folder, &line);
    assert_eq!((status, err.as_str()), (0, ""), "{place}: `{line}`");
}

/// That a script exists, and the package, benchmark or test that cargo is told to run.
fn assert_exists(line: &str, place: &str) {
    let words: Vec<_> = line.split(' ').collect();
    if words[0].contains('/') {
        assert!(Path::new(ROOT).join(words[0]).exists(), "{place}: `{line}`");
    }
    let manifests = manifests();
    for pair in words.windows(2).filter(|pair| ["-p", "--bench", "--test"].contains(&pair[0])) {
        let named = format!("name = \"{}\"", pair[1]);
        let exists = manifests.iter().any(|manifest| manifest.contains(&named));
        assert!(exists, "{place}: there is no {} for `{line}`", pair[1]);
    }
}

/// The packages' manifests, which lie one folder or two below the root.
fn manifests() -> Vec<String> {
    let within = |folder: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).into_iter().flatten();
        entries.map(|entry| entry.unwrap().path()).collect()
    };
    let rooms = within(Path::new(ROOT));
    let nested = rooms.iter().flat_map(|room| within(room));
    let folders = rooms.iter().cloned().chain(nested);
    folders.filter_map(|folder| fs::read_to_string(folder.join("Cargo.toml")).ok()).collect()
}

#[test]
fn shell_blocks_run() {
    let folder = scratch("shell");
    let mut lines = 0;
    for block in documents().unwrap().into_iter().flat_map(|document| document.blocks) {
        if block.trial() == Some(Trial::Shell) {
            for line in block.text.lines() {
                run(line.split(" # ").next().unwrap_or(line).trim_end(), &block.place, &folder);
                lines += 1;
            }
        }
    }
    assert!(lines > 0);
}

/// Whether code within a line is a command that can be run as it stands.
fn is_command(span: &str) -> bool {
    let placeholder = |word: &str| word.chars().any(|c| c.is_ascii_uppercase());
    let known = ["routh ", "cargo ", "benches/"].iter().any(|start| span.starts_with(start));
    let arguments: Vec<_> = span.split(' ').skip(1).collect();
    let bare = span.starts_with("routh ") && arguments.len() < 2;
    known && !bare && !arguments.iter().any(|word| placeholder(word))
}

#[test]
fn commands_in_the_text_run_and_draw_the_figures() {
    let folder = scratch("text");
    let mut done = Vec::new();
    for document in documents().unwrap() {
        for span in document.spans().into_iter().filter(|span| is_command(span)) {
            if !done.contains(&span) {
                run(&span, &document.name, &folder);
                done.push(span);
            }
        }
    }
    let mut figures = 0;
    for entry in fs::read_dir(folder.join("docs")).unwrap() {
        let name = entry.unwrap().file_name();
        let [drawn, kept] = [&folder, Path::new(ROOT)].map(|root| root.join("docs").join(&name));
        let same = fs::read(drawn).unwrap() == fs::read(kept).unwrap();
        assert!(same, "docs/{} is not what its command draws", name.display());
        figures += 1;
    }
    assert!(figures >= 6);
}

#[test]
fn inputs_are_solved() {
    for block in documents().unwrap().into_iter().flat_map(|document| document.blocks) {
        let Some(Trial::Input(command)) = block.trial() else { continue };
        let arguments: Vec<_> = command.split(' ').skip(1).collect();
        routh(&arguments, &block.text).solved();
    }
}

/// What an excerpt is said to be from: a file, or what a command prints or, behind a colon,
/// writes.
fn original(source: &str, folder: &Path) -> String {
    let Some((command, file)) = source.split_once(": ") else {
        if source.starts_with("routh ") {
            return shell_in(folder, source).out;
        }
        return fs::read_to_string(Path::new(ROOT).join(source)).unwrap();
    };
    shell_in(folder, command).printed();
    fs::read_to_string(folder.join(file)).unwrap()
}

/// Lines of an excerpt stand in the original one after another and in this order; `…`
/// stands for lines that are left out, and at the end of a line for the rest of it.
fn assert_excerpt(excerpt: &str, original: &str, place: &str) {
    let lines: Vec<_> = original.lines().collect();
    let same = |quoted: &str, line: &str| match quoted.strip_suffix(" …") {
        Some(start) => line.starts_with(start),
        None => line == quoted,
    };
    let mut from = 0;
    for part in excerpt.lines().collect::<Vec<_>>().split(|line| line.trim() == "…") {
        let fits = |at: &usize| {
            let end = at + part.len();
            end <= lines.len() && part.iter().zip(&lines[*at..end]).all(|(q, line)| same(q, line))
        };
        let place_found = (from..=lines.len()).find(fits);
        from = match place_found {
            Some(at) => at + part.len(),
            None => panic!("{place}: not in the original, in this order:\n{}", part.join("\n")),
        };
    }
}

#[test]
fn excerpts_are_true() {
    let folder = scratch("excerpts");
    let mut originals = BTreeMap::new();
    for block in documents().unwrap().into_iter().flat_map(|document| document.blocks) {
        let Some(Trial::Excerpt(source)) = block.trial() else { continue };
        let known = originals.entry(source.to_owned());
        let text: &String = known.or_insert_with(|| original(source, &folder));
        assert_excerpt(&block.text, text, &block.place);
    }
    assert!(!originals.is_empty());
}

#[test]
#[should_panic(expected = "not in the original")]
fn a_false_excerpt_is_found() {
    assert_excerpt("one\n…\nthree\ntwo\n", "one\ntwo\nthree\n", "here");
}
