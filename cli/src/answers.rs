//! Answers: for every document one line of JSON, a result or an error.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde::Serialize;

use crate::documents::{Document, Documents};
use crate::failure::Failure;
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

/// Answers every document of a file in its order. An input without documents
/// is itself one that cannot be answered.
pub(crate) fn answer_each<T: Serialize>(
    path: &Path,
    answer: impl Fn(Document) -> Result<T, Rejection>,
) -> Result<(), Failure> {
    let unreadable = |source| Failure::Read { path: path.display().to_string(), source };
    let mut documents = Documents::open(path).map_err(unreadable)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let (mut total, mut rejected) = (0, 0);
    while let Some(document) = documents.next().map_err(unreadable)? {
        total += 1;
        match answer(document) {
            Ok(result) => write_line(&mut out, &result)?,
            Err(rejection) => {
                rejected += 1;
                write_line(&mut out, &Refusal::from(rejection))?;
            }
        }
        if documents.may_block() {
            out.flush().map_err(Failure::Write)?;
        }
    }
    if total == 0 {
        (total, rejected) = (1, 1);
        let rejection = Rejection::Malformed("the input is empty".to_owned());
        write_line(&mut out, &Refusal::from(rejection))?;
    }
    out.flush().map_err(Failure::Write)?;
    if rejected == 0 { Ok(()) } else { Err(Failure::Rejected { rejected, total }) }
}

fn write_line(out: &mut impl Write, value: &impl Serialize) -> Result<(), Failure> {
    serde_json::to_writer(&mut *out, value).map_err(|e| Failure::Write(e.into()))?;
    out.write_all(b"\n").map_err(Failure::Write)
}
