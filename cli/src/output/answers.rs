//! Answers: for every document what was asked of it, or an error in its place.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use rayon::prelude::*;
use serde::Serialize;

use crate::input::{Document, Documents, Rejection};
use crate::output::{Failure, Progress, object};

/// Documents that are answered together at most, and bytes after which no more are kept.
const MOST: usize = 4096;
const MOST_BYTES: usize = 1 << 22;

/// An error in the place of an answer.
pub(crate) fn refusal(rejection: &Rejection) -> impl Serialize {
    object! { error: object! { kind: rejection.kind(), message: rejection.to_string() } }
}

/// Answers every document of a file in its order, with a line of JSON each.
pub(crate) fn answer_each<T: Serialize>(
    path: &Path,
    answer: impl FnMut(Document) -> Result<T, Rejection>,
) -> Result<(), Failure> {
    answer_each_as(path, &Progress::of_reading(path), answer, write_line)
}

/// Answers every document of a file in its order, in a form of its own.
pub(crate) fn answer_each_as<T>(
    path: &Path,
    progress: &Progress,
    mut answer: impl FnMut(Document) -> Result<T, Rejection>,
    write: impl Fn(&mut dyn Write, &T) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut documents = open(path)?;
    let mut answers = Answers::new();
    while let Some(document) = documents.next().map_err(unreadable(path))? {
        let length = document.text.len();
        match answer(document) {
            Ok(result) => answers.give(|out| write(out, &result))?,
            Err(rejection) => answers.refuse(rejection)?,
        }
        progress.documents(1, length);
        if documents.may_block() {
            answers.flush()?;
        }
    }
    answers.finish()
}

/// Answers the documents of a file in its order, with a line of JSON each, as
/// many at a time as are there and may be kept.
pub(crate) fn answer_together<T: Serialize + Send>(
    path: &Path,
    mut answer: impl FnMut(&[Document]) -> Vec<Result<T, Rejection>>,
) -> Result<(), Failure> {
    let progress = Progress::of_reading(path);
    let mut documents = open(path)?;
    let mut answers = Answers::new();
    let (mut kept, mut bytes) = (Vec::<(Vec<u8>, usize)>::new(), 0);
    loop {
        let next = documents.next().map_err(unreadable(path))?;
        let more = next.is_some();
        if let Some(Document { text, line }) = next {
            bytes += text.len();
            kept.push((text.to_vec(), line));
        }
        if more && kept.len() < MOST && bytes < MOST_BYTES && !documents.may_block() {
            continue;
        }
        let together = kept.iter().map(|(text, line)| Document { text, line: *line });
        let lines = answer(&together.collect::<Vec<_>>())
            .into_par_iter()
            .map(|result| result.map(|result| serde_json::to_vec(&result)));
        for line in lines.collect::<Vec<_>>() {
            match line {
                Ok(line) => {
                    answers.give(|out| out.write_all(&line?).and_then(|()| out.write_all(b"\n")))?
                }
                Err(rejection) => answers.refuse(rejection)?,
            }
        }
        answers.flush()?;
        progress.documents(kept.len(), bytes);
        kept.clear();
        bytes = 0;
        if !more {
            return answers.finish();
        }
    }
}

fn open(path: &Path) -> Result<Documents, Failure> {
    Documents::open(path).map_err(unreadable(path))
}

/// What becomes of an error of reading.
pub(crate) fn unreadable(path: &Path) -> impl Fn(io::Error) -> Failure {
    |source| Failure::Read { path: path.display().to_string(), source }
}

/// Answers on standard output, counted.
struct Answers {
    out: BufWriter<io::StdoutLock<'static>>,
    total: usize,
    rejected: usize,
}

impl Answers {
    fn new() -> Self {
        Self { out: BufWriter::new(io::stdout().lock()), total: 0, rejected: 0 }
    }

    fn give(
        &mut self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        self.total += 1;
        write(&mut self.out).map_err(Failure::Write)
    }

    fn refuse(&mut self, rejection: Rejection) -> Result<(), Failure> {
        self.rejected += 1;
        self.give(|out| write_line(out, &refusal(&rejection)))
    }

    fn flush(&mut self) -> Result<(), Failure> {
        self.out.flush().map_err(Failure::Write)
    }

    /// An input without documents is itself one that cannot be answered.
    fn finish(mut self) -> Result<(), Failure> {
        if self.total == 0 {
            self.refuse(Rejection::Malformed("the input is empty".to_owned()))?;
        }
        self.flush()?;
        match self {
            Self { rejected: 0, .. } => Ok(()),
            Self { rejected, total, .. } => Err(Failure::Rejected { rejected, total }),
        }
    }
}

/// Writes a value as a line of JSON.
pub(crate) fn write_line<T: Serialize>(mut out: &mut dyn Write, value: &T) -> io::Result<()> {
    serde_json::to_writer(&mut out, value)?;
    out.write_all(b"\n")
}
