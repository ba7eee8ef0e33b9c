//! Documents that are answered together, on all cores and in constant memory.

use crate::input::Document;

/// Documents that are kept at most.
const MOST: usize = 4096;

/// Bytes after which no further one is kept.
const MOST_BYTES: usize = 1 << 22;

/// Documents kept together.
#[derive(Default)]
pub(crate) struct Batch {
    text: Vec<u8>,
    /// Where each ends in the text, and the number of its first line.
    ends: Vec<(usize, usize)>,
}

impl Batch {
    pub(crate) fn push(&mut self, document: Document) {
        self.text.extend_from_slice(document.text);
        self.ends.push((self.text.len(), document.line));
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn is_full(&self) -> bool {
        self.len() >= MOST || self.bytes() >= MOST_BYTES
    }

    pub(crate) fn bytes(&self) -> usize {
        self.text.len()
    }

    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }

    pub(crate) fn documents(&self) -> Vec<Document<'_>> {
        let mut start = 0;
        let document = |&(end, line): &(usize, usize)| {
            let text = &self.text[start..end];
            start = end;
            Document { text, line }
        };
        self.ends.iter().map(document).collect()
    }
}
