//! Generated text on its way to a file: written whole or not at all, and only
//! if it changed.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::Error;

/// Generated source, not yet written anywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    text: String,
}

impl Generated {
    pub(crate) fn new(text: String) -> Self {
        Self { text }
    }

    /// The source.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Writes to a file, leaving it untouched where it already holds the text.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        if fs::read(path).is_ok_and(|old| old == self.text.as_bytes()) {
            return Ok(());
        }
        let failed = |source| Error::Write { path: path.to_owned(), source };
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
        let partial = folder.unwrap_or(Path::new(".")).join(partial_name(path));
        let written = fs::File::create(&partial)
            .and_then(|mut file| {
                file.write_all(self.text.as_bytes())?;
                file.sync_all()
            })
            .and_then(|()| fs::rename(&partial, path));
        written.map_err(|source| {
            // Best effort: the failure itself is what matters.
            let _ = fs::remove_file(&partial);
            failed(source)
        })
    }

    /// Writes into the build script's `OUT_DIR`.
    ///
    /// # Errors
    /// [`Error::Write`], or [`Error::NotInBuildScript`].
    pub fn write_to_out_dir(&self, name: &str) -> Result<(), Error> {
        let folder = std::env::var_os("OUT_DIR").ok_or(Error::NotInBuildScript("OUT_DIR"))?;
        self.write(PathBuf::from(folder).join(name))
    }
}

fn partial_name(path: &Path) -> String {
    let name = path.file_name().map_or_else(|| "output".into(), |n| n.to_string_lossy());
    format!(".{name}.{}", std::process::id())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unchanged_files_are_left_alone() {
        let folder = std::env::temp_dir().join(format!("routh-output-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("kernel.rs");
        let generated = Generated::new("fn f() {}\n".to_owned());
        generated.write(&path).unwrap();
        let before = fs::metadata(&path).unwrap().modified().unwrap();
        generated.write(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), before);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_failed_write_leaves_nothing() {
        let missing = std::env::temp_dir().join("routh-no-such-folder").join("kernel.rs");
        let error = Generated::new(String::new()).write(&missing).unwrap_err();
        assert!(matches!(error, Error::Write { .. }));
        assert!(!missing.exists());
    }
}
