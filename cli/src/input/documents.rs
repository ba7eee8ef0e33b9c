//! Input as documents: one JSON value over many lines, or one a line.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

use serde::de::IgnoredAny;

/// Bytes read at once.
const CAPACITY: usize = 1 << 16;

/// A JSON text, or what stands in the place of one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Document<'a> {
    /// The text.
    pub(crate) text: &'a [u8],
    /// The number of its first line, counted from 1.
    pub(crate) line: usize,
}

/// Where a document ends.
#[derive(Clone, Copy, Debug)]
enum End {
    Line,
    Input,
}

/// The documents of an input, in order.
pub(crate) struct Documents {
    source: BufReader<Box<dyn Read>>,
    end: End,
    text: Vec<u8>,
    line: usize,
    /// Whether the source may keep one waiting.
    slow: bool,
}

impl Documents {
    /// Opens a file, or standard input for `-`.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        match path.to_str() {
            Some("-") => Self::new(Box::new(io::stdin().lock()), true),
            _ => {
                let file = File::open(path)?;
                let slow = !file.metadata()?.is_file();
                Self::new(Box::new(file), slow)
            }
        }
    }

    /// Decides by the first line that is not blank. Unless it is the beginning
    /// of a JSON value, every line is a document, read only when it is asked
    /// for. If it is, the whole input is one; and if that is no JSON value, it
    /// is lines after all, some of them wrong.
    pub(crate) fn new(source: Box<dyn Read>, slow: bool) -> io::Result<Self> {
        let mut source = BufReader::with_capacity(CAPACITY, source);
        let (mut start, mut line) = (Vec::new(), 1);
        while source.read_until(b'\n', &mut start)? > 0 && is_blank(&start) {
            start.clear();
            line += 1;
        }
        let (source, end): (Box<dyn Read>, _) = if !is_cut_off(&start) {
            (Box::new(Cursor::new(start).chain(source)), End::Line)
        } else {
            source.read_to_end(&mut start)?;
            let end = if is_json(&start) { End::Input } else { End::Line };
            (Box::new(Cursor::new(start)), end)
        };
        let source = BufReader::with_capacity(CAPACITY, source);
        Ok(Self { source, end, text: Vec::new(), line, slow })
    }

    /// The next document; blank lines are none.
    pub(crate) fn next(&mut self) -> io::Result<Option<Document<'_>>> {
        loop {
            let line = self.line;
            self.text.clear();
            let length = match self.end {
                End::Line => self.source.read_until(b'\n', &mut self.text)?,
                End::Input => self.source.read_to_end(&mut self.text)?,
            };
            if length == 0 {
                return Ok(None);
            }
            self.line += 1;
            if !is_blank(&self.text) {
                return Ok(Some(Document { text: &self.text, line }));
            }
        }
    }

    /// Whether the next document may have to be waited for.
    pub(crate) fn may_block(&self) -> bool {
        self.slow && !self.source.buffer().contains(&b'\n')
    }
}

fn is_blank(text: &[u8]) -> bool {
    text.trim_ascii().is_empty()
}

/// Whether more text could make a JSON value of it.
fn is_cut_off(text: &[u8]) -> bool {
    serde_json::from_slice::<IgnoredAny>(text).is_err_and(|error| error.is_eof())
}

fn is_json(text: &[u8]) -> bool {
    serde_json::from_slice::<IgnoredAny>(text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn documents(input: &[u8]) -> Vec<(usize, Vec<u8>)> {
        let mut documents = Documents::new(Box::new(Cursor::new(input.to_vec())), false).unwrap();
        let mut all = Vec::new();
        while let Some(document) = documents.next().unwrap() {
            all.push((document.line, document.text.trim_ascii().to_vec()));
        }
        all
    }

    #[test]
    fn lines_are_documents_and_blank_ones_are_not() {
        let found = documents(b"\r\n{\"a\": 1}\n \t\n{\"a\": 2}");
        assert_eq!(found, [(2, b"{\"a\": 1}".to_vec()), (4, b"{\"a\": 2}".to_vec())]);
    }

    #[test]
    fn one_value_over_many_lines_is_one_document() {
        let text = b"{\n\"a\":\n\n1}";
        assert_eq!(documents(&[b"\n", &text[..], b"\n"].concat()), [(2, text.to_vec())]);
    }

    #[test]
    fn a_broken_first_line_does_not_swallow_the_rest() {
        let found = documents(b"{\"a\": \n{\"a\": 2}\n");
        assert_eq!(found, [(1, b"{\"a\":".to_vec()), (2, b"{\"a\": 2}".to_vec())]);
    }

    #[test]
    fn nothing_holds_no_documents() {
        assert!(documents(b"").is_empty());
        assert!(documents(b"\n \r\n\t").is_empty());
    }
}
