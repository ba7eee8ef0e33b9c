//! Files: written whole or not at all.

use std::ffi::OsString;
use std::path::Path;
use std::{fs, io, process};

use crate::output::Failure;

/// Writes a file, or leaves what was there.
pub(crate) fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    let failed = |source| Failure::File { path: path.display().to_string(), source };
    write_whole(path, text).map_err(failed)
}

/// Writes to a file beside the one that is meant and then gives it its name; what
/// is no file, such as a pipe, keeps its name.
fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return fs::write(path, text);
    }
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?;
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden.push(format!(".{}", process::id()));
    let beside = path.with_file_name(hidden);
    let written = fs::write(&beside, text).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // It may not exist, and what went wrong is already known.
        let _ = fs::remove_file(&beside);
    }
    written
}
