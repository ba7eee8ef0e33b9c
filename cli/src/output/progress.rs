//! Progress on standard error: a progress bar, shown only on a terminal.

use std::fs;
use std::io::{self, IsTerminal};
use std::path::Path;

use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};

/// How far a command has come. It is cleared where it ends.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    counts: Counts,
}

/// What of an input is counted.
#[derive(Clone, Copy)]
enum Counts {
    Bytes,
    Documents,
}

impl Progress {
    /// Of reading an input: in bytes if its size is known. Results that go to
    /// the same terminal show it themselves.
    pub(crate) fn of_reading(path: &Path) -> Self {
        let size = fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|file| file.len());
        let (counts, bar, template) = match size {
            Some(size) => (
                Counts::Bytes,
                ProgressBar::new(size),
                "{bar:30} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left",
            ),
            None => {
                (Counts::Documents, ProgressBar::no_length(), "{spinner} {human_pos} in {elapsed}")
            }
        };
        let watched = io::stderr().is_terminal() && !io::stdout().is_terminal();
        Self { bar: watched.then(|| styled(bar, template)), counts }
    }

    /// Of a work in so many parts.
    pub(crate) fn of_parts(parts: usize) -> Self {
        let watched = io::stderr().is_terminal();
        let bar = || styled(ProgressBar::new(parts as u64), "{bar:30} {pos} of {len} {msg}");
        Self { bar: watched.then(bar), counts: Counts::Documents }
    }

    /// Of nothing that takes long.
    pub(crate) fn none() -> Self {
        Self { bar: None, counts: Counts::Documents }
    }

    /// So many more documents of so many bytes have been dealt with.
    pub(crate) fn documents(&self, count: usize, bytes: usize) {
        if let Some(bar) = &self.bar {
            match self.counts {
                Counts::Bytes => bar.inc(bytes as u64),
                Counts::Documents => bar.inc(count as u64),
            }
        }
    }

    /// The part of the given name begins.
    pub(crate) fn part(&self, name: &'static str) {
        if let Some(bar) = &self.bar {
            bar.set_message(name);
            bar.inc(1);
        }
    }
}

fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template);
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.with_finish(ProgressFinish::AndClear)
}
