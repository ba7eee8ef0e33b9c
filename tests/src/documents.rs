//! The project's documents taken apart: code blocks, commands and links of
//! `README.md` and `docs/*.md`. It needs nothing but the standard library, so that
//! build scripts and the tests of other crates can include it.
//!
//! What a fenced block is, its first line says, as in `rust`, `text from routh derive`
//! or `json for routh solve -`. Blocks set in by four spaces are formulas.

use std::fs;
use std::io;
use std::path::Path;

/// The root of the repository.
pub const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// A Markdown file.
#[derive(Clone, Debug)]
pub struct Document {
    /// Its path from the root.
    pub name: String,
    /// Its fenced blocks.
    pub blocks: Vec<Block>,
    /// All other lines, those within fences being empty.
    pub prose: Vec<String>,
}

/// A fenced block.
#[derive(Clone, Debug)]
pub struct Block {
    /// File and line of its first line of code.
    pub place: String,
    /// What follows its opening fence.
    pub information: String,
    /// Its lines.
    pub text: String,
}

/// How a block is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trial<'a> {
    /// Statements in Rust that run.
    Rust,
    /// A build script that runs.
    BuildScript,
    /// Statements in C that run beside the seed robot's solver.
    C,
    /// A robot file that can be read.
    Robot,
    /// Commands that run.
    Shell,
    /// What a command reads and solves.
    Input(&'a str),
    /// Part of a file, or of what a command prints or writes.
    Excerpt(&'a str),
    /// Machine code, which is the compiler's and is not compared.
    Machine,
}

impl Block {
    /// How the block is tried, if it is of a kind that can be.
    pub fn trial(&self) -> Option<Trial<'_>> {
        let (language, rest) = self.information.split_once(' ').unwrap_or((&self.information, ""));
        let source = rest.strip_prefix("from ").map(Trial::Excerpt);
        match (language, rest) {
            ("rust", "") if self.text.contains("fn main()") => Some(Trial::BuildScript),
            ("rust", "") => Some(Trial::Rust),
            ("c", "") => Some(Trial::C),
            ("toml", "") => Some(Trial::Robot),
            ("sh", "") => Some(Trial::Shell),
            ("asm", "") => Some(Trial::Machine),
            ("json", _) if source.is_none() => rest.strip_prefix("for ").map(Trial::Input),
            ("c" | "json" | "rust" | "text" | "toml", _) => source,
            _ => None,
        }
    }
}

impl Document {
    fn read(name: &str) -> io::Result<Self> {
        let text = fs::read_to_string(Path::new(ROOT).join(name))?;
        let mut document = Self { name: name.to_owned(), blocks: Vec::new(), prose: Vec::new() };
        let mut open: Option<Block> = None;
        for (i, line) in text.lines().enumerate() {
            document.prose.push(String::new());
            match (line.trim_start().strip_prefix("```"), &mut open) {
                (Some(_), Some(_)) => document.blocks.extend(open.take()),
                (Some(information), None) => {
                    open = Some(Block {
                        place: format!("{name}:{}", i + 2),
                        information: information.to_owned(),
                        text: String::new(),
                    });
                }
                (None, Some(block)) => block.text += &format!("{line}\n"),
                (None, None) => document.prose[i] = line.to_owned(),
            }
        }
        document.blocks.extend(open);
        Ok(document)
    }

    /// Its code within lines, each with single spaces.
    pub fn spans(&self) -> Vec<String> {
        let formulas = |line: &&String| !line.starts_with("    ");
        let prose: Vec<&str> = self.prose.iter().filter(formulas).map(String::as_str).collect();
        let words = |span: &str| span.split_whitespace().collect::<Vec<_>>().join(" ");
        prose.join("\n").split('`').skip(1).step_by(2).map(words).collect()
    }

    /// The targets of its links and pictures.
    pub fn links(&self) -> Vec<String> {
        let prose = self.prose.join("\n");
        let targets = prose.split("](").skip(1);
        targets.filter_map(|rest| rest.split_once(')')).map(|(to, _)| to.to_owned()).collect()
    }

    /// The anchors of its headings, as forges name them.
    pub fn anchors(&self) -> Vec<String> {
        let headings = self.prose.iter().filter(|line| line.starts_with('#'));
        let titles = headings.map(|line| line.trim_start_matches('#').trim().to_lowercase());
        let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
        titles
            .map(|title| title.chars().filter(kept).collect::<String>().replace(' ', "-"))
            .collect()
    }
}

/// All documents, the README first.
///
/// # Errors
/// What reading them says.
pub fn documents() -> io::Result<Vec<Document>> {
    let mut names = vec!["README.md".to_owned()];
    for entry in fs::read_dir(Path::new(ROOT).join("docs"))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".md") {
            names.push(format!("docs/{name}"));
        }
    }
    names[1..].sort();
    names.iter().map(|name| Document::read(name)).collect()
}
