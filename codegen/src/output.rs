//! Writes generated text to files: whole or not at all, and only if it changed.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::Error;

/// Generated source, not yet written anywhere: one file, or one with others
/// beside it.
///
/// ```
/// use routh_codegen::{Language, Robot};
/// let rod = Robot::from_inertia("rod", &[[2.5, -1.5], [-1.5, 2.5]]).friction(0.73, 0.7);
/// let made = rod.language(Language::C).generate()?;
/// let names: Vec<_> = made.files().map(|file| file.name.as_str()).collect();
/// assert_eq!(names, ["rod.c", "rod.h", "rod_test.c", "REPORT.md"]);
/// assert!(made.text().contains("rod_impact"));
/// # Ok::<(), routh_codegen::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    main: File,
    beside: Vec<File>,
    report: Option<File>,
    inputs: Vec<PathBuf>,
    summary: String,
}

/// A file's name and text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name, without a folder.
    pub name: String,
    /// Its text.
    pub text: String,
}

impl Generated {
    pub(crate) fn new(text: String) -> Self {
        let main = File { name: String::new(), text };
        Self::with_files(main, Vec::new())
    }

    pub(crate) fn with_files(main: File, beside: Vec<File>) -> Self {
        Self { main, beside, report: None, inputs: Vec::new(), summary: String::new() }
    }

    /// The same with a report and its summary.
    #[cfg(feature = "robots")]
    pub(crate) fn reported(self, report: File, summary: String) -> Self {
        Self { report: Some(report), summary, ..self }
    }

    /// The same, made from the given files.
    #[cfg(feature = "robots")]
    pub(crate) fn reading(self, inputs: Vec<PathBuf>) -> Self {
        Self { inputs, ..self }
    }

    /// The source.
    pub fn text(&self) -> &str {
        &self.main.text
    }

    /// A summary of the generated code, in a few lines.
    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// All files under their own names, the source first.
    pub fn files(&self) -> impl Iterator<Item = &File> {
        std::iter::once(&self.main).chain(&self.beside).chain(&self.report)
    }

    /// Writes the source to a file, leaving it untouched where it already holds
    /// the text.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        write_whole(path.as_ref(), &self.main.text).map(drop)
    }

    /// Writes all files into a folder, which is created if it does not exist. Returns
    /// for each file whether it changed.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn write_into(&self, folder: impl AsRef<Path>) -> Result<Vec<bool>, Error> {
        let folder = folder.as_ref();
        fs::create_dir_all(folder)
            .map_err(|source| Error::Write { path: folder.to_owned(), source })?;
        self.files().map(|file| write_whole(&folder.join(&file.name), &file.text)).collect()
    }

    /// Writes into the build script's `OUT_DIR`: the source under the given name,
    /// and the other files under their own names. Prints `rerun-if-changed` for every
    /// input file.
    ///
    /// # Errors
    /// [`Error::Write`], or [`Error::NotInBuildScript`].
    pub fn write_to_out_dir(&self, name: &str) -> Result<(), Error> {
        let folder = std::env::var_os("OUT_DIR").ok_or(Error::NotInBuildScript("OUT_DIR"))?;
        let folder = PathBuf::from(folder);
        if self.inputs.is_empty() {
            println!("cargo:rerun-if-changed=build.rs");
        }
        for input in &self.inputs {
            println!("cargo:rerun-if-changed={}", input.display());
        }
        println!("cargo:rustc-check-cfg=cfg(routh_libm)");
        for file in &self.beside {
            write_whole(&folder.join(&file.name), &file.text)?;
        }
        self.write(folder.join(name))
    }
}

/// Writes a file whole or not at all, and only if it changes: whether it did.
fn write_whole(path: &Path, text: &str) -> Result<bool, Error> {
    if fs::read(path).is_ok_and(|old| old == text.as_bytes()) {
        return Ok(false);
    }
    let failed = |source| Error::Write { path: path.to_owned(), source };
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
    let partial = folder.unwrap_or(Path::new(".")).join(partial_name(path));
    let written = fs::File::create(&partial)
        .and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.sync_all()
        })
        .and_then(|()| fs::rename(&partial, path));
    written.map(|()| true).map_err(|source| {
        // Best effort: the original failure is reported.
        let _ = fs::remove_file(&partial);
        failed(source)
    })
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
