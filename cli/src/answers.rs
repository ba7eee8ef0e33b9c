//! Answers: for every document what was asked of it, or an error in its place.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde::Serialize;

use crate::documents::{Document, Documents};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::rejection::Rejection;

#[derive(Serialize)]
struct Refusal {
    error: Reason,
}

#[derive(Serialize)]
struct Reason {
    kind: &'static str,
    message: String,
}

impl From<Rejection> for Refusal {
    fn from(rejection: Rejection) -> Self {
        Self { error: Reason { kind: rejection.kind(), message: rejection.to_string() } }
    }
}

/// Answers every document of a file in its order, with a line of JSON each.
pub(crate) fn answer_each<T: Serialize>(
    path: &Path,
    progress: &Progress,
    answer: impl FnMut(Document) -> Result<T, Rejection>,
) -> Result<(), Failure> {
    answer_each_as(path, progress, answer, write_line)
}

/// Answers every document of a file in its order, in a form of its own. An
/// input without documents is itself one that cannot be answered.
pub(crate) fn answer_each_as<T>(
    path: &Path,
    progress: &Progress,
    mut answer: impl FnMut(Document) -> Result<T, Rejection>,
    write: impl Fn(&mut dyn Write, &T) -> io::Result<()>,
) -> Result<(), Failure> {
    let unreadable = |source| Failure::Read { path: path.display().to_string(), source };
    let mut documents = Documents::open(path).map_err(unreadable)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let (mut total, mut rejected) = (0, 0);
    while let Some(document) = documents.next().map_err(unreadable)? {
        total += 1;
        let length = document.text.len();
        let written = match answer(document) {
            Ok(result) => write(&mut out, &result),
            Err(rejection) => {
                rejected += 1;
                write_line(&mut out, &Refusal::from(rejection))
            }
        };
        written.map_err(Failure::Write)?;
        progress.document(length);
        if documents.may_block() {
            out.flush().map_err(Failure::Write)?;
        }
    }
    if total == 0 {
        (total, rejected) = (1, 1);
        let rejection = Rejection::Malformed("the input is empty".to_owned());
        write_line(&mut out, &Refusal::from(rejection)).map_err(Failure::Write)?;
    }
    out.flush().map_err(Failure::Write)?;
    if rejected == 0 { Ok(()) } else { Err(Failure::Rejected { rejected, total }) }
}

/// Writes a value as a line of JSON.
pub(crate) fn write_line<T: Serialize>(mut out: &mut dyn Write, value: &T) -> io::Result<()> {
    serde_json::to_writer(&mut out, value)?;
    out.write_all(b"\n")
}
