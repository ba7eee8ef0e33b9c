//! Lines of C: indentation, comments that end where they should, and long
//! lines broken where their nesting is shallowest.

use std::collections::BTreeSet;

const WIDTH: usize = 100;
const INDENT: usize = 4;

/// Text under construction, and the words that its code has used.
#[derive(Default)]
pub(super) struct Lines {
    text: String,
    depth: usize,
    words: BTreeSet<String>,
}

impl Lines {
    pub(super) fn at_depth(depth: usize) -> Self {
        Self { depth, ..Self::default() }
    }

    pub(super) fn code(&mut self, line: &str) {
        self.words.extend(words(line).map(str::to_owned));
        if INDENT * self.depth + line.len() > WIDTH
            && let Some((start, fields)) = record(line)
        {
            self.raw(&format!("{:1$}{start}", "", INDENT * self.depth));
            self.depth += 1;
            fields.iter().for_each(|field| self.code(&format!("{field},")));
            self.depth -= 1;
            return self.raw(&format!("{:1$}}};", "", INDENT * self.depth));
        }
        let indent = INDENT * self.depth;
        for (i, part) in broken(line, WIDTH.saturating_sub(indent)).iter().enumerate() {
            let indent = if i == 0 { indent } else { indent + 2 * INDENT };
            self.raw(&format!("{:indent$}{part}", ""));
        }
    }

    /// Code that opens a block: what follows is indented until [`Self::close`].
    pub(super) fn open(&mut self, line: &str) {
        self.code(line);
        self.depth += 1;
    }

    pub(super) fn close(&mut self, line: &str) {
        self.depth = self.depth.saturating_sub(1);
        self.code(line);
    }

    pub(super) fn indent(&mut self) {
        self.depth += 1;
    }

    /// A line between the blocks of one statement, as in `} else {`.
    pub(super) fn reopen(&mut self, line: &str) {
        self.close(line);
        self.depth += 1;
    }

    /// A line as it stands, which counts as no use of its words.
    pub(super) fn raw(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    pub(super) fn blank(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    pub(super) fn doc(&mut self, lines: &[String]) {
        let indent = INDENT * self.depth;
        if !lines.is_empty() {
            self.raw(&comment("/**", lines.iter().map(String::as_str), indent));
        }
    }

    /// Empty lines of text at the same depth.
    pub(super) fn apart(&self) -> Self {
        Self::at_depth(self.depth)
    }

    /// Appends what was laid out apart from it.
    pub(super) fn append(&mut self, other: Lines) {
        self.text.push_str(&other.text);
        self.words.extend(other.words);
    }

    pub(super) fn uses(&self, word: &str) -> bool {
        self.words.contains(word)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }
}

/// A comment that no line of its text can end.
pub(super) fn comment<'a>(
    opening: &str,
    lines: impl ExactSizeIterator<Item = &'a str>,
    indent: usize,
) -> String {
    let space = " ".repeat(indent);
    let one = lines.len() == 1;
    let lines = lines.map(|line| harmless(line.trim_end())).collect::<Vec<_>>();
    if one && indent + lines[0].len() + 8 <= WIDTH {
        return format!("{space}{opening} {} */", lines[0].trim());
    }
    let rows = lines.iter().map(|line| match line.strip_prefix(' ').unwrap_or(line) {
        "" => format!("{space} *\n"),
        line => format!("{space} * {line}\n"),
    });
    format!("{space}{opening}\n{}{space} */", rows.collect::<String>())
}

fn harmless(line: &str) -> String {
    let line = line.replace("*/", "* /").replace("/*", "/ *").replace("??", "? ?");
    line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// The identifiers of a line.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
}

/// A statement that ends with a structure, as what comes before its fields, and
/// these.
fn record(line: &str) -> Option<(&str, Vec<&str>)> {
    let start = line.find("{.")? + 1;
    let inner = line[start..].strip_suffix("};")?;
    let mut depth = 0_usize;
    let mut ends = Vec::new();
    for (i, byte) in inner.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.checked_sub(1)?,
            b',' if depth == 0 => ends.push(i),
            _ => {}
        }
    }
    ends.push(inner.len());
    let starts = std::iter::once(0).chain(ends.iter().map(|end| end + 1));
    let fields = starts.zip(&ends).map(|(start, &end)| inner[start..end].trim());
    Some((&line[..start], fields.collect()))
}

/// Breaks a line before operators and after commas, so that no part is wider
/// than `width` if its breaks allow.
fn broken(line: &str, width: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut rest, mut room) = (line, width);
    while rest.len() > room {
        let Some(at) = break_within(rest, room) else { break };
        let (part, tail) = rest.split_at(at);
        parts.push(part.trim_end());
        rest = tail.trim_start();
        room = width.saturating_sub(2 * INDENT);
    }
    parts.push(rest);
    parts
}

/// Of the breaks that fit, the last of the shallowest; the one after `=` only
/// where there is no other. Breaks in the first third would waste the line.
fn break_within(line: &str, room: usize) -> Option<usize> {
    let candidates = breaks(line, room);
    let fits = |at: usize| at > room / 3 && at <= room;
    let best = candidates.iter().filter(|c| fits(c.0)).min_by_key(|c| (c.1, usize::MAX - c.0));
    let any = || candidates.iter().find(|c| c.0 > room / 3);
    let assignment = || line.find(" = ").map(|at| at + 2).filter(|&at| at <= room);
    best.or_else(any).map(|c| c.0).or_else(assignment)
}

/// Where a line may break, with the nesting there; beyond `room` only if there is no
/// break before.
fn breaks(line: &str, room: usize) -> Vec<(usize, usize)> {
    let bytes = line.as_bytes();
    let mut depth = 0_usize;
    let mut found = Vec::new();
    for (i, &byte) in bytes.iter().enumerate() {
        if i > room && found.last().is_some_and(|(at, _)| *at > room / 3) {
            break;
        }
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b' ' => {
                let after = i > 0 && matches!(bytes[i - 1], b',' | b';');
                let word = line[i + 1..].split(' ').next().unwrap_or_default();
                let operator = OPERATORS.contains(&word);
                if after || operator {
                    found.push((i, 2 * depth + usize::from(matches!(word, "*" | "/" | "%"))));
                }
            }
            _ => {}
        }
    }
    found
}

const OPERATORS: [&str; 20] = [
    "+", "-", "*", "/", "%", "&&", "||", "?", ":", "&", "|", "^", "<<", ">>", "==", "!=", "<",
    "<=", ">", ">=",
];
